import type { DatasetBlock } from '../block/block.ts';
import {
  MOST_HEAT_ROWS,
  MOST_LINES,
  MOST_MARKS,
  MOST_QUIET_LINES,
  MOST_QUIET_POINTS,
} from '../figure/mark.ts';
import type { Part } from '../figure/periods.ts';
import { type Field, isYear, keysOfDay, typeOf } from '../values/field-types.ts';
import { TIME_PARTS, type TimePart } from '../values/time-part.ts';
import { isMeasurable } from './first-number.ts';
import { hasWord, isWords, type KnownField, leastOf } from './known-fields.ts';

/** The parts of time that follow each other, from the finest, and how many of each a line may have. */
const PARTS = [
  { part: 'day', most: 92 },
  { part: 'week', most: 105 },
  { part: 'month', most: 200 },
  { part: 'quarter', most: 200 },
  { part: 'year', most: 500 },
] as const satisfies readonly { readonly part: Part; readonly most: number }[];
const PART_KEYS: Readonly<Record<Part, TimePart>> = TIME_PARTS;

/** Periods of one part. */
export type Periods = {
  readonly part: Part;
  readonly periods: number;
  /** How a question names them: `date.month`. */
  readonly text: string;
};

/** A field as the axis of a line: by which part of time its rows are averaged, and counted. */
export type FirstTime = Periods & {
  readonly known: KnownField;
  /** The part in which each date is a period of its own; absent of times within a day. */
  readonly grain?: Periods;
  /** Absent if its rows are too few for a line of counts. */
  readonly counted?: Periods;
};

/** With fewer periods there is no line to see. */
const LEAST_PERIODS = 3;

/** With fewer rows a period, counts are ones and zeros. */
const LEAST_ROWS_EACH = 2;

/** Blank in more rows than this, a date does not cover the data. */
const LEAST_SHARE = 0.8;

/** So many rows in one of 24 equal steps: the others are far away, perhaps by mistake. */
const ALL_AT_ONCE = 0.9;

/** Dates of the record, not of what it tells: when it was changed, loaded or looked up. */
const OF_THE_RECORD =
  /^(?:update|updated|modified|edited|changed|refreshed|loaded|imported|exported|extracted|synced|ingested|processed|scraped|retrieved|crawled|accessed|generated|etl|aktualisiert|geandert|actualizado|modifie)$/;

/** Dates that come later than what the row tells, or long before. */
const BESIDE =
  /^(?:closed?|end|ended|ends|finish|finished|resolved|completed|due|expires?|expired|expiry|expiration|until|valid|birth|birthday|birthdate|born|dob)$/;

/** Whether a date is one of the record alone. */
export function isOfTheRecord(known: KnownField): boolean {
  return hasWord(known, OF_THE_RECORD);
}

/** The best field to be the axis of a line; of several alike, the first. */
export function firstTime(all: readonly KnownField[]): FirstTime | undefined {
  const times = all.map(timeOf).filter((time) => time !== undefined);
  return leastOf(times, ({ known }) => {
    const { field, share } = known;
    const ofRecord = isOfTheRecord(known) ? 8 : 0;
    const beside = hasWord(known, BESIDE) ? 4 : 0;
    // A year beside a date is a part of it.
    return ofRecord + beside + (field.type === 'integer' ? 2 : 0) + (share < 0.98 ? 1 : 0);
  });
}

function timeOf(known: KnownField): FirstTime | undefined {
  const { field, min, max, distinct, share, crowded = 0 } = known;
  if (min === undefined || max === undefined || share < LEAST_SHARE) return undefined;
  if (distinct < LEAST_PERIODS || crowded > ALL_AT_ONCE) return undefined;
  const keys = keysOfDay(field);
  const inDays = keys === undefined ? undefined : [min, max].map((key) => Math.floor(key / keys));
  if (inDays === undefined) return yearsOf(known, min, max);
  const [first, last] = inDays as [number, number];
  const count = (part: Part) =>
    PART_KEYS[part].keyOf(last, 0) - PART_KEYS[part].keyOf(first, 0) + 1;
  const parts = PARTS.map(({ part, most }) => {
    return { part, most, periods: count(part), text: `${field.name}.${part}` };
  });
  const grain = parts.findLastIndex(({ periods }) => distinct <= periods);
  const fitting = parts.filter(({ periods, most }, i) => {
    return i >= grain && periods <= most && periods >= LEAST_PERIODS;
  });
  return timeIn(known, fitting, parts[grain]);
}

/** Of the parts that fit, the finest; counts need one in which periods have rows enough. */
function timeIn(
  known: KnownField,
  fitting: readonly Periods[],
  grain: Periods | undefined,
): FirstTime | undefined {
  const [finest] = fitting;
  if (finest === undefined) return undefined;
  const counted = fitting.find(({ periods }) => known.filled >= LEAST_ROWS_EACH * periods);
  return { ...finest, known, ...(grain && { grain }), ...(counted && { counted }) };
}

/** Years as whole numbers. A 0 for a year that is not known makes them too many. */
function yearsOf(known: KnownField, first: number, last: number): FirstTime | undefined {
  const { field } = known;
  const periods = last - first + 1;
  const isTime = isYear(field, known) && first >= LEAST_YEAR && periods <= PARTS[4].most;
  if (!isTime || periods < LEAST_PERIODS) return undefined;
  const years = { part: 'year', periods, text: field.name } as const;
  return timeIn(known, [years], years);
}

const LEAST_YEAR = 1000;

/** How rows stand in time. */
export type RowsInTime = {
  /**
   * Whether they are measurements: about one for each time, or for each series and time. Of days
   * that all differ, that may be chance.
   */
  readonly areMeasured: 'yes' | 'perhaps' | 'no';
  /** The fields that tell series apart. */
  readonly keys: readonly KnownField[];
};

