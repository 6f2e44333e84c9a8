import { cosine, latitudePart, longitudePart, type Point } from '../query/distance.ts';
import { type Chunk, type Narrow, numberAt } from './chunk.ts';

/** The steps of preparing an angle, and of telling a row's distance. */
const STEPS_PER_ANGLE = 3;
export const STEPS_PER_DISTANCE = 2;

/**
 * The haversines from a place to the rows of a chunk. Sines and cosines are taken once for each code,
 * or for each row if there are fewer, so that plain loops over rows only add and multiply.
 */
export class ChunkDistances {
  /** Which angle each row has; its own if absent. */
  readonly #longitudes: Narrow | undefined;
  readonly #latitudes: Narrow | undefined;
  readonly #ofLongitude: Float64Array;
  readonly #ofLatitude: Float64Array;
  readonly #cosines: Float64Array;

  constructor(longitudes: Chunk, latitudes: Chunk, at: Point) {
    const ofPlace = cosine(at[1]);
    this.#longitudes = anglesOf(longitudes);
    this.#latitudes = anglesOf(latitudes);
    this.#ofLongitude = each(longitudes, (degrees) => longitudePart(degrees, at[0]));
    this.#ofLatitude = each(latitudes, (degrees) => latitudePart(degrees, at[1]));
    this.#cosines = each(latitudes, (degrees) => ofPlace * cosine(degrees));
  }

  /** The steps of making it. */
  get steps(): number {
    return STEPS_PER_ANGLE * (this.#ofLongitude.length + 2 * this.#ofLatitude.length);
  }

  /** The haversine of a row, which must have a place. */
  of(row: number): number {
    const latitude = this.#latitudes === undefined ? row : (this.#latitudes[row] as number);
    const longitude = this.#longitudes === undefined ? row : (this.#longitudes[row] as number);
    return (
      (this.#ofLatitude[latitude] as number) +
      (this.#cosines[latitude] as number) * (this.#ofLongitude[longitude] as number)
    );
  }
}

/** The codes of the rows, unless there are more codes than rows: a frame has one for each step. */
function anglesOf({ codes, size }: Chunk): Narrow | undefined {
  return size <= codes.length ? codes : undefined;
}

function each(chunk: Chunk, of: (degrees: number) => number): Float64Array {
  const { codes, dictionary, firstKey, size } = chunk;
  if (dictionary.kind === 'texts') throw new TypeError('A place is of numbers.');
  const isByCode = anglesOf(chunk) !== undefined;
  const found = new Float64Array(isByCode ? size : codes.length);
  for (let i = 0; i < found.length; i++) {
    const code = isByCode ? i : (codes[i] as number);
    if (code >= firstKey) found[i] = of(numberAt(dictionary, code));
  }
  return found;
}
