import { decimalText, type ExactDecimal, exactDecimal, POWERS, unitsAt } from '../text/decimal.ts';

/** The character before a number's decimals. */
export type DecimalChar = '.' | ',';
/** The character between groups of three digits; `' '` stands for a space of any kind. */
export type GroupChar = ',' | '.' | ' ' | "'";

/**
 * Where a number has its sign, as bookkeepers and instruments write it: `987.65-`, `(987.65)`, or
 * `- 987.65`, which also has a plus apart.
 */
export type MinusForm = 'behind' | 'brackets' | 'apart';

/** A number as it is written in a file. */
export type SpelledNumber = {
  readonly value: number;
  /** Undefined if the digits are not grouped. */
  readonly group: GroupChar | undefined;
  /**
   * The number of digits in all groups before the last one. Undefined if the text does not show it.
   */
  readonly groupSize: 2 | 3 | undefined;
  /** The numbers of digits before and after the decimal character. */
  readonly wholeDigits: number;
  readonly decimals: number;
  readonly hasExponent: boolean;
  /** How far the number is from what is written; undefined if it has exactly its digits. */
  readonly rounding?: number;
};

/** A cell that is read as a number. The largest number has 309 digits. */
const MOST_LENGTH = 400;

const WHOLE = '\\d+';
/** Fortran writes numbers of double precision with a D: `1.5D+03`. */
const EXPONENT = '(?:(?:[eE]|(?<=\\.\\d+)[dD](?=[+-]\\d\\d))(?<exponent>[+-]?\\d{1,3}))?';
const MINUS = '[+\\-\u2212]?';

/** Spaces that may stand within a line, among them no-break and thin ones. */
const SPACES = ' \u00a0\u2009\u202f';

/** As in India: first one or two digits, then groups of two, then three digits. */
const INDIAN = '[1-9]\\d?(?:,\\d{2})+,\\d{3}';

/** First one to three digits, then groups of three, with the same character between all groups. */
const SPELLED: Readonly<Record<DecimalChar, RegExp>> = {
  '.': spelled('\\.', `,${SPACES}'\u2019`, `(?<indian>${INDIAN})|`),
  ',': spelled(',', `.${SPACES}'\u2019`),
};

function spelled(decimal: string, groups: string, indian = ''): RegExp {
  const grouped = `[1-9]\\d{0,2}(?<group>[${groups}])\\d{3}(?:\\k<group>\\d{3})*`;
  return new RegExp(
    `^(?<sign>${MINUS})(?<whole>${grouped}|${indian}${WHOLE}|(?=${decimal}))(?:${decimal}(?<fraction>\\d+))?${EXPONENT}$`,
  );
}

/**
 * Reads a number with this decimal character. Undefined if the text is not a number, or if no
 * binary64 number has its digits. If it has decimals, and `mayRound`, it is then the nearest number.
 */
export function readSpelledNumber(
  text: string,
  decimalChar: DecimalChar,
  mayRound = false,
): SpelledNumber | undefined {
  if (text.length > MOST_LENGTH) return undefined;
  return readPlain(text, decimalChar) ?? readAny(text, decimalChar, mayRound);
}

/** Most cells have only digits, and perhaps a minus and a decimal character. */
export function readPlain(text: string, decimalChar: DecimalChar): SpelledNumber | undefined {
  const from = text.charCodeAt(0) === 0x2d ? 1 : 0;
  const decimal = decimalChar.charCodeAt(0);
  let mark = -1;
  let units = 0;
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x30 && code <= 0x39) {
      units = units * 10 + code - 0x30;
      continue;
    }
    if (mark >= 0 || code !== decimal) return undefined;
    mark = i;
  }
  // A decimal character without a digit on one side is left to the regular expression.
  if (mark === from || mark === text.length - 1 || text.length === from) return undefined;
  const decimals = mark < 0 ? 0 : text.length - mark - 1;
  const wholeDigits = (mark < 0 ? text.length : mark) - from;
  // A binary64 number keeps up to 15 digits, and dividing by a power of ten rounds once, as reading
  // the text does.
  if (text.length <= 15) {
    const value = units / (POWERS[decimals] as number);
    return spelledNumber(from === 1 ? -value : value, wholeDigits, decimals);
  }
  const written = decimalChar === '.' || mark < 0 ? text : text.replace(',', '.');
  const value = Number(written);
  // A text with more digits must be exactly what a program writes for the number.
  if (String(value) !== written) return undefined;
  return spelledNumber(value, wholeDigits, decimals);
}

