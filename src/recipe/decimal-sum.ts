/** A decimal number, `units / 10 ** decimals`. */
export type Units = { readonly units: bigint; readonly decimals: number };

/** A longer cell is not a number that a table adds up. */
const MOST_LENGTH = 60;

/** The most decimals of a number with an exponent. */
const MOST_DECIMALS = 40;

/**
 * Patterns of numbers by their decimal character: with or without a unit, a sign on either side,
 * and groups.
 */
const WRITTEN = { '.': patternOf('.', ','), ',': patternOf(',', '.') };

function patternOf(mark: string, other: string): RegExp {
  const group = `[ \\u00a0\\u2009\\u202f'\\u2019${other}]`;
  const digits = `\\d{1,3}(?:${group}\\d{2,3})*${group}\\d{3}|\\d+`;
  const unit = '(?:\\p{Sc}|[A-Z]{3})? ?';
  return new RegExp(
    `^'?(?<sign>[-+\\u2212(]?)${unit}(?<minus>[-+\\u2212(]?)${unit}(?<digits>${digits})?(?:[${mark}](?<fraction>\\d+))?(?:e(?<exponent>[-+]?\\d{1,2}))? ?(?:\\p{Sc}|\\p{L}{1,4})?(?<behind>[)\\-\\u2212]?)$`,
    'iu',
  );
}

/** Reads a cell's number with this decimal character. Undefined if it is not one. */
export function readUnits(cell: string, mark: '.' | ','): Units | undefined {
  const text = cell.trim();
  if (text.length > MOST_LENGTH || !/\d/.test(text)) return undefined;
  const {
    sign,
    minus,
    digits = '',
    fraction = '',
    exponent = '0',
    behind,
  } = WRITTEN[mark].exec(text)?.groups ?? {};
  if (sign === undefined || (digits === '' && fraction === '')) return undefined;
  const isNegative = /[-\u2212(]/.test(`${sign}${minus}${behind}`.replace(')', ''));
  const units = BigInt(digits.replace(/\D/g, '') + fraction);
  const decimals = fraction.length - Number(exponent);
  if (decimals > MOST_DECIMALS) return undefined;
  const whole = decimals < 0 ? units * 10n ** BigInt(-decimals) : units;
  return { units: isNegative ? -whole : whole, decimals: Math.max(decimals, 0) };
}

/** An exact sum of decimal numbers. */
export class DecimalSum {
  #units: bigint;
  #decimals: number;

  constructor(of?: DecimalSum) {
    this.#units = of === undefined ? 0n : of.#units;
    this.#decimals = of === undefined ? 0 : of.#decimals;
  }

  get isZero(): boolean {
    return this.#units === 0n;
  }

  add({ units, decimals }: Units): void {
    if (decimals > this.#decimals) {
      this.#units *= 10n ** BigInt(decimals - this.#decimals);
      this.#decimals = decimals;
    }
    this.#units += units * 10n ** BigInt(this.#decimals - decimals);
  }

  minus(other: DecimalSum): DecimalSum {
    const difference = new DecimalSum(this);
    difference.add({ units: -other.#units, decimals: other.#decimals });
    return difference;
  }

  /** Whether this sum, rounded to the decimals of a number, is that number. */
  roundsTo({ units, decimals }: Units): boolean {
    const finer = Math.max(decimals, this.#decimals);
    const own = this.#units * 10n ** BigInt(finer - this.#decimals);
    const other = units * 10n ** BigInt(finer - decimals);
    const difference = own > other ? own - other : other - own;
    // The sum may differ by half of the number's last digit.
    return difference * 2n <= (finer === decimals ? 0n : 10n ** BigInt(finer - decimals));
  }
}
