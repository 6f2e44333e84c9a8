import { scaleUtc } from 'd3-scale';
import type { Dimension } from '../block/grouping.ts';
import type { FieldStatistics } from '../block/manifest.ts';
import type { Message } from '../languages/german.ts';
import type { Language } from '../languages/language.ts';
import type { LanguageName } from '../languages/names.ts';
import { dimensionKey } from '../query/groups.ts';
import { DAY_MS, startOfWritten } from '../values/calendar.ts';
import type { Value } from '../values/field-type.ts';
import { isYear, keysOfDay } from '../values/field-types.ts';
import { TIME_PARTS, type TimePart } from '../values/time-part.ts';

/** The parts that follow each other in time, from the finest to the coarsest. */
export const PARTS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Part = (typeof PARTS)[number];

/** The next coarser part; undefined after years. */
export function coarserThan(part: Part): Part | undefined {
  return PARTS[PARTS.indexOf(part) + 1];
}

const PART_KEYS: Readonly<Record<Part, TimePart>> = TIME_PARTS;

/** Periods that follow each other: the next one has the next key. */
export type Periods = {
  readonly part: Part;
  /** Returns the key of a value of the dimension. */
  keyOf(value: Value): number;
  /** Returns when a period begins, in milliseconds of UTC. */
  beginOf(key: number): number;
  /** `Oct 2024`, and `October 2024`. */
  short(key: number): string;
  long(key: number): string;
  /** `in October 2024`, `on 1 October 2024`. */
  when(key: number): string;
};

/** The periods of a dimension; undefined if its values do not follow each other in time. */
export function periodsOf(
  dimension: Dimension,
  language: Language,
  known?: Partial<FieldStatistics>,
): Periods | undefined {
  const part = partOf(dimension, known);
  return part === undefined ? undefined : periodsIn(language)[part];
}

function partOf(
  { field, part, partName, width, cells }: Dimension,
  known?: Partial<FieldStatistics>,
): Part | undefined {
  if (part !== undefined) return PARTS.find((name) => name === partName);
  if (width !== undefined || cells !== undefined) return undefined;
  if (keysOfDay(field) === 1) return 'day';
  return isYear(field, known) ? 'year' : undefined;
}

/** Years in steps, such as decades: each begins at a multiple of its width. */
export type YearSteps = {
  readonly width: number;
  keyOf(value: Value): number;
  /** `1990s`. */
  short(key: number): string;
  /** The keys of the data's first and last step, and their years, if these do not fill them. */
  readonly extent?: Extent;
};

/** The steps of a dimension; undefined if it has none, or is of other numbers. */
export function yearStepsOf(
  { field, width: text }: Dimension,
  language: Language,
  known: Partial<FieldStatistics> = {},
  cut: Cut = {},
): YearSteps | undefined {
  if (text === undefined || !isYear(field, known)) return undefined;
  const width = Number(text);
  const keyOf = (value: Value) => Math.floor(Number(value) / width);
  const { min, max } = cutExtent(known, cut) ?? {};
  return {
    width,
    keyOf,
    short: (key) =>
      width === 10
        ? language.say('{year}s', { year: String(width * key) })
        : language.say('{from} to {to}', {
            from: String(width * key),
            to: String(width * key + width - 1),
          }),
    extent:
      min === undefined || max === undefined
        ? undefined
        : {
            first: keyOf(min),
            last: keyOf(max),
            firstBegins: min > width * keyOf(min) ? String(min) : undefined,
            lastEnds: max + 1 < width * (keyOf(max) + 1) ? String(max) : undefined,
          },
  };
}

type PeriodsOfAll = Readonly<Record<Part, Periods>>;

const kept = new Map<LanguageName, PeriodsOfAll>();

function periodsIn(language: Language): PeriodsOfAll {
  const periods = kept.get(language.name) ?? namedIn(language);
  kept.set(language.name, periods);
  return periods;
}

const byMonths = (months: number) =>
  new Date(0).setUTCFullYear(Math.floor(months / 12), months - 12 * Math.floor(months / 12), 1);
const dayOf = (text: string) => startOfWritten(text) / DAY_MS;
const monthOf = (text: string) => Number(text.slice(0, -3)) * 12 + Number(text.slice(-2)) - 1;

