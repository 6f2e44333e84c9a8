import type { DatasetBlock } from '../block/block.ts';
import { columnsOf, type Grouping } from '../block/grouping.ts';
import { NEAR } from '../block/parameter.ts';
import type { Row } from '../values/field-type.ts';
import { type Field, isNumeric } from '../values/field-types.ts';
import { DISTANCE } from '../values/places.ts';
import type { BlockView, PageOutcome } from './block-view.ts';
import { cellWriter, escaped } from './cell-writer.ts';
import type { Turn } from './in-turns.ts';
import { hrefOf, type PageState, pageState } from './page-state.ts';
import { rowsOfGroup } from './rows-of-group.ts';

/** The most cells of a page's table; more are slow to send and to scroll. */
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
  const { keyFields } = block as DatasetBlock;
  const fields = grouping === undefined ? (block as DatasetBlock).fields : columnsOf(grouping);
  const asked = values._fields as readonly string[] | undefined;
  const byName = new Map(fields.map((field) => [field.name, field]));
  const names = asked ?? [...(grouping === undefined ? keyFields : []), ...byName.keys()];
  const shown = [...new Set(names)].flatMap((name) => byName.get(name) ?? []);
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
  view: Pick<BlockView, 'block' | 'manifest' | 'given'>,
  { columns, rows, groups }: Pick<PageOutcome & { kind: 'rows' }, 'columns' | 'rows' | 'groups'>,
  turn: Turn,
  links: readonly string[] = [],
): Promise<string> {
  const state = pageState(view.block, view.given);
  const measured = groups?.grouping.measures.map(({ column }) => column.name) ?? [];
  const writers = [];
  for (const field of columns) {
    const column = columnWriter(field, view, rows);
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
  return text === '' || text.includes('<a ')
    ? `${text} <a class="row" href="${href}" aria-label="This row">#</a>`
    : `<a class="row" href="${href}">${text}</a>`;
}

/** How a column's cells are written, given its rows. */
export function columnWriter(
  field: Field,
  { block, manifest }: Pick<BlockView, 'block' | 'manifest'>,
  rows: readonly Row[],
) {
  const { primaryKey = [], geometry } = block as DatasetBlock;
  const { name } = field;
  const { min, max } = manifest?.fields[name] ?? {};
  const write = cellWriter(
    field,
    rows.map((row) => row[name] ?? null),
    {
      ...(min === undefined || max === undefined ? {} : { min, max }),
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

/** Draws each number as a bar beside it, from 0 on. */
function withBars({ name, write }: ColumnWriter, rows: readonly Row[]): ColumnWriter {
  const numbers = rows.map((row) => row[name]).filter((value) => typeof value === 'number');
  const least = Math.min(0, ...numbers);
  const span = Math.max(0, ...numbers) - least || 1;
  const part = (number: number) => Number(((100 * number) / span).toPrecision(4));
  return {
    name,
    open: '<td class="bar">',
    write: (value) => {
      if (typeof value !== 'number') return write(value);
      const from = part(Math.min(0, value) - least);
      const bar = `<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect x="${from}" width="${part(Math.abs(value))}" height="1"/></svg>`;
      return `<div>${bar}<span>${write(value)}</span></div>`;
    },
  };
}

/** Dates are not broken between lines. */
function openingOf(field: Field): string {
  if (isNumeric(field)) return '<td class="n">';
  return field.type === 'date' || field.type === 'datetime' ? '<td class="t">' : '<td>';
}
