/**
 * The nearest of the rows that are offered, at most so many: a binary heap with the farthest on top.
 * Of rows that are equally far, the first in the dataset counts as nearer.
 */
export class NearestRows {
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
