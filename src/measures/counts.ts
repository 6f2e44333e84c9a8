import type { TextRun } from '../text/text-run.ts';
import type { Value } from '../values/field-type.ts';
import type { Work } from '../work/work.ts';
import {
  type Aggregate,
  greatestOf,
  type MatchingValues,
  type MeasureKind,
  type Wholes,
} from './measure.ts';
import { NumberTable, TextDictionary } from './text-ids.ts';

/** Counts the rows that have a value in a field; without a field, all rows. */
export const count: MeasureKind<RowCounter> = {
  title: 'Rows with',
  of: () => true,
  type: 'integer',
  isOfCodes: true,
  aggregate: (mostGroups) => new RowCounter(mostGroups),
  results: (aggregate, groups) => aggregate.values(groups),
};

/** Counts the different values. Two texts are the same value if they are equal in comparisons. */
export const distinct: MeasureKind<DistinctCounter> = {
  title: 'Different values of',
  of: () => true,
  type: 'integer',
  isOfCodes: true,
  aggregate: (mostGroups) => new DistinctCounter(mostGroups),
  results: (aggregate, groups) => aggregate.values(groups),
};

/** A count for each group. */
class GroupCounts {
  protected counts: Uint32Array;

  constructor(mostGroups: number) {
    this.counts = new Uint32Array(mostGroups);
  }

  get bytesOfGroups(): number {
    return this.counts.byteLength;
  }

  reserve(groups: number): void {
    if (groups <= this.counts.length) return;
    const larger = new Uint32Array(Math.max(groups, 2 * this.counts.length));
    larger.set(this.counts);
    this.counts = larger;
  }

  values(groups: Uint32Array): Value[] {
    return Array.from(groups, (group) => this.counts[group] as number);
  }
}

/** Counts rows, or only those with a value. */
export class RowCounter extends GroupCounts implements Aggregate {
  readonly steps = 0.25;
  #totals: Float64Array | undefined;

  add(groups: Uint32Array, values: MatchingValues | undefined): undefined {
    const counts = this.counts;
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

  addCodes(groups: Uint32Array, codes: ArrayLike<number>, rowsOfCodes?: Uint32Array): void {
    const counts = this.counts;
    if (rowsOfCodes === undefined) {
      for (let i = 0; i < codes.length; i++) {
        const group = groups[codes[i] as number] as number;
        counts[group] = (counts[group] as number) + 1;
      }
      return;
    }
    for (let code = 0; code < groups.length; code++) {
      const group = groups[code] as number;
      counts[group] = (counts[group] as number) + (rowsOfCodes[code] as number);
    }
  }

  countOf(group: number): number {
    return this.counts[group] as number;
  }

  /** The number of rows of each whole, once all rows have been added. */
  *totals(wholes: Wholes): Work<Float64Array> {
    this.#totals ??= yield* this.#addUp(wholes);
    return this.#totals;
  }

  *#addUp({ groups, of, count }: Wholes): Work<Float64Array> {
    const totals = new Float64Array(count);
    for (let group = 0; group < groups; group++) {
      const whole = of === undefined ? 0 : (of[group] as number);
      totals[whole] = (totals[whole] as number) + (this.counts[group] as number);
      if (group % GROUPS_AT_ONCE === 0) yield GROUPS_AT_ONCE;
    }
    return totals;
  }
}

/** How many groups are added up without a pause. */
const GROUPS_AT_ONCE = 2 ** 14;

/**
 * Up to this many marks for each row, pairs of group and code are marked, so that most pairs are
 * added only once.
 */
const MOST_MARKS_PER_ROW = 8;

export class DistinctCounter extends GroupCounts implements Aggregate {
  readonly steps = 4;
  /** Numbers, or ids of texts, with the groups that have them. */
  readonly #pairs = new NumberTable(true);
  readonly #bits = new GroupBitmaps();
  readonly #texts = new TextDictionary();

  get byteLength(): number {
    return this.#pairs.byteLength + this.#bits.byteLength + this.#texts.byteLength;
  }

  *add(groups: Uint32Array, values: MatchingValues): Work<void> {
    const { codes, firstKey, size, texts } = values;
    const mostGroup = greatestOf(groups);
    if (values.toCodes !== undefined && mostGroup < MOST_GROUPS_WITH_BITS) {
      this.#bits.addAll(groups, codes, firstKey, values.toCodes, this.counts);
      return;
    }
    const ids = texts && (yield* this.#idsByCode(values, texts));
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
        ids === undefined && values.toCodes === undefined
          ? this.#pairs.add(values.numberAt(code), group)
          : this.#addId(group, ids === undefined ? values.numberAt(code) : (ids[code] as number));
      if (isNew) this.#countOne(group);
    }
  }

  /**
   * Adds a text's id to a group, and tells whether it is new there. A group uses the same set in
   * all chunks.
   */
  #addId(group: number, id: number): boolean {
    return group < MOST_GROUPS_WITH_BITS ? this.#bits.add(group, id) : this.#pairs.add(id, group);
  }

  #countOne(group: number): void {
    this.counts[group] = (this.counts[group] as number) + 1;
  }

  *#idsByCode({ usedCodes: used, size }: MatchingValues, texts: TextRun): Work<Uint32Array> {
    const ids = yield* this.#texts.idsOf(texts, used);
    const byCode = new Uint32Array(size);
    for (let i = 0; i < used.length; i++) byCode[used[i] as number] = ids[i] as number;
    return byCode;
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

  /** Adds the sums of codes and `toNumbers` to the groups of their rows, and counts what is new. */
  addAll(
    groups: Uint32Array,
    codes: ArrayLike<number>,
    firstKey: number,
    toNumbers: number,
    counts: Uint32Array,
  ): void {
    const ofGroups = this.#ofGroups;
    for (let i = 0; i < groups.length; i++) {
      const code = codes[i] as number;
      if (code < firstKey) continue;
      const group = groups[i] as number;
      const number = toNumbers + code;
      const word = number >>> 5;
      let bits = ofGroups[group];
      if (bits === undefined || word >= bits.length) bits = this.#grown(group, word);
      const before = bits[word] as number;
      const bit = 1 << (number & 31);
      if ((before & bit) !== 0) continue;
      bits[word] = before | bit;
      counts[group] = (counts[group] as number) + 1;
    }
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
