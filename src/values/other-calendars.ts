import { DAY_MS } from './calendar.ts';

/** Calendars, beside ours, of which dates are read. Each has years that no date of ours has now. */
export const OTHER_CALENDARS = ['buddhist', 'persian', 'islamic'] as const;
export type OtherCalendar = (typeof OTHER_CALENDARS)[number];

/** A day: year, month and day of the month. */
export type Day = readonly [year: number, month: number, day: number];

type Facts = {
  /** Years in which dates are of this calendar. All others are of ours. */
  readonly from: number;
  readonly to: number;
  /** What its years are called. */
  readonly years: string;
  readonly toGregorian: (day: Day) => Day | undefined;
};

/** How far the years of the Buddhist era are ahead (in Thailand, since 1941). */
const BUDDHIST_YEARS = 543;

const FACTS: Readonly<Record<OtherCalendar, Facts>> = {
  buddhist: {
    from: 2400,
    to: 2700,
    years: 'the Buddhist era',
    toGregorian: ([year, month, day]) => [year - BUDDHIST_YEARS, month, day],
  },
  persian: {
    from: 1300,
    to: 1500,
    years: 'the Persian calendar',
    toGregorian: byIntl('persian', (year) => Date.UTC(year + 621, 2, 15)),
  },
  islamic: {
    // Years of Umm al-Qura have 354.37 days on average; 1400 began on 1979-11-20.
    from: 1300,
    to: 1500,
    years: 'the Islamic calendar (Umm al-Qura)',
    toGregorian: byIntl('islamic-umalqura', (year) => {
      return Date.UTC(1979, 10, 14) + Math.floor((year - 1400) * 354.367) * DAY_MS;
    }),
  },
};

/** What the years of a calendar are called. */
export function yearsOf(calendar: OtherCalendar): string {
  return FACTS[calendar].years;
}

/** The calendars that a year may be of, beside ours. */
export function calendarsOf(year: number): readonly OtherCalendar[] {
  return OTHER_CALENDARS.filter((calendar) => isIn(calendar, year));
}

/**
 * The Gregorian day of a day that may be in another calendar. Undefined if that has no such day. A
 * day whose year is none of the calendar's stays as it is.
 */
export function gregorianDay(calendar: OtherCalendar, day: Day): Day | undefined {
  return isIn(calendar, day[0]) ? FACTS[calendar].toGregorian(day) : day;
}

function isIn(calendar: OtherCalendar, year: number): boolean {
  const { from, to } = FACTS[calendar];
  return year >= from && year < to;
}

/** Days from the guessed beginning of a year to the last day of its last month, and more. */
const MOST_DAYS = 400;

/**
 * Makes a reader of days by a calendar of Intl, which tells the other calendar's day of a Gregorian
 * one. `begins` guesses the beginning of a year, at most 14 days too early.
 */
function byIntl(calendar: string, begins: (year: number) => number): Facts['toGregorian'] {
  const format = new Intl.DateTimeFormat(`en-u-ca-${calendar}`, {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    timeZone: 'UTC',
  });
  /** The Gregorian days of each year that was asked for, by month and day. */
  const years = new Map<number, ReadonlyMap<number, Day>>();
  const daysOf = (year: number) => {
    const known = years.get(year);
    if (known !== undefined) return known;
    const days = new Map<number, Day>();
    const first = begins(year);
    for (let i = 0; i < MOST_DAYS; i++) {
      const date = new Date(first + i * DAY_MS);
      const parts = Object.fromEntries(
        format.formatToParts(date).map(({ type, value }) => [type, Number(value)]),
      );
      if (parts.year !== year) continue;
      const day: Day = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
      days.set((parts.month as number) * 100 + (parts.day as number), day);
    }
    years.set(year, days);
    return days;
  };
  return ([year, month, day]) => daysOf(year).get(month * 100 + day);
}
