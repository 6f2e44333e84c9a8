import { type DatasetBlock, fieldsInOrder } from '../block/block.ts';
import { type Grouping, groupColumns } from '../block/grouping.ts';
import { NEAR } from '../block/parameter.ts';
import { decimalText } from '../text/decimal.ts';
import { decimalsOf, numberText } from '../text/wording.ts';
import { ownMember, type Row, type Value } from '../values/field-type.ts';
import { type Field, isLabel, isNumeric, keysOfDay, typeOf } from '../values/field-types.ts';
import { DISTANCE } from '../values/places.ts';
import {
  type BlockView,
  hrefOf,
  type PageOutcome,
  type PageState,
  pageState,
} from './block-view.ts';
import type { Turn } from './in-turns.ts';
import { rowsOfGroup } from './rows-of-group.ts';

/**
 * Cells of a page's table. The page has first fewer rows, but ten at least, and then fewer columns.
 *
 * More are slow to send and to scroll.
 */
export const MOST_CELLS = 4000;

/** A table of fewer rows does not show what columns have. */
const LEAST_ROWS = 10;

/** How many of the rows that are asked for a table of so many columns has. */
export function rowsThatFit(asked: number, columns: number): number {
  return Math.min(asked, Math.max(LEAST_ROWS, Math.floor(MOST_CELLS / columns)));
}

/** How many of its columns a table of so many rows has. */
export function columnsThatFit(columns: number, rows: number): number {
  return Math.min(columns, Math.floor(MOST_CELLS / Math.max(1, rows)));
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
  view: Pick<BlockView, 'block' | 'manifest' | 'profile' | 'given'>,
  { columns, rows, groups }: Pick<PageOutcome & { kind: 'rows' }, 'columns' | 'rows' | 'groups'>,
  turn: Turn,
  links: readonly string[] = [],
): Promise<string> {
  const state = pageState(view.block, view.given);
  const measured = groups?.grouping.measures.map(({ column }) => column.name) ?? [];
  const writers = [];
  for (const field of columns) {
    const column = withNames(columnWriter(field, view, rows), groups?.grouping);
    const isBar = measured.includes(field.name) && isNumeric(field);
    writers.push(isBar ? withBars(column, rows) : column);
    await turn(rows.length * STEPS_PER_CELL);
  }
  const lines: string[] = [];
  for (const [i, row] of rows.entries()) {
    const cells = writers.map(({ name, write, open }, column) => {
      const text = write(row[name] ?? null);
      return column === 0 && !measured.includes(name)
        ? `<th scope="row">${groups === undefined ? linkedToRow(text, links[i]) : linked(text, row, state, groups)}</th>`
        : `${open}${text}</td>`;
    });
    lines.push(`<tr>${cells.join('')}</tr>`);
    if (i % ROWS_AT_ONCE === 0) await turn(ROWS_AT_ONCE * cells.length * STEPS_PER_CELL);
  }
  return `<tbody>${lines.join('\n')}</tbody>`;
}

/** A row's first cell as a link to it. A cell without text, or with a link, has one behind it. */
function linkedToRow(text: string, href: string | undefined): string {
  if (href === undefined) return text;
  const link = escaped(href);
  return text === '' || text.includes('<a ')
    ? `${text} <a class="row" href="${link}" aria-label="This row">#</a>`
    : `<a class="row" href="${link}">${text}</a>`;
}

/** How a column's cells are written, given its rows. */
export function columnWriter(
  field: Field,
  { block, manifest, profile }: Pick<BlockView, 'block' | 'manifest' | 'profile'>,
  rows: readonly Row[],
) {
  const { primaryKey = [], geometry } = block as DatasetBlock;
  const { name } = field;
  const { min, max } = manifest?.fields[name] ?? {};
  const decimals = ownMember(profile?.decimals, name);
  const write = cellWriter(
    field,
    rows.map((row) => row[name] ?? null),
    {
      ...(min === undefined || max === undefined ? {} : { min, max }),
      ...(decimals === undefined ? {} : { decimals }),
      isKey: primaryKey.includes(name),
      isPlace: name === geometry?.latitude || name === geometry?.longitude,
    },
  );
  return { name, write, open: openingOf(field) };
}

/** The first cell of a group links to its rows, if filters can ask for them. */
function linked(
  text: string,
  row: Row,
  state: PageState,
  groups: NonNullable<(PageOutcome & { kind: 'rows' })['groups']>,
): string {
  const shown = text === '' ? '<span class="quiet">no value</span>' : text;
  const rows = rowsOfGroup(state, groups.grouping, row);
  // A link cannot be in a link.
  if (rows === undefined || text.includes('<a ')) return shown;
  return `<a href="${escaped(hrefOf(rows))}">${shown}</a>`;
}

type ColumnWriter = ReturnType<typeof columnWriter>;

/** Writes the names of a part of dates instead of its numbers: `Monday`. */
function withNames(column: ColumnWriter, grouping: Grouping | undefined): ColumnWriter {
  const nameOf = grouping?.dimensions.find((one) => one.column.name === column.name)?.part?.nameOf;
  if (nameOf === undefined) return column;
  const write = (value: Value) => {
    if (value === null) return '';
    return `<data value="${value}">${nameOf(value) ?? value}</data>`;
  };
  return { ...column, open: '<td>', write };
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
    open: '<td class="bar">',
    write: (value) => {
      if (typeof value !== 'number') return write(value);
      const from = part(Math.min(0, value) - least);
      const bar = `<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect x="${from}" width="${part(Math.abs(value))}" height="1"/></svg>`;
      return `<div>${bar}<span data-room="${room}">${write(value)}</span></div>`;
    },
  };
}

/** Dates are not broken between lines. */
function openingOf(field: Field): string {
  if (isNumeric(field)) return '<td class="n">';
  return keysOfDay(field) === undefined ? '<td>' : '<td class="t">';
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
  context: CellContext = {},
): (value: Value) => string {
  const writeNumber = numberWriter(field, values, context);
  const hasSeconds = values.some((value) => typeof value === 'string' && SECONDS.test(value));
  const hasTimes = (keysOfDay(field) ?? 0) > 1;
  return (value) => {
    if (value === null) return '';
    if (typeof value === 'number') return writeNumber(value);
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
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
function numberWriter(field: Field, values: readonly Value[], context: CellContext) {
  const { isKey = false, isPlace = false } = context;
  if (field.type !== 'number' && (isKey || isLabel(field, context))) return decimalText;
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
    const shown = isTiny
      ? decimalText(Number(value.toPrecision(DIGITS_OF_TINY)))
      : numberText(value, decimals);
    const isExact = Number(shown.replaceAll(',', '')) === value;
    return isExact ? shown : `<data value="${value}" title="${value}">${shown}</data>`;
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
