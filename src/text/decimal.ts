const DECIMAL = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Reads a decimal text (`5`, ` -76.61 `, `+1e3`, `.5`) as a finite number; undefined otherwise. */
export function parseDecimal(text: string): number | undefined {
  const trimmed = text.trim();
  if (!DECIMAL.test(trimmed)) return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) && !isRounded(trimmed, value)
    ? withoutNegativeZero(value)
    : undefined;
}

/** Whether a decimal text is a large whole number or a tiny one that no number can hold. */
export function isInexact(text: string): boolean {
  const trimmed = text.trim();
  return DECIMAL.test(trimmed) && isRounded(trimmed, Number(trimmed));
}

/** Rounding a fraction is fine; rounding to another whole number or to zero changes the value. */
function isRounded(text: string, value: number): boolean {
  if (value === 0) return /[1-9]/.test(text.replace(/e[\s\S]*$/i, ''));
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return false;
  // A large whole number was rounded if its digits differ from those of the result.
  const [, sign = '', digits] = /^([+-]?)0*([1-9]\d*|0)$/.exec(text) ?? [];
  return digits !== undefined && sign.replace('+', '') + digits !== decimalText(value);
}

/** Writes a finite number without an exponent: 1e21 is a 1 and 21 zeros. */
export function decimalText(value: number): string {
  const text = String(withoutNegativeZero(value));
  if (!text.includes('e')) return text;
  const parts = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!parts) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
}

/** Rounds down to a hundredth, so that the lower end of a range excludes no value. */
export function hundredthBelow(value: number): number {
  const near = Number(value.toFixed(2));
  return near <= value ? near : Number((near - 0.01).toFixed(2));
}

/** Rounds up to a hundredth. */
export function hundredthAbove(value: number): number {
  return withoutNegativeZero(-hundredthBelow(-value));
}

