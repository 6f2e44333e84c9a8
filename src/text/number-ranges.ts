import { type ExactDecimal, exactDecimal, nearestOf, unitsAt } from './exact-decimal.ts';

/** Ranges of numbers that begin at the multiples of a width. */
export type NumberRanges = {
  /** The key of the range that a number is in, different for each beginning. */
  keyOf(number: number): number;
  /** Where a range begins. */
  startOf(key: number): number;
  /** For how many numbers the exact decimals were needed so far. */
  readonly exact: number;
};

/** How far from a whole number a quotient is surely on the same side of it as the exact one. */
const SURE = 1e-12;

/**
 * A range has its index as its key. No number holds an index beyond 2^53; the key is then where the
 * range begins, times this: of the least width, 1e-14, that is still beyond all indices.
 */
const BEYOND_INDICES = 2 ** 60;

/**
 * Ranges of a width, given as decimal text. By the exact decimals: 0.3 is in the range that begins
 * at 0.3 for a width of 0.1, although 0.3 / 0.1 is less than 3 in binary64.
 */
export function numberRanges(width: string): NumberRanges {
  const wide = exactDecimal(Number(width));
  const about = Number(width);
  let exact = 0;
  const beginning = (index: bigint) =>
    nearestOf({ units: index * wide.units, power: wide.power }) + 0;
  return {
    keyOf: (number) => {
      const quotient = number / about;
      const whole = Math.floor(quotient);
      const unsure = SURE * (Math.abs(quotient) + 1);
      if (quotient - whole > unsure && whole + 1 - quotient > unsure) return whole + 0;
      exact++;
      const index = exactIndex(exactDecimal(number), wide);
      return Number.isSafeInteger(Number(index))
        ? Number(index)
        : beginning(index) * BEYOND_INDICES;
    },
    startOf: (key) => (Number.isSafeInteger(key) ? beginning(BigInt(key)) : key / BEYOND_INDICES),
    get exact() {
      return exact;
    },
  };
}

function exactIndex(number: ExactDecimal, wide: ExactDecimal): bigint {
  const power = Math.min(number.power, wide.power);
  const [units, ofRange] = [unitsAt(number, power), unitsAt(wide, power)];
  const whole = units / ofRange;
  return units < 0n && whole * ofRange !== units ? whole - 1n : whole;
}
