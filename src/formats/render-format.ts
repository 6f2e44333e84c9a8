import type { Block, DatasetBlock } from '../core/block.ts';
import type { Boundaries } from '../core/geometry.ts';
import type { Format } from '../core/options.ts';
import type { Output } from '../core/output.ts';
import { csvOf } from './csv.ts';
import { type GeojsonAsked, geojsonOf } from './geojson.ts';

/** A format that holds the rows of an answer and nothing else. */
export type RowsFormat = Exclude<Format, 'json' | 'html'>;

export type RowsAsked = {
  readonly block: Block;
  readonly output: Output;
  /** `_fields`, as asked. */
  readonly fields?: readonly string[];
  readonly form?: GeojsonAsked['form'];
  readonly boundaries?: () => Boundaries;
};

/** An answer's rows in a format; a value is one row. */
export function renderFormat(format: RowsFormat, asked: RowsAsked): string {
  const { block, output, fields, form, boundaries } = asked;
  const rows = output.kind === 'rows' ? output.rows : [JSON.stringify(output.value)];
  switch (format) {
    case 'ndjson':
      return rows.map((row) => `${row}\n`).join('');
    case 'csv':
      return csvOf(
        fields ?? columnsOf(block),
        rows.map((row) => JSON.parse(row)),
      );
    case 'geojson': {
      const { geometry } = block as DatasetBlock;
      if (geometry === undefined) throw new TypeError(`${block.name} has no geometry.`);
      return geojsonOf(rows, {
        geometry,
        ...(fields === undefined ? {} : { fields }),
        ...(form === undefined ? {} : { form }),
        ...(boundaries === undefined ? {} : { boundaries: boundaries() }),
      });
    }
  }
}

/** The columns of a block's answer, in order. */
export function columnsOf(block: Block): string[] {
  if (block.answers === 'rows') return (block as DatasetBlock).fields.map(({ name }) => name);
  return Object.keys(block.outputSchema.properties as object);
}
