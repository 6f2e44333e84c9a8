import type { Measure } from '../block/grouping.ts';
import { exactDecimal, nearestOf, unitsAt } from '../text/decimal.ts';
import type { Value } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import type { Budget } from '../work/budget.ts';
import { greatestOf, numberAt, type TextRun } from './chunk.ts';
import { ExactSums } from './exact-sums.ts';
import { GroupNumbers, type MatchedColumn } from './group-numbers.ts';
import { TextIds } from './text-ids.ts';

/** What measures compute, chunk by chunk. */
export type Tally = {
  /** Takes the matching rows of a chunk: each one's group, and the measure's column if it has one. */
  add(groups: Uint16Array, column: MatchedColumn | undefined, budget: Budget): void | Promise<void>;
  /** A measure's results of some groups. */
  values(groups: Uint16Array, measure: Measure, budget: Budget): Value[] | Promise<Value[]>;
  /** The work of a row, in steps. */
  readonly steps: number;
  /** The memory that grows with the rows; absent if it does not. */
  readonly byteLength?: number;
};

/** A tally for each measure; the sum and the average of a field have the same one. */
export function talliesOf(measures: readonly Measure[], mostGroups: number): Tally[] {
  const sums = new Map<string | undefined, Tally>();
  return measures.map((measure) => {
    if (measure.of !== 'sum' && measure.of !== 'avg') return tallyOf(measure, mostGroups);
    const shared = sums.get(measure.field?.name) ?? tallyOf(measure, mostGroups);
    sums.set(measure.field?.name, shared);
    return shared;
  });
}

function tallyOf({ of }: Measure, mostGroups: number): Tally {
  switch (of) {
    case 'count':
      return new RowTally(mostGroups);
    case 'sum':
    case 'avg':
      return new SumTally(mostGroups);
    case 'min':
    case 'max':
      return new ExtremeTally(of === 'min', mostGroups);
    case 'distinct':
      return new DistinctTally(mostGroups);
    case 'median':
      return new MedianTally();
  }
}

/** Counts rows, or those of them that have a value. */
export class RowTally implements Tally {
  readonly steps = 0.25;
  readonly #counts: Uint32Array;

  constructor(mostGroups: number) {
    this.#counts = new Uint32Array(mostGroups);
  }

  add(groups: Uint16Array, column: MatchedColumn | undefined): void {
    const counts = this.#counts;
    if (column === undefined || column.chunk.firstKey === 0) {
      for (let i = 0; i < groups.length; i++) {
        const group = groups[i] as number;
        counts[group] = (counts[group] as number) + 1;
      }
      return;
    }
    const { codes } = column;
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i] as number;
      if (codes[i] !== 0) counts[group] = (counts[group] as number) + 1;
    }
  }

  /** Takes rows by the codes of a column: how many have each, and the groups of those that rows have. */
  addCodes(groups: Uint16Array, rowsOfCodes: Uint32Array): void {
    const counts = this.#counts;
    for (let code = 0; code < groups.length; code++) {
      const group = groups[code] as number;
      counts[group] = (counts[group] as number) + (rowsOfCodes[code] as number);
    }
  }

  values(groups: Uint16Array): Value[] {
    return Array.from(groups, (group) => this.#counts[group] as number);
  }
}

class SumTally implements Tally {
  readonly steps = 1;
  readonly #sums: ExactSums;

  constructor(mostGroups: number) {
    this.#sums = new ExactSums(mostGroups);
  }

  add(groups: Uint16Array, column: MatchedColumn, budget: Budget): Promise<void> {
    return this.#sums.add(column, groups, budget);
  }

