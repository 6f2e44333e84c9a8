import type { Query } from '../query/row-store.ts';
import { placeAfter } from '../query/sort-rows.ts';
import { latitudeApart, type Near, roundedMetres } from '../values/places.ts';
import type { Budget } from '../work/budget.ts';
import { type ChunkEntry, type FrameOfReference, type NumberList, numberAt } from './chunk.ts';
import type { CachedChunk, ColumnStore, ReadContext } from './column-store.ts';
import { ChunkDistances, type Shortcuts, STEPS_PER_DISTANCE } from './row-search.ts';
import { firstCodeWhere } from './select-codes.ts';
import { type FoundPage, rowsBelow, type SelectionVector } from './selection.ts';

/** The work of looking at a row's latitude, in steps: it shows of most rows that they are too far. */
const STEPS_PER_ROW = 1.5;

/** The rows that are offered without a pause. */
const ROWS_AT_ONCE = 2 ** 12;

/**
 * A page of rows, the nearest first. Keeps only the nearest of them while it goes from chunk to
 * chunk: as many as the page takes, and one more, which shows whether any follow.
 */
export async function nearestPage(
  store: ColumnStore,
  { near, limit, after }: Pick<Query, 'limit' | 'after'> & { readonly near: Near },
  matchIn: (chunk: number) => SelectionVector | Promise<SelectionVector>,
  run: ReadContext,
  shortcuts: Shortcuts,
): Promise<FoundPage> {
  const { rows, rowsPerChunk } = store;
  run.budget.spend(rows * STEPS_PER_ROW, '_near');
  const placesIn = await placesOf(store, near, run);
  const last = after === undefined ? -1 : after;
  let lastFar = -1;
  if (after !== undefined) {
    const [chunk, row] = [Math.floor(after / rowsPerChunk), after % rowsPerChunk];
    if ((await matchIn(chunk)).rows(row, 1)[0] !== row) placeAfter(-1);
    lastFar = (await placesIn(chunk)).distances.of(row);
  }
  const nearest = new NearestRows(Math.min(limit + 1, rows));
  let [total, offered] = [0, 0];
  for (let chunk = 0; chunk * rowsPerChunk < rows; chunk++) {
    const match = await matchIn(chunk);
    total += match.count;
    if (match.count === 0) continue;
    const places = await placesIn(chunk);
    const first = chunk * rowsPerChunk;
    const offer = (row: number) => {
      const far = places.distances.of(row);
      if (far < lastFar || (far === lastFar && first + row <= last)) return;
      nearest.offer(far, first + row);
      offered++;
    };
    // As many rows as have a latitude: these are those.
    const isEvery = match.count === places.count;
    const order =
      isEvery && shortcuts.orders
        ? store.orderForSearch(near.latitude, chunk, places.latitudes)
        : undefined;
    await (order === undefined
      ? offerRows(match.rows(0, match.count), places.distances, nearest, offer, run.budget)
      : offerOutwards(order, near, places, nearest, offer, run.budget));
  }
  return {
    positions: nearest.inOrder().subarray(0, limit),
    total,
    hasMore: offered > limit,
  };
}

/** Offers all of these rows whose latitude does not show that they are too far. */
async function offerRows(
  rows: Uint16Array,
  distances: ChunkDistances,
  nearest: NearestRows,
  offer: (row: number) => void,
  budget: Budget,
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const to = Math.min(rows.length, from + ROWS_AT_ONCE);
    const apart = latitudeApart(nearest.worst);
    let told = 0;
    for (let i = from; i < to; i++) {
      const row = rows[i] as number;
      if (distances.latitudeApart(row) > apart) continue;
      told++;
      offer(row);
    }
    await budget.turn((to - from) * STEPS_PER_ROW + told * STEPS_PER_DISTANCE);
  }
}

/**
 * Offers the rows of a chunk, given in the order of their latitudes: from the place to the north
 * until the latitude alone is too far, then to the south.
 */
async function offerOutwards(
  order: Uint16Array,
  { at }: Near,
  { latitudes: { chunk }, distances }: Places,
  nearest: NearestRows,
  offer: (row: number) => void,
  budget: Budget,
): Promise<void> {
  const { codes, firstKey, size } = chunk;
  const dictionary = chunk.dictionary as FrameOfReference | NumberList;
  const code = firstCodeWhere((its) => numberAt(dictionary, its) >= at[1], firstKey, size);
  const start = rowsBelow(order, codes, code);
  let told = 0;
  let [worst, apart] = [Number.NaN, Number.NaN];
  for (const step of [1, -1]) {
    for (let i = step > 0 ? start : start - 1; i >= 0 && i < order.length; i += step) {
      const row = order[i] as number;
      if ((codes[row] as number) < firstKey) break;
      if (nearest.worst !== worst) {
        worst = nearest.worst;
        apart = latitudeApart(worst);
      }
      if (distances.latitudeApart(row) > apart) break;
      offer(row);
      if (++told % ROWS_AT_ONCE === 0) await budget.turn(ROWS_AT_ONCE * STEPS_PER_DISTANCE);
    }
  }
  await budget.turn((told % ROWS_AT_ONCE) * STEPS_PER_DISTANCE);
}