/** The accepted spelling of a number that is written in another notation, if it is obvious. */
export function suggestDecimal(text: string): string | undefined {
  // A longer text is hardly a number, and the patterns below take more than linear time.
  if (text.length > 40) return undefined;
  const bare = text
    .trim()
    // The mathematical minus sign, and dashes.
    .replace(/^[\u2010-\u2015\u2212]/, '-')
    .replace(/^[$€£]\s*/, '')
    .replace(/\s*%$/, '')
    .replace(/\.$/, '');
  const candidate = /^[+-]?\d{1,3}(?:[,_\s']\d{3})+(?:\.\d+)?$/.test(bare)
    ? bare.replace(/[,_\s']/g, '')
    : /^[+-]?\d+,\d+$/.test(bare)
      ? bare.replace(',', '.')
      : bare;
  return candidate !== text.trim() && parseDecimal(candidate) !== undefined ? candidate : undefined;
}

// -0 equals 0, but it is written differently, also in a hash.
function withoutNegativeZero(value: number): number {
  return value === 0 ? 0 : value;
}

/** The decimal number `units * 10 ** power`. */
export type ExactDecimal = { readonly units: bigint; readonly power: number };

/** A number as JSON writes it: the shortest decimal number that is nearest to no other number. */
export function exactDecimal(number: number): ExactDecimal {
  const { digits, power } = decimalDigits(number);
  return { units: number < 0 ? -BigInt(digits) : BigInt(digits), power };
}

/**
 * The digits of a number as JSON writes it, without its sign. The number is `digits * 10 ** power`.
 * The steps are plain because sums call this for every number.
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

/** Converts a decimal number to units of a lower power of ten, or of its own. */
export function unitsAt({ units, power }: ExactDecimal, lower: number): bigint {
  return power === lower ? units : units * 10n ** BigInt(power - lower);
}

/** The sum of decimal numbers. */
export function plus(a: ExactDecimal, b: ExactDecimal | undefined): ExactDecimal {
  if (b === undefined) return a;
  const power = Math.min(a.power, b.power);
  return { units: unitsAt(a, power) + unitsAt(b, power), power };
}

/** The number nearest to a decimal divided by a whole number. */
export function nearestOf({ units, power }: ExactDecimal, by = 1): number {
  return power < 0
    ? nearestNumber(units, BigInt(by) * 10n ** BigInt(-power))
    : nearestNumber(units * 10n ** BigInt(power), BigInt(by));
}

/** The number nearest to the quotient of two decimals; undefined if the second is 0. */
export function ratioOf(part: ExactDecimal, whole: ExactDecimal): number | undefined {
  if (whole.units === 0n) return undefined;
  const power = Math.min(part.power, whole.power);
  const [count, by] = [unitsAt(part, power), unitsAt(whole, power)];
  return by < 0n ? nearestNumber(-count, -by) : nearestNumber(count, by);
}

/** More bits than a binary64 number has. */
const ENOUGH_BITS = 64;

/**
 * The binary64 number nearest to `count / by`, where `by` is positive. Ties go to even, as in IEEE
 * 754. Results must be from 1e-300 to 1e300; no dataset has numbers above 1e126 or below 1e-130.
 */
export function nearestNumber(count: bigint, by: bigint): number {
  if (count < 0n) return -nearestNumber(-count, by);
  const shift = Math.max(ENOUGH_BITS - (bitsOf(count) - bitsOf(by)), 0);
  const scaled = count << BigInt(shift);
  const whole = scaled / by;
  // One bit far after the last bit of a number shows whether anything was cut off.
  const exact = scaled % by > 0n ? whole | 1n : whole;
  return Number(exact) / 2 ** shift;
}

/** The number of bits, or at most three more. */
function bitsOf(value: bigint): number {
  return value.toString(16).length * 4;
}

/** Ranges of numbers that begin at the multiples of a width. */
type NumberRanges = {
  /**
   * Returns the key of the range that contains a number. Ranges with different starts have
   * different keys.
   */
  keyOf(number: number): number;
  /** Returns where a range begins. */
  startOf(key: number): number;
  /** For how many numbers exact decimals were needed so far. */
  readonly exact: number;
};

/**
 * If a quotient is farther than this from a whole number, the exact quotient lies on the same side
 * of that whole number.
 */
const SURE = 1e-12;

/**
 * A range's key is its index. No number can hold an index beyond 2^53; then the key is the start of
 * the range times this factor. Even with the least width, 1e-14, such a key is greater than all
 * indices.
 */
const BEYOND_INDICES = 2 ** 60;

/**
 * Makes ranges of a width, which is decimal text. Exact decimals decide: with a width of 0.1, 0.3
 * is in the range that begins at 0.3, although 0.3 / 0.1 is less than 3 in binary64.
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

/** The powers of ten that a number holds exactly. */
export const POWERS = Array.from({ length: 16 }, (_, power) => 10 ** power);

/** The length of a number as JSON writes it. `most` decimals are enough to write it, if it is known. */
export function lengthOfNumber(value: number, most?: number): number {
  const size = Math.abs(value);
  const decimals = plainDecimals(size, most);
  if (decimals === undefined) return String(value).length;
  return wholeDigits(size) + (decimals === 0 ? 0 : 1 + decimals) + (value < 0 ? 1 : 0);
}

/** The digits of a number before its point. */
export function wholeDigits(size: number): number {
  let digits = 1;
  for (let least = 10; least <= size; least *= 10) digits++;
  return digits;
}

/**
 * How many decimals a number is written with. Undefined if it may have an exponent, or more digits
 * than are sure; then its text shows it, which takes twenty times as long to make.
 * If it is known that `most` are enough, they are tried first.
 */
export function plainDecimals(size: number, most?: number): number | undefined {
  if (Number.isSafeInteger(size)) return 0;
  if (most !== undefined) {
    const power = POWERS[most] as number;
    let units = Math.round(size * power);
    if (units <= MOST_UNITS && size >= LEAST_PLAIN && units / power === size) {
      let decimals = most;
      // A zero at the end is not written.
      for (; 10 * Math.floor(units / 10) === units; units /= 10) decimals--;
      return decimals;
    }
  }
  for (let decimals = 1; decimals <= MOST_DECIMALS; decimals++) {
    const power = POWERS[decimals] as number;
    const units = Math.round(size * power);
    if (units > MOST_UNITS || size < LEAST_PLAIN) return undefined;
    if (units / power === size) return decimals;
  }
  return undefined;
}

/** Decimals that are tried, digits that binary64 is sure of, and where exponents begin. */
const MOST_DECIMALS = 9;
const MOST_UNITS = 1e15;
const LEAST_PLAIN = 1e-6;

/** The number of digits in a part of a decimal number. */
export const PART_DIGITS = 9;

/**
 * Decimal numbers as whole multiples of `10 ** power`, split into parts of `PART_DIGITS` digits,
 * the lowest first. Sums of the parts are exact. No part exceeds `most`.
 */
export type DecimalParts = {
  readonly power: number;
  readonly most: number;
  readonly parts: readonly Float64Array[];
};
