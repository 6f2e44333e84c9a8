import { haversine, type Point } from '../values/places.ts';
import { type Chunk, type NumberFrame, type NumberList, numberAt } from './chunk.ts';

/** The work of telling a row's distance, in steps: three sines or cosines. */
export const STEPS_PER_DISTANCE = 15;

/** The distances from a place to the rows of a chunk; each row that is asked must have a place. */
export class ChunkDistances {
  readonly #longitudes: Chunk;
  readonly #latitudes: Chunk;
  readonly #at: Point;

  constructor(longitudes: Chunk, latitudes: Chunk, at: Point) {
    this.#longitudes = longitudes;
    this.#latitudes = latitudes;
    this.#at = at;
  }

  /** The degrees of latitude from the place to a row, which is told much faster. */
  latitudeApart(row: number): number {
    return Math.abs(numberOf(this.#latitudes, row) - this.#at[1]);
  }

  /** The haversine of a row. */
  of(row: number): number {
    return haversine([numberOf(this.#longitudes, row), numberOf(this.#latitudes, row)], this.#at);
  }
}

function numberOf({ codes, dictionary }: Chunk, row: number): number {
  return numberAt(dictionary as NumberFrame | NumberList, codes[row] as number);
}