/** The distances of rows at some positions, in metres as an answer says them. */
export async function distancesAt(
  store: ColumnStore,
  near: Near,
  positions: Uint32Array,
  run: ReadContext,
): Promise<Float64Array> {
  const { rowsPerChunk } = store;
  const placesIn = await placesOf(store, near, run);
  // Chunk by chunk, so that memory holds one at a time.
  const order = Uint32Array.from(positions.keys()).sort(
    (a, b) => (positions[a] as number) - (positions[b] as number),
  );
  const metres = new Float64Array(positions.length);
  let [its, distances]: [number, ChunkDistances | undefined] = [-1, undefined];
  for (const [i, place] of order.entries()) {
    const position = positions[place] as number;
    const chunk = Math.floor(position / rowsPerChunk);
    if (distances === undefined || chunk !== its) {
      ({ distances } = await placesIn(chunk));
      its = chunk;
    }
    metres[place] = roundedMetres(distances.of(position % rowsPerChunk));
    if (i % ROWS_AT_ONCE === 0) await run.budget.turn(ROWS_AT_ONCE * STEPS_PER_DISTANCE);
  }
  return metres;
}

/** The places of a chunk's rows. */
type Places = {
  readonly distances: ChunkDistances;
  readonly latitudes: CachedChunk;
  /** How many rows have a latitude. */
  readonly count: number;
};

/** Reads the places of chunks. */
async function placesOf(store: ColumnStore, near: Near, run: ReadContext) {
  const [ofLongitudes, ofLatitudes] = await Promise.all([
    store.directory(near.longitude, run),
    store.directory(near.latitude, run),
  ]);
  const isKept = store.hasRoomFor([ofLongitudes, ofLatitudes], run);
  return async (chunk: number): Promise<Places> => {
    const [longitudes, latitudes] = await Promise.all([
      store.chunk(near.longitude, chunk, ofLongitudes, isKept, run),
      store.chunk(near.latitude, chunk, ofLatitudes, isKept, run),
    ]);
    const { rows, nulls } = ofLatitudes.chunks[chunk] as ChunkEntry;
    return {
      distances: new ChunkDistances(longitudes.chunk, latitudes.chunk, near.at),
      latitudes,
      count: rows - nulls,
    };
  };
}

/**
 * The nearest of the rows that are offered, at most so many: a binary heap with the farthest on top.
 * Of rows that are equally far, the first in the dataset counts as nearer.
 */
class NearestRows {
  readonly #most: number;
  readonly #haversines: Float64Array;
  readonly #positions: Uint32Array;
  #length = 0;

  constructor(most: number) {
    this.#most = most;
    this.#haversines = new Float64Array(most);
    this.#positions = new Uint32Array(most);
  }

  /** The haversine that a row must not exceed to be taken. */
  get worst(): number {
    return this.#length < this.#most ? 1 : (this.#haversines[0] as number);
  }

  /** Takes a row if it is near enough. */
  offer(haversine: number, position: number): void {
    if (this.#length < this.#most) this.#rise(this.#length++, haversine, position);
    else if (!this.#isFarther(haversine, position, 0)) this.#sink(haversine, position);
  }

  /** The positions of the rows, nearest first. */
  inOrder(): Uint32Array {
    const [far, positions] = [this.#haversines, this.#positions];
    const order = Array.from({ length: this.#length }, (_, place) => place);
    order.sort(
      (a, b) =>
        (far[a] as number) - (far[b] as number) ||
        (positions[a] as number) - (positions[b] as number),
    );
    return Uint32Array.from(order, (place) => positions[place] as number);
  }

  #rise(from: number, haversine: number, position: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >>> 1;
      if (!this.#isFarther(haversine, position, parent)) break;
      this.#move(parent, place);
      place = parent;
    }
    this.#put(place, haversine, position);
  }

  #sink(haversine: number, position: number): void {
    let place = 0;
    for (let child = 1; child < this.#length; child = 2 * place + 1) {
      const next = child + 1;
      if (
        next < this.#length &&
        this.#isFarther(this.#haversines[next] as number, this.#positions[next] as number, child)
      ) {
        child = next;
      }
      if (this.#isFarther(haversine, position, child)) break;
      this.#move(child, place);
      place = child;
    }
    this.#put(place, haversine, position);
  }

  #isFarther(haversine: number, position: number, place: number): boolean {
    const other = this.#haversines[place] as number;
    return (
      haversine > other || (haversine === other && position > (this.#positions[place] as number))
    );
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#haversines[from] as number, this.#positions[from] as number);
  }

  #put(place: number, haversine: number, position: number): void {
    this.#haversines[place] = haversine;
    this.#positions[place] = position;
  }
}
