import type { Field } from '../fields/field.ts';
import type { KeyedRow } from '../query/predicate.ts';
import { CHUNK_ROWS } from './chunk.ts';
import type { ColumnDirectory } from './column-directory.ts';
import { type PackedChunk, packChunk } from './pack-chunk.ts';

/** A dataset's columns as they are stored: each field's directory, and its chunks in order. */
export type PackedColumns = {
  readonly rowsPerChunk: number;
  readonly columns: ReadonlyMap<string, PackedColumn>;
};

export type PackedColumn = {
  readonly directory: ColumnDirectory;
  readonly chunks: readonly Buffer[];
};

/** Packs all columns of these rows. */
export function packColumns(
  fields: readonly Field[],
  rows: readonly KeyedRow[],
  rowsPerChunk = CHUNK_ROWS,
): PackedColumns {
  const columns = new Map<string, PackedColumn>();
  for (const field of fields) {
    const packed: PackedChunk[] = [];
    for (let from = 0; from < rows.length; from += rowsPerChunk) {
      packed.push(packChunk(field, rows.slice(from, from + rowsPerChunk)));
    }
    columns.set(field.name, {
      directory: { chunks: packed.map(({ entry }) => entry) },
      chunks: packed.map(({ bytes }) => bytes),
    });
  }
  return { rowsPerChunk, columns };
}
