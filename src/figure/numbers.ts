import { format } from 'd3-format';
import type { Field } from '../values/field-types.ts';
import { isLabel } from '../values/field-types.ts';

/**
 * How the numbers of one column are written. All have three significant digits or more; downloads
 * have the exact numbers.
 */
export type NumberWords = {
  /** Beside a mark: `3.66M`, `1,014`, `12.3`. */
  short(value: number): string;
  /** In a column of short numbers, whose zeros are kept: `4.30M` below `4.28M`. */
  aligned(value: number): string;
  /** In a sentence: `3.66 million`, `391,000`. */
  spoken(value: number): string;
  /** In a table: the whole number, with decimals only where it is small. */
  whole(value: number): string;
  /** The texts of an axis, which share one unit and have just the decimals that tell them apart. */
  ticks(values: readonly number[]): readonly string[];
};

const UNITS = [
  { from: 1e9, letter: 'B', word: 'billion' },
  { from: 1e6, letter: 'M', word: 'million' },
  { from: 1e3, letter: 'k', word: undefined },
] as const;

/** From here on numbers have a unit. */
const LEAST_WITH_UNIT = 1e4;

/** Above and below these, a number has an exponent: its zeros would be longer than its digits. */
const PLAIN = { from: 1e-6, to: 1e15 } as const;

const wholeNumber = format(',.0f');
const threeDigits = format('.3r');
const threeDigitsTrimmed = format(',.3~r');
const writeExponent = format('.3~e');
const exponent = (value: number) => writeExponent(value).replace('e-', 'e−');

/** Whether a number is better written with an exponent. */
function isExtreme(value: number): boolean {
  const size = Math.abs(value);
  return size !== 0 && (size < PLAIN.from || size >= PLAIN.to);
}

/** A number with three significant digits, so that its unit is chosen after it is rounded. */
function rounded(value: number): number {
  const size = Math.abs(value);
  if (size >= LEAST_WITH_UNIT) return Number(value.toPrecision(3));
  return size >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

function unitOf(value: number) {
  const size = Math.abs(value);
  return size < LEAST_WITH_UNIT ? undefined : UNITS.find(({ from }) => size >= from);
}

function short(value: number, keepsZeros: boolean): string {
  if (isExtreme(value)) return exponent(value);
  const near = rounded(value);
  const unit = unitOf(near);
  if (unit === undefined) {
    return Math.abs(near) >= 100 ? wholeNumber(near) : threeDigitsTrimmed(near);
  }
  const digits = keepsZeros ? threeDigits : threeDigitsTrimmed;
  return digits(near / unit.from) + unit.letter;
}

function spoken(value: number): string {
  if (isExtreme(value)) return exponent(value);
  const near = rounded(value);
  const unit = unitOf(near);
  if (unit === undefined) return short(value, false);
  if (unit.word === undefined) return wholeNumber(near);
  return `${threeDigitsTrimmed(near / unit.from)} ${unit.word}`;
}

function tickTexts(values: readonly number[]): string[] {
  const most = values.reduce((size, value) => Math.max(size, Math.abs(value)), 0);
  if (isExtreme(most)) return values.map((value) => (value === 0 ? '0' : exponent(value)));
  const { from = 1, letter = '' } = unitOf(most) ?? {};
  const step = Math.abs((values[1] ?? 0) - (values[0] ?? 0)) / from || 1;
  // A step of 0.25 needs two decimals, and one of 0.5 one; a logarithm may be just below a whole one.
  const first = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const isExact = Math.abs(step * 10 ** first - Math.round(step * 10 ** first)) < 1e-6;
  const write = format(`,.${isExact ? first : first + 1}f`);
  return values.map((value) => (value === 0 ? '0' : write(value / from) + letter));
}

/** A rule for the decimals of a column: those that its greatest number needs for three digits. */
function wholeOf(values: readonly number[]) {
  if (values.every(Number.isInteger)) return (value: number) => wholeNumber(value);
  const most = values.reduce((size, value) => Math.max(size, Math.abs(value)), 0);
  const decimals = most >= 100 || most === 0 ? 0 : Math.min(20, 2 - Math.floor(Math.log10(most)));
  const write = format(`,.${decimals}f`);
  // What is not nothing is not written as 0.
  return (value: number) =>
    value !== 0 && Number(value.toFixed(decimals)) === 0 ? short(value, false) : write(value);
}

/**
 * Per cent, whole. What is neither nothing nor all is not written as such. Lists have a decimal
 * below ten per cent.
 */
export function percent(share: number, isInList = false): string {
  const per = share * 100;
  if (per > 0 && per < 1 && !(isInList && per >= 0.1)) return '<1 %';
  if (per > 99 && per < 100) return '>99 %';
  const decimals = isInList && Math.abs(per) < 10 && per !== 0 ? 1 : 0;
  return `${format(`,.${decimals}f`)(per)} %`;
}

/** Writes a number with its sign: a difference. */
export function signed(value: number, { spoken }: Pick<NumberWords, 'spoken'>): string {
  return value > 0 ? `+${spoken(value)}` : spoken(value);
}

/** A count: whole, with a comma before each three digits. */
export const countText = (count: number): string => wholeNumber(count);

type Column = {
  readonly field: Pick<Field, 'name' | 'type' | 'label'>;
  /** The column's numbers. */
  readonly values: readonly number[];
  /** Whether the numbers are parts of 1. */
  readonly isShare?: boolean;
};

/** How a column's numbers are written: by one rule for all of them. */
export function numberWords({ field, values, isShare = false }: Column): NumberWords {
  const [min, max] = extremesOf(values) ?? [0, 0];
  if (isShare) {
    const per = (value: number) => percent(value);
    return {
      ...{ short: per, aligned: per, spoken: per, whole: (value) => percent(value, true) },
      ticks: (ticks) => tickTexts(ticks.map((tick) => tick * 100)).map((text) => `${text} %`),
    };
  }
  if (values.length > 0 && isLabel(field, { min, max })) {
    const plain = (value: number) => String(value).replace('-', '−');
    return { ...{ short: plain, aligned: plain, spoken: plain, whole: plain }, ticks: plainTicks };
  }
  return {
    short: (value) => short(value, false),
    aligned: (value) => short(value, true),
    ...{ spoken, whole: wholeOf(values), ticks: tickTexts },
  };
}

const plainTicks = (ticks: readonly number[]) => ticks.map(String);

/** The least and the greatest of some numbers. Undefined if there are none. */
export function extremesOf(
  values: Iterable<number>,
): readonly [min: number, max: number] | undefined {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min <= max ? [min, max] : undefined;
}
