import type { Grouping } from '../block/grouping.ts';
import type { Language } from '../languages/language.ts';
import { columnWriter, escaped, lengthShown, NO_VALUE } from '../page/cells.ts';
import type { Links } from '../page/links.ts';
import { hrefOf, type PageState } from '../page/links.ts';
import type { DatasetPage } from '../page/page.ts';
import { distanceText, FROM_RIGHT, shortTitle } from '../text/wording.ts';
import type { Row, Value } from '../values/field-type.ts';
import { isNumeric } from '../values/field-types.ts';
import { DISTANCE, directionTo, type Point } from '../values/places.ts';
import { rowsOfGroup } from './rows-of-group.ts';
import type { TableColumn } from './table-columns.ts';

/** What rows are grouped by, and how many of the dataset's rows are in the groups. */
export type Groups = { readonly grouping: Grouping; readonly matching: number };

/**
 * Cells of a page's table. Then a page has fewer rows than are asked for.
 *
 * More are slow to send and to scroll. Nobody can choose so many columns that no row is left.
 */
export const MOST_CELLS = 4000;

/** How many of the rows that are asked for a table of so many columns has. */
export function rowsThatFit(asked: number, columns: number): number {
  return Math.min(asked, Math.max(1, Math.floor(MOST_CELLS / columns)));
}

const STEPS_PER_CELL = 150;
const ROWS_AT_ONCE = 20;

/**
 * Writes rows as a table's body in pieces, since cells are most of a page: 40,000 take 60 ms.
 * `links` are the rows' addresses, if they have any.
 */
export async function writeTableBody(
  page: Pick<DatasetPage, 'block' | 'manifest' | 'profile' | 'language' | 'turn'> & {
    readonly links: Pick<Links, 'state'>;
  },
  table: {
    readonly columns: readonly TableColumn[];
    readonly rows: readonly Row[];
    /** The place that the rows are near, as it was read. */
    readonly near?: unknown;
    readonly groups?: Groups;
  },
  links: readonly string[] = [],
): Promise<string> {
  const { columns, rows, groups } = table;
  const { language, turn } = page;
  const { state } = page.links;
  const measured = groups?.grouping.measures.map(({ column }) => column.name) ?? [];
  const near = nearIn(page, table.near);
  const writers = [];
  for (const shown of columns) {
    const { field } = shown;
    const column = withNames(columnWriter(field, page, rows), language, groups?.grouping);
    const isBar = measured.includes(field.name) && isNumeric(field);
    const quiet = field.type === 'boolean' ? withYes(column) : column;
    writers.push({ ...(isBar ? withBars(column, rows) : quiet), open: openingsOf(shown, isBar) });
    await turn(rows.length * STEPS_PER_CELL);
  }
  const lines: string[] = [];
  for (const [i, row] of rows.entries()) {
    const cells = writers.map(({ name, write, open }, column) => {
      const value = row[name] ?? null;
      const isWay = near !== undefined && name === DISTANCE.name;
      const text = isWay ? wayTo(near, row, language) : write(value);
      if (column > 0 || measured.includes(name)) {
        return `${open('td', value, text)}${text === '' ? NO_VALUE : text}</td>`;
      }
      const exact = typeof value === 'number' ? exactly(value, text) : text;
      const head =
        groups === undefined
          ? linkedToRow(exact, links[i], language)
          : linked(exact, row, state, groups, language);
      return `${open('th scope="row"', value, text)}${head}</th>`;
    });
    lines.push(`<tr>${cells.join('')}</tr>`);
    if (i % ROWS_AT_ONCE === 0) await turn(ROWS_AT_ONCE * cells.length * STEPS_PER_CELL);
  }
  return `<tbody>${lines.join('\n')}</tbody>`;
}

/** The place that rows are near, and where theirs is. Undefined if nothing is near. */
function nearIn({ block }: Pick<DatasetPage, 'block'>, near: unknown) {
  const { geometry } = block;
  if (typeof near !== 'string' || geometry === undefined) return undefined;
  return { at: near.split(',').map(Number) as unknown as Point, geometry };
}

/** How far a row is and in which direction; on a phone, with the way to a program for maps. */
function wayTo(
  { at, geometry }: NonNullable<ReturnType<typeof nearIn>>,
  row: Row,
  language: Language,
): string {
  const metres = row[DISTANCE.name];
  if (typeof metres !== 'number') return '';
  const far = `<data value="${metres}">${distanceText(metres, language.name)}</data>`;
  const [longitude, latitude] = [row[geometry.longitude], row[geometry.latitude]];
  // Without these columns, the way is not known.
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return far;
  const direction = metres === 0 ? '' : ` ${language.say(directionTo(at, [longitude, latitude]))}`;
  return `${far}${direction} <a class="narrow" href="geo:${latitude},${longitude}">${language.say('map')}</a>`;
}

