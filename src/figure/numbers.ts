import type { Language } from '../languages/language.ts';
import type { Field } from '../values/field-types.ts';
import { isLabel } from '../values/field-types.ts';

/**
 * How the numbers of one column are written. All have three significant digits or more; downloads
 * have the exact numbers.
 */
export type NumberWords = {
  readonly language: Language;
  /** Beside a mark: `3.66M`, `1,014`, `12.3`. */
  short(value: number): string;
  /** In a column of short numbers with as many decimals: `4.30M` below `4.28M`, `73.0` below `79.6`. */
  aligned(value: number): string;
  /** In a sentence: `3.66 million`, `391,000`. */
  spoken(value: number): string;
  /** In a table: the whole number, with decimals only where it is small. */
  whole(value: number): string;
  /** The texts of an axis, which share one unit and have just the decimals that tell them apart. */
  ticks(values: readonly number[]): Ticks;
};

export type Ticks = {
  readonly texts: readonly string[];
  /** Their unit, if the language writes it as a word of its own, which there is no room for at each. */
  readonly unit?: string;
};

const UNITS = [
  {
    from: 1e12,
    short: '{number}T',
    spoken: { one: '{number} trillion #one', many: '{number} trillion' },
  },
  {
    from: 1e9,
    short: '{number}B',
    spoken: { one: '{number} billion #one', many: '{number} billion' },
  },
  {
    from: 1e6,
    short: '{number}M',
    spoken: { one: '{number} million #one', many: '{number} million' },
  },
  { from: 1e3, short: '{number}k', spoken: undefined },
] as const;

/** From here on numbers have a unit. */
const LEAST_WITH_UNIT = 1e4;

/** Above and below these, a number has an exponent: its zeros would be longer than its digits. */
const PLAIN = { from: 1e-6, to: 1e15 } as const;

/** A number with a true minus, and with these decimals or all of its own. 0 has no sign. */
function written(value: number, { number }: Language, decimals?: number): string {
  const near = decimals === undefined ? value : Number(value.toFixed(decimals));
  return number(near || 0, decimals).replace('-', '−');
}

/** With three significant digits. */
function inThree(value: number, language: Language): string {
  return written(Number(value.toPrecision(3)), language);
}

function exponent(value: number, language: Language): string {
  const [digits, power = ''] = value.toExponential(2).split('e');
  const raised = [...power].map((sign) => RAISED[sign] ?? '').join('');
  return `${written(Number(digits), language)} × 10${raised}`;
}

/** The signs of an exponent. */
const RAISED: Readonly<Record<string, string>> = Object.fromEntries(
  [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁻'].map((raised, i) => ['0123456789-'.charAt(i), raised]),
);

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

function short(language: Language, value: number, keepsZeros: boolean): string {
  if (isExtreme(value)) return exponent(value, language);
  const near = rounded(value);
  const unit = unitOf(near);
  if (unit === undefined) {
    return Math.abs(near) >= 100 ? written(near, language, 0) : inThree(near, language);
  }
  const count = near / unit.from;
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(count))));
  const number = keepsZeros ? written(count, language, decimals) : inThree(count, language);
  return language.say(unit.short, { number });
}

/** What only a sentence has room for. */
const QUADRILLION = {
  from: 1e15,
  to: 1e18,
  spoken: { one: '{number} quadrillion #one', many: '{number} quadrillion' },
} as const;

function spoken(language: Language, value: number): string {
  const near = rounded(value);
  const isSaid = Math.abs(near) >= QUADRILLION.from && Math.abs(near) < QUADRILLION.to;
  if (isExtreme(value) && !isSaid) return exponent(value, language);
  const unit = isSaid ? QUADRILLION : unitOf(near);
  if (unit === undefined) return short(language, value, false);
  if (unit.spoken === undefined) return written(near, language, 0);
  const { one, many } = unit.spoken;
  const count = near / unit.from;
  return language.say(Math.abs(count) === 1 ? one : many, { number: inThree(count, language) });
}

