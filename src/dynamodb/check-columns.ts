import type { ColumnSource } from '../columns/column-source.ts';
import { unpackChunk } from '../columns/unpack-chunk.ts';
import { Reads } from '../query/row-store.ts';
import { type Patience, patiently } from '../waiting/patience.ts';

export type CheckedColumns = {
  readonly source: ColumnSource;
  readonly fields: readonly string[];
  readonly rows: number;
};

/**
 * Reads every column of a table. Throws if an item is missing, a chunk is not the one that its
 * directory describes, or a column has too few or too many rows.
 */
export async function checkColumns(
  { source, fields, rows }: CheckedColumns,
  patience: Patience,
): Promise<void> {
  const reads = new Reads();
  for (const field of fields) {
    const { directory, beside } = await patiently(() => source.directory(field, reads), patience);
    let found = 0;
    for (const [chunk, entry] of directory.chunks.entries()) {
      const bytes =
        beside ?? (await patiently(() => source.chunk(field, chunk, directory, reads), patience));
      await unpackChunk(bytes, entry).catch((cause) => {
        throw new Error(`Chunk ${chunk} of the column ${field} is damaged.`, { cause });
      });
      found += entry.rows;
    }
    if (found !== rows) {
      throw new Error(`The column ${field} has ${found} rows; the dataset has ${rows}.`);
    }
  }
}
