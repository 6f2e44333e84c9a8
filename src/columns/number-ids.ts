/** The numbers that are looked up without a map: as many before the first one as behind it. */
const NEAR = 2 ** 13;

/** Ids by number; far faster than a map for whole numbers that lie close together. */
export class NumberIds {
  readonly #near = new Int32Array(2 * NEAR).fill(-1);
  readonly #far = new Map<number, number>();
  /** The number at place 0; NaN as long as there is none. */
  #first = Number.NaN;

  /** The id of a number; undefined if it has none. */
  get(number: number): number | undefined {
    const place = this.#placeOf(number);
    if (place === undefined) return this.#far.get(number);
    const id = this.#near[place] as number;
    return id < 0 ? undefined : id;
  }

  set(number: number, id: number): void {
    if (Number.isNaN(this.#first)) this.#first = Math.floor(number) - NEAR;
    const place = this.#placeOf(number);
    if (place === undefined) this.#far.set(number, id);
    else this.#near[place] = id;
  }

  #placeOf(number: number): number | undefined {
    const place = number - this.#first;
    // The number itself must be whole: a fraction may be lost in the place, as of 1e-13.
    const isNear = place >= 0 && place < 2 * NEAR && number === Math.trunc(number);
    return isNear ? place : undefined;
  }
}
