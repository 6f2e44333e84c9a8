import { NEAR } from '../block/parameter.ts';
import type { Condition, Predicate } from '../query/predicate.ts';
import type { Query } from '../query/row-store.ts';
import { indexAfter } from '../query/sort-rows.ts';
import { firstWhere } from '../values/comparison.ts';
import { latitudeApart, longitudeApart, type Near, roundedMetres } from '../values/places.ts';
import type { Work } from '../work/work.ts';
import type { CachedChunk } from './cached-chunk.ts';
import {
  type Chunk,
  type ChunkEntry,
  type FrameOfReference,
  type NumberList,
  numberAt,
  type PlaceOrder,
} from './chunk.ts';
import type { ColumnStore, ReadContext } from './column-store.ts';
import { offerNearest } from './nearest-places.ts';
import { ChunkDistances, STEPS_PER_DISTANCE } from './row-search.ts';
import { hasRow, type MatchedChunk, Scan } from './scan.ts';
import { AllSelected, type FoundPage, rowsBelow } from './selection.ts';

/**
 * The cost of looking at a row's latitude, in steps. For most rows the latitude alone shows that
 * they are too far away.
 */
const STEPS_PER_ROW = 1.5;

/** How many rows are examined without a pause. */
const ROWS_AT_ONCE = 2 ** 12;

/**
 * Returns a page of rows, the nearest first. While it goes from chunk to chunk it keeps only the
 * nearest rows: those of the page and one more, which shows whether others follow.
 */
export async function nearestPage(
  store: ColumnStore,
  { predicate, near, limit, after }: Query & { readonly near: Near },
  context: ReadContext,
): Promise<FoundPage> {
  const { rows, rowsPerChunk } = store;
  const fields = [near.longitude, near.latitude];
  const scan = await Scan.begin(store, { predicate, fields }, context);
  context.budget.spend(rows * STEPS_PER_ROW, '_near');
  let lastFar = -1;
  const last = after === undefined ? -1 : after;
  if (after !== undefined) {
    const part = await scan.run(scan.part(Math.floor(after / rowsPerChunk)));
    const row = after % rowsPerChunk;
    if (part === undefined || !hasRow(part, row)) return indexAfter(-1) as never;
    lastFar = distancesOf(part, near).of(row);
  }
  const nearest = new NearestRows(Math.min(limit + 1, rows), lastFar, last);
  const { places } = scan.directoryOf(near.latitude);
  if (places !== undefined && isOfPlaces(predicate, limit, places, context)) {
    await scan.run(offerNearest(store, places, near.at, nearest, context));
    return pageOf(await scan.run(nearest.inOrder()), limit, places.rows);
  }
  let total = 0;
  for await (const part of scan.parts()) {
    const { chunk, first, count, match, columns } = part;
    total += count;
    const distances = distancesOf(part, near);
    const offer = (row: number) => nearest.offer(distances.of(row), first + row);
    const latitudes = columns[1] as CachedChunk;
    // If as many rows match as have a latitude, they are the same rows.
    const entry = scan.entriesOf(near.latitude)[chunk] as ChunkEntry;
    const isEvery = count === entry.rows - entry.nulls;
    const order =
      isEvery && context.shortcuts.orders
        ? store.orderForSearch(near.latitude, chunk, latitudes)
        : undefined;
    const rows = match ?? new AllSelected(count);
    await scan.run(
      order === undefined
        ? offerRows(rows.rows(0, count), near, distances, nearest, offer)
        : offerOutwards(order, near, latitudes.chunk, distances, nearest, offer),
    );
  }
  return pageOf(await scan.run(nearest.inOrder()), limit, total);
}

/**
 * If a page has more than one in this many of the rows with a place, going through all of them takes
 * no longer than by the order of a curve.
 */
const MOST_OF_PLACES = 8;

