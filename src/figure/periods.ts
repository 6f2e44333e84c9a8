import { scaleUtc } from 'd3-scale';
import { utcFormat } from 'd3-time-format';
import type { Dimension } from '../block/grouping.ts';
import type { FieldStatistics } from '../block/manifest.ts';
import { dimensionKey } from '../query/groups.ts';
import { DAY_MS, startOfWritten } from '../values/calendar.ts';
import type { Value } from '../values/field-type.ts';
import { isYear, keysOfDay } from '../values/field-types.ts';
import { TIME_PARTS, type TimePart, type TimePartName } from '../values/time-part.ts';

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
export function periodsOf(dimension: Dimension, known?: Partial<FieldStatistics>) {
  const part = partOf(dimension, known);
  return part === undefined ? undefined : PERIODS[part];
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

const MONTH = { short: utcFormat('%b %-Y'), long: utcFormat('%B %-Y') };
const DAY = { short: utcFormat('%-d %b %-Y'), long: utcFormat('%-d %B %-Y') };
const WEEK = { short: utcFormat('%G-W%V'), long: utcFormat('week %-V of %-G') };

function periods(
  part: Part,
  keyOf: (value: Value) => number,
  beginOf: (key: number) => number,
  names: (key: number) => readonly [short: string, long: string],
): Periods {
  return {
    ...{ part, keyOf, beginOf },
    short: (key) => names(key)[0],
    long: (key) => names(key)[1],
    when: (key) => `${part === 'day' ? 'on' : 'in'} ${names(key)[1]}`,
  };
}

const byMonths = (months: number) =>
  new Date(0).setUTCFullYear(Math.floor(months / 12), months - 12 * Math.floor(months / 12), 1);
const dayOf = (text: string) => startOfWritten(text) / DAY_MS;
const monthOf = (text: string) => Number(text.slice(0, -3)) * 12 + Number(text.slice(-2)) - 1;

const PERIODS: Readonly<Record<Part, Periods>> = {
  year: periods(
    'year',
    Number,
    (key) => byMonths(12 * key),
    (key) => [String(key), String(key)],
  ),
  quarter: periods(
    'quarter',
    (value) => Number(String(value).slice(0, -3)) * 4 + Number(String(value).slice(-1)) - 1,
    (key) => byMonths(3 * key),
    (key) => {
      const name = `Q${key - 4 * Math.floor(key / 4) + 1} ${Math.floor(key / 4)}`;
      return [name, name];
    },
  ),
  month: periods(
    'month',
    (value) => monthOf(String(value)),
    byMonths,
    (key) => [MONTH.short(new Date(byMonths(key))), MONTH.long(new Date(byMonths(key)))],
  ),
  week: periods(
    'week',
    (value) => PART_KEYS.week.keyOf(mondayOf(String(value)), 0),
    // Day 0 was a Thursday.
    (key) => (7 * key - 3) * DAY_MS,
    (key) => {
      const thursday = new Date(7 * key * DAY_MS);
      return [WEEK.short(thursday), WEEK.long(thursday)];
    },
  ),
  day: periods(
    'day',
    (value) => dayOf(String(value)),
    (key) => key * DAY_MS,
    (key) => [DAY.short(new Date(key * DAY_MS)), DAY.long(new Date(key * DAY_MS))],
  ),
};

/** The Monday of an ISO week, in days since 1970: the first week has the 4th of January. */
function mondayOf(text: string): number {
  const [year = '', week = ''] = text.split('-W');
  const fourth = dayOf(`${year}-01-04`);
  const weekday = (((fourth + 3) % 7) + 7) % 7;
  return fourth - weekday + 7 * (Number(week) - 1);
}

/** The keys of a field that filters leave. */
export type Cut = { readonly min?: number; readonly max?: number };

/** From the first to the last period in which the data could have rows. */
export type Extent = {
  readonly first: number;
  readonly last: number;
  /** What the data have of the first and of the last period, if that is not all: `from 15 March`. */
  readonly firstBegins?: string;
  readonly lastEnds?: string;
};

/** The extent of a block's dates, cut to the filter. Undefined if nothing is known of them. */
export function extentOf(
  dimension: Dimension,
  periods: Periods,
  { min: from, max: to, distinct = 0 }: Partial<FieldStatistics>,
  cut: Cut = {},
): Extent | undefined {
  if (from === undefined || to === undefined) return undefined;
  const min = Math.max(from, cut.min ?? from);
  const max = Math.min(to, cut.max ?? to);
  if (min > max) return undefined;
  if (keysOfDay(dimension.field) === undefined) return { first: min, last: max };
  // Of times, what a clock in the field's zone shows.
  const { keyOf } = dimensionKey({ ...dimension, part: TIME_PARTS.day, partName: 'day' });
  const [firstDay, lastDay] = [keyOf(min), keyOf(max)];
  const ofPart = (part: Part, day: number) => PART_KEYS[part].keyOf(day, 0);
  const { part, beginOf } = periods;
  const [first, last] = [ofPart(part, firstDay), ofPart(part, lastDay)];
  // Of one date nobody knows how much it stands for.
  if (distinct < 2) return { first, last };
  const grain = PERIODS[grainOf(keyOf(from), keyOf(to), distinct)];
  const begins = grain.beginOf(ofPart(grain.part, firstDay));
  const ends = grain.beginOf(ofPart(grain.part, lastDay) + 1);
  return {
    ...{ first, last },
    ...(begins > beginOf(first) ? { firstBegins: DAY.long(new Date(firstDay * DAY_MS)) } : {}),
    ...(ends < beginOf(last + 1) ? { lastEnds: DAY.long(new Date(lastDay * DAY_MS)) } : {}),
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

const TICK = { year: utcFormat('%-Y'), month: utcFormat('%b'), day: utcFormat('%-d %b') };

/** Ticks between two times: years if there are two or more, else months or days. */
export function timeTicks(from: number, to: number): TimeTick[] {
  if (from === to) return [];
  const every = scaleUtc([new Date(from), new Date(to)], [0, 1]).ticks(6);
  const isNewYear = (tick: Date) => tick.getUTCMonth() === 0 && tick.getUTCDate() === 1;
  const midnights = every.filter((tick) => tick.getTime() % DAY_MS === 0);
  const years = midnights.filter(isNewYear);
  const hasDays = midnights.some((tick) => tick.getUTCDate() !== 1);
  return (years.length > 1 ? years : midnights).map((tick) => ({
    at: tick.getTime(),
    text: (isNewYear(tick) ? TICK.year : hasDays ? TICK.day : TICK.month)(tick),
  }));
}

/** What periods of a part are called, if there are so many. */
export function periodNoun(part: TimePartName, count: number): string {
  const noun = part.replaceAll('_', ' ');
  return count === 1 ? noun : `${noun}s`;
}