function readAny(
  text: string,
  decimalChar: DecimalChar,
  mayRound: boolean,
): SpelledNumber | undefined {
  const parts = SPELLED[decimalChar].exec(text)?.groups as Groups | undefined;
  if (parts === undefined) return undefined;
  const { sign, whole = '', fraction = '', exponent, ...groups } = parts;
  const group = groups.indian === undefined ? groups.group : ',';
  const digits = whole.replace(/\D/g, '');
  const written = `${sign === '-' || sign === '\u2212' ? '-' : ''}${digits}.${fraction}`;
  const value = Number(`${written}e${exponent ?? 0}`);
  const isExact = hasDigitsOf(value, written, Number(exponent ?? 0));
  if (!isExact && !(mayRound && fraction !== '' && Number.isFinite(value) && value !== 0)) {
    return undefined;
  }
  const found = spelledNumber(
    value,
    digits.length,
    fraction.length,
    group === undefined ? undefined : groupCharOf(group),
    exponent !== undefined,
    groups.indian === undefined ? sizeOf(whole, group) : 2,
  );
  return isExact ? found : { ...found, rounding: roundingOf(value, written, exponent) };
}

/** How far a number is from what is written. The error of the result itself does not matter. */
function roundingOf(value: number, written: string, exponent = '0'): number {
  const [whole = '', fraction = ''] = written.split('.');
  const exact: ExactDecimal = {
    units: BigInt(whole + fraction),
    power: Number(exponent) - fraction.length,
  };
  const nearest = exactDecimal(value);
  const power = Math.min(exact.power, nearest.power);
  const difference = unitsAt(exact, power) - unitsAt(nearest, power);
  return Math.abs(Number(`${difference}e${power}`));
}

type Groups = Readonly<Partial<Record<string, string>>>;

/** 12,345 is written the same way in India; 123,456 is not. */
function sizeOf(whole: string, group: string | undefined): 3 | undefined {
  if (group === undefined) return undefined;
  return whole.length > '12,345'.length ? 3 : undefined;
}

function spelledNumber(
  value: number,
  wholeDigits: number,
  decimals: number,
  group?: GroupChar,
  hasExponent = false,
  groupSize?: 2 | 3,
): SpelledNumber {
  // -0 equals 0 but is written differently.
  return { value: value === 0 ? 0 : value, group, groupSize, wholeDigits, decimals, hasExponent };
}

function groupCharOf(group: string): GroupChar {
  if (group === ',' || group === '.') return group;
  return SPACES.includes(group) ? ' ' : "'";
}

/** Whether a number has exactly the digits of a text. */
function hasDigitsOf(value: number, decimal: string, exponent: number): boolean {
  const [digits, power] = significant(decimal);
  const [found, foundPower] = significant(decimalText(value));
  return digits === found && (digits === '' || power + exponent === foundPower);
}

/**
 * A decimal's digits without leading and trailing zeros, and the power of ten of its last digit.
 */
function significant(decimal: string): readonly [digits: string, power: number] {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const all = whole + fraction;
  const digits = all.replace(/(?<!0)0+$/, '');
  return [digits.replace(/^0+/, ''), all.length - digits.length - fraction.length];
}

/** What may stand before or after a number: signs and codes of currencies, and percent. */
const CURRENCY =
  '(?:US|C|A|NZ|R)?\\$|\\p{Sc}|USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BRL|MXN|ZAR|Rs\\.?|kr|z\u0142|K\u010d|Ft|Fr\\.';
const UNIT_ONLY = new RegExp(`^(?:${CURRENCY}|[%\u2030])$`, 'u');
const DIGITS = `[\\d.,'\u2019${SPACES}]*\\d`;
const WITH_UNIT = new RegExp(
  `^(?:(?<before>${MINUS})(?<prefix>${CURRENCY})[${SPACES}]?(?<behind>${MINUS})(?<first>\\.?\\d(?:${DIGITS})?)` +
    `|(?<last>${MINUS}\\.?\\d(?:${DIGITS})?)[${SPACES}]?(?<suffix>${CURRENCY}|[%\u2030]))$`,
  'u',
);

