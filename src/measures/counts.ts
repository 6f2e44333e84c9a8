import type { TextRun } from '../text/text-run.ts';
import type { Value } from '../values/field-type.ts';
import type { Budget } from '../work/budget.ts';
import {
  type Aggregate,
  greatestOf,
  type MatchingValues,
  type MeasureKind,
  type Wholes,
} from './measure.ts';
import { TextDictionary } from './text-ids.ts';

/** Counts the rows that have a value in a field; without a field, all rows. */
export const count: MeasureKind<RowCounter> = {
  title: 'Rows with',
  of: () => true,
  type: 'integer',
  aggregate: (mostGroups) => new RowCounter(mostGroups),
  results: (aggregate, groups) => aggregate.values(groups),
};

/** Counts the different values. Two texts are the same value if they are equal in comparisons. */
export const distinct: MeasureKind<DistinctCounter> = {
  title: 'Different values of',
  of: () => true,
  type: 'integer',
  aggregate: (mostGroups) => new DistinctCounter(mostGroups),
  results: (aggregate, groups) => aggregate.values(groups),
};

/** Counts rows, or only those with a value. */
export class RowCounter implements Aggregate {
  readonly steps = 0.25;
  #counts: Uint32Array;
  #totals: Promise<Float64Array> | undefined;

  constructor(mostGroups: number) {
    this.#counts = new Uint32Array(mostGroups);
  }

  get bytesOfGroups(): number {
    return this.#counts.byteLength;
  }

  reserve(groups: number): void {
    this.#counts = grown(this.#counts, groups);
  }

  add(groups: Uint32Array, values: MatchingValues | undefined): void {
    const counts = this.#counts;
    if (values === undefined || values.firstKey === 0) {
      for (let i = 0; i < groups.length; i++) {
        const group = groups[i] as number;
        counts[group] = (counts[group] as number) + 1;
      }
      return;
    }
    const { codes } = values;
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i] as number;
      if (codes[i] !== 0) counts[group] = (counts[group] as number) + 1;
    }
  }

  addCodes(groups: Uint32Array, rowsOfCodes: Uint32Array): void {
    const counts = this.#counts;
    for (let code = 0; code < groups.length; code++) {
      const group = groups[code] as number;
      counts[group] = (counts[group] as number) + (rowsOfCodes[code] as number);
    }
  }

  countOf(group: number): number {
    return this.#counts[group] as number;
  }

  values(groups: Uint32Array): Value[] {
    return Array.from(groups, (group) => this.#counts[group] as number);
  }

  /** The number of rows of each whole, once all rows have been added. */
  totals(wholes: Wholes, budget: Budget): Promise<Float64Array> {
    this.#totals ??= this.#addUp(wholes, budget);
    return this.#totals;
  }

  async #addUp({ groups, of, count }: Wholes, budget: Budget): Promise<Float64Array> {
    const totals = new Float64Array(count);
    for (let group = 0; group < groups; group++) {
      const whole = of === undefined ? 0 : (of[group] as number);
      totals[whole] = (totals[whole] as number) + (this.#counts[group] as number);
      if (group % GROUPS_AT_ONCE === 0) await budget.checkpoint(GROUPS_AT_ONCE);
    }
    return totals;
  }
}

/** How many groups are added up without a pause. */
const GROUPS_AT_ONCE = 2 ** 14;

/** Returns an array with room for this many numbers. */
function grown(numbers: Uint32Array, length: number): Uint32Array {
  if (length <= numbers.length) return numbers;
  const larger = new Uint32Array(Math.max(length, 2 * numbers.length));
  larger.set(numbers);
  return larger;
}

/**
 * Up to this many marks for each row, pairs of group and code are marked, so that most pairs are
 * added only once.
 */
const MOST_MARKS_PER_ROW = 8;

export class DistinctCounter implements Aggregate {
  readonly steps = 4;
  readonly #pairs = new PairHashSet();
  readonly #bits = new GroupBitmaps();
  readonly #texts = new TextDictionary();
  #counts: Uint32Array;

  constructor(mostGroups: number) {
    this.#counts = new Uint32Array(mostGroups);
  }

  get byteLength(): number {
    return this.#pairs.byteLength + this.#bits.byteLength + this.#texts.byteLength;
  }

  get bytesOfGroups(): number {
    return this.#counts.byteLength;
  }

  reserve(groups: number): void {
    this.#counts = grown(this.#counts, groups);
    this.#pairs.reserve(groups);
  }

