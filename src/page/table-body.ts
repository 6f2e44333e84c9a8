import { type DatasetBlock, fieldsInOrder } from '../block/block.ts';
import { type Grouping, groupColumns } from '../block/grouping.ts';
import { NEAR } from '../block/parameter.ts';
import type { Language } from '../languages/language.ts';
import { decimalText } from '../text/decimal.ts';
import { decimalsOf, distanceText, FROM_RIGHT, shortTitle } from '../text/wording.ts';
import { ownMember, type Row, type Value } from '../values/field-type.ts';
import { type Field, isLabel, isNumeric, keysOfDay, typeOf } from '../values/field-types.ts';
import { DISTANCE, directionTo, type Point } from '../values/places.ts';
import {
  type BlockView,
  hrefOf,
  type PageOutcome,
  type PageState,
  pageState,
  type TableColumn,
} from './block-view.ts';
import type { Turn } from './in-turns.ts';
import { rowsOfGroup } from './rows-of-group.ts';

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

/** From here on, most characters are twice as wide as those of Latin. */
const WIDE = /[\u1100-\uffff]/g;

/** How many characters of Latin a text is as wide as. */
export function lengthShown(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0);
}

const STEPS_PER_CELL = 150;
const ROWS_AT_ONCE = 20;

/** The columns of rows or groups: those asked for, or else the key fields and then all others. */
export function columnsOfRows(
  { block, values }: Pick<BlockView, 'block' | 'values'>,
  grouping?: Grouping,
): Field[] {
  const all =
    grouping === undefined ? fieldsInOrder(block as DatasetBlock) : groupColumns(grouping);
  const asked = values._fields as readonly string[] | undefined;
  const byName = new Map(all.map((field) => [field.name, field]));
  const shown = [...new Set(asked ?? byName.keys())].flatMap((name) => byName.get(name) ?? []);
  // Where one looks at it: behind the name.
  return values[NEAR] === undefined || grouping !== undefined
    ? shown
    : [...shown.slice(0, 1), DISTANCE, ...shown.slice(1)];
}

/**
 * Writes rows as a table's body in pieces, since cells are most of a page: 40,000 take 60 ms.
 * `links` are the rows' addresses, if they have any.
 */
