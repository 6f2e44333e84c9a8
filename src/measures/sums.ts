import { type ExactDecimal, nearestOf, PART_DIGITS, POWERS, plus } from '../text/decimal.ts';
import type { Value } from '../values/field-type.ts';
import { isNumeric } from '../values/field-types.ts';
import type { Work } from '../work/work.ts';
import {
  type Aggregate,
  checkMemory,
  type MatchingValues,
  type MeasureKind,
  type Wholes,
} from './measure.ts';

const aggregate = (mostGroups: number) => new ExactSums(mostGroups);

export const sum: MeasureKind<ExactSums> = {
  title: 'Sum of',
  of: isNumeric,
  boundsOf: ({ min, max }, rows) => ({
    min: Math.min(min, min * rows),
    max: Math.max(max, max * rows),
  }),
  rankInForm: 2,
  aggregate,
  results: (sums, groups) => each(groups, (group) => sums.sumOf(group), sums),
};

export const avg: MeasureKind<ExactSums> = {
  title: 'Average of',
  of: isNumeric,
  type: 'number',
  rankInForm: 1,
  aggregate,
  results: (sums, groups) => each(groups, (group) => sums.averageOf(group), sums),
};

export function* each(
  groups: Uint32Array,
  resultOf: (group: number) => number | undefined,
  { stepsPerGroup }: ExactSums,
): Work<Value[]> {
  const found: Value[] = [];
  for (const group of groups) {
    found.push(resultOf(group) ?? null);
    if (found.length % GROUPS_AT_ONCE === 0) yield GROUPS_AT_ONCE * stepsPerGroup;
  }
  return found;
}

/** How many groups' sums are put together without a pause. */
const GROUPS_AT_ONCE = 2 ** 6;

/** The cost of putting together a group's sum, in steps for each part. */
const STEPS_PER_PART = 50;

/**
 * The cost of adding one part of a row to its group's sum, in steps. Both may lie anywhere in
 * memory.
 */
const STEPS_PER_ADDED = 2;

/** About the size of a sum that was moved. */
const BYTES_OF_LARGE = 100;

/** Adds to each row's group its number, which is its code and `units`. */
function addUnits(
  groups: Uint32Array,
  codes: ArrayLike<number>,
  firstKey: number,
  units: number,
  sums: Float64Array,
  counts: Uint32Array,
): void {
  for (let row = 0; row < groups.length; row++) {
    const code = codes[row] as number;
    if (code < firstKey) continue;
    const group = groups[row] as number;
    sums[group] = (sums[group] as number) + units + code;
    counts[group] = (counts[group] as number) + 1;
  }
}

/** The exact sums of decimal numbers, by group. */
export class ExactSums implements Aggregate {
  readonly steps = 1;
  #mostGroups: number;
  #counts: Uint32Array;
  /**
   * Sums of the parts of numbers, as whole numbers. They are exact while `#most` is a safe integer;
   * no sum exceeds it.
   */
  #sums: Float64Array[] = [];
  #power = 0;
  #most = 0;
  /** Earlier sums that were moved here to make room. */
  readonly #large: (ExactDecimal | undefined)[] = [];
  /** How many sums were moved there. */
  #set = 0;
  #totals: ExactDecimal[] | undefined;

  constructor(mostGroups: number) {
    this.#mostGroups = mostGroups;
    this.#counts = new Uint32Array(mostGroups);
  }

