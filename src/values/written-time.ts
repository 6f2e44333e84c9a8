import { decimalText } from '../text/decimal.ts';
import { fold } from '../text/fold.ts';
import { DAY_MS, dateText, isDay, padded, startOfWritten } from './calendar.ts';
import { type Day, gregorianDay, type OtherCalendar } from './other-calendars.ts';

/** The numeric parts that a pattern may have, and how many digits each may have. */
const NUMBERS: Readonly<Record<string, readonly [part: TimeMember, least: number, most: number]>> =
  {
    Y: ['year', 4, 4],
    y: ['year', 2, 2],
    m: ['month', 1, 2],
    d: ['day', 1, 2],
    H: ['hour', 1, 2],
    I: ['hour', 1, 2],
    M: ['minute', 1, 2],
    S: ['second', 1, 2],
    j: ['dayOfYear', 1, 3],
    G: ['weekYear', 4, 4],
    V: ['week', 1, 2],
    u: ['dayOfWeek', 1, 1],
  };

type TimeMember =
  | ('year' | 'month' | 'day' | 'hour' | 'minute' | 'second')
  | ('dayOfYear' | 'weekYear' | 'week' | 'dayOfWeek');

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];
const SHORT_MONTHS = MONTHS.map((month) => month.slice(0, 3));

/** Sunday first, as in a Date. */
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** What has been read of a text so far. */
type ReadSoFar = {
  at: number;
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** The day of the year, from 1; -1 if none was read. */
  dayOfYear: number;
  /** The year and week of ISO 8601, and its day from 1, Monday. The year is 0 if none was read. */
  weekYear: number;
  week: number;
  dayOfWeek: number;
  fraction: string;
  isAfternoon: boolean;
  offset: string;
  /** From 0, Sunday; -1 if none was read. */
  weekday: number;
};

/** Reads the next part of a text. Returns false if the text has something else there. */
type Step = (text: string, reading: ReadSoFar) => boolean;

/**
 * Makes a reader for times in a strptime pattern (`%d/%m/%Y %H:%M`). It returns them in ISO 8601:
 * `2020-05-17`, or `2020-05-17T10:30:00`, with the offset if the pattern has `%z`. It returns
 * undefined if the text does not match the pattern, or if the date or time does not exist. Throws
 * if the pattern has an unknown part. With a language, %b and %B both accept its names of months
 * and the beginnings of these names. 24:00 is the end of its day (ISO 8601-1:2019, 4.3.8). With a
 * calendar, days in its years are read as its days. A week without a day is its Monday.
 */
export function timeParser(
  format: string,
  language?: MonthLanguage,
  calendar?: OtherCalendar,
): (text: string) => string | undefined {
  const counter = COUNTERS[format];
  if (counter !== undefined) return (text) => counter(withoutExponent(text));
  const parts = format.match(/%.?|[^%]+/gs) ?? [];
  const isNumber = (part = '') => part.startsWith('%') && Object.hasOwn(NUMBERS, part.slice(1));
  // Numbers without a sign between them have all their digits.
  const steps = parts.map((part, i) =>
    stepOf(part, language, isNumber(parts[i - 1]) || isNumber(parts[i + 1])),
  );
  const hasTime = /%[HI]/.test(format);
  const isTwelveHours = format.includes('%I');
  const isOther = calendar !== undefined || /%[jG]/.test(format);
  // All texts use the same object, and each sets all of its members: making an object takes longer
  // than reading a text.
  const reading = { ...NOTHING };
  return (text) => {
    reading.at = 0;
    for (const step of steps) if (!step(text, reading)) return undefined;
    const { at, minute, second, fraction, offset, weekday } = reading;
    let { year, month, day } = reading;
    if (at !== text.length) return undefined;
    if (isOther) {
      const found = dayOf(reading, calendar);
      if (found === undefined) return undefined;
      [year, month, day] = found;
    }
    if (!isDay(year, month, day)) return undefined;
    if (weekday >= 0 && weekdayOf(year, month, day) !== weekday) return undefined;
    const date = `${year < 1000 ? String(year).padStart(4, '0') : year}-${TWO[month]}-${TWO[day]}`;
    if (!hasTime) return date;
    if (isTwelveHours && (reading.hour < 1 || reading.hour > 12)) return undefined;
    const hour = isTwelveHours
      ? (reading.hour % 12) + (reading.isAfternoon ? 12 : 0)
      : reading.hour;
    if (hour === 24 && minute + second === 0 && Number(fraction) === 0) {
      const next = dayBehind(year, month, day);
      return next && `${next}T00:00:00${offset}`;
    }
    if (hour > 23 || minute > 59 || second > 59) return undefined;
    return `${date}T${TWO[hour]}:${TWO[minute]}:${TWO[second]}${fraction}${offset}`;
  };
}

