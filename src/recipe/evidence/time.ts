import { plainTimeIn, twoDigitsIn } from '../../values/calendar.ts';
import { defined } from '../../values/field-type.ts';
import { calendarsOf, type OtherCalendar, yearsOf } from '../../values/other-calendars.ts';
import { cellReader } from '../../values/spelling.ts';
import {
  DOTNET,
  hasOffset,
  MONTH_LANGUAGES,
  type MonthLanguage,
  timeParser,
} from '../../values/written-time.ts';
import { isOfIds } from '../column-names.ts';
import {
  type CellEvidence,
  type CellReading,
  type CountedCell,
  type DateOrder,
  type GivenOfColumn,
  namelessField,
  type Range,
  type SeenCell,
  seenCell,
  widened,
} from './column-decision.ts';
import { type DoubtedReading, Kind, MOST_ATTEMPTS, type SeenColumn } from './kind.ts';
import type { PlainCell } from './plain-cell.ts';
import { ZoneEvidence, zoneOf } from './zone.ts';

/** One way to write dates, or dates with times. */
type TimeFormat = {
  readonly type: 'date' | 'datetime';
  /** ISO 8601 if absent. */
  readonly format?: string;
  /** English if absent. */
  readonly monthLanguage?: MonthLanguage;
  /** Ours if absent. */
  readonly calendar?: OtherCalendar;
  /** Set if dates are written alike with day and month exchanged. */
  readonly order?: DateOrder;
  /** Set if the cells may be something else. */
  readonly doubt?: string;
  /** Set if the cells are digits alone, which may be ids. */
  readonly isPlain?: true;
  readonly local?: true;
};

/** One way to read a column as dates or times. */
export type TimeReading = TimeFormat & {
  /** The first cell with a time finer than a millisecond, which is cut to it. */
  readonly cut?: SeenCell;
  readonly range: Range<string>;
  /** The cells that settle the reading. */
  readonly deciding: readonly SeenCell[];
  /** The texts with a year of the calendar, if it is not ours. */
  readonly other?: CountedCell;
};

/** A way to write times that no cell has ruled out. */
type Candidate = {
  readonly written: TimeFormat;
  readonly read: (cell: string) => string | undefined;
  /** Also reads times finer than a millisecond. */
  readonly readCut: (cell: string) => string | undefined;
  cut?: SeenCell;
  range?: Range<string>;
  other?: CountedCell;
};

/** Digits alone, and years of other calendars, are dates if all of them lie in these years. */
const LIKELY_YEARS = { min: '1850', max: '2100' };

function areLikely({ min, max }: Range<string>): boolean {
  return min >= LIKELY_YEARS.min && max < LIKELY_YEARS.max;
}

/** A number that may be a year of another calendar, and no decimals or offset of a time. */
const OTHER_YEAR = /(?<!\d|:\d\d\.|\+)(?:1[34]|2[4-6])\d\d(?!\d)/;

