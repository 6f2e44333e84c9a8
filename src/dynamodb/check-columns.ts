import type { ColumnSource } from '../columns/column-source.ts';
import { unpackChunk } from '../columns/unpack-chunk.ts';
import { Reads } from '../query/row-store.ts';
import { type Patience, patiently } from '../work/waiting.ts';

export type CheckedColumns = {
  readonly source: ColumnSource;
  readonly fields: readonly string[];
  readonly rows: number;
};

/**
 * Reads every column of a table; returns how many rows have a key in each. Throws if an item is
 * missing, a chunk is not the one that its directory describes, or a column has too few or too many
 * rows.
 */
export async function checkColumns(
  { source, fields, rows }: CheckedColumns,
  patience: Patience,
): Promise<ReadonlyMap<string, number>> {
  const reads = new Reads();
  const keyed = new Map<string, number>();
  for (const field of fields) {
    const { directory, beside } = await patiently(() => source.directory(field, reads), patience);
    let [found, nulls] = [0, 0];
    for (const [chunk, entry] of directory.chunks.entries()) {
      const bytes =
        beside ?? (await patiently(() => source.chunk(field, chunk, directory, reads), patience));
      await unpackChunk(bytes, entry).catch((cause) => {
        throw new Error(`Chunk ${chunk} of the column ${field} is damaged.`, { cause });
      });
      found += entry.rows;
      nulls += entry.nulls;
    }
    if (found !== rows) {
      throw new Error(`The column ${field} has ${found} rows; the dataset has ${rows}.`);
    }
    keyed.set(field, found - nulls);
  }
  return keyed;
}
