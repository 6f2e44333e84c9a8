import { formatLocale } from 'd3-format';
import type { Language } from '../languages/language.ts';
import type { LanguageName } from '../languages/names.ts';
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
  /** In a column of short numbers, whose zeros are kept: `4.30M` below `4.28M`. */
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

/** How a language writes numbers, by formats of d3. */
type Digits = {
  readonly language: Language;
  whole(value: number): string;
  three(value: number): string;
  threeTrimmed(value: number): string;
  exponent(value: number): string;
  /** With so many decimals. */
  fixed(decimals: number): (value: number) => string;
};

const kept = new Map<LanguageName, Digits>();

function digitsOf(language: Language): Digits {
  const known = kept.get(language.name);
  if (known !== undefined) return known;
  const { decimal, group: thousands } = language;
  const locale = { decimal, thousands, grouping: [3], currency: ['', ''] as [string, string] };
  const { format } = formatLocale(locale);
  const plain = formatLocale({ ...locale, thousands: '' }).format;
  // Some languages, such as Spanish, do not divide four digits.
  const dividesFour = language.number(1000).length > 4;
  const grouped = (rule: string) => {
    const [write, writeFour] = [format(`,${rule}`), plain(`,${rule}`)];
    return dividesFour
      ? write
      : (value: number) => (Math.abs(value) < LEAST_WITH_UNIT - 0.5 ? writeFour : write)(value);
  };
  const writeExponent = format('.2~e');
  const digits: Digits = {
    ...{ language, whole: grouped('.0f'), three: format('.3r') },
    threeTrimmed: grouped('.3~r'),
    exponent: (value) =>
      writeExponent(value).replace(/e\+?(.+)$/, (_, power: string) => {
        return ` × 10${[...power].map((sign) => RAISED[sign] ?? sign).join('')}`;
      }),
    fixed: (decimals) => grouped(`.${decimals}f`),
  };
  kept.set(language.name, digits);
  return digits;
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

function short(digits: Digits, value: number, keepsZeros: boolean): string {
  if (isExtreme(value)) return digits.exponent(value);
  const near = rounded(value);
  const unit = unitOf(near);
  if (unit === undefined) {
    return Math.abs(near) >= 100 ? digits.whole(near) : digits.threeTrimmed(near);
  }
  const write = keepsZeros ? digits.three : digits.threeTrimmed;
  return digits.language.say(unit.short, { number: write(near / unit.from) });
}

/** What only a sentence has room for. */
const QUADRILLION = {
  from: 1e15,
  to: 1e18,
  spoken: { one: '{number} quadrillion #one', many: '{number} quadrillion' },
} as const;

function spoken(digits: Digits, value: number): string {
  const near = rounded(value);
  const isSaid = Math.abs(near) >= QUADRILLION.from && Math.abs(near) < QUADRILLION.to;
  if (isExtreme(value) && !isSaid) return digits.exponent(value);
  const unit = isSaid ? QUADRILLION : unitOf(near);
  if (unit === undefined) return short(digits, value, false);
  if (unit.spoken === undefined) return digits.whole(near);
  const { one, many } = unit.spoken;
  const count = near / unit.from;
  const number = digits.threeTrimmed(count);
  return digits.language.say(Math.abs(count) === 1 ? one : many, { number });
}

function ticksOf(digits: Digits, values: readonly number[]): Ticks {
  const most = values.reduce((size, value) => Math.max(size, Math.abs(value)), 0);
  if (isExtreme(most)) {
    return { texts: values.map((value) => (value === 0 ? '0' : digits.exponent(value))) };
  }
  const unit = unitOf(most);
  const from = unit?.from ?? 1;
  const step = Math.abs((values[1] ?? 0) - (values[0] ?? 0)) / from || 1;
  // A step of 0.25 needs two decimals, and one of 0.5 one; a logarithm may be just below a whole one.
  const first = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const isExact = Math.abs(step * 10 ** first - Math.round(step * 10 ** first)) < 1e-6;
  const write = digits.fixed(isExact ? first : first + 1);
  const numbers = values.map((value) => (value === 0 ? '0' : write(value / from)));
  if (unit === undefined) return { texts: numbers };
  const withUnit = (number: string) => digits.language.say(unit.short, { number });
  const word = withUnit('');
  if (/^\s/.test(word)) return { texts: numbers, unit: word.trim() };
  return { texts: numbers.map((number, i) => (values[i] === 0 ? number : withUnit(number))) };
}

/** A rule for the decimals of a column: those that its greatest number needs for three digits. */
function wholeOf(digits: Digits, values: readonly number[]) {
  if (values.every(Number.isInteger)) return (value: number) => digits.whole(value);
  const most = values.reduce((size, value) => Math.max(size, Math.abs(value)), 0);
  const decimals = most >= 100 || most === 0 ? 0 : Math.min(20, 2 - Math.floor(Math.log10(most)));
  const write = digits.fixed(decimals);
  // What is not nothing is not written as 0.
  return (value: number) =>
    value !== 0 && Number(value.toFixed(decimals)) === 0
      ? short(digits, value, false)
      : write(value);
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
  return say(digitsOf(language).fixed(decimals)(per));
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
  const digits = digitsOf(language);
  if (isShare) {
    const per = (value: number) => percent(value, language);
    return {
      ...{ language, short: per, aligned: per, spoken: per },
      whole: (value) => percent(value, language, true),
      ticks: (values) => {
        const { texts, ...unit } = ticksOf(
          digits,
          values.map((value) => value * 100),
        );
        return { texts: texts.map((number) => language.say('{number} %', { number })), ...unit };
      },
    };
  }
  if (values.length > 0 && isLabel(field, { min, max })) {
    const plain = (value: number) => asWritten(value, language);
    return {
      ...{ language, short: plain, aligned: plain, spoken: plain, whole: plain },
      ticks: (values) => ({ texts: values.map((value) => asWritten(value, language)) }),
    };
  }
  return {
    language,
    short: (value) => short(digits, value, false),
    aligned: (value) => short(digits, value, true),
    spoken: (value) => spoken(digits, value),
    whole: wholeOf(digits, values),
    ticks: (values) => ticksOf(digits, values),
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