  get bytesOfGroups(): number {
    const { byteLength } = this.#counts;
    return byteLength * (1 + 2 * this.#sums.length) + this.#set * BYTES_OF_LARGE;
  }

  reserve(groups: number): void {
    if (groups <= this.#mostGroups) return;
    this.#mostGroups = Math.max(groups, 2 * this.#mostGroups);
    const counts = new Uint32Array(this.#mostGroups);
    counts.set(this.#counts);
    this.#counts = counts;
    this.#sums = this.#sums.map((before) => {
      const sums = new Float64Array(this.#mostGroups);
      sums.set(before);
      return sums;
    });
  }

  /** Adds each row's number to the sum of its group. */
  *add(groups: Uint32Array, values: MatchingValues): Work<void> {
    const { power, most, parts, codes, units } = yield* values.decimalParts();
    const more = most * groups.length;
    if (power !== this.#power || !Number.isSafeInteger(this.#most + more)) {
      yield* this.#setAside();
      this.#power = power;
    }
    this.#most += more;
    const { firstKey } = values;
    const needed = units === undefined ? parts.length : 1;
    checkMemory(8 * this.#mostGroups * Math.max(0, needed - this.#sums.length));
    while (this.#sums.length < needed) this.#sums.push(new Float64Array(this.#mostGroups));
    if (units !== undefined) {
      addUnits(groups, codes, firstKey, units, this.#sums[0] as Float64Array, this.#counts);
      yield groups.length * STEPS_PER_ADDED;
      return;
    }
    for (const [part, numbers] of parts.entries()) {
      const sums = this.#sums[part] as Float64Array;
      for (let row = 0; row < groups.length; row++) {
        const group = groups[row] as number;
        sums[group] = (sums[group] as number) + (numbers[codes[row] as number] as number);
      }
      yield groups.length * STEPS_PER_ADDED;
    }
    const counts = this.#counts;
    for (let row = 0; row < groups.length; row++) {
      if ((values.codes[row] as number) < firstKey) continue;
      const group = groups[row] as number;
      counts[group] = (counts[group] as number) + 1;
    }
  }

  /** The work of a group's sum, in steps. */
  get stepsPerGroup(): number {
    return (this.#sums.length + 1) * STEPS_PER_PART;
  }

  /** The sum of a group's numbers, correctly rounded; undefined if it has none. */
  sumOf(group: number): number | undefined {
    return this.#counts[group] === 0 ? undefined : this.#divided(group, 1);
  }

  /** The average of a group's numbers, correctly rounded; undefined if it has none. */
  averageOf(group: number): number | undefined {
    const count = this.#counts[group] as number;
    return count === 0 ? undefined : this.#divided(group, count);
  }

  /** The exact sum of a group's numbers; undefined if it has none. */
  exactOf(group: number): ExactDecimal | undefined {
    return this.#counts[group] === 0 ? undefined : this.#exact(group);
  }

  /** The exact sum of each whole, once all rows have been added. */
  *totals(wholes: Wholes): Work<ExactDecimal[]> {
    this.#totals ??= yield* this.#addUp(wholes);
    return this.#totals;
  }

  *#addUp({ groups, of, count }: Wholes): Work<ExactDecimal[]> {
    const totals = new ExactSums(count);
    totals.#power = this.#power;
    // No sum of groups exceeds `#most`, so sums of wholes are exact, too.
    totals.#sums = this.#sums.map(() => new Float64Array(count));
    for (let group = 0; group < groups; group++) {
      const whole = of === undefined ? 0 : (of[group] as number);
      for (const [part, sums] of this.#sums.entries()) {
        const ofWholes = totals.#sums[part] as Float64Array;
        ofWholes[whole] = (ofWholes[whole] as number) + (sums[group] as number);
      }
      const large = this.#large[group];
      if (large !== undefined) totals.#large[whole] = plus(large, totals.#large[whole]);
      if (group % GROUPS_AT_ONCE === 0) {
        yield GROUPS_AT_ONCE * (this.#sums.length + 1) * STEPS_PER_ADDED;
      }
    }
    return Array.from({ length: count }, (_, whole) => totals.#exact(whole));
  }

  #divided(group: number, by: number): number {
    const [units, moreParts] = this.#sums;
    const scale = POWERS[-this.#power];
    if (moreParts === undefined && scale !== undefined && this.#large[group] === undefined) {
      // Both numbers are exact, so one division rounds only once.
      if (Number.isSafeInteger(by * scale)) return (units?.[group] as number) / (by * scale);
    }
    return nearestOf(this.#exact(group), by);
  }

  #exact(group: number): ExactDecimal {
    let units = 0n;
    for (const sums of this.#sums.toReversed()) {
      units = units * PART_UNIT + BigInt(sums[group] as number);
    }
    return plus({ units, power: this.#power }, this.#large[group]);
  }

  /** Moves the current sums to `#large`, to make room for the next ones. */
  *#setAside(): Work<void> {
    if (this.#most === 0) return;
    for (let group = 0; group < this.#mostGroups; group++) {
      if (this.#sums.every((sums) => sums[group] === 0)) continue;
      if (this.#large[group] === undefined) this.#set++;
      this.#large[group] = this.#exact(group);
      yield this.stepsPerGroup;
    }
    for (const sums of this.#sums) sums.fill(0);
    this.#most = 0;
  }
}

const PART_UNIT = 10n ** BigInt(PART_DIGITS);
