import type { ExactDecimal } from '../text/decimal.ts';

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
export function readUnits(cell: string, mark: '.' | ','): ExactDecimal | undefined {
  const text = cell.trim();
  if (text.length > MOST_LENGTH) return undefined;
  const plain = readPlain(text, mark);
  if (plain !== undefined) return plain;
  if (!/\d/.test(text)) return undefined;
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
  return { units: isNegative ? -whole : whole, power: -Math.max(decimals, 0) };
}

const [MINUS, ZERO, NINE] = [0x2d, 0x30, 0x39];

/**
 * Reads a plain number without the pattern, because every cell of a file with totals is read:
 * digits, perhaps after a minus, and perhaps with a mark between them.
 */
function readPlain(text: string, mark: '.' | ','): ExactDecimal | undefined {
  const from = text.charCodeAt(0) === MINUS ? 1 : 0;
  const point = text.indexOf(mark);
  const fraction = point < 0 ? 0 : text.length - point - 1;
  if (text.length === from || point === from || (point > 0 && fraction === 0)) return undefined;
  if (fraction > MOST_DECIMALS) return undefined;
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code < ZERO || code > NINE) && i !== point) return undefined;
  }
  const digits = point < 0 ? text : text.slice(0, point) + text.slice(point + 1);
  return { units: BigInt(digits), power: -fraction };
}
