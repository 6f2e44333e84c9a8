import { CHUNK_ROWS } from '../../src/columns/chunk.ts';
import { directoryKey, PART_BYTES, partKey } from '../../src/dynamodb/column-items.ts';
import { itemBytes } from '../../src/dynamodb/item.ts';
import { type ColumnSizes, type DatasetSizes, SAMPLE_ROWS } from './measured.ts';

/** What reading some items, each by its key, takes. */
export type Reads = { readonly items: number; readonly bytes: number; readonly units: number };

/** Items of these sizes. */
export function readsOf(sizes: readonly number[]): Reads {
  const of = (measure: (bytes: number) => number) =>
    sizes.reduce((sum, bytes) => sum + measure(bytes), 0);
  return { items: sizes.length, bytes: of((bytes) => bytes), units: of(readUnits) };
}

/** Eventually consistent: half a unit for each 4 KB begun. */
export function readUnits(bytes: number): number {
  return Math.ceil(bytes / 4096) / 2;
}

export function chunksOf(rows: number): number {
  return Math.ceil(rows / CHUNK_ROWS);
}

/** The sizes of a column's items: its directory's, and those of its first chunks. */
export function columnItemSizes(
  field: string,
  sizes: ColumnSizes,
  rows: number,
  chunks = chunksOf(rows),
): number[] {
  const entries = chunksOf(rows) * (sizes.entry + 1) + '{"chunks":[]}'.length - 1;
  const directory = itemBytes(directoryKey(field)) + 'directory'.length + entries;
  const key = itemBytes(partKey(field, 0, 0)) + 'data'.length;
  const parts: number[] = [];
  for (let chunk = 0; chunk < chunks; chunk++) {
    let left = Math.round(chunkBytes(sizes.packed, rows - chunk * CHUNK_ROWS));
    for (; left > 0; left -= PART_BYTES) parts.push(key + Math.min(left, PART_BYTES));
  }
  // A column's only chunk lies beside its directory if it fits.
  return rows <= CHUNK_ROWS && parts.length === 1
    ? [directory + (parts[0] as number) - itemBytes(partKey(field, 0, 0))]
    : [directory, ...parts];
}

/** All items of a dataset's columns. */
export function allColumns({ columns }: DatasetSizes, rows: number): Reads {
  return readsOf(
    Object.entries(columns).flatMap(([field, sizes]) => columnItemSizes(field, sizes, rows)),
  );
}

/** The bytes in memory of some columns, as the cache counts them. */
export function heldBytes(columns: readonly ColumnSizes[], rows: number): number {
  const full = Math.floor(rows / CHUNK_ROWS);
  return columns.reduce(
    (sum, { held }) =>
      sum + full * chunkBytes(held, CHUNK_ROWS) + chunkBytes(held, rows % CHUNK_ROWS),
    0,
  );
}

/** The bytes of a chunk with so many rows at most, in proportion between those measured. */
function chunkBytes(samples: readonly number[], rows: number): number {
  let [x0, y0] = [0, 0];
  for (const [i, x1] of SAMPLE_ROWS.entries()) {
    const y1 = samples[i] as number;
    if (rows <= x1) return y0 + ((rows - x0) / (x1 - x0)) * (y1 - y0);
    [x0, y0] = [x1, y1];
  }
  return y0;
}