export async function writeTableBody(
  view: Pick<BlockView, 'block' | 'manifest' | 'profile' | 'given' | 'language'>,
  table: {
    readonly columns: readonly TableColumn[];
    readonly rows: readonly Row[];
    /** The place that the rows are near, as it was read. */
    readonly near?: unknown;
    readonly groups?: (PageOutcome & { kind: 'rows' })['groups'];
  },
  turn: Turn,
  links: readonly string[] = [],
): Promise<string> {
  const { columns, rows, groups } = table;
  const state = pageState(view.block, view.given);
  const measured = groups?.grouping.measures.map(({ column }) => column.name) ?? [];
  const near = nearIn(view, table.near);
  const { language } = view;
  const writers = [];
  for (const shown of columns) {
    const { field } = shown;
    const column = withNames(columnWriter(field, view, rows), language, groups?.grouping);
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
function nearIn({ block }: Pick<BlockView, 'block'>, near: unknown) {
  const { geometry } = block as DatasetBlock;
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

/** A cell without a value. */
export const NO_VALUE = '<span class="quiet">–</span>';

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

/** Whether most of a column's texts are written from the right. */
export function isFromRight({ name }: Field, rows: readonly Row[]): boolean {
  const texts = rows.flatMap((row) => (typeof row[name] === 'string' ? (row[name] as string) : []));
  return 2 * texts.filter((text) => FROM_RIGHT.test(text)).length > texts.length;
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

/** How a column's cells are written, given its rows. */
export function columnWriter(
  field: Field,
  of: Pick<BlockView, 'block' | 'manifest' | 'profile' | 'language'>,
  rows: readonly Row[],
) {
  const { name } = field;
  const values = rows.map((row) => row[name] ?? null);
  return { name, write: cellWriter(field, values, of.language, contextOf(field, of)) };
}

/** What is known of all values of a field of the dataset. */
export function contextOf(
  field: Field,
  { block, ...of }: Pick<BlockView, 'block' | 'manifest' | 'profile'>,
): CellContext {
  const { name } = field;
  const { primaryKey = [], geometry } = block as DatasetBlock;
  return {
    ...numbersOf(field, of),
    isKey: primaryKey.includes(name),
    isPlace: name === geometry?.latitude || name === geometry?.longitude,
  };
}

/** Of these, how large its numbers are, and how many decimals they have. */
export function numbersOf(
  { name }: Field,
  { manifest, profile }: Pick<BlockView, 'manifest' | 'profile'>,
): CellContext {
  const { min, max } = ownMember(manifest?.fields, name) ?? {};
  const decimals = ownMember(profile?.decimals, name);
  return {
    ...(min === undefined || max === undefined ? {} : { min, max }),
    ...(decimals === undefined ? {} : { decimals }),
  };
}

/** The first cell of a group links to its rows, if filters can ask for them. */
function linked(
  text: string,
  row: Row,
  state: PageState,
  groups: NonNullable<(PageOutcome & { kind: 'rows' })['groups']>,
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

/** What is known of a field beside its declaration. */
export type CellContext = {
  readonly min?: number;
  readonly max?: number;
  /** The most decimals of all its values, which those of one page need not have. */
  readonly decimals?: number;
  /** Whether it is of the primary key. */
  readonly isKey?: boolean;
  /** Whether it holds degrees of a place. */
  readonly isPlace?: boolean;
};

/** Writes the cells of one column as HTML: numbers with as many decimals as the column needs. */
export function cellWriter(
  field: Field,
  values: readonly Value[],
  language: Language,
  context: CellContext = {},
): (value: Value) => string {
  const writeNumber = numberWriter(field, values, language, context);
  const hasSeconds = values.some((value) => typeof value === 'string' && SECONDS.test(value));
  const hasTimes = (keysOfDay(field) ?? 0) > 1;
  return (value) => {
    if (value === null) return '';
    if (typeof value === 'number') return writeNumber(value);
    if (typeof value === 'boolean') return language.say(value ? 'yes' : 'no');
    if (hasTimes) return timeOf(value, hasSeconds);
    const href = typeOf(field).hrefOf?.(value);
    return href === undefined
      ? escaped(value)
      : `<a href="${escaped(href)}">${escaped(linkText(value))}</a>`;
  };
}

/** A column with more decimals shows what a computation left, not what was measured. */
const MOST_MEASURED = 6;

/** Of degrees, as many are then shown: about a metre. */
const DECIMALS_OF_PLACES = 5;

/** Of others, so many that the largest has about four digits, and the tiny ones three. */
const DIGITS = 4;
const DIGITS_OF_TINY = 3;

/** Of what was computed, one shows that it is no whole number, up to some size. */
const LEAST_WHOLE = 10_000;

function decimalsOfComputed(largest: number): number {
  if (largest >= LEAST_WHOLE) return 0;
  const whole = Math.max(1, Math.floor(Math.log10(largest)) + 1);
  return Math.max(1, DIGITS - whole);
}

/** `value` has the digits that are not shown. */
function numberWriter(
  field: Field,
  values: readonly Value[],
  language: Language,
  context: CellContext,
) {
  const { isKey = false, isPlace = false } = context;
  if ((field.type !== 'number' && isKey) || isLabel(field, context)) return decimalText;
  const { decimals: known, min = 0, max = 0 } = context;
  let [most, largest] = [known ?? 0, Math.max(Math.abs(min), Math.abs(max))];
  for (const value of known === undefined ? values : []) {
    if (typeof value !== 'number') continue;
    most = Math.max(most, decimalsOf(value));
    largest = Math.max(largest, Math.abs(value));
  }
  const ofComputed = isPlace ? DECIMALS_OF_PLACES : decimalsOfComputed(largest);
  const decimals = most <= MOST_MEASURED ? most : ofComputed;
  return (value: number): string => {
    const isTiny = value !== 0 && Math.abs(value) < 10 ** -decimals / 2;
    const near = Number(isTiny ? value.toPrecision(DIGITS_OF_TINY) : value.toFixed(decimals));
    const shown = isTiny
      ? decimalText(near).replace('.', language.decimal)
      : language.number(value, decimals);
    return near === value ? shown : `<data value="${value}" title="${value}">${shown}</data>`;
  };
}

/** Times in which seconds are told. */
const SECONDS = /T\d\d:\d\d:(?!00(?:Z|[+-]|$))/;

/** `2020-05-17T10:30:00Z` is shown as `2020-05-17 10:30 UTC`. */
function timeOf(value: string, hasSeconds: boolean): string {
  const [, day, minutes, rest = '', zone = ''] =
    /^(\S+)T(\d\d:\d\d)(:[\d.]+)?(Z|[+-][\d:]+)?$/.exec(value) ?? [];
  if (day === undefined) return escaped(value);
  const shown = `${day} ${minutes}${hasSeconds ? rest : ''}${zone === 'Z' ? ' UTC' : zone && ` ${zone}`}`;
  return `<time datetime="${value}">${shown}</time>`;
}

/** Characters of a link in a table. */
const MOST_LINK = 40;

/** A web address without what all have; a long one is cut. */
function linkText(text: string): string {
  const bare = text.replace(/^https?:\/\/(?:www\.)?/, '').replace(/^([^/?#]+)\/$/, '$1');
  return bare.length <= MOST_LINK ? bare : `${bare.slice(0, MOST_LINK - 1)}…`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