  async values(groups: Uint16Array, { of }: Measure, budget: Budget): Promise<Value[]> {
    const found: Value[] = [];
    for (const group of groups) {
      found.push((of === 'sum' ? this.#sums.sumOf(group) : this.#sums.averageOf(group)) ?? null);
      const pause = budget.turn(this.#sums.stepsPerGroup);
      if (pause !== undefined) await pause;
    }
    return found;
  }
}

/** The least or the greatest. */
class ExtremeTally implements Tally {
  readonly steps = 0.5;
  readonly #isMin: boolean;
  readonly #keys: Float64Array;

  constructor(isMin: boolean, mostGroups: number) {
    this.#isMin = isMin;
    this.#keys = new Float64Array(mostGroups).fill(Number.NaN);
  }

  add(groups: Uint16Array, { keys }: MatchedColumn): void {
    const best = this.#keys;
    const isMin = this.#isMin;
    for (let i = 0; i < groups.length; i++) {
      const key = keys[i] as number;
      if (Number.isNaN(key)) continue;
      const group = groups[i] as number;
      const known = best[group] as number;
      // NaN stands for none yet, and is neither less nor greater.
      if (isMin ? !(known <= key) : !(known >= key)) best[group] = key;
    }
  }

  values(groups: Uint16Array, measure: Measure): Value[] {
    const { field } = measure as Required<Measure>;
    const type = typeOf(field);
    if (type.comparedBy !== 'number') throw new TypeError(`${field.name} has no order.`);
    return Array.from(groups, (group) => {
      const key = this.#keys[group] as number;
      return Number.isNaN(key) ? null : type.valueOf(key, field);
    });
  }
}

/** How many codes of all groups are marked, for each row, so that most pairs are added only once. */
const MOST_MARKS_PER_ROW = 8;

class DistinctTally implements Tally {
  readonly steps = 4;
  readonly #pairs = new PairSet();
  readonly #bits = new GroupBits();
  readonly #texts = new TextIds();
  readonly #counts: Uint32Array;

  constructor(mostGroups: number) {
    this.#counts = new Uint32Array(mostGroups);
  }

  get byteLength(): number {
    return this.#pairs.byteLength + this.#bits.byteLength + this.#texts.byteLength;
  }

  async add(groups: Uint16Array, column: MatchedColumn, budget: Budget): Promise<void> {
    const { chunk, codes } = column;
    const { firstKey, size, dictionary } = chunk;
    const mostGroup = greatestOf(groups);
    const isText = dictionary.kind === 'texts';
    const ids = isText ? await this.#idsByCode(column, dictionary.keys, budget) : undefined;
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
        const place = group * size + code;
        if (isMarked[place] === 1) continue;
        isMarked[place] = 1;
      }
      const isNew = isText
        ? this.#addId(group, ids?.[code] as number)
        : this.#pairs.add(group, numberAt(dictionary, code));
      if (isNew) this.#countOne(group);
    }
  }

  /** Whether the text of this id is new in a group. A group is in the same set for all chunks. */
  #addId(group: number, id: number): boolean {
    return group < MOST_GROUPS_WITH_BITS ? this.#bits.add(group, id) : this.#pairs.add(group, id);
  }

  #countOne(group: number): void {
    this.#counts[group] = (this.#counts[group] as number) + 1;
  }

  async #idsByCode(column: MatchedColumn, keys: TextRun, budget: Budget): Promise<Uint32Array> {
    const used = column.usedCodes;
    const ids = await this.#texts.idsOf(keys, used, budget);
    const byCode = new Uint32Array(column.chunk.size);
    for (let i = 0; i < used.length; i++) byCode[used[i] as number] = ids[i] as number;
    return byCode;
  }

  values(groups: Uint16Array): Value[] {
    return Array.from(groups, (group) => this.#counts[group] as number);
  }
}

class MedianTally implements Tally {
  readonly steps = 6;
  readonly #numbers = new GroupNumbers();

  get byteLength(): number {
    return this.#numbers.byteLength;
  }

  add(groups: Uint16Array, column: MatchedColumn): void {
    this.#numbers.add(column, groups);
  }

  async values(groups: Uint16Array, _: Measure, budget: Budget): Promise<Value[]> {
    const found: Value[] = [];
    for (const group of groups) {
      const middle = await this.#numbers.middleOf(group, budget);
      found.push(middle === undefined ? null : middleOf(...middle));
    }
    return found;
  }
}

/** The number nearest to the middle between two decimal numbers. */
function middleOf(low: number, high: number): number {
  if (low === high) return low;
  const [one, other] = [exactDecimal(low), exactDecimal(high)];
  const power = Math.min(one.power, other.power);
  return nearestOf({ units: unitsAt(one, power) + unitsAt(other, power), power }, 2);
}

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

/** A set of pairs of a group and a number, in typed arrays: a set of JavaScript takes ten times as much. */
class PairSet {
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
