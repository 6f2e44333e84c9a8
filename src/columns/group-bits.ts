/** So many groups have bits; with more, most bits would be 0. */
export const MOST_GROUPS_WITH_BITS = 64;

/** The bits of a group at first. */
const LEAST_BITS = 2 ** 12;

/** A set of pairs of one of a few groups and a small whole number: a bit for each. */
export class GroupBits {
  readonly #ofGroups: Uint32Array[] = [];
  #byteLength = 0;

  get byteLength(): number {
    return this.#byteLength;
  }

  /** Whether the pair was not in the set. The group is below `MOST_GROUPS_WITH_BITS`. */
  add(group: number, number: number): boolean {
    const word = number >>> 5;
    let bits = this.#ofGroups[group];
    if (bits === undefined || word >= bits.length) bits = this.#grown(group, word);
    const before = bits[word] as number;
    const bit = 1 << (number & 31);
    bits[word] = before | bit;
    return (before & bit) === 0;
  }

  #grown(group: number, word: number): Uint32Array {
    const before = this.#ofGroups[group] ?? new Uint32Array(0);
    const bits = new Uint32Array(Math.max(word + 1, 2 * before.length, LEAST_BITS / 32));
    bits.set(before);
    this.#byteLength += bits.byteLength - before.byteLength;
    this.#ofGroups[group] = bits;
    return bits;
  }
}