  async add(groups: Uint32Array, values: MatchingValues, budget: Budget): Promise<void> {
    const { codes, firstKey, size, texts } = values;
    const mostGroup = greatestOf(groups);
    const ids = texts && (await this.#idsByCode(values, texts, budget));
    if (ids !== undefined && mostGroup < MOST_GROUPS_WITH_BITS) {
      for (let i = 0; i < groups.length; i++) {
        const code = codes[i] as number;
        if (code < firstKey) continue;
        const group = groups[i] as number;
        if (this.#bits.add(group, ids[code] as number)) this.#countOne(group);
      }
      return;
    }
    const marks = (mostGroup + 1) * size;
    const isMarked =
      marks <= MOST_MARKS_PER_ROW * codes.length + 256 ? new Uint8Array(marks) : undefined;
    for (let i = 0; i < groups.length; i++) {
      const code = codes[i] as number;
      if (code < firstKey) continue;
      const group = groups[i] as number;
      if (isMarked !== undefined) {
        const mark = group * size + code;
        if (isMarked[mark] === 1) continue;
        isMarked[mark] = 1;
      }
      const isNew =
        ids === undefined
          ? this.#pairs.add(group, values.numberAt(code))
          : this.#addId(group, ids[code] as number);
      if (isNew) this.#countOne(group);
    }
  }

  /**
   * Adds a text's id to a group, and tells whether it is new there. A group uses the same set in
   * all chunks.
   */
  #addId(group: number, id: number): boolean {
    return group < MOST_GROUPS_WITH_BITS ? this.#bits.add(group, id) : this.#pairs.add(group, id);
  }

  #countOne(group: number): void {
    this.#counts[group] = (this.#counts[group] as number) + 1;
  }

  async #idsByCode(
    { usedCodes: used, size }: MatchingValues,
    texts: TextRun,
    budget: Budget,
  ): Promise<Uint32Array> {
    const ids = await this.#texts.idsOf(texts, used, budget);
    const byCode = new Uint32Array(size);
    for (let i = 0; i < used.length; i++) byCode[used[i] as number] = ids[i] as number;
    return byCode;
  }

  values(groups: Uint32Array): Value[] {
    return Array.from(groups, (group) => this.#counts[group] as number);
  }
}

/** Groups below this number have bitmaps. With more groups, most bits would be 0. */
export const MOST_GROUPS_WITH_BITS = 64;

/** The initial number of bits of a group. */
const LEAST_BITS = 2 ** 12;

/**
 * A set of pairs of a group and a small whole number, for few groups. It has a bit for each pair.
 */
export class GroupBitmaps {
  readonly #ofGroups: Uint32Array[] = [];
  #byteLength = 0;

  get byteLength(): number {
    return this.#byteLength;
  }

  /**
   * Adds a pair, and tells whether it is new. The group must be less than `MOST_GROUPS_WITH_BITS`.
   */
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

/**
 * A set of pairs of a group and a number, in typed arrays. JavaScript's own Set would take ten
 * times the memory.
 */
class PairHashSet {
  /** Two bytes a group, until there are more groups than these hold. */
  #groups: Uint16Array | Uint32Array = new Uint16Array(2 ** 8);
  #numbers = new Float64Array(2 ** 8);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  get byteLength(): number {
    return this.#groups.byteLength + this.#numbers.byteLength;
  }

  /** Makes room for this many groups. */
  reserve(groups: number): void {
    if (groups >= 2 ** 16 && this.#groups.BYTES_PER_ELEMENT === 2) {
      this.#groups = Uint32Array.from(this.#groups);
    }
  }

  /**
   * Adds a pair, and tells whether it is new. There must be room for the group, and the number must
   * not be NaN.
   */
  add(group: number, number: number): boolean {
    const bucket = bucketOf(this.#groups, this.#numbers, group + 1, number);
    if (this.#groups[bucket] !== 0) return false;
    this.#groups[bucket] = group + 1;
    this.#numbers[bucket] = number;
    this.#count++;
    if (2 * this.#count > this.#groups.length) this.#grow();
    return true;
  }

  #grow(): void {
    const Groups = this.#groups.BYTES_PER_ELEMENT === 2 ? Uint16Array : Uint32Array;
    const groups = new Groups(2 * this.#groups.length);
    const numbers = new Float64Array(groups.length);
    for (let i = 0; i < this.#groups.length; i++) {
      const group = this.#groups[i] as number;
      if (group === 0) continue;
      const number = this.#numbers[i] as number;
      const bucket = bucketOf(groups, numbers, group, number);
      groups[bucket] = group;
      numbers[bucket] = number;
    }
    this.#groups = groups;
    this.#numbers = numbers;
  }
}

/**
 * The factor is random for each process, so that nobody can choose numbers that all have the same
 * hash.
 */
const FACTOR = Math.floor(Math.random() * 2 ** 31) * 2 + 1;
const NUMBER = new Float64Array(1);
const HALVES = new Uint32Array(NUMBER.buffer);

/**
 * Returns the bucket that has this pair, or the one where it belongs. A bucket is free if its group
 * is 0.
 */
function bucketOf(
  groups: Uint16Array | Uint32Array,
  numbers: Float64Array,
  group: number,
  number: number,
): number {
  const mask = groups.length - 1;
  // Adding 0 turns -0 into 0, which it equals.
  NUMBER[0] = number + 0;
  let hash = Math.imul((HALVES[0] as number) ^ Math.imul(group, 0x9e3779b1), FACTOR);
  hash = Math.imul((hash ^ (hash >>> 15)) + (HALVES[1] as number), FACTOR);
  let bucket = (hash ^ (hash >>> 13)) & mask;
  while (groups[bucket] !== 0 && (groups[bucket] !== group || numbers[bucket] !== number)) {
    bucket = (bucket + 1) & mask;
  }
  return bucket;
}