const NOTHING: ReadSoFar = {
  ...{ at: 0, year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0 },
  ...{ dayOfYear: -1, weekYear: 0, week: 0, dayOfWeek: 1 },
  ...{ fraction: '', isAfternoon: false, offset: '', weekday: -1 },
};

/** The day that was read, in our calendar. Undefined if it does not exist. */
function dayOf(reading: ReadSoFar, calendar: OtherCalendar | undefined): Day | undefined {
  const { year, month, day, dayOfYear, weekYear, week, dayOfWeek } = reading;
  if (dayOfYear >= 0) return sameYear(year, daysFrom1970(year, 1, 1) + dayOfYear - 1);
  if (weekYear > 0) {
    if (week < 1 || dayOfWeek < 1 || dayOfWeek > 7) return undefined;
    // The first week has the 4th of January (ISO 8601-1:2019, 3.1.1.23); its Thursday is in the year.
    const fourth = daysFrom1970(weekYear, 1, 4);
    const monday = fourth - ((weekdayOf(weekYear, 1, 4) + 6) % 7) + 7 * (week - 1);
    return sameYear(weekYear, monday + 3) && dayAt(monday + dayOfWeek - 1);
  }
  return calendar === undefined ? [year, month, day] : gregorianDay(calendar, [year, month, day]);
}

function dayAt(days: number): Day {
  const date = new Date(days * DAY_MS);
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
}

function sameYear(year: number, days: number): Day | undefined {
  const day = dayAt(days);
  return day[0] === year ? day : undefined;
}

function weekdayOf(year: number, month: number, day: number): number {
  return new Date(daysFrom1970(year, month, day) * DAY_MS).getUTCDay();
}

/** The day behind another; undefined behind the year 9999. */
function dayBehind(year: number, month: number, day: number): string | undefined {
  const next = dateText((daysFrom1970(year, month, day) + 1) * DAY_MS);
  return next.startsWith('+') ? undefined : next;
}

function daysFrom1970(year: number, month: number, day: number): number {
  return startOfWritten(`${String(year).padStart(4, '0')}-${TWO[month]}-${TWO[day]}`) / DAY_MS;
}

/** Days from Excel's day 0 to 1970-01-01, for days after the 29th of February 1900 that never was. */
const EXCEL_DAYS_TO_1970 = 25_569;

/** How .NET writes an instant in JSON, perhaps with the offset of the clock that it was read on. */
export const DOTNET = '/Date(%Q)/';

/** Patterns of one number: time since a moment, as computers and spreadsheets count it. */
const COUNTERS: Readonly<Record<string, (text: string) => string | undefined>> = {
  '%s': (text) => {
    const [, seconds, fraction = ''] = /^(-?\d{1,11})(?:\.(\d{1,9})\d*)?$/.exec(text) ?? [];
    if (seconds === undefined || (seconds.startsWith('-') && Number(fraction) > 0))
      return undefined;
    return instantText(Number(seconds) * 1000, fraction);
  },
  '%Q': (text) => (/^-?\d{1,14}(?:\.0+)?$/.test(text) ? instantText(Number(text)) : undefined),
  [DOTNET]: (text) => {
    const [, ms] = /^\/Date\((-?\d{1,14})(?:[+-]\d{4})?\)\/$/.exec(text) ?? [];
    return ms === undefined ? undefined : instantText(Number(ms));
  },
  excel: (text) => {
    if (!/^\d{1,7}(?:\.\d+)?$/.test(text) || Number(text) < 61) return undefined;
    const days = Math.floor(Number(text));
    const rest = Math.round((Number(text) - days) * DAY_MS);
    const written = instantText((days - EXCEL_DAYS_TO_1970) * DAY_MS + rest);
    return written?.slice(0, -1).replace(/\.000$/, '');
  },
};

