import { defined } from '../../values/field-type.ts';
import { cellReader } from '../../values/spelling.ts';
import {
  hasOffset,
  MONTH_LANGUAGES,
  type MonthLanguage,
  timeParser,
} from '../../values/written-time.ts';
import { isOfIds } from '../column-names.ts';
import {
  type CellEvidence,
  type DateOrder,
  type GivenOfColumn,
  namelessField,
  type Range,
  type Reading,
  type SeenCell,
  seenCell,
  widened,
} from './column-decision.ts';
import { type DoubtedReading, Kind, MOST_ATTEMPTS, type SeenColumn } from './kind.ts';
import { ZoneEvidence, zoneOf } from './zone.ts';

/** One way to write dates, or dates with times. */
type TimeFormat = {
  readonly type: 'date' | 'datetime';
  /** ISO 8601 if absent. */
  readonly format?: string;
  /** English if absent. */
  readonly monthLanguage?: MonthLanguage;
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
};

/** A way to write times that no cell has ruled out. */
type Candidate = {
  readonly written: TimeFormat;
  readonly read: (cell: string) => string | undefined;
  /** Also reads times finer than a millisecond. */
  readonly readCut: (cell: string) => string | undefined;
  cut?: SeenCell;
  range?: Range<string>;
};

/** Digits alone are dates if all of them lie in these years. */
const PLAIN_YEARS = { min: '1850', max: '2100' };

const MAY_BE_IDS = 'eight digits may be an id';

const CENTURY = 'its years have two digits';

const WRITTEN_DATES: readonly Omit<TimeFormat, 'type'>[] = [
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

const DATES = WRITTEN_DATES.map((written) => ({
  written,
  parse: timeParser(written.format ?? '%Y-%m-%d', written.monthLanguage),
}));

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
export class TimeKind extends Kind<TimeEvidence> {
  constructor(column: SeenColumn) {
    super(column, () => new TimeEvidence(), MOST_ATTEMPTS);
  }

  readings({ type, dates, zone }: GivenOfColumn): DoubtedReading[] {
    const { evidence } = this.best;
    const all = evidence.readings(isOfIds(this.column.header));
    const ordered = all.filter(({ order }) => order === dates);
    const isChosen = type === 'date' || type === 'datetime';
    return (ordered.length > 0 ? ordered : all).map((reading) => {
      const { order, doubt } = reading;
      return {
        ...inZone(reading, zone, evidence.zone),
        why: WHY_ORDER[order ?? 'other'],
        given: defined({ type: doubt === undefined ? undefined : reading.type, dates: order }),
        ...(doubt === undefined || isChosen ? {} : { doubt }),
      };
    });
  }
}

/** What is read of dates or times, with the zone that counts the days of times with an offset. */
export function inZone(
  { type, format, monthLanguage, local, range, cut, deciding }: TimeReading,
  given: string | undefined,
  zone: ZoneEvidence,
): Omit<Reading, 'why'> {
  return {
    type,
    spelling: {
      ...defined({ format, monthLanguage }),
      ...(cut === undefined ? {} : { cutTime: true }),
    },
    ...defined({ cut, local }),
    ...(type === 'date' || local ? {} : zoneOf(given, zone)),
    range,
    deciding,
  };
}

/** Collects whether a column's cells are dates or times, all written in one way. */
class TimeEvidence implements CellEvidence {
  /** The ways that all cells allow. */
  private candidates?: Candidate[];
  private first?: SeenCell;
  /** The first cell that is different days in different ways. */
  private ambiguous?: SeenCell;
  /** Finds where days begin, if the times have an offset. */
  readonly zone = new ZoneEvidence();
  /** The first cell that each order of day and month cannot read. */
  private readonly ruledOut: Partial<Record<DateOrder, SeenCell>> = {};

  add(text: string, line: number): string | undefined {
    const candidates = this.candidates ?? candidatesOf(text);
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
      const { order } = candidate.written;
      const value = values[i];
      if (value === undefined) {
        if (order !== undefined) this.ruledOut[order] ??= seenCell(text, line);
        continue;
      }
      // A Z after the seconds would sort after the point of a fraction.
      candidate.range = widened(candidate.range, value.replace('Z', ''));
      if (whole[i] === undefined) candidate.cut ??= seenCell(text, line);
      if (value !== found) this.ambiguous ??= seenCell(text, line);
      candidates[left++] = candidate;
    }
    candidates.length = left;
    return undefined;
  }

  /** The ways to read all cells. There are several if nothing settles it. */
  readings(isOfIds: boolean): readonly TimeReading[] {
    const meanings = new Map<string, TimeReading>();
    const { candidates = [], ambiguous, first, ruledOut } = this;
    for (const { written, range, cut } of candidates) {
      const { order, isPlain, type } = written;
      const { min, max } = range as Range<string>;
      if (isPlain && (min < PLAIN_YEARS.min || max >= PLAIN_YEARS.max)) continue;
      const mayBeId = isPlain && (isOfIds || min === max);
      const doubt = mayBeId ? MAY_BE_IDS : written.doubt;
      // May is both a full month's name and a short one.
      const meaning = `${type} ${order} ${doubt}`;
      if (meanings.has(meaning)) continue;
      const settling = order === undefined ? undefined : ruledOut[order === 'dmy' ? 'mdy' : 'dmy'];
      const deciding = [settling ?? ambiguous ?? (first as SeenCell)];
      const zone = type === 'date' || written.local ? '' : 'Z';
      const withZone = { min: `${min}${zone}`, max: `${max}${zone}` };
      const more = defined({ doubt, cut });
      meanings.set(meaning, { ...written, ...more, range: withZone, deciding });
    }
    return [...meanings.values()];
  }
}

/** The ways to write dates and times that a cell allows. */
function candidatesOf(text: string): Candidate[] {
  if (!/\d/.test(text)) return [];
  const [, day = '', between = '', time] =
    text.length > MOST_LENGTH ? [] : (PARTS.exec(text) ?? []);
  const dates = DATES.filter(({ parse }) => parse(day) !== undefined);
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
        ...(hasOffset(ofDay) ? {} : { local: true }),
      }),
    );
  });
}

function candidate(written: TimeFormat): Candidate {
  const { format, monthLanguage } = written;
  const field = namelessField(written);
  const spelling = defined({ format, monthLanguage });
  const read = cellReader(field, spelling) as Candidate['read'];
  const readCut = cellReader(field, { ...spelling, cutTime: true }) as Candidate['read'];
  return { written, read, readCut };
}

/** A time with more decimals of a second than are kept. */
const FINE = /:\d\d\.\d{4}/;
