import type { SearchedField } from '../query/predicate.ts';
import { type Narrow, narrowArray } from './chunk.ts';
import { type ChunkMatch, FoundRows } from './chunk-match.ts';
import type { SearchedChunks } from './searched-chunks.ts';
import { type SearchedWords, STEPS_PER_ROW } from './searched-conditions.ts';
import { indexWords, markWords } from './select-words.ts';
import { beginningsOf } from './word-beginnings.ts';

/** The rows of a chunk, or of those that match already, whose texts have all words. */
export async function rowsWithWords(
  chunks: SearchedChunks,
  { condition, columns }: SearchedWords,
  chunk: number,
  before: ChunkMatch | undefined,
): Promise<ChunkMatch> {
  const { fields } = condition;
  const { store, run } = chunks;
  const beginnings = beginningsOf(condition.words);
  const found = narrowArray(2 ** beginnings.length, chunks.rowsIn(chunk));
  for (const [i, column] of columns.entries()) {
    const held = await chunks.read(column, chunk);
    const { byDigits } = fields[i] as SearchedField;
    // What phone numbers are found by takes longer to make than to index.
    if (held.words === undefined && (byDigits || held.isSearchedForWords)) {
      await indexWords(held, byDigits, run.budget);
      store.recount(column.field, chunk, held);
    }
    held.isSearchedForWords = true;
    await markWords(held, beginnings, byDigits, found, run.budget);
  }
  const all = 2 ** beginnings.length - 1;
  const kept = rowsWith(found, all, before?.rows(0, before.count));
  await run.budget.turn(found.length * STEPS_PER_ROW);
  return new FoundRows(kept);
}

/** The rows, or those of some rows, whose bits are all set. */
function rowsWith(found: Narrow, all: number, rows: Uint16Array | undefined): Uint16Array {
  const kept = new Uint16Array(rows?.length ?? found.length);
  let count = 0;
  if (rows === undefined) {
    for (let row = 0; row < found.length; row++) if (found[row] === all) kept[count++] = row;
  } else {
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      if (found[row] === all) kept[count++] = row;
    }
  }
  return kept.subarray(0, count);
}
