import type { Query, Sort, SortColumn } from '../query/row-store.ts';
import { compareSorted, indexAfter } from '../query/sort-rows.ts';
import { firstWhere } from '../values/comparison.ts';
import type { Key } from '../values/field-type.ts';
import { type Work, whenThere } from '../work/work.ts';
import type { CachedChunk } from './cached-chunk.ts';
import { type Chunk, keyAt } from './chunk.ts';
import type { ColumnStore, ReadContext } from './column-store.ts';
import { nearestPage } from './nearest-page.ts';
import { hasRow, type MatchedChunk, Scan } from './scan.ts';
import { type FoundPage, rowsBelow, type SelectionVector } from './selection.ts';

/** Finds a query's page. Returns no promise if there was nothing to wait for. */
export function findRows(
  store: ColumnStore,
  query: Query,
  context: ReadContext,
): FoundPage | Promise<FoundPage> {
  const { predicate, sort, near, limit, after } = query;
  if (sort !== undefined) return sortedPage(store, { ...query, sort }, context);
  if (near !== undefined) return nearestPage(store, { ...query, near }, context);
  const from = after === undefined ? 0 : after + 1;
  if (predicate.length === 0) return everyRow(store.rows, from, limit);
  const scanning = Scan.begin(store, { predicate }, context);
  return whenThere(scanning, (scan) => filteredPage(scan, from, limit));
}

