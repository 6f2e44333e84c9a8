import { nearestNumber } from './nearest-number.ts';

/** The decimal number `units * 10 ** power`. */
export type ExactDecimal = { readonly units: bigint; readonly power: number };

/** A number as JSON writes it: the shortest decimal number that is nearest to no other number. */
export function exactDecimal(number: number): ExactDecimal {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(number)) ?? [];
  return { units: BigInt(`${sign}${whole}${fraction}`), power: Number(exponent) - fraction.length };
}

/** The units that a decimal has of a lower power of ten, or of its own. */
export function unitsAt({ units, power }: ExactDecimal, lower: number): bigint {
  return power === lower ? units : units * 10n ** BigInt(power - lower);
}

/** The number nearest to a decimal divided by a whole number. */
export function nearestOf({ units, power }: ExactDecimal, by = 1): number {
  return power < 0
    ? nearestNumber(units, BigInt(by) * 10n ** BigInt(-power))
    : nearestNumber(units * 10n ** BigInt(power), BigInt(by));
}
