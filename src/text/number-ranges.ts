import { type ExactDecimal, exactDecimal, nearestOf, unitsAt } from './exact-decimal.ts';

/** Ranges of numbers that begin at the multiples of a width. */
export type NumberRanges = {
  /** The number of the range that a number is in: 0 begins at 0. */
  indexOf(number: number): number;
  /** Where a range begins. */
  startOf(index: number): number;
};

/** How far from a whole number a quotient is surely on the same side of it as the exact one. */
const SURE = 1e-12;

/**
 * Ranges of a width, given as decimal text. By the exact decimals: 0.3 is in the range that begins
 * at 0.3 for a width of 0.1, although 0.3 / 0.1 is less than 3 in binary64.
 */
export function numberRanges(width: string): NumberRanges {
  const wide = exactDecimal(Number(width));
  const about = Number(width);
  return {
    indexOf: (number) => {
      const quotient = number / about;
      const index = Math.floor(quotient);
      const unsure = SURE * (Math.abs(quotient) + 1);
      const isSure = quotient - index > unsure && index + 1 - quotient > unsure;
      return (isSure ? index : exactIndex(exactDecimal(number), wide)) + 0;
    },
    startOf: (index) => nearestOf({ units: BigInt(index) * wide.units, power: wide.power }) + 0,
  };
}

function exactIndex(number: ExactDecimal, wide: ExactDecimal): number {
  const power = Math.min(number.power, wide.power);
  const [units, ofRange] = [unitsAt(number, power), unitsAt(wide, power)];
  const whole = units / ofRange;
  return Number(units < 0n && whole * ofRange !== units ? whole - 1n : whole);
}
