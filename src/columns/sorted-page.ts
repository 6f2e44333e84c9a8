import type { Query, Sort, SortColumn } from '../query/row-store.ts';
import { compareSorted, indexAfter } from '../query/sort-rows.ts';
import type { Key } from '../values/field-type.ts';
import { type Chunk, type ColumnDirectory, keyAt } from './chunk.ts';
import type { CachedChunk, ColumnStore, ReadContext } from './column-store.ts';
import { nearestPage } from './nearest-page.ts';
import { matchesOf, type Shortcuts } from './row-search.ts';
import { firstCodeWhere } from './select-codes.ts';
import { type FoundPage, rowsBelow, type SelectionVector } from './selection.ts';

/** Production takes every shortcut; only tests switch some off. */
export const ALL_SHORTCUTS: Shortcuts = { bounds: true, orders: true };

/**
 * Finds a query's page. Without `countAll` it looks only for the rows of the page, and `total`
 * counts no further.
 */
export async function findRows(
  store: ColumnStore,
  query: Query,
  context: ReadContext,
  shortcuts: Shortcuts,
  countAll = true,
): Promise<FoundPage> {
  const { predicate, sort, near, limit, after } = query;
  const { rows, rowsPerChunk } = store;
  const from = after === undefined ? 0 : after + 1;
  if (predicate.length === 0 && sort === undefined) return everyRow(rows, from, limit);
  const matching = matchesOf(store, predicate, context, shortcuts);
  const matchIn = matching instanceof Promise ? await matching : matching;
  if (sort !== undefined) return sortedPage(store, { ...query, sort }, matchIn, context);
  if (near !== undefined) {
    const found = matchIn as (chunk: number) => SelectionVector | Promise<SelectionVector>;
    return nearestPage(store, { ...query, near }, found, context, shortcuts);
  }
  const positions = new Uint32Array(Math.min(limit, rows));
  let [total, found, hasMore] = [0, 0, false];
  for (let first = 0; first < rows; first += rowsPerChunk) {
    if (!countAll && (hasMore || from >= first + rowsPerChunk)) continue;
    const matching = matchIn(first / rowsPerChunk) as SelectionVector | Promise<SelectionVector>;
    const match = matching instanceof Promise ? await matching : matching;
    total += match.count;
    if (hasMore || match.count === 0 || from >= first + rowsPerChunk) continue;
    // Asks for one row more than the page has room for, which shows whether others follow.
    const left = positions.length - found;
    const ofPage = match.rows(Math.max(0, from - first), left + 1);
    hasMore = ofPage.length > left;
    for (let i = 0; i < Math.min(left, ofPage.length); i++) {
      positions[found++] = first + (ofPage[i] as number);
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

/**
 * A row as a sort sees it. Rows sort by key, then by the second key if there is one. Those without
 * a key come last, and ties stay in the order of the dataset.
 */
type SortedRow = {
  readonly key: Key | null;
  readonly second?: Key | null;
  readonly position: number;
};

/** Compares rows, but not their positions. */
function compareRows(a: SortedRow, b: SortedRow, { descending, second }: Sort): number {
  const order = compareSorted(a.key, b.key, descending);
  if (order !== 0 || second === undefined) return order;
  return compareSorted(a.second ?? null, b.second ?? null, second.descending);
}

/**
 * Returns a page of sorted rows. While it goes from chunk to chunk it keeps only the best rows:
 * those of the page and one more, which shows whether others follow.
 */
async function sortedPage(
  store: ColumnStore,
  { sort, limit, after }: Pick<Query, 'limit' | 'after'> & { readonly sort: Sort },
  matchIn: (chunk: number) => SelectionVector | undefined | Promise<SelectionVector>,
  context: ReadContext,
): Promise<FoundPage> {
  const { rows, rowsPerChunk } = store;
  const { second } = sort;
  const directory = await store.directory(sort.field, context);
  const ofSecond = second && (await store.directory(second.field, context));
  const directories = ofSecond === undefined ? [directory] : [directory, ofSecond];
  const isKept = store.hasRoomFor(directories, context);
  const read = async (chunk: number) => store.chunk(sort.field, chunk, directory, isKept, context);
  const readSecond = async (chunk: number) =>
    second && ofSecond && store.chunk(second.field, chunk, ofSecond, isKept, context);
  const cursor =
    after === undefined
      ? undefined
      : await cursorRow(after, rowsPerChunk, read, readSecond, matchIn);
  let best: SortedRow[] = [];
  let total = 0;
  for (let chunk = 0; chunk * rowsPerChunk < rows; chunk++) {
    const match = await matchIn(chunk);
    const rowsOfChunk = (directory.chunks[chunk] as ColumnDirectory['chunks'][number]).rows;
    const count = match?.count ?? rowsOfChunk;
    total += count;
    if (count === 0) continue;
    context.budget.spend((rowsOfChunk / 2) * directories.length, '_sort');
    // Without a filter every chunk is needed, so the next ones are read ahead. With a filter, the
    // next ones may have no match.
    if (match === undefined) {
      store.readAhead(sort.field, chunk, directory, isKept, context);
      if (second && ofSecond) store.readAhead(second.field, chunk, ofSecond, isKept, context);
    }
    const cached = await read(chunk);
    const its = (await readSecond(chunk))?.chunk;
    const order =
      second === undefined || its === undefined
        ? orderOfMatches(match, cached.chunk, () => store.orderOf(sort.field, chunk, cached))
        : orderByBoth(match, cached.chunk, its, second);
    const bounds = { most: limit + 1, worst: best.length > limit ? best.at(-1) : undefined };
    const first = chunk * rowsPerChunk;
    const chunks = { chunk: cached.chunk, second: its };
    const ofChunk = await bestOfChunk(chunks, order, sort, first, cursor, bounds, context);
    best = await merged(best, ofChunk, sort, limit + 1, context);
    await context.budget.checkpoint((rowsOfChunk / 2) * directories.length);
  }
  return {
    positions: Uint32Array.from(best.slice(0, limit), ({ position }) => position),
    total,
    hasMore: best.length > limit,
  };
}

/** Returns the row that a cursor names. Throws a Problem if the query does not find that row. */
async function cursorRow(
  position: number,
  rowsPerChunk: number,
  read: (chunk: number) => Promise<CachedChunk>,
  readSecond: (chunk: number) => Promise<CachedChunk | undefined>,
  matchIn: (chunk: number) => SelectionVector | undefined | Promise<SelectionVector>,
): Promise<SortedRow> {
  const index = Math.floor(position / rowsPerChunk);
  const row = position % rowsPerChunk;
  const match = await matchIn(index);
  if (match !== undefined && match.rows(row, 1)[0] !== row) indexAfter(-1);
  const { chunk } = await read(index);
  const key = keyAt(chunk, chunk.codes[row] as number);
  const second = (await readSecond(index))?.chunk;
  if (second === undefined) return { key, position };
  return { key, second: keyAt(second, second.codes[row] as number), position };
}

/** Returns the matching rows, ordered by code, then by position. */
function orderOfMatches(
  match: SelectionVector | undefined,
  { codes }: Chunk,
  orderOf: () => Uint16Array,
): Uint16Array {
  if (match === undefined) return orderOf();
  const rows = match.rows(0, codes.length);
  if (rows.length < FEW) {
    return rows.slice().sort((a, b) => (codes[a] as number) - (codes[b] as number) || a - b);
  }
  const isMatch = new Uint8Array(codes.length);
  for (let i = 0; i < rows.length; i++) isMatch[rows[i] as number] = 1;
  // This is a plain loop without a branch: `filter` with a function takes many times as long.
  const order = orderOf();
  const matching = new Uint16Array(rows.length + 1);
  let found = 0;
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number;
    matching[found] = row;
    found += isMatch[row] as number;
  }
  return matching.subarray(0, found);
}

/**
 * Returns the matching rows, ordered by code, then in the order of the second field, then by
 * position: two stable sorts, the second field's first.
 */
function orderByBoth(
  match: SelectionVector | undefined,
  { codes, size }: Chunk,
  second: Chunk,
  { descending }: SortColumn,
): Uint16Array {
  const rows = match?.rows(0, codes.length) ?? positionsBelow(codes.length);
  const last = second.size - 1;
  const rankOf = (row: number) => {
    const code = second.codes[row] as number;
    // Rows without a value come last in both directions.
    if (code < second.firstKey) return last;
    return descending ? last - code : code - second.firstKey;
  };
  const byRank = sortedBy(rows, rankOf, second.size);
  return sortedBy(byRank, (row) => codes[row] as number, size);
}

/** With more codes for each row, counting them takes longer than comparing the rows. */
const MOST_CODES_PER_ROW = 4;

function positionsBelow(count: number): Uint16Array {
  return Uint16Array.from({ length: count }, (_, i) => i);
}

/** Sorts rows by a number of each below `size`. Ties stay in order. */
function sortedBy(rows: Uint16Array, numberOf: (row: number) => number, size: number): Uint16Array {
  if (size > MOST_CODES_PER_ROW * rows.length + FEW) {
    return rows.slice().sort((a, b) => numberOf(a) - numberOf(b));
  }
  const next = new Uint32Array(size + 1);
  for (let i = 0; i < rows.length; i++) {
    const behind = numberOf(rows[i] as number) + 1;
    next[behind] = (next[behind] as number) + 1;
  }
  for (let i = 0; i < size; i++) next[i + 1] = (next[i + 1] as number) + (next[i] as number);
  const sorted = new Uint16Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const number = numberOf(row);
    const at = next[number] as number;
    sorted[at] = row;
    next[number] = at + 1;
  }
  return sorted;
}

/** Sorting fewer rows than this is faster than going through the chunk's order. */
const FEW = 256;

/**
 * The cost of merging a row into the best ones, in steps, and how many are merged without a pause.
 */
const STEPS_PER_ROW = 40;
const ROWS_AT_ONCE = 1024;

/** Returns the best of a chunk's rows after the cursor, in the order of the sort. */
async function bestOfChunk(
  { chunk, second }: { readonly chunk: Chunk; readonly second: Chunk | undefined },
  order: Uint16Array,
  sort: Sort,
  first: number,
  cursor: SortedRow | undefined,
  { most, worst }: { readonly most: number; readonly worst: SortedRow | undefined },
  context: ReadContext,
): Promise<SortedRow[]> {
  const { descending } = sort;
  const found: SortedRow[] = [];
  for (const [start, end] of groupsOf(chunk, order, descending, cursor)) {
    const key = keyAt(chunk, chunk.codes[order[start] as number] as number);
    const isCursors = cursor !== undefined && compareSorted(key, cursor.key, descending) === 0;
    const rowAt = (i: number): SortedRow => {
      const row = order[i] as number;
      const position = first + row;
      if (second === undefined) return { key, position };
      return { key, second: keyAt(second, second.codes[row] as number), position };
    };
    let i = isCursors ? firstAfter(cursor, rowAt, start, end, sort) : start;
    for (; i < end; i++) {
      const row = rowAt(i);
      // Among rows with equal keys, those of a later chunk come later.
      if (worst !== undefined && compareRows(row, worst, sort) >= 0) return found;
      found.push(row);
      if (found.length === most) return found;
      if (found.length % ROWS_AT_ONCE === 0) await checkpoint(context);
    }
  }
  return found;
}

/** The first of some rows in order that comes after the cursor. */
function firstAfter(
  cursor: SortedRow,
  rowAt: (index: number) => SortedRow,
  start: number,
  end: number,
  sort: Sort,
): number {
  let [low, high] = [start, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rowAt(middle);
    const order = compareRows(row, cursor, sort) || row.position - cursor.position;
    if (order > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Returns where the rows of each code lie in the order, starting at the cursor's key, in the
 * direction of the sort. The rows without a key come last.
 */
function* groupsOf(
  chunk: Chunk,
  order: Uint16Array,
  descending: boolean,
  cursor: SortedRow | undefined,
): Generator<readonly [start: number, end: number]> {
  const { codes, firstKey, size } = chunk;
  const codeAt = (index: number) => codes[order[index] as number] as number;
  const keyed = rowsBelow(order, codes, firstKey);
  if (cursor?.key !== null) {
    const codeOfCursor = (orAbove: boolean) =>
      cursor === undefined
        ? undefined
        : firstCodeWhere(
            (code) => {
              const order = compareSorted(keyAt(chunk, code), cursor.key, false);
              return order > 0 || (orAbove && order === 0);
            },
            firstKey,
            size,
          );
    if (descending) {
      for (let end = rowsBelow(order, codes, codeOfCursor(false) ?? size); end > keyed; ) {
        const start = rowsBelow(order, codes, codeAt(end - 1));
        yield [start, end];
        end = start;
      }
    } else {
      for (
        let start = rowsBelow(order, codes, codeOfCursor(true) ?? firstKey);
        start < order.length;
      ) {
        const end = rowsBelow(order, codes, codeAt(start) + 1);
        yield [start, end];
        start = end;
      }
    }
  }
  if (keyed > 0) yield [0, keyed];
}

/**
 * Merges two sorted lists, and returns the best rows of both. The rows of the second list all come
 * later in the dataset.
 */
async function merged(
  a: readonly SortedRow[],
  b: readonly SortedRow[],
  sort: Sort,
  most: number,
  context: ReadContext,
): Promise<SortedRow[]> {
  const all: SortedRow[] = [];
  for (let i = 0, j = 0; all.length < most && (i < a.length || j < b.length); ) {
    const [first, second] = [a[i], b[j]];
    const isFirst =
      first !== undefined && (second === undefined || compareRows(first, second, sort) <= 0);
    all.push((isFirst ? first : second) as SortedRow);
    if (isFirst) i++;
    else j++;
    if (all.length % ROWS_AT_ONCE === 0) await checkpoint(context);
  }
  return all;
}

function checkpoint({ budget }: ReadContext): Promise<void> | undefined {
  return budget.checkpoint(ROWS_AT_ONCE * STEPS_PER_ROW);
}