/**
 * Removes a currency or percent from a number: `-$5` becomes `-5`. Undefined if there is none, or
 * if there are two.
 */
export function withoutUnit(
  text: string,
): { readonly bare: string; readonly unit: string } | undefined {
  if (text.length > MOST_LENGTH) return undefined;
  const found = WITH_UNIT.exec(text)?.groups;
  if (found === undefined) return undefined;
  const { before = '', prefix, behind = '', first = '', last = '', suffix = '' } = found;
  if (prefix === undefined) return { bare: last, unit: suffix };
  // A number with a sign on both sides is not a number.
  return before !== '' && behind !== ''
    ? undefined
    : { bare: before + behind + first, unit: prefix };
}

const BEHIND = /^(?<bare>.*[\d%\p{Sc}\p{L}])[ \u00a0]?[-\u2212]$/u;
const BRACKETS = /^(?<prefix>[^()\d]{0,4})\((?<bare>[^()]+)\)(?<suffix>[^()\d]{0,4})$/u;
const SIGNED = /^\D*[-+\u2212]/;
const APART = new RegExp(`^(?<sign>${MINUS})[${SPACES}]+(?<bare>[.\\d\\p{Sc}].*)$`, 'u');

/**
 * Writes a bookkeeper's negative number with the minus before it: `1.234,56-` becomes `-1.234,56`,
 * `($5)` and `$(5)` become `-$5`, `- 5` becomes `-5` and `+ 5` becomes `5`. Undefined if the text is
 * none, or has a sign of the usual kind too.
 */
export function withMinusBefore(
  text: string,
): { readonly text: string; readonly form: MinusForm } | undefined {
  const [first, last] = [text.charCodeAt(0), text.charCodeAt(text.length - 1)];
  if (first === 0x2d || first === 0x2b || first === 0x2212) {
    const isApart = text.length <= MOST_LENGTH && SPACES.includes(text.charAt(1) || '.');
    const { sign, bare } = (isApart && APART.exec(text)?.groups) || {};
    if (bare !== undefined) return { text: sign === '+' ? bare : `-${bare}`, form: 'apart' };
  }
  if (text.length > MOST_LENGTH || (last >= 0x30 && last <= 0x39)) return undefined;
  const isBehind = last === 0x2d || last === 0x2212;
  const behind = isBehind ? BEHIND.exec(text)?.groups?.bare : undefined;
  if (behind !== undefined) {
    return SIGNED.test(behind) ? undefined : { text: `-${behind}`, form: 'behind' };
  }
  if (!text.includes(')')) return undefined;
  const { prefix = '', bare, suffix = '' } = BRACKETS.exec(text)?.groups ?? {};
  if (bare === undefined || SIGNED.test(bare)) return undefined;
  return { text: `-${prefix}${bare.trim()}${suffix}`, form: 'brackets' };
}

/** A number as a text in a spreadsheet: `'-5`, `'12.5`. Two bare digits are more likely a year, `'97`. */
const MARKED_AS_TEXT = /^'(?=[-+\u2212(]\p{Sc}?[\d.,]|\p{Sc}\d|[\d.,]*\d[.,]\d)/u;

/** Leaves out the apostrophe with which a spreadsheet marks a text; undefined if there is none. */
export function withoutApostrophe(text: string): string | undefined {
  return text.charCodeAt(0) === 0x27 && MARKED_AS_TEXT.test(text) ? text.slice(1) : undefined;
}

const MARKED_CODE = /^'(?=[^']*\d)[\dA-Z][\dA-Z./_-]*$/;

/** A code without the apostrophe that keeps its zeros in a spreadsheet; undefined if it has none. */
export function withoutTextMark(text: string): string | undefined {
  return text.charCodeAt(0) === 0x27 && MARKED_CODE.test(text) ? text.slice(1) : undefined;
}

/** Tells whether numbers are recognised with this unit before or after them. */
export function isUnitOfCells(unit: string): boolean {
  return UNIT_ONLY.test(unit);
}
