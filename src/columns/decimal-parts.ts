import type { PartsOfRows } from '../measures/measure.ts';
import { type DecimalParts, decimalDigits, PART_DIGITS, POWERS } from '../text/decimal.ts';
import type { Budget } from '../work/budget.ts';
import { type Narrow, type NumberFrame, places } from './chunk.ts';
import type { HeldChunk } from './column-store.ts';

const UNIT = 10 ** PART_DIGITS;

/** The parts of the number that each code stands for, as JSON writes it; 0 if for none. */
export async function decimalParts(
  held: HeldChunk,
  codes: Narrow,
  budget: Budget,
): Promise<PartsOfRows> {
  const { dictionary, firstKey, size } = held.chunk;
  if (dictionary.kind === 'texts') throw new TypeError('A text is no number.');
  if (dictionary.kind === 'frame') {
    return size <= codes.length
      ? { ...partsOfFrame(dictionary, places(size), firstKey), codes }
      : { ...partsOfFrame(dictionary, codes, firstKey), codes: places(codes.length) };
  }
  const { values } = dictionary;
  held.decimals ??= inOnePart(values, firstKey);
  while (held.decimals === undefined) {
    if (isSplitting) await budget.pause(() => !isSplitting);
    else held.decimals = await splitAlone(values, firstKey, budget);
  }
  return { ...held.decimals, codes };
}

/** Whether some run splits a chunk's numbers: that takes megabytes, so one does at a time. */
let isSplitting = false;

async function splitAlone(
  values: Float64Array,
  firstKey: number,
  budget: Budget,
): Promise<DecimalParts> {
  isSplitting = true;
  try {
    return await inSeveralParts(values, firstKey, budget);
  } finally {
    isSplitting = false;
  }
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
