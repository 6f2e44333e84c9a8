import type { Query } from '../query/query.ts';
import type { ChunkMatch, FoundPage } from './chunk-match.ts';
import type { ColumnStore, Run } from './column-store.ts';
import { nearestPage } from './nearest-page.ts';
import { matchesOf, type Shortcuts } from './row-search.ts';
import { sortedPage } from './sorted-page.ts';

/** Every shortcut is taken, unless a test says otherwise. */
export const ALL_SHORTCUTS: Shortcuts = { bounds: true, orders: true };

/** Finds a query's page. Unless all rows `areCounted`, it looks only for those of the page. */
export async function findRows(
  store: ColumnStore,
  query: Query,
  run: Run,
  shortcuts: Shortcuts,
  areCounted = true,
): Promise<FoundPage> {
  const { predicate, sort, near, limit, after } = query;
  const { rows, rowsPerChunk } = store;
  const from = after === undefined ? 0 : after + 1;
  if (predicate.length === 0 && sort === undefined) return everyRow(rows, from, limit);
  const matching = matchesOf(store, predicate, run, shortcuts);
  const matchIn = matching instanceof Promise ? await matching : matching;
  if (sort !== undefined) return sortedPage(store, { ...query, sort }, matchIn, run);
  if (near !== undefined) {
    const found = matchIn as (chunk: number) => ChunkMatch | Promise<ChunkMatch>;
    return nearestPage(store, { ...query, near }, found, run, shortcuts);
  }
  const positions = new Uint32Array(Math.min(limit, rows));
  let [total, found, hasMore] = [0, 0, false];
  for (let first = 0; first < rows; first += rowsPerChunk) {
    if (!areCounted && (hasMore || from >= first + rowsPerChunk)) continue;
    const matching = matchIn(first / rowsPerChunk) as ChunkMatch | Promise<ChunkMatch>;
    const match = matching instanceof Promise ? await matching : matching;
    total += match.count;
    if (hasMore || match.count === 0 || from >= first + rowsPerChunk) continue;
    // One more than the page takes shows whether any follow.
    const left = positions.length - found;
    const its = match.rows(Math.max(0, from - first), left + 1);
    hasMore = its.length > left;
    for (let i = 0; i < Math.min(left, its.length); i++) {
      positions[found++] = first + (its[i] as number);
    }
  }
  return { positions: positions.subarray(0, found), total, hasMore };
}

function everyRow(rows: number, from: number, limit: number): FoundPage {
  const end = Math.min(rows, from + limit);
  const positions = new Uint32Array(Math.max(0, end - from));
  for (let i = 0; i < positions.length; i++) positions[i] = from + i;
  return { positions, total: rows, hasMore: end < rows };
}
