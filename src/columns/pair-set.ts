/** A set of pairs of a group and a number, in typed arrays: a set of JavaScript takes ten times as much. */
export class PairSet {
  #groups = new Uint16Array(2 ** 8);
  #numbers = new Float64Array(2 ** 8);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  get byteLength(): number {
    return this.#groups.byteLength + this.#numbers.byteLength;
  }

  /** Whether the pair was not in the set. The group is below 65,535, and the number is not NaN. */
  add(group: number, number: number): boolean {
    const place = placeOf(this.#groups, this.#numbers, group + 1, number);
    if (this.#groups[place] !== 0) return false;
    this.#groups[place] = group + 1;
    this.#numbers[place] = number;
    this.#count++;
    if (2 * this.#count > this.#groups.length) this.#grow();
    return true;
  }

  #grow(): void {
    const groups = new Uint16Array(2 * this.#groups.length);
    const numbers = new Float64Array(groups.length);
    for (let i = 0; i < this.#groups.length; i++) {
      const group = this.#groups[i] as number;
      if (group === 0) continue;
      const number = this.#numbers[i] as number;
      const place = placeOf(groups, numbers, group, number);
      groups[place] = group;
      numbers[place] = number;
    }
    this.#groups = groups;
    this.#numbers = numbers;
  }
}

/** Of this process alone, so that nobody can choose numbers that all have one hash. */
const FACTOR = Math.floor(Math.random() * 2 ** 31) * 2 + 1;
const NUMBER = new Float64Array(1);
const HALVES = new Uint32Array(NUMBER.buffer);

/** Where a pair is, or would be. A place is free if its group is 0. */
function placeOf(
  groups: Uint16Array,
  numbers: Float64Array,
  group: number,
  number: number,
): number {
  const mask = groups.length - 1;
  // Adding 0 makes -0 the 0 that it equals.
  NUMBER[0] = number + 0;
  let hash = Math.imul((HALVES[0] as number) ^ Math.imul(group, 0x9e3779b1), FACTOR);
  hash = Math.imul((hash ^ (hash >>> 15)) + (HALVES[1] as number), FACTOR);
  let place = (hash ^ (hash >>> 13)) & mask;
  while (groups[place] !== 0 && (groups[place] !== group || numbers[place] !== number)) {
    place = (place + 1) & mask;
  }
  return place;
}
