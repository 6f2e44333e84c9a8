import { CHUNK_ROWS } from '../../src/columns/chunk.ts';
import { ColumnPacker, type PackedColumns } from '../../src/columns/encode-chunk.ts';
import type { Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';

/** Packs all columns of these rows. */
export function packColumns(
  fields: readonly Field[],
  rows: Iterable<Row>,
  rowsPerChunk = CHUNK_ROWS,
): PackedColumns {
  const packer = new ColumnPacker(fields, rowsPerChunk);
  for (const row of rows) packer.addRow(row);
  return packer.packed();
}