/** A day of the calendar as texts, which are not divided as numbers are. */
function dateOf(at: Date | number, { month }: Language, length: 'short' | 'long') {
  const date = new Date(at);
  return {
    day: String(date.getUTCDate()),
    month: month(date.getUTCMonth() + 1, length),
    year: String(date.getUTCFullYear()),
  };
}

/** `1 October 2024`. */
function dayText(day: number, language: Language): string {
  return language.say('{day} {month} {year} #long', dateOf(day * DAY_MS, language, 'long'));
}

function namedIn(language: Language): PeriodsOfAll {
  const { say } = language;
  const quarterOf = (key: number) => {
    const year = Math.floor(key / 4);
    return { quarter: String(key - 4 * year + 1), year: String(year) };
  };
  const weekOf = (key: number) => {
    const [year = '', week = ''] = PART_KEYS.week.valueOf(key).toString().split('-W');
    return { year, week };
  };
  const plainWeekOf = (key: number) => {
    const { year, week } = weekOf(key);
    return { year: String(Number(year)), week: String(Number(week)) };
  };
  const monthIn = (key: number, length: 'short' | 'long') => {
    const { month, year } = dateOf(byMonths(key), language, length);
    return { month, year };
  };
  return {
    year: {
      part: 'year',
      keyOf: Number,
      beginOf: (key) => byMonths(12 * key),
      short: String,
      long: String,
      when: (key) => say('in {year}', { year: String(key) }),
    },
    quarter: {
      part: 'quarter',
      keyOf: (value) =>
        Number(String(value).slice(0, -3)) * 4 + Number(String(value).slice(-1)) - 1,
      beginOf: (key) => byMonths(3 * key),
      short: (key) => say('Q{quarter} {year}', quarterOf(key)),
      long: (key) => say('Q{quarter} {year} #long', quarterOf(key)),
      when: (key) => say('in Q{quarter} {year}', quarterOf(key)),
    },
    month: {
      part: 'month',
      keyOf: (value) => monthOf(String(value)),
      beginOf: byMonths,
      short: (key) => say('{month} {year}', monthIn(key, 'short')),
      long: (key) => say('{month} {year} #long', monthIn(key, 'long')),
      when: (key) => say('in {month} {year}', monthIn(key, 'long')),
    },
    week: {
      part: 'week',
      keyOf: (value) => PART_KEYS.week.keyOf(mondayOf(String(value)), 0),
      // Day 0 was a Thursday.
      beginOf: (key) => (7 * key - 3) * DAY_MS,
      short: (key) => say('{year}-W{week}', weekOf(key)),
      long: (key) => say('week {week} of {year}', plainWeekOf(key)),
      when: (key) => say('in week {week} of {year}', plainWeekOf(key)),
    },
    day: {
      part: 'day',
      keyOf: (value) => dayOf(String(value)),
      beginOf: (key) => key * DAY_MS,
      short: (key) => say('{day} {month} {year}', dateOf(key * DAY_MS, language, 'short')),
      long: (key) => dayText(key, language),
      when: (key) => say('on {day} {month} {year}', dateOf(key * DAY_MS, language, 'long')),
    },
  };
}

/** The Monday of an ISO week, in days since 1970: the first week has the 4th of January. */
function mondayOf(text: string): number {
  const [year = '', week = ''] = text.split('-W');
  const fourth = dayOf(`${year}-01-04`);
  const weekday = (((fourth + 3) % 7) + 7) % 7;
  return fourth - weekday + 7 * (Number(week) - 1);
}

/** The keys of a field that filters leave. */
export type Cut = { readonly min?: number; readonly max?: number };

/** Whether the data do not fill a period, so that its number may still change. */
export function isUnfilled(extent: Extent | undefined, key: number): boolean {
  if (extent === undefined) return false;
  const { first, last, firstBegins, lastEnds } = extent;
  return (key === last && lastEnds !== undefined) || (key === first && firstBegins !== undefined);
}

