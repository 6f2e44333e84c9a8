import { JsonColumns } from './json-columns.ts';
import type { JsonSlice } from './json-stream.ts';
import { SeedError } from './seed-error.ts';
import { repeatable, type SourceTable } from './source-table.ts';

/** A record's text, and its number in the file. */
export type NumberedSlice = { readonly slice: JsonSlice; readonly number: number };

/**
 * A table of JSON objects. They are gone through once for their columns and the faults, and again
 * for each reading.
 */
export async function tableOf(
  slices: () => AsyncGenerator<NumberedSlice>,
  file: string,
  counts: 'line' | 'record',
  notes: readonly string[] = [],
): Promise<SourceTable> {
  const columns = new JsonColumns(file);
  let isEmpty = true;
  for await (const { slice } of slices()) {
    columns.cellsOf(slice);
    isEmpty = false;
  }
  if (isEmpty) throw new SeedError(file, 'it holds no objects; expected one for each row');
  return {
    headers: columns.paths.map((path) => path.join('.')),
    counts,
    headerLine: 0,
    notes,
    records: repeatable(async function* () {
      for await (const { slice, number } of slices()) {
        yield { cells: columns.cellsOf(slice), line: () => number };
      }
    }),
  };
}