/** Names of the number that a row measures, in tables of one number a row. */
const MEASURED = /^(?:value|values|obs_value|count|counts|total|measurement|reading)$/;

/** Whether rows are measurements. Else they are events, which are counted. */
export function rowsInTime(
  { known: time }: FirstTime,
  all: readonly KnownField[],
  { geometry, primaryKey = [] }: Pick<DatasetBlock, 'geometry' | 'primaryKey'>,
): RowsInTime {
  const others = all.filter((known) => known !== time && keysOfDay(known.field) === undefined);
  if (primaryKey.includes(time.field.name)) {
    const keys = others.filter(({ field }) => primaryKey.includes(field.name));
    return { areMeasured: 'yes', keys };
  }
  if (isOneEach(time)) {
    const isSure = isRegular(time) || hasNumbersAlone(others, geometry);
    return { areMeasured: isSure ? 'yes' : isByDay(time) ? 'perhaps' : 'no', keys: [] };
  }
  const keys = keysBeside(time, others);
  const isNamed = others.some((known) => {
    return (
      MEASURED.test(known.field.name) && isMeasurable(known, { ...(geometry && { geometry }) })
    );
  });
  return { areMeasured: keys.length > 0 || isNamed ? 'yes' : 'no', keys };
}

/** Fields that are tried as series. Each is compared with each other. */
const MOST_SERIES_FIELDS = 12;

/** The fewest fields whose values, with the time, are different in each row, and nearly all there. */
function keysBeside(time: KnownField, others: readonly KnownField[]): readonly KnownField[] {
  const fields = others.filter((one) => mayBeSeries(one, time)).slice(0, MOST_SERIES_FIELDS);
  for (let number = 1; number <= MOST_KEYS; number++) {
    const found = someOf(fields, number).find((keys) => {
      const cells = keys.reduce((all, { distinct }) => all * distinct, time.distinct);
      if (!areAll(time.filled, cells, ...keys)) return false;
      return keys.every((one) => hasAll(one, cells / one.distinct));
    });
    if (found !== undefined) return found;
  }
  return [];
}

/** Fields that tell series apart together: place, sex, age and kind. */
const MOST_KEYS = 4;

/** All choices of a number of members, in their order. */
function someOf<T>(all: readonly T[], number: number): readonly (readonly T[])[] {
  if (number === 0) return [[]];
  return all.flatMap((one, i) =>
    someOf(all.slice(i + 1), number - 1).map((others) => [one, ...others]),
  );
}

function mayBeSeries(known: KnownField, time: KnownField): boolean {
  const { field, distinct, share } = known;
  const isKind = isWords(known) || field.type === 'integer';
  return isKind && share > 0.98 && distinct > 1 && distinct <= time.filled / 3;
}

/** The least share of pairs of series and period that have a row; of series that are numbers. */
const LEAST_COMPLETE = 0.5;
const LEAST_OF_NUMBERS = 0.97;

function areAll(rows: number, possible: number, ...keys: readonly KnownField[]): boolean {
  const least = keys.every(isWords) ? LEAST_COMPLETE : LEAST_OF_NUMBERS;
  return rows >= least * possible && rows <= possible;
}

/** A series has each time once at most; the longest has nearly all. Of events, that would be chance. */
function hasAll(known: KnownField, times: number): boolean {
  const { crowded, filled } = known;
  if (crowded === undefined || !isWords(known)) return true;
  const longest = Math.round(crowded * filled);
  return longest <= times && longest >= 0.9 * times;
}

/** Whether times are days or years, or are all of one hour as far as their first and last tell. */
function isByDay({ field, min = 0, max = 0 }: KnownField): boolean {
  const keys = keysOfDay(field) ?? 1;
  return keys === 1 || (max - min) % keys === 0;
}

/** Whether there is about one row for each time. */
function isOneEach({ filled, distinct }: KnownField): boolean {
  return filled <= 1.1 * distinct;
}

const MINUTE_MS = 60_000;

/**
 * Measurements are whole minutes apart on average, events are not. Of dates, most days have a row:
 * those of trade count too.
 */
function isRegular({ field, min = 0, max = 0, distinct }: KnownField): boolean {
  if ((keysOfDay(field) ?? 1) === 1) return distinct > LEAST_OF_DAYS * (max - min + 1);
  return distinct > 2 && ((max - min) / (distinct - 1)) % MINUTE_MS === 0;
}

const LEAST_OF_DAYS = 0.6;

/** Whether nothing but numbers stands beside the time, or what is the same in all rows. */
function hasNumbersAlone(
  others: readonly KnownField[],
  geometry: DatasetBlock['geometry'],
): boolean {
  const telling = others.filter(({ distinct }) => distinct > 1);
  const isPlace = ({ field }: KnownField) =>
    field.name === geometry?.longitude || field.name === geometry?.latitude;
  return (
    telling.some((known) => isMeasurable(known, {})) &&
    telling.every((known) => isPlace(known) || !isText(known.field))
  );
}

const isText = (field: Field) => typeOf(field).comparedBy === 'text';

/** Whether lines of all series can be drawn together. */
export function areFewLines({ distinct }: KnownField, { periods }: FirstTime): boolean {
  return distinct <= MOST_LINES && distinct * periods <= MOST_MARKS;
}

/** Whether the series are too many for colours, and few enough to be drawn without. */
export function areQuietLines({ distinct }: KnownField, { periods, known }: FirstTime): boolean {
  if (distinct <= MOST_LINES || distinct > MOST_QUIET_LINES) return false;
  // Every fifth year has a point.
  const points = distinct * Math.min(periods, known.distinct);
  return distinct <= MOST_HEAT_ROWS || points <= MOST_QUIET_POINTS;
}
