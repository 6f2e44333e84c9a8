import type { PlainMessage } from '../languages/german.ts';
import type { Language } from '../languages/language.ts';
import { DAY_MS, dateText, HOUR_MS, padded } from './calendar.ts';
import type { Value } from './field-type.ts';

/** A part of a date or a time that rows can be grouped by. */
export type TimePart = {
  readonly type: 'integer' | 'text' | 'date';
  /** What is written after a field's title: `Opened, by month`. */
  readonly title: string;
  /** What a page calls it: `month of year`. */
  readonly words: PlainMessage;
  /**
   * Returns a number for the part, from a local day since 1970-01-01 and the milliseconds of that
   * day.
   */
  keyOf(day: number, millisecond: number): number;
  /**
   * Returns the first later day that may have another number. Absent if the number may change
   * within a day.
   */
  nextAfter?(day: number): number;
  /** Returns the value for a number of the part. */
  valueOf(key: number): Exclude<Value, null>;
  /** Returns the name of a value. Absent if the value is read as it is. */
  nameOf?(value: Value, language: Language): string | undefined;
  /** Present if groups of this part recur each year, week or day, so that they are no time line. */
  readonly recurs?: true;
  /** Present if only times have this part. */
  readonly ofTimes?: true;
  /**
   * Parts of the same date that show something beside it: months of the year beside years are a
   * season. Beside most parts, each of the others has one value alone. Absent if there are none.
   */
  readonly beside?: readonly string[];
};

const nextDay = (day: number) => day + 1;

/**
 * The parts by name. Weeks are those of ISO 8601: they begin on Mondays, and belong to the year of
 * their Thursday.
 */
export const TIME_PARTS = {
  year: {
    type: 'integer',
    title: 'by year',
    words: 'year',
    beside: ['month_of_year', 'weekday', 'weekend'],
    keyOf: (day) => Math.floor(monthOf(day) / 12),
    nextAfter: (day) => firstDayOf(12 * (Math.floor(monthOf(day) / 12) + 1)),
    valueOf: (key) => key,
  },
  quarter: {
    type: 'text',
    title: 'by quarter',
    words: 'quarter',
    beside: ['weekday', 'weekend'],
    keyOf: (day) => Math.floor(monthOf(day) / 3),
    nextAfter: (day) => firstDayOf(3 * (Math.floor(monthOf(day) / 3) + 1)),
    valueOf: (key) => `${yearText(Math.floor(key / 4))}-Q${(key % 4) + 1}`,
  },
  month: {
    type: 'text',
    title: 'by month',
    words: 'month',
    beside: ['year', 'weekday', 'weekend'],
    keyOf: monthOf,
    nextAfter: (day) => firstDayOf(monthOf(day) + 1),
    valueOf: (key) => `${yearText(Math.floor(key / 12))}-${padded((key % 12) + 1)}`,
  },
  week: {
    type: 'text',
    title: 'by week',
    words: 'week',
    // Day 0 was a Thursday.
    keyOf: (day) => Math.floor((day + 3) / 7),
    nextAfter: nextMonday,
    valueOf: (key) => {
      const [year, week] = yearAndWeekOf(key * 7);
      return `${yearText(year)}-W${padded(week)}`;
    },
  },
  day: {
    type: 'date',
    title: 'by day',
    words: 'day',
    keyOf: (day) => day,
    nextAfter: nextDay,
    valueOf: (key) => dateText(key * DAY_MS),
  },
  month_of_year: {
    type: 'integer',
    title: 'by month of the year, 1 is January',
    words: 'month of year',
    beside: ['year', 'weekday', 'weekend', 'hour'],
    recurs: true,
    keyOf: (day) => (monthOf(day) % 12) + 1,
    nextAfter: (day) => firstDayOf(monthOf(day) + 1),
    valueOf: (key) => key,
    nameOf: (value, { month }) => month(Number(value), 'long') || undefined,
  },
  week_of_year: {
    type: 'integer',
    title: 'by week of the year',
    words: 'week of year',
    recurs: true,
    keyOf: (day) => yearAndWeekOf(7 * Math.floor((day + 3) / 7))[1],
    nextAfter: nextMonday,
    valueOf: (key) => key,
    nameOf: (value, { say }) => say('week {week}', { week: `${value}` }),
  },
  weekday: {
    type: 'integer',
    title: 'by weekday, 1 is Monday',
    words: 'weekday',
    beside: ['month_of_year', 'hour'],
    recurs: true,
    nameOf: (value, { weekday }) => weekday(Number(value)) || undefined,
    keyOf: weekdayOf,
    nextAfter: nextDay,
    valueOf: (key) => key,
  },
  weekend: {
    type: 'text',
    title: 'by weekday or weekend',
    words: 'weekday or weekend',
    beside: ['month_of_year', 'hour'],
    recurs: true,
    keyOf: (day) => Number(weekdayOf(day) >= SATURDAY),
    nextAfter: nextDay,
    valueOf: (key) => (key === 0 ? 'weekday' : 'weekend'),
    nameOf: (value, { say }) => say(value === 'weekend' ? 'Sat, Sun' : 'Mon–Fri'),
  },
  hour: {
    type: 'integer',
    title: 'by hour',
    words: 'hour',
    beside: ['month_of_year', 'weekday', 'weekend'],
    ofTimes: true,
    recurs: true,
    nameOf: (value) => `${padded(Number(value))}:00`,
    keyOf: (_, millisecond) => Math.floor(millisecond / HOUR_MS),
    valueOf: (key) => key,
  },
} as const satisfies Readonly<Record<string, TimePart>>;

export type TimePartName = keyof typeof TIME_PARTS;

/**
 * The number of months from year 0 to a day since 1970-01-01, in the proleptic Gregorian calendar.
 * Years begin in March here, so that the leap day is the last day of a year (Howard Hinnant,
 * chrono-Compatible Low-Level Date Algorithms). This is far faster than using a Date.
 */
export function monthOf(day: number): number {
  const sinceMarch0000 = day + 719_468;
  const era = Math.floor(sinceMarch0000 / 146_097);
  const ofEra = sinceMarch0000 - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) /
      365,
  );
  const ofYear =
    ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * ofYear + 2) / 153);
  return (yearOfEra + era * 400) * 12 + monthFromMarch + 2;
}

/**
 * The first day of a month, as a number of days since 1970-01-01. Months are counted from year 0.
 */
export function firstDayOf(month: number): number {
  return new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1) / DAY_MS;
}

const SATURDAY = 6;

/** The weekday of a day since 1970-01-01, from 1, which is Monday. Day 0 was a Thursday. */
function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** The first day of the next week, as a number of days since 1970-01-01, which was a Thursday. */
function nextMonday(day: number): number {
  return 7 * Math.floor((day + 3) / 7) + 4;
}

/** The year of ISO 8601 that a Thursday belongs to, and the number of its week in that year. */
function yearAndWeekOf(thursday: number): readonly [year: number, week: number] {
  const year = Math.floor(monthOf(thursday) / 12);
  return [year, Math.floor((thursday - firstDayOf(12 * year)) / 7) + 1];
}

function yearText(year: number): string {
  return String(year).padStart(4, '0');
}