/** Whether four digits, and no fifth, begin as those of such a year do. Most times have none. */
function mayHaveOtherYear(text: string): boolean {
  for (let i = 0; i + 3 < text.length; i++) {
    const first = text.charCodeAt(i);
    if (!isDigit(first)) continue;
    const second = text.charCodeAt(i + 1);
    const begins =
      (first === 0x31 && (second === 0x33 || second === 0x34)) ||
      (first === 0x32 && second >= 0x34 && second <= 0x36);
    if (begins && isDigit(text.charCodeAt(i + 2)) && isDigit(text.charCodeAt(i + 3))) return true;
    // What begins within digits is no year.
    while (isDigit(text.charCodeAt(i + 1))) i++;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** So many different dates in years of another calendar are no mistake, and no day for "never". */
const LEAST_OTHER = 2;

const MAY_BE_IDS = 'eight digits may be an id';

const CENTURY = 'its years have two digits';

type WrittenDate = Omit<TimeFormat, 'type'>;

const WRITTEN_DATES: readonly WrittenDate[] = [
  {},
  ...['%Y-%m-%d', '%Y/%m/%d', '%Y.%m.%d'].map((format) => ({ format })),
  { format: '%Y%m%d', isPlain: true },
  { format: '%d%m%Y', order: 'dmy', isPlain: true },
  { format: '%m%d%Y', order: 'mdy', isPlain: true },
  ...['/', '.', '-'].flatMap((sign) => [
    { format: `%d${sign}%m${sign}%Y`, order: 'dmy' as const },
    { format: `%m${sign}%d${sign}%Y`, order: 'mdy' as const },
    { format: `%d${sign}%m${sign}%y`, order: 'dmy' as const, doubt: CENTURY },
    { format: `%m${sign}%d${sign}%y`, order: 'mdy' as const, doubt: CENTURY },
  ]),
  ...['%b', '%B']
    .flatMap((month) => [
      ...[`%d-${month}-%Y`, `%d ${month} %Y`, `%d. ${month} %Y`, `%d/${month}/%Y`],
      ...[`${month} %d, %Y`, `${month} %d %Y`, `${month}-%d-%Y`, `%Y-${month}-%d`],
    ])
    .map((format) => ({ format })),
  ...['%Y年%m月%d日', '%Y년 %m월 %d일'].map((format) => ({ format })),
  // RFC 5322, 3.3, and as people write it.
  ...['%a, %d %b %Y', '%a %d %b %Y', '%A, %d %B %Y', '%A, %B %d, %Y'].map((format) => ({ format })),
  ...['%d-%b-%y', '%d %b %y'].map((format) => ({ format, doubt: CENTURY })),
  ...MONTH_LANGUAGES.flatMap((monthLanguage) => [
    ...['%d %b %Y', '%d. %b %Y', '%d-%b-%Y', '%d/%b/%Y', '%d de %b de %Y'].map((format) => ({
      format,
      monthLanguage,
    })),
    ...['%d-%b-%y', '%d %b %y'].map((format) => ({ format, monthLanguage, doubt: CENTURY })),
  ]),
];

function datesIn(calendar?: OtherCalendar) {
  return WRITTEN_DATES.filter((written) => !calendar || canBeIn(written, calendar)).map((date) => ({
    written: { ...date, calendar },
    parse: timeParser(date.format ?? '%Y-%m-%d', date.monthLanguage, calendar),
  }));
}

const DATES = {
  gregorian: datesIn(),
  buddhist: datesIn('buddhist'),
  persian: datesIn('persian'),
  islamic: datesIn('islamic'),
};

const TIMES = [
  ...['%H:%M', '%H:%M:%S', '%H:%M:%S.%f'],
  ...['%I:%M %p', '%I:%M:%S %p', '%I:%M%p', '%I:%M:%S%p'],
].flatMap((time) => ['', '%z', ' %z'].map((zone) => time + zone));

/** A date, with or without a time after it. */
const PARTS = /^(.+?)(?:(T|,? )(\d{1,2}:.+))?$/;

/**
 * A cell that is read as a date or time. No date is longer: `September 17, 2020, 10:30:00.123456789
 * +00:00`.
 */
const MOST_LENGTH = 50;

const WHY_ORDER = {
  dmy: 'has dates with the day before the month',
  mdy: 'has dates with the month before the day',
  other: 'has dates',
};

/** Dates, and dates with times. */
export class TimeKind<E extends TimeEvidence = TimeEvidence> extends Kind<E> {
  constructor(column: SeenColumn, make = () => new TimeEvidence() as E) {
    super(column, make, MOST_ATTEMPTS);
  }

  readings({ type, dates, calendar, zone }: GivenOfColumn): DoubtedReading[] {
    const { evidence } = this.best;
    const all = evidence.readings(isOfIds(this.column.header));
    const ordered = all.filter(({ order }) => order === dates);
    const isChosen = type === 'date' || type === 'datetime';
    const found = inCalendars(ordered.length > 0 ? ordered : all, calendar);
    return found.map(({ isSafest, ...reading }) => {
      const { order, doubt, calendar: own } = reading;
      const isOpen = found.some((other) => other.calendar !== own);
      const isOrdered = isOpen && found.every((other) => other.order === order);
      return {
        ...inZone(reading, zone, evidence.zone),
        why: own === undefined ? WHY_ORDER[order ?? 'other'] : `has dates of ${yearsOf(own)}`,
        given: defined({
          type: doubt === undefined ? undefined : reading.type,
          dates: isOrdered ? undefined : order,
          calendar: isOpen ? (own ?? ('gregorian' as const)) : own,
        }),
        doubt: (isChosen ? undefined : doubt) ?? (isOpen ? OTHER_CALENDAR : undefined),
        isSafest,
      };
    });
  }
}

const OTHER_CALENDAR = 'has years that may be of another calendar';

/**
 * Those readings that are in the given calendar. If none is given, and the years are likely in
 * another one, all. The Buddhist era is the safest then, since it is that or the distant future.
 */
function inCalendars(
  all: readonly TimeReading[],
  given: GivenOfColumn['calendar'],
): readonly (TimeReading & { readonly isSafest?: true })[] {
  const ours = all.filter(({ calendar }) => calendar === undefined);
  const chosen = given === 'gregorian' ? ours : all.filter(({ calendar }) => calendar === given);
  if (given !== undefined && chosen.length > 0) return chosen;
  const others = all.filter(({ calendar, range, other }) => {
    return calendar !== undefined && areLikely(range) && (other?.count ?? 0) >= LEAST_OTHER;
  });
  const [first] = others;
  if (first === undefined) return ours;
  const open = [...ours, ...others].map((one) => ({ ...one, deciding: first.deciding }));
  if (others.length > 1 || first.calendar !== 'buddhist') return open;
  return open.map((one) => (one.calendar === undefined ? one : { ...one, isSafest: true }));
}

/** What is read of dates or times, with the zone that counts the days of times with an offset. */
export function inZone(
  { type, format, monthLanguage, calendar, local, range, cut, deciding }: TimeReading,
  given: string | undefined,
  zone: ZoneEvidence,
): Omit<CellReading, 'why'> {
  return {
    type,
    spelling: { format, monthLanguage, calendar, cutTime: cut === undefined ? undefined : true },
    cut,
    local,
    ...(type === 'date' || local ? {} : zoneOf(given, zone)),
    range,
    deciding,
  };
}

/** Collects whether a column's cells are dates or times, all written in one way. */
export class TimeEvidence implements CellEvidence {
  /** The ways that all cells allow. */
  private candidates?: Candidate[];
  private first?: SeenCell;
  /** The first cell that is different days in different ways. */
  private ambiguous?: SeenCell;
  /** The other calendars of which a cell may have a year. */
  private readonly calendars = new Set<OtherCalendar>();
  /** Finds where days begin, if the times have an offset. */
  readonly zone = new ZoneEvidence();
  /** The first cell that each order of day and month cannot read. */
  private readonly ruledOut: Partial<Record<DateOrder, SeenCell>> = {};

  add(text: string, line: number): string | undefined {
    const [year] = mayHaveOtherYear(text) ? (OTHER_YEAR.exec(text) ?? []) : [];
    const calendars = year === undefined ? [] : calendarsOf(Number(year));
    const candidates = this.candidates ?? candidatesOf(text, calendars);
    for (const calendar of calendars) {
      // In a year of ours, a date is the same in all calendars.
      if (this.calendars.size < this.calendars.add(calendar).size) this.addCalendar(calendar);
    }
    const whole = candidates.map(({ read }) => read(text));
    const values = candidates.map(
      ({ readCut }, i) => whole[i] ?? (FINE.test(text) ? readCut(text) : undefined),
    );
    const found = values.find((value) => value !== undefined);
    if (found === undefined) {
      return this.candidates === undefined ? 'is no date' : 'is no date written as others are';
    }
    this.candidates = candidates;
    if (found.endsWith('Z')) this.zone.add(text, found);
    this.first ??= seenCell(text, line);
    let left = 0;
    for (const [i, candidate] of candidates.entries()) {
      const { order, calendar } = candidate.written;
      const value = values[i];
      if (value === undefined) {
        if (order !== undefined && calendar === undefined)
          this.ruledOut[order] ??= seenCell(text, line);
        continue;
      }
      // A Z after the seconds would sort after the point of a fraction.
      candidate.range = widened(candidate.range, value.replace('Z', ''));
      if (whole[i] === undefined) candidate.cut ??= seenCell(text, line);
      if (value !== found && calendar === undefined) this.ambiguous ??= seenCell(text, line);
      if (calendar !== undefined && calendars.includes(calendar)) {
        const { other = { ...seenCell(text, line), count: 0 } } = candidate;
        candidate.other = { ...other, count: other.count + 1 };
      }
      candidates[left++] = candidate;
    }
    candidates.length = left;
    return undefined;
  }

  changesNothing({ codes, start, end }: PlainCell): boolean {
    const { candidates = [] } = this;
    const [first] = candidates;
    const isPlain = (one: Candidate) =>
      one.written.calendar === undefined && AS_ISO.has(one.written.format);
    if (first === undefined || !candidates.every(isPlain)) return false;
    const { min, max } = first.range as Range<string>;
    const length = first.written.type === 'date' ? '0000-00-00'.length : MOST_PLAIN;
    if (first.written.type === 'datetime' && !first.written.local) return false;
    if (end - start !== length || min.length !== length || max.length !== length) return false;
    // The others may be years of another calendar.
    const century = twoDigitsIn(codes, start);
    if (century < 15 || century > 23 || Number.isNaN(plainTimeIn(codes, start, end))) return false;
    return isBetween(codes, start, min, max);
  }

  /** Adds the ways that all cells allow, with a calendar that none of them had yet. */
  private addCalendar(calendar: OtherCalendar): void {
    const { candidates = [] } = this;
    for (const { written, cut, range } of [...candidates]) {
      if (canBeIn(written, calendar)) {
        candidates.push({ ...candidate({ ...written, calendar }), cut, range });
      }
    }
  }

  /** The ways to read all cells. There are several if nothing settles it. */
  readings(isOfIds: boolean): readonly TimeReading[] {
    const meanings = new Map<string, TimeReading>();
    const { candidates = [], ambiguous, first, ruledOut } = this;
    for (const { written, range, cut, other } of candidates) {
      const { order, isPlain, type, calendar } = written;
      const { min, max } = range as Range<string>;
      if (isPlain && !areLikely({ min, max })) continue;
      const mayBeId = isPlain && (isOfIds || min === max);
      const doubt = mayBeId ? MAY_BE_IDS : written.doubt;
      // May is both a full month's name and a short one.
      const meaning = `${type} ${order} ${doubt} ${calendar}`;
      if (meanings.has(meaning)) continue;
      const settling = order === undefined ? undefined : ruledOut[order === 'dmy' ? 'mdy' : 'dmy'];
      const deciding = [other ?? settling ?? ambiguous ?? (first as SeenCell)];
      const zone = type === 'date' || written.local ? '' : 'Z';
      const withZone = { min: `${min}${zone}`, max: `${max}${zone}` };
      const more = defined({ doubt, cut, other });
      meanings.set(meaning, { ...written, ...more, range: withZone, deciding });
    }
    return [...meanings.values()];
  }
}

/** The patterns that read a plain time as ISO 8601 does. */
const AS_ISO: ReadonlySet<string | undefined> = new Set([
  undefined,
  '%Y-%m-%d',
  '%Y-%m-%dT%H:%M:%S',
]);

const MOST_PLAIN = '0000-00-00T00:00:00'.length;

/** Whether a cell, as codes, is between two texts of its length. */
function isBetween(codes: Uint16Array, start: number, min: string, max: string): boolean {
  let [isAbove, isBelow] = [false, false];
  for (let i = 0; i < min.length && !(isAbove && isBelow); i++) {
    const code = codes[start + i] as number;
    if (!isAbove && code < min.charCodeAt(i)) return false;
    if (!isBelow && code > max.charCodeAt(i)) return false;
    isAbove ||= code > min.charCodeAt(i);
    isBelow ||= code < max.charCodeAt(i);
  }
  return true;
}

/** Whether dates written in a way can be in a calendar. The names of its months are not read. */
function canBeIn({ format = '', isPlain, calendar }: WrittenDate, other: OtherCalendar): boolean {
  if (calendar !== undefined || isPlain || !format.includes('%Y')) return false;
  return other === 'buddhist' || !/%[aAbB]/.test(format);
}

/** The ways to write dates and times that a cell allows. */
function candidatesOf(text: string, calendars: readonly OtherCalendar[]): Candidate[] {
  if (!/\d/.test(text)) return [];
  if (text.startsWith('/')) {
    const dotnet = candidate({ type: 'datetime', format: DOTNET });
    return dotnet.read(text) === undefined ? [] : [dotnet];
  }
  const [, day = '', between = '', time] =
    text.length > MOST_LENGTH ? [] : (PARTS.exec(text) ?? []);
  const dates = ['gregorian' as const, ...calendars]
    .flatMap((calendar) => DATES[calendar])
    .filter(({ parse }) => parse(day) !== undefined);
  if (time === undefined) return dates.map((date) => candidate({ type: 'date', ...date.written }));
  return dates.flatMap(({ written }) => {
    const { format } = written;
    if (format === undefined) {
      return [candidate({ type: 'datetime', local: true }), candidate({ type: 'datetime' })];
    }
    return TIMES.map((ofDay) =>
      candidate({
        ...written,
        type: 'datetime',
        format: `${format}${between}${ofDay}`,
        local: hasOffset(ofDay) ? undefined : true,
      }),
    );
  });
}

function candidate(written: TimeFormat): Candidate {
  const { format, monthLanguage, calendar } = written;
  const field = namelessField(written);
  const spelling = defined({ format, monthLanguage, calendar });
  const read = cellReader(field, spelling) as Candidate['read'];
  const readCut = cellReader(field, { ...spelling, cutTime: true }) as Candidate['read'];
  return { written, read, readCut };
}

/** A time with more decimals of a second than are kept. */
const FINE = /:\d\d\.\d{4}/;
