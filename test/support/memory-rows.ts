import { CHUNK_ROWS } from '../../src/columns/chunk.ts';
import { packedRows } from '../../src/columns/memory-rows.ts';
import type { KeyedRow } from '../../src/query/predicate.ts';
import type { RowStore } from '../../src/query/row-store.ts';
import type { Field } from '../../src/values/field-types.ts';
import { packColumns } from './pack-columns.ts';

type Settings = Parameters<typeof packedRows>[2] & { readonly rowsPerChunk?: number };

/** Answers from the columns of these rows. */
export function memoryRows(
  fields: readonly Field[],
  rows: Iterable<KeyedRow>,
  { rowsPerChunk = CHUNK_ROWS, ...settings }: Settings = {},
): RowStore {
  const values = Array.from(rows, (row) => row.values);
  return packedRows(fields, packColumns(fields, values, rowsPerChunk), settings);
}
