import type { KeyedRow } from '../query/predicate.ts';
import type { RowStore } from '../query/row-store.ts';
import type { Field } from '../values/field-types.ts';
import { CHUNK_ROWS } from './chunk.ts';
import { ColumnCache } from './column-cache.ts';
import { ColumnRows } from './column-rows.ts';
import { ColumnStore } from './column-store.ts';
import { ALL_SHORTCUTS } from './find-rows.ts';
import { memorySource } from './memory-source.ts';
import { type PackedColumns, packColumns } from './pack-columns.ts';
import { valuesOf } from './packed-rows.ts';

/** A guess. */
const ROW_BYTES = 256;

/** How to answer from columns that are in memory; absent members have their defaults. */
export type MemorySettings = {
  readonly cacheBytes?: number;
  readonly shortcuts?: typeof ALL_SHORTCUTS;
  /** About what a row has as an item. */
  readonly rowBytes?: number;
};

/** Answers from the columns of these rows; for tests and benchmarks. */
export function memoryRows(
  fields: readonly Field[],
  rows: Iterable<KeyedRow>,
  { rowsPerChunk = CHUNK_ROWS, ...settings }: MemorySettings & { rowsPerChunk?: number } = {},
): RowStore {
  return packedRows(fields, packColumns(fields, valuesOf(rows), rowsPerChunk), settings);
}

/** Answers from columns that are in memory. */
export function packedRows(
  fields: readonly Field[],
  packed: PackedColumns,
  settings: MemorySettings = {},
): RowStore {
  const { cacheBytes = Number.POSITIVE_INFINITY, shortcuts = ALL_SHORTCUTS } = settings;
  const { rowBytes = ROW_BYTES } = settings;
  const store = new ColumnStore({
    rows: packed.rows,
    rowsPerChunk: packed.rowsPerChunk,
    rowBytes,
    source: memorySource(fields, packed),
    cache: new ColumnCache(cacheBytes),
    unavailable: (cause) => cause,
  });
  return new ColumnRows(store, fields, shortcuts);
}