/** An instant in ISO 8601, of the years 1 to 9999; a fraction of a second may be finer than `ms`. */
function instantText(ms: number, fraction = ''): string | undefined {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return undefined;
  const text = date.toISOString();
  if (!/^(?!0000)\d{4}-/.test(text)) return undefined;
  return fraction === '' ? text : `${text.slice(0, 19)}.${fraction}Z`;
}

/** Writes a number such as 1.7E9, as R and JSON have it, in digits alone. */
function withoutExponent(text: string): string {
  return /^\d+(?:\.\d+)?e\+?\d\d?$/i.test(text) ? decimalText(Number(text)) : text;
}

/** Tells whether a pattern counts from a moment, and so has an offset in itself. */
export function isCounter(format: string): boolean {
  return Object.hasOwn(COUNTERS, format);
}

const TWO = Array.from({ length: 100 }, (_, value) => padded(value));

/** Tells whether a pattern's times have an offset from UTC. */
export function hasOffset(format: string): boolean {
  return format.includes('%z') || (isCounter(format) && format !== 'excel');
}

function stepOf(part: string, language: MonthLanguage | undefined, isWhole: boolean): Step {
  if (!part.startsWith('%')) return literal(part);
  const directive = part.slice(1);
  if (language !== undefined) {
    if (directive === 'b' || directive === 'B') return monthIn(language);
    if (directive === 'd') return dayOrFirst;
  }
  const number = NUMBERS[directive];
  if (number !== undefined) {
    const [part, least, most] = number;
    return digits(part, isWhole ? most : least, most, directive === 'y' ? century : same);
  }
  switch (directive) {
    case 'b':
      return named('month', SHORT_MONTHS, 1);
    case 'B':
      return named('month', MONTHS, 1);
    case 'a':
      return weekday(3);
    case 'A':
      return weekday();
    case 'q':
      return quarter;
    case 'p':
      return halfOfDay;
    case 'f':
      return fraction;
    case 'z':
      return offset;
    case '%':
      return literal('%');
    default:
      throw new TypeError(
        `${part} is not a part of a date or time; expected one of ${[...Object.keys(NUMBERS), 'b', 'B', 'a', 'A', 'q', 'p', 'f', 'z'].map((name) => `%${name}`).join(' ')}, or one of ${Object.keys(COUNTERS).join(' ')}.`,
      );
  }
}

function literal(part: string): Step {
  return (text, reading) => {
    if (!text.startsWith(part, reading.at)) return false;
    reading.at += part.length;
    return true;
  };
}

function same(value: number): number {
  return value;
}

/** As in POSIX, 69 to 99 mean 1969 to 1999. */
function century(value: number): number {
  return value + (value < 69 ? 2000 : 1900);
}

