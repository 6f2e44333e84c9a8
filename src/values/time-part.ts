import { DAY_MS, dateText, HOUR_MS, padded } from './calendar.ts';
import type { Value } from './field-type.ts';

/** A part of a date or a time that rows can be grouped by. */
export type TimePart = {
  readonly type: 'integer' | 'text' | 'date';
  /** What is written after a field's title: `Opened, by month`. */
  readonly title: string;
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
  /** Present if only times have this part. */
  readonly ofTimes?: true;
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
    keyOf: (day) => Math.floor(monthOf(day) / 12),
    nextAfter: (day) => firstDayOf(12 * (Math.floor(monthOf(day) / 12) + 1)),
    valueOf: (key) => key,
  },
  quarter: {
    type: 'text',
    title: 'by quarter',
    keyOf: (day) => Math.floor(monthOf(day) / 3),
    nextAfter: (day) => firstDayOf(3 * (Math.floor(monthOf(day) / 3) + 1)),
    valueOf: (key) => `${yearText(Math.floor(key / 4))}-Q${(key % 4) + 1}`,
  },
  month: {
    type: 'text',
    title: 'by month',
    keyOf: monthOf,
    nextAfter: (day) => firstDayOf(monthOf(day) + 1),
    valueOf: (key) => `${yearText(Math.floor(key / 12))}-${padded((key % 12) + 1)}`,
  },
  week: {
    type: 'text',
    title: 'by week',
    // Day 0 was a Thursday.
    keyOf: (day) => Math.floor((day + 3) / 7),
    nextAfter: (day) => 7 * Math.floor((day + 3) / 7) + 4,
    valueOf: (key) => {
      const thursday = key * 7;
      const year = Math.floor(monthOf(thursday) / 12);
      const ofYear = thursday - firstDayOf(12 * year);
      return `${yearText(year)}-W${padded(Math.floor(ofYear / 7) + 1)}`;
    },
  },
  day: {
    type: 'date',
    title: 'by day',
    keyOf: (day) => day,
    nextAfter: nextDay,
    valueOf: (key) => dateText(key * DAY_MS),
  },
  weekday: {
    type: 'integer',
    title: 'by weekday, 1 is Monday',
    keyOf: (day) => ((((day + 3) % 7) + 7) % 7) + 1,
    nextAfter: nextDay,
    valueOf: (key) => key,
  },
  hour: {
    type: 'integer',
    title: 'by hour',
    ofTimes: true,
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
function monthOf(day: number): number {
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
function firstDayOf(month: number): number {
  return new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1) / DAY_MS;
}

function yearText(year: number): string {
  return String(year).padStart(4, '0');
}
