import type { Field } from '../fields/field.ts';
import type { KeyedRow } from '../query/predicate.ts';
import type { RowStore } from '../query/row-store.ts';
import { CHUNK_ROWS } from './chunk.ts';
import { ColumnCache } from './column-cache.ts';
import { ColumnRows } from './column-rows.ts';
import { ColumnStore } from './column-store.ts';
import { ALL_SHORTCUTS } from './find-rows.ts';
import { memorySource } from './memory-source.ts';
import { packColumns } from './pack-columns.ts';

/** A guess. */
const ROW_BYTES = 256;

/** Answers from the columns of rows that are in memory; for tests, builds and benchmarks. */
export function memoryRows(
  fields: readonly Field[],
  rows: readonly KeyedRow[],
  {
    rowsPerChunk = CHUNK_ROWS,
    cacheBytes = Number.POSITIVE_INFINITY,
    shortcuts = ALL_SHORTCUTS,
  } = {},
): RowStore {
  const store = new ColumnStore({
    rows: rows.length,
    rowsPerChunk,
    rowBytes: ROW_BYTES,
    source: memorySource(
      packColumns(fields, rows, rowsPerChunk),
      rows.map(({ values }) => values),
    ),
    cache: new ColumnCache(cacheBytes),
    unavailable: (cause) => cause,
  });
  return new ColumnRows(store, fields, shortcuts);
}
