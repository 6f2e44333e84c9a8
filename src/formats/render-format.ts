import type { Block, DatasetBlock } from '../block/block.ts';
import type { Boundaries } from '../block/geometry.ts';
import type { Format } from '../block/options.ts';
import type { Budget } from '../query/budget.ts';
import type { Output } from '../query/output.ts';
import { textsOf } from '../query/row-texts.ts';
import { csvOf } from './csv.ts';
import { type GeojsonAsked, geojsonOf } from './geojson.ts';

/** A format that has only an answer's rows, with no place for anything else. */
export type RowsFormat = Exclude<Format, 'json' | 'html'>;

export type RowsAsked = {
  readonly block: Block;
  readonly output: Output;
  /** The fields of `_fields`, if given. */
  readonly fields?: readonly string[];
  readonly form?: GeojsonAsked['form'];
  readonly boundaries?: () => Boundaries;
};

/** How many rows are written before other requests get their turn. */
const ROWS_AT_ONCE = 50;

/** The work of writing a cell. */
const STEPS_PER_CELL = 20;

/** An answer's rows in a format; a value is one row. Pauses so that others are answered too. */
export async function renderFormat(
  format: RowsFormat,
  asked: RowsAsked,
  budget: Budget,
): Promise<string> {
  const { block, output, fields } = asked;
  const rows = output.kind === 'rows' ? textsOf(output.rows) : [JSON.stringify(output.value)];
  switch (format) {
    case 'ndjson':
      return rows.map((row) => `${row}\n`).join('');
    case 'csv': {
      const columns = fields ?? columnsOf(block);
      const parts = [csvOf(columns, [])];
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
        const some = rows.slice(from, from + ROWS_AT_ONCE);
        parts.push(
          csvOf(
            columns,
            some.map((row) => JSON.parse(row)),
            false,
          ),
        );
        await budget.turn(some.length * columns.length * STEPS_PER_CELL);
      }
      return parts.join('');
    }
    case 'geojson':
      return geojsonOf(rows, geojsonAsked(asked));
  }
}

function geojsonAsked({ block, fields, form, boundaries }: RowsAsked): GeojsonAsked {
  const { geometry } = block as DatasetBlock;
  if (geometry === undefined) throw new TypeError(`${block.name} has no geometry.`);
  return {
    geometry,
    ...(fields === undefined ? {} : { fields }),
    ...(form === undefined ? {} : { form }),
    ...(boundaries === undefined ? {} : { boundaries: boundaries() }),
  };
}

/** The columns of a block's answer, in order. */
export function columnsOf(block: Block): string[] {
  if (block.answers === 'rows') return (block as DatasetBlock).fields.map(({ name }) => name);
  return Object.keys(block.outputSchema.properties as object);
}
