import { leastCosine, leastHaversine, type Point } from '../values/places.ts';

/** The numbers of a box: its west, east, south and north, and the least cosine of its latitudes. */
const NUMBERS_OF_BOX = 5;

/** The boxes of some places each. */
export class PlaceBoxes {
  readonly #numbers: Float64Array;

  constructor(count: number) {
    this.#numbers = new Float64Array(count * NUMBERS_OF_BOX);
  }

  get byteLength(): number {
    return this.#numbers.byteLength;
  }

  set(index: number, west: number, east: number, south: number, north: number): void {
    const box = [west, east, south, north, leastCosine(south, north)];
    this.#numbers.set(box, index * NUMBERS_OF_BOX);
  }

  /** For each box a number that is at most the haversine of any place in it. */
  boundsTo(at: Point): Float64Array {
    const numbers = this.#numbers;
    const bounds = new Float64Array(numbers.length / NUMBERS_OF_BOX);
    for (let i = 0, n = 0; i < bounds.length; i++, n += NUMBERS_OF_BOX) {
      bounds[i] = leastHaversine(
        at,
        numbers[n] as number,
        numbers[n + 1] as number,
        numbers[n + 2] as number,
        numbers[n + 3] as number,
        numbers[n + 4] as number,
      );
    }
    return bounds;
  }
}