function ticksOf(language: Language, values: readonly number[]): Ticks {
  const most = values.reduce((size, value) => Math.max(size, Math.abs(value)), 0);
  if (isExtreme(most)) {
    return { texts: values.map((value) => (value === 0 ? '0' : exponent(value, language))) };
  }
  const unit = unitOf(most);
  const from = unit?.from ?? 1;
  const step = Math.abs((values[1] ?? 0) - (values[0] ?? 0)) / from || 1;
  // A step of 0.25 needs two decimals, and one of 0.5 one; a logarithm may be just below a whole one.
  const first = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const isExact = Math.abs(step * 10 ** first - Math.round(step * 10 ** first)) < 1e-6;
  const decimals = isExact ? first : first + 1;
  const numbers = values.map((value) =>
    value === 0 ? '0' : written(value / from, language, decimals),
  );
  if (unit === undefined) return { texts: numbers };
  const withUnit = (number: string) => language.say(unit.short, { number });
  const word = withUnit('');
  if (/^\s/.test(word)) return { texts: numbers, unit: word.trim() };
  return { texts: numbers.map((number, i) => (values[i] === 0 ? number : withUnit(number))) };
}

const greatestOf = (values: readonly number[]) =>
  values.reduce((size, value) => Math.max(size, Math.abs(value)), 0);

/** The decimals of a column: those that its greatest number needs for three digits. */
function decimalsOf(most: number): number {
  return most >= 100 || most === 0 ? 0 : Math.min(20, 2 - Math.floor(Math.log10(most)));
}

/** With these decimals. What is not nothing is not written as 0. */
function inDecimals(value: number, language: Language, decimals: number): string {
  return value !== 0 && Number(value.toFixed(decimals)) === 0
    ? short(language, value, false)
    : written(value, language, decimals);
}

/** Numbers without a unit have the decimals of a table, and what is below 100 among greater ones has one. */
function alignedOf(language: Language, values: readonly number[]) {
  const most = greatestOf(values);
  if (values.every(Number.isInteger) || most >= LEAST_WITH_UNIT || isExtreme(most)) {
    return (value: number) => short(language, value, true);
  }
  const decimals = decimalsOf(most);
  return (value: number) =>
    inDecimals(value, language, Math.abs(value) < 100 ? Math.max(1, decimals) : decimals);
}

function wholeOf(language: Language, values: readonly number[]) {
  if (values.every(Number.isInteger)) return (value: number) => written(value, language, 0);
  const decimals = decimalsOf(greatestOf(values));
  return (value: number) => inDecimals(value, language, decimals);
}

/**
 * Per cent, whole. What is neither nothing nor all is not written as such. Lists have a decimal
 * below ten per cent.
 */
export function percent(share: number, language: Language, isInList = false): string {
  const per = share * 100;
  const say = (number: string) => language.say('{number} %', { number });
  if (per > 0 && per < 1 && !(isInList && per >= 0.1)) return `<${say('1')}`;
  if (per > 99 && per < 100) return `>${say('99')}`;
  const decimals = isInList && Math.abs(per) < 10 && per !== 0 ? 1 : 0;
  return say(written(per, language, decimals));
}

/** Writes a number with its sign: a difference. */
export function signed(value: number, { spoken }: Pick<NumberWords, 'spoken'>): string {
  return value > 0 ? `+${spoken(value)}` : spoken(value);
}

/** Writes a number that has no rule of its own, such as the width of a step, as it is. */
export function asWritten(number: number | string, { decimal }: Language): string {
  return String(number).replace('.', decimal).replaceAll('-', '−');
}

type Column = {
  readonly language: Language;
  readonly field: Pick<Field, 'name' | 'type' | 'label'>;
  /** The column's numbers. */
  readonly values: readonly number[];
  /** Whether the numbers are parts of 1. */
  readonly isShare?: boolean;
};

/** How a column's numbers are written: by one rule for all of them. */
export function numberWords({ language, field, values, isShare = false }: Column): NumberWords {
  const [min, max] = extremesOf(values) ?? [0, 0];
  if (isShare) {
    const per = (value: number) => percent(value, language);
    return {
      language,
      short: per,
      aligned: per,
      spoken: per,
      whole: (value) => percent(value, language, true),
      ticks: (values) => {
        const { texts, ...unit } = ticksOf(
          language,
          values.map((value) => value * 100),
        );
        return { texts: texts.map((number) => language.say('{number} %', { number })), ...unit };
      },
    };
  }
  if (values.length > 0 && isLabel(field, { min, max })) {
    const plain = (value: number) => asWritten(value, language);
    return {
      language,
      short: plain,
      aligned: plain,
      spoken: plain,
      whole: plain,
      ticks: (values) => ({ texts: values.map((value) => asWritten(value, language)) }),
    };
  }
  const aligned = alignedOf(language, values);
  return {
    language,
    short: (value) => short(language, value, false),
    aligned,
    spoken: (value) => (unitOf(rounded(value)) ? spoken(language, value) : aligned(value)),
    whole: wholeOf(language, values),
    ticks: (values) => ticksOf(language, values),
  };
}

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
