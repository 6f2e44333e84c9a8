import type { Query, Sort } from '../query/row-store.ts';
import { compareSorted, placeAfter } from '../query/sort-rows.ts';
import type { Key } from '../values/field-type.ts';
import { type Chunk, type ColumnDirectory, keyAt } from './chunk.ts';
import type { CachedChunk, ColumnStore, ReadContext } from './column-store.ts';
import { nearestPage } from './nearest-page.ts';
import { matchesOf, type Shortcuts } from './row-search.ts';
import { firstCodeWhere } from './select-codes.ts';
import { type FoundPage, rowsBelow, type SelectionVector } from './selection.ts';

/** Every shortcut is taken, unless a test says otherwise. */
export const ALL_SHORTCUTS: Shortcuts = { bounds: true, orders: true };

/** Finds a query's page. Unless all rows `areCounted`, it looks only for those of the page. */
export async function findRows(
  store: ColumnStore,
  query: Query,
  run: ReadContext,
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
    const found = matchIn as (chunk: number) => SelectionVector | Promise<SelectionVector>;
    return nearestPage(store, { ...query, near }, found, run, shortcuts);
  }
  const positions = new Uint32Array(Math.min(limit, rows));
  let [total, found, hasMore] = [0, 0, false];
  for (let first = 0; first < rows; first += rowsPerChunk) {
    if (!areCounted && (hasMore || from >= first + rowsPerChunk)) continue;
    const matching = matchIn(first / rowsPerChunk) as SelectionVector | Promise<SelectionVector>;
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

/** Where a row stands in a sort: by its key, or last without one; ties stay in the dataset's order. */
type Place = { readonly key: Key | null; readonly position: number };

/**
 * A page of sorted rows. Keeps only the best of them while it goes from chunk to chunk: as many as
 * the page takes, and one more, which shows whether any follow.
 */
async function sortedPage(
  store: ColumnStore,
  { sort, limit, after }: Pick<Query, 'limit' | 'after'> & { readonly sort: Sort },
  matchIn: (chunk: number) => SelectionVector | undefined | Promise<SelectionVector>,
  run: ReadContext,
): Promise<FoundPage> {
  const { rows, rowsPerChunk } = store;
  const directory = await store.directory(sort.field, run);
  const isKept = store.hasRoomFor([directory], run);
  const read = async (chunk: number) => store.chunk(sort.field, chunk, directory, isKept, run);
  const cursor =
    after === undefined ? undefined : await placeOf(after, rowsPerChunk, read, matchIn);
  let best: Place[] = [];
  let total = 0;
  for (let chunk = 0; chunk * rowsPerChunk < rows; chunk++) {
    const match = await matchIn(chunk);
    const its = (directory.chunks[chunk] as ColumnDirectory['chunks'][number]).rows;
    const count = match?.count ?? its;
    total += count;
    if (count === 0) continue;
    run.budget.spend(its / 2, '_sort');
    // Without a filter every chunk is needed; with one, those that follow may have no match.
    if (match === undefined) store.readAhead(sort.field, chunk, directory, isKept, run);
    const held = await read(chunk);
    const order = orderOfMatches(match, held.chunk, () => store.orderOf(sort.field, chunk, held));
    const bounds = { most: limit + 1, worst: best.length > limit ? best.at(-1) : undefined };
    const first = chunk * rowsPerChunk;
    const places = await placesIn(held.chunk, order, sort, first, cursor, bounds, run);
    best = await merged(best, places, sort, limit + 1, run);
    await run.budget.turn(its / 2);
  }
  return {
    positions: Uint32Array.from(best.slice(0, limit), ({ position }) => position),
    total,
    hasMore: best.length > limit,
  };
}

/** The place of the row that a cursor names. Throws a Problem if it is not a row of the query. */
async function placeOf(
  position: number,
  rowsPerChunk: number,
  read: (chunk: number) => Promise<CachedChunk>,
  matchIn: (chunk: number) => SelectionVector | undefined | Promise<SelectionVector>,
): Promise<Place> {
  const index = Math.floor(position / rowsPerChunk);
  const row = position % rowsPerChunk;
  const match = await matchIn(index);
  if (match !== undefined && match.rows(row, 1)[0] !== row) placeAfter(-1);
  const { chunk } = await read(index);
  return { key: keyAt(chunk, chunk.codes[row] as number), position };
}

/** The matching rows, ordered by their codes and then by position. */
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
  // A plain loop without a branch: a filter by a function takes many times as long.
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

/** So few rows are sorted sooner than a chunk's order is gone through. */
const FEW = 256;

/** The work of placing a row among the best, in steps, and how many are placed without a pause. */
const STEPS_PER_PLACE = 40;
const PLACES_AT_ONCE = 1024;

/** The best places of a chunk's rows behind the cursor, in the sort's order. */
async function placesIn(
  chunk: Chunk,
  order: Uint16Array,
  { descending }: Sort,
  first: number,
  cursor: Place | undefined,
  { most, worst }: { readonly most: number; readonly worst: Place | undefined },
  run: ReadContext,
): Promise<Place[]> {
  const places: Place[] = [];
  for (const [start, end] of groupsOf(chunk, order, descending, cursor)) {
    const key = keyAt(chunk, chunk.codes[order[start] as number] as number);
    // A later chunk's rows come after those of the same key.
    if (worst !== undefined && compareSorted(key, worst.key, descending) >= 0) break;
    const isCursors = cursor !== undefined && compareSorted(key, cursor.key, descending) === 0;
    for (let i = start; i < end; i++) {
      const position = first + (order[i] as number);
      if (isCursors && position <= cursor.position) continue;
      places.push({ key, position });
      if (places.length === most) return places;
      if (places.length % PLACES_AT_ONCE === 0) await turn(run);
    }
  }
  return places;
}

/**
 * Where the rows of each code lie in the order, from the cursor's key on: in the sort's direction,
 * those without a key last.
 */
function* groupsOf(
  chunk: Chunk,
  order: Uint16Array,
  descending: boolean,
  cursor: Place | undefined,
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

/** The best of two sorted lists; the second one's rows all come later in the dataset. */
async function merged(
  a: readonly Place[],
  b: readonly Place[],
  sort: Sort,
  most: number,
  run: ReadContext,
): Promise<Place[]> {
  const all: Place[] = [];
  for (let i = 0, j = 0; all.length < most && (i < a.length || j < b.length); ) {
    const [one, other] = [a[i], b[j]];
    const isFirst =
      one !== undefined &&
      (other === undefined || compareSorted(one.key, other.key, sort.descending) <= 0);
    all.push((isFirst ? one : other) as Place);
    if (isFirst) i++;
    else j++;
    if (all.length % PLACES_AT_ONCE === 0) await turn(run);
  }
  return all;
}

function turn({ budget }: ReadContext): Promise<void> | undefined {
  return budget.turn(PLACES_AT_ONCE * STEPS_PER_PLACE);
}
