import { metresOf } from '../values/places.ts';
import { ChunkDistances, STEPS_PER_DISTANCE } from './chunk-distances.ts';
import { type ChunkMatch, EveryRow, FoundRows } from './chunk-match.ts';
import type { SearchedChunks } from './searched-chunks.ts';
import type { SearchedPlaces } from './searched-conditions.ts';

/** How many places are tried without a pause. */
const PLACES_AT_ONCE = 2 ** 12;

/** The rows of a chunk, or of those that match already, that are near enough. */
export async function rowsWithin(
  chunks: SearchedChunks,
  { condition, columns }: SearchedPlaces,
  chunk: number,
  before: ChunkMatch | undefined,
): Promise<ChunkMatch> {
  const [longitudes, latitudes] = await Promise.all([
    chunks.read(columns[0], chunk),
    chunks.read(columns[1], chunk),
  ]);
  const all = before ?? new EveryRow(chunks.rowsIn(chunk));
  const rows = all.rows(0, all.count);
  const distances = new ChunkDistances(longitudes.chunk, latitudes.chunk, condition.at);
  const most = condition.metres;
  let kept = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (metresOf(distances.of(row)) <= most) rows[kept++] = row;
    if (i % PLACES_AT_ONCE === 0) {
      await chunks.run.budget.turn(PLACES_AT_ONCE * STEPS_PER_DISTANCE);
    }
  }
  return new FoundRows(rows.subarray(0, kept));
}