/** Tells whether the places in the order of a curve have the page: it is of all rows with a place. */
function isOfPlaces(
  predicate: Predicate,
  limit: number,
  { rows }: PlaceOrder,
  { shortcuts }: ReadContext,
): boolean {
  const isOfNear = ({ test, parameters: [only, other] }: Condition) =>
    test === 'ranges' && only === NEAR && other === undefined;
  const isOfAll = predicate.length > 0 && predicate.every(isOfNear);
  return shortcuts.orders && limit < rows / MOST_OF_PLACES && isOfAll;
}

/** The page of the nearest rows, and of one more if others follow. */
function pageOf(
  { positions, haversines }: InOrder,
  limit: number,
  total: number,
): FoundPage & Required<Pick<FoundPage, 'metres'>> {
  return {
    positions: positions.subarray(0, limit),
    total,
    hasMore: positions.length > limit,
    metres: haversines.subarray(0, limit).map(roundedMetres),
  };
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

/** Offers all of these rows, except those that the latitude or the longitude shows to be too far. */
function* offerRows(
  rows: Uint16Array,
  { at }: Near,
  distances: ChunkDistances,
  nearest: NearestRows,
  offer: (row: number) => void,
): Work<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const to = Math.min(rows.length, from + ROWS_AT_ONCE);
    const apart = latitudeApart(nearest.worst);
    const beside = longitudeApart(nearest.worst, at[1]);
    let told = 0;
    for (let i = from; i < to; i++) {
      const row = rows[i] as number;
      if (distances.latitudeApart(row) > apart) continue;
      if (distances.longitudeApart(row) > beside) continue;
      told++;
      offer(row);
    }
    yield (to - from) * STEPS_PER_ROW + told * STEPS_PER_DISTANCE;
  }
}

/**
 * Offers the rows of a chunk by latitude: from the place northwards until the latitude alone is too
 * far away, then southwards in the same way.
 */
function* offerOutwards(
  order: Uint16Array,
  { at }: Near,
  chunk: Chunk,
  distances: ChunkDistances,
  nearest: NearestRows,
  offer: (row: number) => void,
): Work<void> {
  const { codes, firstKey, size } = chunk;
  const dictionary = chunk.dictionary as FrameOfReference | NumberList;
  const code = firstWhere(
    (latitudeCode) => numberAt(dictionary, latitudeCode) >= at[1],
    firstKey,
    size,
  );
  const start = rowsBelow(order, codes, code);
  let computed = 0;
  let [worst, apart, beside] = [Number.NaN, Number.NaN, Number.NaN];
  for (const step of [1, -1]) {
    for (let i = step > 0 ? start : start - 1; i >= 0 && i < order.length; i += step) {
      const row = order[i] as number;
      if ((codes[row] as number) < firstKey) break;
      if (nearest.worst !== worst) {
        worst = nearest.worst;
        apart = latitudeApart(worst);
        beside = longitudeApart(worst, at[1]);
      }
      if (distances.latitudeApart(row) > apart) break;
      if (distances.longitudeApart(row) <= beside) offer(row);
      if (++computed % ROWS_AT_ONCE === 0) yield ROWS_AT_ONCE * STEPS_PER_DISTANCE;
    }
  }
  yield (computed % ROWS_AT_ONCE) * STEPS_PER_DISTANCE;
}

