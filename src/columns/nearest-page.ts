import { latitudeApart, type Near, roundedMetres } from '../query/distance.ts';
import type { Query } from '../query/query.ts';
import { placeAfter } from '../query/sort-rows.ts';
import { ChunkDistances, STEPS_PER_DISTANCE } from './chunk-distances.ts';
import type { ChunkMatch } from './chunk-match.ts';
import type { ColumnStore, Run } from './column-store.ts';
import type { FoundPage } from './find-rows.ts';
import { NearestRows } from './nearest-rows.ts';

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
  matchIn: (chunk: number) => ChunkMatch | Promise<ChunkMatch>,
  run: Run,
): Promise<FoundPage> {
  const { rows, rowsPerChunk } = store;
  run.budget.spend(rows * STEPS_PER_ROW, '_near');
  const distancesIn = await distancesOf(store, near, run);
  const last = after === undefined ? -1 : after;
  let lastFar = -1;
  if (after !== undefined) {
    const [chunk, row] = [Math.floor(after / rowsPerChunk), after % rowsPerChunk];
    if ((await matchIn(chunk)).rows(row, 1)[0] !== row) placeAfter(-1);
    lastFar = (await distancesIn(chunk)).of(row);
  }
  const nearest = new NearestRows(Math.min(limit + 1, rows));
  let [total, offered] = [0, 0];
  for (let chunk = 0; chunk * rowsPerChunk < rows; chunk++) {
    const match = await matchIn(chunk);
    total += match.count;
    if (match.count === 0) continue;
    const distances = await distancesIn(chunk);
    const found = match.rows(0, match.count);
    const first = chunk * rowsPerChunk;
    for (let from = 0; from < found.length; from += ROWS_AT_ONCE) {
      const to = Math.min(found.length, from + ROWS_AT_ONCE);
      const apart = latitudeApart(nearest.worst);
      let told = 0;
      for (let i = from; i < to; i++) {
        const row = found[i] as number;
        if (distances.latitudeApart(row) > apart) continue;
        told++;
        const far = distances.of(row);
        if (far < lastFar || (far === lastFar && first + row <= last)) continue;
        nearest.offer(far, first + row);
        offered++;
      }
      await run.budget.turn((to - from) * STEPS_PER_ROW + told * STEPS_PER_DISTANCE);
    }
  }
  return {
    positions: nearest.inOrder().subarray(0, limit),
    total,
    hasMore: offered > limit,
  };
}

/** The distances of rows at some positions, in metres as an answer says them. */
export async function distancesAt(
  store: ColumnStore,
  near: Near,
  positions: Uint32Array,
  run: Run,
): Promise<Float64Array> {
  const { rowsPerChunk } = store;
  const distancesIn = await distancesOf(store, near, run);
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
      distances = await distancesIn(chunk);
      its = chunk;
    }
    metres[place] = roundedMetres(distances.of(position % rowsPerChunk));
    if (i % ROWS_AT_ONCE === 0) await run.budget.turn(ROWS_AT_ONCE * STEPS_PER_DISTANCE);
  }
  return metres;
}

/** Reads the places of chunks. */
async function distancesOf(store: ColumnStore, near: Near, run: Run) {
  const [ofLongitudes, ofLatitudes] = await Promise.all([
    store.directory(near.longitude, run),
    store.directory(near.latitude, run),
  ]);
  const isKept = store.hasRoomFor([ofLongitudes, ofLatitudes], run);
  return async (chunk: number): Promise<ChunkDistances> => {
    const [longitudes, latitudes] = await Promise.all([
      store.chunk(near.longitude, chunk, ofLongitudes, isKept, run),
      store.chunk(near.latitude, chunk, ofLatitudes, isKept, run),
    ]);
    return new ChunkDistances(longitudes.chunk, latitudes.chunk, near.at);
  };
}
