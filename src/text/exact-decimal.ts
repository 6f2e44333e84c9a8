import { nearestNumber } from './nearest-number.ts';

/** The decimal number `units * 10 ** power`. */
export type ExactDecimal = { readonly units: bigint; readonly power: number };

/** A number as JSON writes it: the shortest decimal number that is nearest to no other number. */
export function exactDecimal(number: number): ExactDecimal {
  const { digits, power } = decimalDigits(number);
  return { units: number < 0 ? -BigInt(digits) : BigInt(digits), power };
}

/**
 * The digits of a number as JSON writes it, without its sign: the number is `digits * 10 ** power`.
 * In plain steps, since sums ask for it of every number.
 */
export function decimalDigits(number: number): { readonly digits: string; readonly power: number } {
  const text = String(Math.abs(number));
  const at = text.indexOf('e');
  const mantissa = at < 0 ? text : text.slice(0, at);
  const point = mantissa.indexOf('.');
  const digits = point < 0 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1);
  const behind = point < 0 ? 0 : mantissa.length - point - 1;
  const power = (at < 0 ? 0 : Number(text.slice(at + 1))) - behind;
  return { digits: digits.replace(/^0+(?=\d)/, ''), power };
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
