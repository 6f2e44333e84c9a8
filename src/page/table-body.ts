import type { DatasetBlock } from '../block/block.ts';
import { NEAR } from '../block/search-parameters.ts';
import type { Field, Row } from '../fields/field.ts';
import { isNumeric } from '../fields/field-types.ts';
import { DISTANCE } from '../query/distance.ts';
import type { BlockView } from './block-view.ts';
import { cellWriter } from './cell-writer.ts';

/** What the steps of a piece of finished work are reported to; it may pause the work. */
type Turn = (steps: number) => Promise<void> | undefined;

const STEPS_PER_CELL = 150;
const ROWS_AT_ONCE = 20;

/** The fields asked for, or else the key fields and then all others. */
export function columnsOf({ block, values }: Pick<BlockView, 'block' | 'values'>): Field[] {
  const { fields, keyFields } = block as DatasetBlock;
  const asked = values._fields as readonly string[] | undefined;
  const names = asked ?? [...keyFields, ...fields.map(({ name }) => name)];
  const shown = [...new Set(names)].flatMap((name) =>
    fields.filter((field) => field.name === name),
  );
  return values[NEAR] === undefined ? shown : [...shown, DISTANCE];
}

/** Writes rows as a table's body in pieces, since cells are most of a page: 40,000 take 60 ms. */
export async function writeTableBody(
  view: Pick<BlockView, 'block' | 'values' | 'manifest'>,
  rows: readonly Row[],
  turn: Turn,
): Promise<string> {
  const writers = [];
  for (const field of columnsOf(view)) {
    writers.push(columnWriter(field, view, rows));
    await turn(rows.length * STEPS_PER_CELL);
  }
  const lines: string[] = [];
  for (const [i, row] of rows.entries()) {
    const cells = writers.map(({ name, write, open }, column) => {
      const text = write(row[name] ?? null);
      return column === 0 ? `<th scope="row">${text}</th>` : `${open}${text}</td>`;
    });
    lines.push(`<tr>${cells.join('')}</tr>`);
    if (i % ROWS_AT_ONCE === 0) await turn(ROWS_AT_ONCE * cells.length * STEPS_PER_CELL);
  }
  return `<tbody>${lines.join('\n')}</tbody>`;
}

function columnWriter(
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

/** Dates are not broken between lines. */
function openingOf(field: Field): string {
  if (isNumeric(field)) return '<td class="n">';
  return field.type === 'date' || field.type === 'datetime' ? '<td class="t">' : '<td>';
}
