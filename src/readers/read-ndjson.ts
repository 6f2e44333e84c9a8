import { type NumberedSlice, tableOf } from './json-table.ts';
import { SeedError } from './seed-error.ts';
import { MAX_RECORD } from './source-limits.ts';
import type { ReadBytes, SourceTable } from './source-table.ts';
import { utf8Pieces } from './utf8-pieces.ts';

/** Reads JSON objects, one on each line; blank lines are skipped. */
export function readNdjson(readBytes: ReadBytes, file: string): Promise<SourceTable> {
  return tableOf(() => jsonLines(readBytes, file), file, 'line');
}

/** The lines that hold anything. */
export async function* jsonLines(
  readBytes: ReadBytes,
  file: string,
): AsyncGenerator<NumberedSlice> {
  let [number, before] = [0, ''];
  for await (const piece of utf8Pieces(readBytes, file)) {
    const lines = piece.split('\n');
    lines[0] = before + lines[0];
    before = lines.pop() as string;
    for (const text of lines) {
      number++;
      if (text.trim() !== '') yield { number, slice: { text, line: number, column: 1 } };
    }
    if (before.length > MAX_RECORD) {
      const reason = `a line of over ${MAX_RECORD / 1e6} million characters; is it one JSON array?`;
      throw new SeedError(file, reason, { line: number + 1 });
    }
  }
  number++;
  if (before.trim() !== '') {
    yield { number, slice: { text: before, line: number, column: 1 } };
  }
}