/** From the first to the last period in which the data could have rows. */
export type Extent = {
  readonly first: number;
  readonly last: number;
  /** What the data have of the first and of the last period, if that is not all: `from 15 March`. */
  readonly firstBegins?: string;
  readonly lastEnds?: string;
};

/** The least and the greatest of a field that the filter leaves. */
function cutExtent({ min: from, max: to }: Partial<FieldStatistics>, cut: Cut) {
  if (from === undefined || to === undefined) return undefined;
  const min = Math.max(from, cut.min ?? from);
  const max = Math.min(to, cut.max ?? to);
  return min > max ? undefined : { min, max };
}

/** The extent of a block's dates, cut to the filter. Undefined if nothing is known of them. */
export function extentOf(
  dimension: Dimension,
  periods: Periods,
  language: Language,
  known: Partial<FieldStatistics>,
  cut: Cut = {},
): Extent | undefined {
  const { min: from = 0, max: to = 0, distinct = 0 } = known;
  const left = cutExtent(known, cut);
  if (left === undefined) return undefined;
  const { min, max } = left;
  if (keysOfDay(dimension.field) === undefined) return { first: min, last: max };
  // Of times, what a clock in the field's zone shows.
  const { keyOf } = dimensionKey({ ...dimension, part: TIME_PARTS.day, partName: 'day' });
  const [firstDay, lastDay] = [keyOf(min), keyOf(max)];
  const ofPart = (part: Part, day: number) => PART_KEYS[part].keyOf(day, 0);
  const { part, beginOf } = periods;
  const [first, last] = [ofPart(part, firstDay), ofPart(part, lastDay)];
  // Of one date nobody knows how much it stands for.
  if (distinct < 2) return { first, last };
  const grain = periodsIn(language)[grainOf(keyOf(from), keyOf(to), distinct)];
  const begins = grain.beginOf(ofPart(grain.part, firstDay));
  const ends = grain.beginOf(ofPart(grain.part, lastDay) + 1);
  return {
    first,
    last,
    firstBegins: begins > beginOf(first) ? dayText(firstDay, language) : undefined,
    lastEnds: ends < beginOf(last + 1) ? dayText(lastDay, language) : undefined,
  };
}

/**
 * The dates' own grain: the coarsest part of which each has one date at most, on average. Of dates
 * that are the first of each month, October is full with its first.
 */
function grainOf(firstDay: number, lastDay: number, distinct: number): Part {
  const fits = (part: Part) => {
    const [first, last] = [firstDay, lastDay].map((day) => PART_KEYS[part].keyOf(day, 0));
    return distinct <= (last as number) - (first as number) + 1;
  };
  return PARTS.findLast(fits) ?? 'day';
}

/** A tick of an axis of time. */
export type TimeTick = { readonly at: number; readonly text: string };

/** Ticks between two times: years if there are two or more, else months or days. */
export function timeTicks(from: number, to: number, language: Language): TimeTick[] {
  if (from === to) return [];
  const every = scaleUtc([new Date(from), new Date(to)], [0, 1]).ticks(6);
  const isNewYear = (tick: Date) => tick.getUTCMonth() === 0 && tick.getUTCDate() === 1;
  const midnights = every.filter((tick) => tick.getTime() % DAY_MS === 0);
  const years = midnights.filter(isNewYear);
  const hasDays = midnights.some((tick) => tick.getUTCDate() !== 1);
  return (years.length > 1 ? years : midnights).map((tick) => {
    const { year, month, day } = dateOf(tick, language, 'short');
    const dayOrMonth = hasDays ? language.say('{day} {month}', { day, month }) : month;
    return { at: tick.getTime(), text: isNewYear(tick) ? year : dayOrMonth };
  });
}

const NOUNS = {
  day: ['day #counted', 'days #counted'],
  week: ['week #counted', 'weeks #counted'],
  month: ['month #counted', 'months #counted'],
  quarter: ['quarter #counted', 'quarters #counted'],
  year: ['year #counted', 'years #counted'],
} as const satisfies Readonly<Record<Part, readonly [Message, Message]>>;

/** What periods of a part are called, if there are so many. */
export function periodNoun(part: Part, count: number, { say }: Language): string {
  const [one, many] = NOUNS[part];
  return say(count === 1 ? one : many);
}
