import type { Query, RowPlace, Sort } from '../query/row-store.ts';
import { compareSorted } from '../query/sort-rows.ts';
import { firstWhere } from '../values/comparison.ts';
import type { Key } from '../values/field-type.ts';
import type { Near } from '../values/places.ts';
import type { Work } from '../work/work.ts';
import type { CachedChunk } from './cached-chunk.ts';
import { keyAt } from './chunk.ts';
import type { ColumnStore, ReadContext } from './column-store.ts';
import { ChunkDistances, STEPS_PER_DISTANCE } from './row-search.ts';
import { hasRow, type MatchedChunk, Scan } from './scan.ts';
import { AllSelected } from './selection.ts';
import { compareRows, fieldsOfSort, type SortedRow, sortedRow } from './sorted-page.ts';

/** The cost of comparing a row with the one that is looked for, in steps. */
const STEPS_PER_ROW = 3;

/** How many rows are compared without a pause. */
const ROWS_AT_ONCE = 2 ** 14;

/** The order of distances, and of rows that all tie: by the first column's numbers, ascending. */
const ASCENDING: Sort = { field: '', descending: false };

/**
 * Finds a row among all that a query finds, by one scan: it counts the rows before it, and keeps the
 * last of those and the first of the others.
 */
export async function placeOf(
  store: ColumnStore,
  query: Query,
  position: number,
  context: ReadContext,
): Promise<RowPlace> {
  const { predicate, sort } = query;
  const near = sort === undefined ? query.near : undefined;
  const { rows, rowsPerChunk } = store;
  if (predicate.length === 0 && sort === undefined && near === undefined) {
    return { total: rows, found: foundAt(position, position - 1, position + 1, rows) };
  }
  const columns = sort === undefined ? near && [near.longitude, near.latitude] : fieldsOfSort(sort);
  const asked = { predicate, fields: columns };
  const scan = await Scan.begin(store, asked, context);
  const row = position % rowsPerChunk;
  const part = await scan.run(scan.part(Math.floor(position / rowsPerChunk)));
  const own = part !== undefined && hasRow(part, row) ? rowOf(part, row, sort, near) : undefined;
  const order = sort ?? ASCENDING;
  const compare = (a: SortedRow, b: SortedRow) =>
    compareRows(a, b, order) || a.position - b.position;
  let [total, before] = [0, 0];
  let [previous, next]: (SortedRow | undefined)[] = [];
  for await (const part of scan.parts()) {
    total += part.count;
    if (own === undefined) continue;
    const each = STEPS_PER_ROW + (near === undefined ? 0 : STEPS_PER_DISTANCE);
    context.budget.spend(part.count * each, near === undefined ? '_sort' : '_near');
    const found = await scan.run(besideIn(part, own, ordersOf(part, own, sort, near), each));
    before += found.before;
    const [last, first] = [found.last, found.first].map((one) =>
      one === undefined ? undefined : rowOf(part, one, sort, near),
    );
    if (last && (previous === undefined || compare(last, previous) > 0)) previous = last;
    if (first && (next === undefined || compare(first, next) < 0)) next = first;
  }
  if (own === undefined) return { total };
  return { total, found: foundAt(before, previous?.position, next?.position, rows) };
}

function foundAt(before: number, previous = -1, next = -1, rows: number) {
  return {
    before,
    previous: previous < 0 ? undefined : previous,
    next: next < 0 || next >= rows ? undefined : next,
  };
}

/** A row as the order of a query sees it. Rows that are not sorted all tie. */
function rowOf(part: MatchedChunk, row: number, sort?: Sort, near?: Near): SortedRow {
  if (sort !== undefined) return sortedRow(part, row);
  const key = near === undefined ? null : distancesOf(part, near).of(row);
  return { key, position: part.first + row };
}

function distancesOf(
  { columns: [longitudes, latitudes] }: MatchedChunk,
  { at }: Near,
): ChunkDistances {
  return new ChunkDistances(
    (longitudes as CachedChunk).chunk,
    (latitudes as CachedChunk).chunk,
    at,
  );
}

/** How the rows of a chunk compare in one column, by numbers: that is cheaper than by keys. */
type ChunkOrder = {
  /** Below 0 if the row comes before the one that is looked for, 0 if they tie. */
  readonly toOwn: (row: number) => number;
  readonly between: (a: number, b: number) => number;
};

function ordersOf(
  part: MatchedChunk,
  own: SortedRow,
  sort?: Sort,
  near?: Near,
): readonly ChunkOrder[] {
  const [first, second] = part.columns;
  if (near !== undefined) {
    return [
      orderOfDistances(distancesOf(part, near), own.key as number, first?.chunk.codes.length ?? 0),
    ];
  }
  if (sort === undefined || first === undefined) return [];
  const order = orderOfCodes(first, own.key, sort.descending);
  if (second === undefined || sort.second === undefined) return [order];
  return [order, orderOfCodes(second, own.second ?? null, sort.second.descending)];
}

/** A row's distance is computed once: it is compared with the own row first. */
function orderOfDistances(distances: ChunkDistances, own: number, rows: number): ChunkOrder {
  const far = new Float64Array(rows);
  return {
    toOwn: (row) => {
      far[row] = distances.of(row);
      return (far[row] as number) - own;
    },
    between: (a, b) => (far[a] as number) - (far[b] as number),
  };
}

/** Codes ascend with their keys; rows without a key come last in both directions. */
function orderOfCodes({ chunk }: CachedChunk, key: Key | null, descending: boolean): ChunkOrder {
  const { codes, firstKey, size } = chunk;
  const rankOf = (row: number) => {
    const code = codes[row] as number;
    if (code < firstKey) return size;
    return descending ? size - 1 - code : code;
  };
  // The ranks of the rows that tie: from the first on, and before the second.
  let ties: readonly [number, number] = [size, size + 1];
  if (key !== null) {
    const firstPast = (isPast: (order: number) => boolean) =>
      firstWhere((code) => isPast(compareSorted(keyAt(chunk, code), key, false)), firstKey, size);
    const [low, high] = [firstPast((order) => order >= 0), firstPast((order) => order > 0)];
    ties = descending ? [size - high, size - low] : [low, high];
  }
  const [from, to] = ties;
  return {
    toOwn: (row) => {
      const rank = rankOf(row);
      return rank < from ? -1 : rank < to ? 0 : 1;
    },
    between: (a, b) => rankOf(a) - rankOf(b),
  };
}

/** The matching rows of a chunk before a row: how many, the last; and the first behind it. */
function* besideIn(
  { first: start, count, match }: MatchedChunk,
  { position }: SortedRow,
  [one, other]: readonly ChunkOrder[],
  steps: number,
): Work<{ readonly before: number; readonly last?: number; readonly first?: number }> {
  const rows = (match ?? new AllSelected(count)).rows(0, count);
  let [before, last, first] = [0, -1, -1];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const order = one?.toOwn(row) || other?.toOwn(row) || start + row - position;
    // Rows ascend, so the later of two ties comes second.
    if (order < 0) {
      before++;
      if (last < 0 || (one?.between(row, last) || other?.between(row, last) || 0) >= 0) last = row;
    } else if (order > 0) {
      if (first < 0 || (one?.between(row, first) || other?.between(row, first) || 0) < 0)
        first = row;
    }
    if (i % ROWS_AT_ONCE === 0) yield ROWS_AT_ONCE * steps;
  }
  return { before, last: last < 0 ? undefined : last, first: first < 0 ? undefined : first };
}