function filteredPage(scan: Scan, from: number, limit: number): FoundPage | Promise<FoundPage> {
  const { rowsPerChunk } = scan.store;
  const positions: number[] = [];
  let [total, hasMore] = [0, false];
  const done = scan.forEach(({ first, count, match }) => {
    total += count;
    if (hasMore || match === undefined || from >= first + rowsPerChunk) return;
    // Asks for one row more than the page has room for, which shows whether others follow.
    const left = limit - positions.length;
    const ofPage = match.rows(Math.max(0, from - first), left + 1);
    hasMore = ofPage.length > left;
    const end = Math.min(left, ofPage.length);
    for (let i = 0; i < end; i++) positions.push(first + (ofPage[i] as number));
  });
  return whenThere(done, () => ({ positions: new Uint32Array(positions), total, hasMore }));
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
export type SortedRow = {
  readonly key: Key | null;
  readonly second?: Key | null;
  readonly position: number;
};

/** Compares rows, but not their positions. */
export function compareRows(a: SortedRow, b: SortedRow, { descending, second }: Sort): number {
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
  { predicate, sort, limit, after }: Query & { readonly sort: Sort },
  context: ReadContext,
): Promise<FoundPage> {
  const fields = fieldsOfSort(sort);
  const scan = await Scan.begin(store, { predicate, fields }, context);
  const cursor = after === undefined ? undefined : await scan.run(cursorRow(scan, after));
  let best: SortedRow[] = [];
  let total = 0;
  for await (const part of scan.parts()) {
    total += part.count;
    const steps = (scan.rowsIn(part.chunk) / 2) * fields.length;
    context.budget.spend(steps, '_sort');
    const runs = runsOf([best.values(), rowsInOrder(store, part, sort, cursor)]);
    best = await scan.run(merge(runs, sort, limit + 1));
    await context.budget.checkpoint(steps);
  }
  return {
    positions: Uint32Array.from(best.slice(0, limit), ({ position }) => position),
    total,
    hasMore: best.length > limit,
  };
}

export function fieldsOfSort({ field, second }: Sort): string[] {
  return second === undefined ? [field] : [field, second.field];
}

/** Returns the row that a cursor names. Throws a Problem if the query does not find that row. */
export function* cursorRow(scan: Scan, position: number): Work<SortedRow> {
  const { rowsPerChunk } = scan.store;
  const part = yield* scan.part(Math.floor(position / rowsPerChunk));
  const row = position % rowsPerChunk;
  if (part === undefined || !hasRow(part, row)) return indexAfter(-1) as never;
  return sortedRow(part, row);
}

export function sortedRow({ first, columns }: MatchedChunk, row: number): SortedRow {
  const [key = null, second] = columns.map(({ chunk }) => keyAt(chunk, chunk.codes[row] as number));
  const position = first + row;
  return second === undefined ? { key, position } : { key, second, position };
}

/** Returns the matching rows in the order of a sort whose first column ascends. */
function orderOfPart(
  store: ColumnStore,
  { chunk, match, columns: [keys, seconds] }: MatchedChunk,
  { field, second }: Sort,
): Uint16Array {
  const cached = keys as CachedChunk;
  return second === undefined || seconds === undefined
    ? orderOfMatches(match, cached.chunk, () => store.orderOf(field, chunk, cached))
    : orderByBoth(match, cached.chunk, seconds.chunk, second);
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

/** Goes through a chunk's rows after the cursor, in the order of the sort. */
export function* rowsInOrder(
  store: ColumnStore,
  part: MatchedChunk,
  sort: Sort,
  cursor: SortedRow | undefined,
): Generator<SortedRow> {
  const { chunk } = part.columns[0] as CachedChunk;
  const second = part.columns[1]?.chunk;
  const order = orderOfPart(store, part, sort);
  for (const [start, end] of groupsOf(chunk, order, sort.descending, cursor)) {
    const key = keyAt(chunk, chunk.codes[order[start] as number] as number);
    const rowAt = (i: number): SortedRow => {
      const row = order[i] as number;
      const position = part.first + row;
      if (second === undefined) return { key, position };
      return { key, second: keyAt(second, second.codes[row] as number), position };
    };
    const isCursors = cursor !== undefined && compareSorted(key, cursor.key, sort.descending) === 0;
    let i = isCursors ? firstAfter(cursor, rowAt, start, end, sort) : start;
    for (; i < end; i++) yield rowAt(i);
  }
}

/** The first of some rows in order that comes after the cursor. */
function firstAfter(
  cursor: SortedRow,
  rowAt: (index: number) => SortedRow,
  start: number,
  end: number,
  sort: Sort,
): number {
  const isAfter = (index: number) => {
    const row = rowAt(index);
    return (compareRows(row, cursor, sort) || row.position - cursor.position) > 0;
  };
  return firstWhere(isAfter, start, end);
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
        : firstWhere(
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

/** Rows in order that are still to come, and the next of them. */
export type SortedRun = { readonly rest: Iterator<SortedRow>; next: SortedRow };

/** Makes runs of those lists that have rows. */
export function runsOf(lists: readonly Iterator<SortedRow>[]): SortedRun[] {
  return lists.flatMap((rest) => {
    const first = rest.next();
    return first.done === true ? [] : [{ rest, next: first.value }];
  });
}

/** The cost of taking a row from runs, in steps, and how many are taken without a pause. */
const STEPS_PER_ROW = 40;
const ROWS_AT_ONCE = 1024;

/** Takes the first rows of all runs. What the runs have left stays in them. */
export function* merge(runs: SortedRun[], sort: Sort, most: number): Work<SortedRow[]> {
  const isBefore = ({ next: a }: SortedRun, { next: b }: SortedRun) =>
    (compareRows(a, b, sort) || a.position - b.position) < 0;
  // A binary heap, with the run of the first row on top.
  const sink = (from: number) => {
    for (let at = from; ; ) {
      const left = 2 * at + 1;
      const [one, other] = [runs[left], runs[left + 1]];
      if (one === undefined) return;
      const child = other !== undefined && isBefore(other, one) ? left + 1 : left;
      const [above, below] = [runs[at] as SortedRun, runs[child] as SortedRun];
      if (!isBefore(below, above)) return;
      [runs[at], runs[child]] = [below, above];
      at = child;
    }
  };
  for (let at = runs.length >> 1; at >= 0; at--) sink(at);
  const rows: SortedRow[] = [];
  for (let top = runs[0]; top !== undefined && rows.length < most; top = runs[0]) {
    rows.push(top.next);
    const { value, done } = top.rest.next();
    if (done === true) {
      const last = runs.pop() as SortedRun;
      if (runs.length > 0) runs[0] = last;
    } else top.next = value;
    sink(0);
    if (rows.length % ROWS_AT_ONCE === 0) yield ROWS_AT_ONCE * STEPS_PER_ROW;
  }
  return rows;
}
