import { decimalDigits, type ExactDecimal, nearestOf, unitsAt } from '../text/decimal.ts';
import type { Budget } from '../work/budget.ts';
import { type DecimalParts, type NumberFrame, POWERS, places } from './chunk.ts';
import type { MatchedColumn } from './group-numbers.ts';

/** The work of making one number of a group's parts: for each of them, in steps. */
const STEPS_PER_PART = 50;

/** The work of adding a row's part to its group's, in steps: both lie anywhere in memory. */
const STEPS_PER_ADDED = 2;

/** The exact sums of decimal numbers, by group. */
export class ExactSums {
  readonly #mostGroups: number;
  readonly #counts: Uint32Array;
  /**
   * Whole sums of the parts of numbers. They are exact as long as `#most`, which none of them
   * exceeds, is a safe whole number.
   */
  #sums: Float64Array[] = [];
  #power = 0;
  #most = 0;
  /** What those had to make room for. */
  readonly #large: (ExactDecimal | undefined)[] = [];

  constructor(mostGroups: number) {
    this.#mostGroups = mostGroups;
    this.#counts = new Uint32Array(mostGroups);
  }

  /** Adds each row's number to the sum of its group. */
  async add(column: MatchedColumn, groups: Uint16Array, budget: Budget): Promise<void> {
    const { power, most, parts, codes } = await decimalParts(column, budget);
    const more = most * groups.length;
    if (power !== this.#power || !Number.isSafeInteger(this.#most + more)) {
      await this.#setAside(budget);
      this.#power = power;
    }
    this.#most += more;
    for (const [part, values] of parts.entries()) {
      if (part === this.#sums.length) this.#sums.push(new Float64Array(this.#mostGroups));
      const sums = this.#sums[part] as Float64Array;
      for (let row = 0; row < groups.length; row++) {
        const group = groups[row] as number;
        sums[group] = (sums[group] as number) + (values[codes[row] as number] as number);
      }
      await budget.turn(groups.length * STEPS_PER_ADDED);
    }
    const { firstKey } = column.chunk;
    const counts = this.#counts;
    for (let row = 0; row < groups.length; row++) {
      if ((column.codes[row] as number) < firstKey) continue;
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

  /** Their average, correctly rounded; undefined if it has none. */
  averageOf(group: number): number | undefined {
    const count = this.#counts[group] as number;
    return count === 0 ? undefined : this.#divided(group, count);
  }

  #divided(group: number, by: number): number {
    const [units, others] = this.#sums;
    const scale = POWERS[-this.#power];
    if (others === undefined && scale !== undefined && this.#large[group] === undefined) {
      // Both are exact, so that one division rounds once.
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

  /** Makes room for the next sums. */
  async #setAside(budget: Budget): Promise<void> {
    if (this.#most === 0) return;
    for (let group = 0; group < this.#mostGroups; group++) {
      if (this.#sums.every((sums) => sums[group] === 0)) continue;
      this.#large[group] = this.#exact(group);
      await budget.turn(this.stepsPerGroup);
    }
    for (const sums of this.#sums) sums.fill(0);
    this.#most = 0;
  }
}

function plus(a: ExactDecimal, b: ExactDecimal | undefined): ExactDecimal {
  if (b === undefined) return a;
  const power = Math.min(a.power, b.power);
  return { units: unitsAt(a, power) + unitsAt(b, power), power };
}

/** The same of a column's rows: each row's number is the one at its code. */
type PartsOfRows = DecimalParts & { readonly codes: ArrayLike<number> };

const PART_DIGITS = 9;
const PART_UNIT = 10n ** BigInt(PART_DIGITS);
const UNIT = 10 ** PART_DIGITS;

/** The parts of each matching row's number, as JSON writes it; 0 if it has none. */
async function decimalParts({ held, codes }: MatchedColumn, budget: Budget): Promise<PartsOfRows> {
  const { dictionary, firstKey, size } = held.chunk;
  if (dictionary.kind === 'texts') throw new TypeError('A text is no number.');
  if (dictionary.kind === 'frame') {
    return size <= codes.length
      ? { ...partsOfFrame(dictionary, places(size), firstKey), codes }
      : { ...partsOfFrame(dictionary, codes, firstKey), codes: places(codes.length) };
  }
  const { values } = dictionary;
  // Another run may split them while this one waits for its slot.
  held.decimals ??=
    inOnePart(values, firstKey) ??
    (await budget.inSlot(
      'splitNumbers',
      async () => held.decimals ?? inSeveralParts(values, firstKey, budget),
    ));
  return { ...held.decimals, codes };
}

function partsOfFrame(
  { first, power }: NumberFrame,
  codes: ArrayLike<number>,
  firstKey: number,
): DecimalParts {
  const lows = new Float64Array(codes.length);
  let most = 0;
  for (let row = 0; row < lows.length; row++) {
    const code = codes[row] as number;
    if (code < firstKey) continue;
    const units = first + code;
    lows[row] = units;
    most = Math.max(most, Math.abs(units));
  }
  if (most <= MOST_PART) return { power, most, parts: [lows] };
  const highs = lows.map((units) => Math.trunc(units / UNIT));
  for (let row = 0; row < lows.length; row++) {
    lows[row] = (lows[row] as number) - (highs[row] as number) * UNIT;
  }
  return { power, most: MOST_PART, parts: [lows, highs] };
}

/** The most that one part may be, so that a chunk's sum of such parts is exact. */
const MOST_PART = 2 ** 37;

/** Undefined if the numbers are not all small multiples of one power of ten. */
function inOnePart(values: Float64Array, firstKey: number): DecimalParts | undefined {
  let [digits, most] = [0, 0];
  for (let code = firstKey; code < values.length; code++) {
    const value = values[code] as number;
    most = Math.max(most, Math.abs(value));
    for (;;) {
      const scale = POWERS[digits] as number;
      if (most * scale > MOST_PART) return undefined;
      // Of whole numbers this small, only one divided by the power is this number.
      if (Math.round(value * scale) / scale === value) break;
      if (++digits === POWERS.length) return undefined;
    }
  }
  const scale = POWERS[digits] as number;
  const units = values.map((value) => Math.round(value * scale));
  if (firstKey === 1) units[0] = 0;
  return { power: -digits, most: most * scale + 1, parts: [units] };
}

/** The work of writing a number's digits, of reading them, and of clearing a part, in steps. */
const STEPS_PER_WRITTEN = 80;
const STEPS_PER_READ = 50;
const STEPS_PER_CLEARED = 0.25;

const AT_ONCE = 1024;

async function inSeveralParts(
  values: Float64Array,
  firstKey: number,
  budget: Budget,
): Promise<DecimalParts> {
  const decimals: ReturnType<typeof decimalDigits>[] = [];
  for (const value of values.subarray(firstKey)) {
    decimals.push(decimalDigits(value));
    if (decimals.length % AT_ONCE === 0) await budget.turn(AT_ONCE * STEPS_PER_WRITTEN);
  }
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { digits, power } of decimals) {
    if (digits === '0') continue;
    least = Math.min(least, power);
    greatest = Math.max(greatest, power + digits.length);
  }
  const count = Math.ceil((greatest - least) / PART_DIGITS);
  const parts: Float64Array[] = [];
  while (parts.length < count) {
    parts.push(new Float64Array(values.length));
    await budget.turn(values.length * STEPS_PER_CLEARED);
  }
  for (const [i, { digits, power }] of decimals.entries()) {
    if (i % AT_ONCE === 0) await budget.turn(AT_ONCE * STEPS_PER_READ);
    if (digits === '0') continue;
    const sign = Math.sign(values[i + firstKey] as number);
    const units = digits + '0'.repeat((power - least) % PART_DIGITS);
    const from = Math.floor((power - least) / PART_DIGITS);
    for (let part = 0; part * PART_DIGITS < units.length; part++) {
      const end = units.length - part * PART_DIGITS;
      const its = Number(units.slice(Math.max(0, end - PART_DIGITS), end));
      (parts[from + part] as Float64Array)[i + firstKey] = sign * its;
    }
  }
  return { power: least, most: UNIT, parts };
}