/** A number that may be taken for a text, with its digits. */
function exactly(value: number, written: string): string {
  return /^[\d.-]+$|^<data/.test(written) ? written : `<data value="${value}">${written}</data>`;
}

/** A row's first cell as a link to it. A cell with a link has one behind it. */
function linkedToRow(text: string, href: string | undefined, { say }: Language): string {
  if (href === undefined) return text === '' ? NO_VALUE : text;
  const link = escaped(href);
  const label = say('This row');
  if (text === '') return `<a class="row" href="${link}" aria-label="${label}">–</a>`;
  return text.includes('<a ')
    ? `${text} <a class="row" href="${link}" aria-label="${label}">#</a>`
    : `<a class="row" href="${link}">${text}</a>`;
}

/**
 * How a column's cells begin. What a cell's width may cut is its title too, and a card on a phone
 * names its fields.
 */
function openingsOf(column: TableColumn, isBar: boolean) {
  const { field, from = '', fits, isOnCard = false, isFromRight = false } = column;
  const kind = isBar ? 'bar' : isNumeric(field) ? 'n' : '';
  const side = isFromRight ? 'rtl' : '';
  const label = isOnCard ? ` data-l="${escaped(shortTitle(field.title))}"` : '';
  return (tag: string, value: Value, written: string): string => {
    const isHead = tag !== 'td';
    const classes = [isHead ? '' : kind, from, side].filter((one) => one !== '').join(' ');
    const named = classes === '' ? '' : ` class="${classes}"`;
    const whole = typeof value === 'string' && !written.includes('<time') ? value : '';
    const title = lengthShown(whole) > fits ? ` title="${escaped(whole)}"` : '';
    const dir = FROM_RIGHT.test(whole) ? ' dir="auto"' : '';
    return `<${tag}${named}${isHead ? '' : label}${dir}${title}>`;
  };
}

/** Yes stands out among no. */
function withYes(column: ColumnWriter): ColumnWriter {
  const write = (value: Value) => {
    const text = column.write(value);
    if (value === null) return text;
    return value === true ? `<b>${text}</b>` : `<span class="quiet">${text}</span>`;
  };
  return { ...column, write };
}

/** The first cell of a group links to its rows, if filters can ask for them. */
function linked(
  text: string,
  row: Row,
  state: PageState,
  groups: Groups,
  { say }: Language,
): string {
  const shown = text === '' ? `<span class="quiet">${say('no value')}</span>` : text;
  const rows = rowsOfGroup(state, groups.grouping, row);
  // A link cannot be in a link.
  if (rows === undefined || text.includes('<a ')) return shown;
  return `<a href="${escaped(hrefOf(rows))}">${shown}</a>`;
}

type ColumnWriter = ReturnType<typeof columnWriter>;

/** Writes the names of a part of dates instead of its numbers: `Monday`. */
function withNames(
  column: ColumnWriter,
  language: Language,
  grouping: Grouping | undefined,
): ColumnWriter {
  const nameOf = grouping?.dimensions.find((one) => one.column.name === column.name)?.part?.nameOf;
  if (nameOf === undefined) return column;
  const write = (value: Value) => {
    if (value === null) return '';
    return `<data value="${value}">${nameOf(value, language) ?? value}</data>`;
  };
  return { ...column, write };
}

/** Draws each number as a bar beside it, from 0 on. */
function withBars({ name, write }: ColumnWriter, rows: readonly Row[]): ColumnWriter {
  const numbers = rows.map((row) => row[name]).filter((value) => typeof value === 'number');
  const least = Math.min(0, ...numbers);
  const span = Math.max(0, ...numbers) - least || 1;
  const part = (number: number) => Number(((100 * number) / span).toPrecision(4));
  // Each number takes the room of the longest, so that all bars are drawn to one scale.
  const longest = numbers.reduce((most, number) => {
    return Math.max(most, write(number).replace(/<[^>]*>/g, '').length);
  }, 0);
  const room = '0'.repeat(longest);
  return {
    name,
    write: (value) => {
      if (typeof value !== 'number') return write(value);
      const from = part(Math.min(0, value) - least);
      const bar = `<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect x="${from}" width="${part(Math.abs(value))}" height="1"/></svg>`;
      return `<div>${bar}<span data-room="${room}">${write(value)}</span></div>`;
    },
  };
}