/** Returns the distances of the rows at some positions, in metres, rounded as in an answer. */
export async function distancesAt(
  store: ColumnStore,
  near: Near,
  positions: Uint32Array,
  context: ReadContext,
): Promise<Float64Array> {
  const { rowsPerChunk } = store;
  const fields = [near.longitude, near.latitude];
  const scan = await Scan.begin(store, { predicate: [], fields }, context);
  // Goes chunk by chunk, so that only one is in memory at a time.
  const order = Uint32Array.from(positions.keys()).sort(
    (a, b) => (positions[a] as number) - (positions[b] as number),
  );
  const metres = new Float64Array(positions.length);
  let [chunkOfDistances, distances]: [number, ChunkDistances | undefined] = [-1, undefined];
  for (const [i, index] of order.entries()) {
    const position = positions[index] as number;
    const chunk = Math.floor(position / rowsPerChunk);
    if (distances === undefined || chunk !== chunkOfDistances) {
      distances = distancesOf((await scan.run(scan.part(chunk))) as MatchedChunk, near);
      chunkOfDistances = chunk;
    }
    metres[index] = roundedMetres(distances.of(position % rowsPerChunk));
    if (i % ROWS_AT_ONCE === 0) await context.budget.checkpoint(ROWS_AT_ONCE * STEPS_PER_DISTANCE);
  }
  return metres;
}

/** The positions of rows and the haversines of their distances, nearest first. */
type InOrder = { readonly positions: Uint32Array; readonly haversines: Float64Array };

/**
 * Keeps the nearest of the offered rows, up to a number of them. It is a binary heap with the
 * farthest row on top. Of two rows at the same distance, the one that comes first in the dataset
 * counts as nearer.
 */
class NearestRows {
  readonly #most: number;
  /** The last row of the page before: how far it is, and its position. */
  readonly #lastFar: number;
  readonly #last: number;
  readonly #haversines: Float64Array;
  readonly #positions: Uint32Array;
  #length = 0;

  constructor(most: number, lastFar: number, last: number) {
    this.#most = most;
    this.#lastFar = lastFar;
    this.#last = last;
    this.#haversines = new Float64Array(most);
    this.#positions = new Uint32Array(most);
  }

  /** A row with a greater haversine than this is not taken. */
  get worst(): number {
    return this.#length < this.#most ? 1 : (this.#haversines[0] as number);
  }

  /** Takes a row if it is near enough, and was not on a page before. */
  offer(haversine: number, position: number): void {
    if (haversine < this.#lastFar) return;
    if (haversine === this.#lastFar && position <= this.#last) return;
    if (this.#length < this.#most) this.#rise(this.#length++, haversine, position);
    else if (!this.#isFarther(haversine, position, 0)) this.#sink(haversine, position);
  }

  /** The rows, nearest first. Nothing can be offered after that. */
  *inOrder(): Work<InOrder> {
    const length = this.#length;
    const positions = new Uint32Array(length);
    const haversines = new Float64Array(length);
    while (this.#length > 0) {
      const last = --this.#length;
      positions[last] = this.#positions[0] as number;
      haversines[last] = this.#haversines[0] as number;
      this.#sink(this.#haversines[last] as number, this.#positions[last] as number);
      if (last % ROWS_AT_ONCE === 0) yield ROWS_AT_ONCE * STEPS_PER_DISTANCE;
    }
    return { positions, haversines };
  }

  #rise(from: number, haversine: number, position: number): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >>> 1;
      if (!this.#isFarther(haversine, position, parent)) break;
      this.#move(parent, index);
      index = parent;
    }
    this.#put(index, haversine, position);
  }

  #sink(haversine: number, position: number): void {
    let index = 0;
    for (let child = 1; child < this.#length; child = 2 * index + 1) {
      const next = child + 1;
      if (
        next < this.#length &&
        this.#isFarther(this.#haversines[next] as number, this.#positions[next] as number, child)
      ) {
        child = next;
      }
      if (this.#isFarther(haversine, position, child)) break;
      this.#move(child, index);
      index = child;
    }
    this.#put(index, haversine, position);
  }

  #isFarther(haversine: number, position: number, index: number): boolean {
    const known = this.#haversines[index] as number;
    return (
      haversine > known || (haversine === known && position > (this.#positions[index] as number))
    );
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#haversines[from] as number, this.#positions[from] as number);
  }

  #put(index: number, haversine: number, position: number): void {
    this.#haversines[index] = haversine;
    this.#positions[index] = position;
  }
}
