/** A part of a document that is made when it is written, so that a long document is not made at once. */
export class Later {
  readonly #make: () => object;

  constructor(make: () => object) {
    this.#make = make;
  }

  /** JSON.stringify calls it. */
  toJSON(): object {
    return this.#make();
  }
}
