import type { Value } from '../fields/field.ts';
import { typeOf } from '../fields/field-types.ts';
import type { Budget } from '../query/budget.ts';
import type { Measure } from '../query/grouping.ts';
import { exactDecimal, nearestOf, unitsAt } from '../text/exact-decimal.ts';
import { type Chunk, numberAt } from './chunk.ts';
import { ExactSums } from './exact-sums.ts';
import { GroupBits, MOST_GROUPS_WITH_BITS } from './group-bits.ts';
import { GroupNumbers } from './group-numbers.ts';
import type { MatchedColumn } from './matched-column.ts';
import { PairSet } from './pair-set.ts';
import { TextIds } from './text-ids.ts';

/** What a measure computes, chunk by chunk. */
export type Tally = {
  /** Takes the matching rows of a chunk: each one's group, and the measure's column if it has one. */
  add(groups: Uint16Array, column: MatchedColumn | undefined, budget: Budget): void | Promise<void>;
  /** The results of the first groups. */
  values(groups: number, budget: Budget): Value[] | Promise<Value[]>;
  /** The work of a row, in steps. */
  readonly steps: number;
  /** The memory that grows with the rows; absent if it does not. */
  readonly byteLength?: number;
};

/** Makes the tally of a measure, for at most so many groups. */
export function tallyOf(measure: Measure, mostGroups: number): Tally {
  switch (measure.of) {
    case 'count':
      return new RowTally(mostGroups);
    case 'sum':
    case 'avg':
      return new SumTally(measure, mostGroups);
    case 'min':
    case 'max':
      return new ExtremeTally(measure, mostGroups);
    case 'distinct':
      return new DistinctTally(mostGroups);
    case 'median':
      return new MedianTally();
  }
}

/** Counts rows, or those of them that have a value. */
class RowTally implements Tally {
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

  values(groups: number): Value[] {
    return Array.from(this.#counts.subarray(0, groups));
  }
}

class SumTally implements Tally {
  readonly steps = 1;
  readonly #measure: Measure;
  readonly #sums: ExactSums;

  constructor(measure: Measure, mostGroups: number) {
    this.#measure = measure;
    this.#sums = new ExactSums(mostGroups);
  }

  add(groups: Uint16Array, column: MatchedColumn, budget: Budget): Promise<void> {
    return this.#sums.add(column, groups, budget);
  }

  async values(groups: number, budget: Budget): Promise<Value[]> {
    const isSum = this.#measure.of === 'sum';
    const found: Value[] = [];
    for (let group = 0; group < groups; group++) {
      const { sum, count } = this.#sums.of(group);
      found.push(count === 0 ? null : nearestOf(sum, isSum ? 1 : count));
      await budget.turn(this.#sums.stepsPerGroup);
    }
    return found;
  }
}

/** The least or the greatest. */
class ExtremeTally implements Tally {
  readonly steps = 0.5;
  readonly #measure: Measure;
  readonly #keys: Float64Array;

  constructor(measure: Measure, mostGroups: number) {
    this.#measure = measure;
    this.#keys = new Float64Array(mostGroups).fill(Number.NaN);
  }

  add(groups: Uint16Array, { keys }: MatchedColumn): void {
    const best = this.#keys;
    const isMin = this.#measure.of === 'min';
    for (let i = 0; i < groups.length; i++) {
      const key = keys[i] as number;
      if (Number.isNaN(key)) continue;
      const group = groups[i] as number;
      const known = best[group] as number;
      // NaN stands for none yet, and is neither less nor greater.
      if (isMin ? !(known <= key) : !(known >= key)) best[group] = key;
    }
  }

  values(groups: number): Value[] {
    const { field } = this.#measure as Required<Measure>;
    const type = typeOf(field);
    if (type.comparedBy !== 'number') throw new TypeError(`${field.name} has no order.`);
    return Array.from(this.#keys.subarray(0, groups), (key) =>
      Number.isNaN(key) ? null : type.valueOf(key, field),
    );
  }
}

/** How many codes of all groups are marked, for each row, so that most pairs are added only once. */
const MOST_MARKS_PER_ROW = 8;

/** The work of numbering a text, and of looking up a pair of a group and a number, in steps. */
const STEPS_PER_TEXT = 100;
const STEPS_PER_PAIR = 15;

/** The work of values that are looked up without a pause, in steps. */
const DISTINCT_AT_ONCE = 50_000;

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

  async add(groups: Uint16Array, { chunk, codes }: MatchedColumn, budget: Budget): Promise<void> {
    const { firstKey, size, dictionary } = chunk;
    const isText = dictionary.kind === 'texts';
    const ids = new Int32Array(isText ? size : 0).fill(-1);
    let steps = 0;
    const numberOf = (code: number): number => {
      if (!isText) return numberAt(dictionary, code);
      let id = ids[code] as number;
      if (id < 0) {
        id = this.#texts.idOf(dictionary.keys, code);
        steps += STEPS_PER_TEXT;
        ids[code] = id;
      }
      return id;
    };
    const isMarked = marksFor(groups, chunk, codes.length);
    for (let i = 0; i < groups.length; i++) {
      if (steps > DISTINCT_AT_ONCE) {
        await budget.turn(steps);
        steps = 0;
      }
      const code = codes[i] as number;
      if (code < firstKey) continue;
      const group = groups[i] as number;
      if (isMarked !== undefined) {
        const place = group * size + code;
        if (isMarked[place] === 1) continue;
        isMarked[place] = 1;
      }
      steps += STEPS_PER_PAIR;
      const number = numberOf(code);
      const isNew =
        isText && group < MOST_GROUPS_WITH_BITS
          ? this.#bits.add(group, number)
          : this.#pairs.add(group, number);
      if (isNew) {
        this.#counts[group] = (this.#counts[group] as number) + 1;
      }
    }
  }

  values(groups: number): Value[] {
    return Array.from(this.#counts.subarray(0, groups));
  }
}

function marksFor(groups: Uint16Array, { size }: Chunk, rows: number): Uint8Array | undefined {
  let most = 0;
  for (let i = 0; i < groups.length; i++) most = Math.max(most, groups[i] as number);
  const marks = (most + 1) * size;
  return marks <= MOST_MARKS_PER_ROW * rows + 256 ? new Uint8Array(marks) : undefined;
}

class MedianTally implements Tally {
  readonly steps = 4;
  readonly #numbers = new GroupNumbers();

  get byteLength(): number {
    return this.#numbers.byteLength;
  }

  add(groups: Uint16Array, { keys }: MatchedColumn): void {
    this.#numbers.add(keys, groups);
  }

  async values(groups: number, budget: Budget): Promise<Value[]> {
    const middles = await this.#numbers.middles(groups, budget);
    return middles.map((middle) => (middle === undefined ? null : middleOf(...middle)));
  }
}

/** The number nearest to the middle between two decimal numbers. */
function middleOf(low: number, high: number): number {
  if (low === high) return low;
  const [one, other] = [exactDecimal(low), exactDecimal(high)];
  const power = Math.min(one.power, other.power);
  return nearestOf({ units: unitsAt(one, power) + unitsAt(other, power), power }, 2);
}
