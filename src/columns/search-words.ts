import type { SearchedField } from '../query/predicate.ts';
import { type ChunkMatch, FoundRows } from './chunk-match.ts';
import type { SearchedChunks } from './searched-chunks.ts';
import type { SearchedWords } from './searched-conditions.ts';
import { markWords } from './select-words.ts';

/** The rows of a chunk, or of those that match already, whose texts have all words. */
export async function rowsWithWords(
  chunks: SearchedChunks,
  { condition, columns }: SearchedWords,
  chunk: number,
  before: ChunkMatch | undefined,
): Promise<ChunkMatch> {
  const { words, fields } = condition;
  const found = new Uint16Array(chunks.rowsIn(chunk));
  for (const [i, column] of columns.entries()) {
    const held = await chunks.read(column, chunk);
    const { byDigits } = fields[i] as SearchedField;
    await markWords(held.chunk, words, byDigits, found, chunks.run.budget);
  }
  const all = 2 ** words.length - 1;
  const rows = before?.rows(0, before.count);
  const length = rows?.length ?? found.length;
  const kept = new Uint16Array(length);
  let count = 0;
  for (let i = 0; i < length; i++) {
    const row = rows === undefined ? i : (rows[i] as number);
    if (found[row] === all) kept[count++] = row;
  }
  return new FoundRows(kept.subarray(0, count));
}