function digits(part: TimeMember, least: number, most: number, meaning: typeof same): Step {
  return (text, reading) => {
    let [value, count] = [0, 0];
    for (; count < most; count++) {
      const digit = text.charCodeAt(reading.at + count) - 0x30;
      // After the end of the text, `digit` is NaN.
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    if (count < least) return false;
    reading.at += count;
    reading[part] = meaning(value);
    return true;
  };
}

/** Reads one of these names, the first of which means `first`. */
function named(part: 'month' | 'weekday', names: readonly string[], first: number): Step {
  return (text, reading) => {
    const rest = text.slice(reading.at, reading.at + 9).toLowerCase();
    const found = names.findIndex((name) => rest.startsWith(name));
    if (found < 0) return false;
    reading[part] = found + first;
    reading.at += (names[found] as string).length;
    return true;
  };
}

function monthIn(language: MonthLanguage): Step {
  return (text, reading) => {
    const found = monthAt(text, reading.at, language);
    if (found === undefined) return false;
    reading.month = found.month;
    reading.at = found.end;
    return true;
  };
}

const readDay = digits('day', 1, 2, same);

/**
 * Romance languages write the first day of a month in a way of its own: 1er janvier, 1º de enero.
 */
function dayOrFirst(text: string, reading: ReadSoFar): boolean {
  if (!readDay(text, reading)) return false;
  const [sign = ''] =
    reading.day === 1 ? (/^(?:er\b|[º°])/.exec(text.slice(reading.at)) ?? []) : [];
  reading.at += sign.length;
  return true;
}

/** Reads the English name of a weekday, or its first letters. */
function weekday(letters?: number): Step {
  const names = WEEKDAYS.map((name) => name.slice(0, letters));
  return named('weekday', names, 0);
}

/** Reads the number of a quarter, which begins with its first month. */
function quarter(text: string, reading: ReadSoFar): boolean {
  const number = text.charCodeAt(reading.at) - 0x30;
  if (!(number >= 1 && number <= 4)) return false;
  reading.month = 3 * number - 2;
  reading.at++;
  return true;
}

function halfOfDay(text: string, reading: ReadSoFar): boolean {
  const half = text.slice(reading.at, reading.at + 2).toLowerCase();
  if (half !== 'am' && half !== 'pm') return false;
  reading.isAfternoon = half === 'pm';
  reading.at += 2;
  return true;
}

function fraction(text: string, reading: ReadSoFar): boolean {
  const [found] = /^\d{1,9}/.exec(text.slice(reading.at, reading.at + 9)) ?? [];
  if (found === undefined) return false;
  reading.fraction = `.${found}`;
  reading.at += found.length;
  return true;
}

function offset(text: string, reading: ReadSoFar): boolean {
  const [found, hours, minutes = '00'] =
    /^(?:Z|UTC|UT|GMT|([+-]\d\d)(?::?(\d\d))?)/.exec(text.slice(reading.at, reading.at + 6)) ?? [];
  if (found === undefined) return false;
  reading.offset = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  reading.at += found.length;
  return true;
}

/** The languages, besides English, whose names of months are recognised. */
export const MONTH_LANGUAGES = [
  'de',
  'es',
  'fr',
  'it',
  'nl',
  'pt',
  'sv',
  'da',
  'nb',
  'pl',
] as const;
export type MonthLanguage = (typeof MONTH_LANGUAGES)[number];

/** Abbreviations that are not the beginning of a month's name. */
const OTHERS: Partial<Record<MonthLanguage, Readonly<Record<string, number>>>> = {
  de: { mrz: 3 },
  nl: { mrt: 3 },
};

/** Letters of a month's name. */
const LEAST_LETTERS = 3;
const MOST_LETTERS = 20;

/**
 * The months of a language, by their folded names and by those beginnings that only one name has.
 * The names are those that Intl uses in dates. Its abbreviations are not used, because they differ
 * from version to version.
 */
export function monthsOf(language: MonthLanguage): ReadonlyMap<string, number> {
  const made = MADE.get(language);
  if (made !== undefined) return made;
  const format = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
  const names = Array.from({ length: 12 }, (_, month) => {
    const parts = format.formatToParts(Date.UTC(2020, month, 15));
    return fold(parts.find(({ type }) => type === 'month')?.value ?? '');
  });
  const months = new Map(Object.entries(OTHERS[language] ?? {}));
  for (const [i, name] of names.entries()) {
    for (let length = LEAST_LETTERS; length <= name.length; length++) {
      const beginning = name.slice(0, length);
      const isOfOne = names.filter((each) => each.startsWith(beginning)).length === 1;
      if (isOfOne || length === name.length) months.set(beginning, i + 1);
    }
  }
  MADE.set(language, months);
  return months;
}

const MADE = new Map<MonthLanguage, ReadonlyMap<string, number>>();

/**
 * Finds the month whose name stands at an index of a text. The name may be cut, and may have a
 * point after it.
 */
export function monthAt(
  text: string,
  at: number,
  language: MonthLanguage,
): { readonly month: number; readonly end: number } | undefined {
  const [word] = /^[\p{L}\p{M}]+/u.exec(text.slice(at, at + MOST_LETTERS)) ?? [];
  const month = word === undefined ? undefined : monthsOf(language).get(fold(word));
  if (word === undefined || month === undefined) return undefined;
  const end = at + word.length;
  return { month, end: text[end] === '.' ? end + 1 : end };
}
