import type { OtherCalendar } from '../../values/other-calendars.ts';
import { cutToMilliseconds, MIDNIGHT } from '../../values/spelling.ts';
import { hasOffset, timeParser } from '../../values/written-time.ts';
import {
  type CellEvidence,
  type CellReading,
  type GivenOfColumn,
  type Range,
  type SeenCell,
  seenCell,
  widened,
} from './column-decision.ts';
import { type DoubtedReading, Kind, type SeenColumn } from './kind.ts';
import { inZone, type TimeReading } from './time.ts';
import { ZoneEvidence } from './zone.ts';

/** Dates or times in a given pattern. */
export class PatternKind extends Kind<PatternEvidence> {
  constructor(column: SeenColumn, format: string, calendar?: OtherCalendar) {
    super(column, () => new PatternEvidence(format, calendar));
  }

  readings({ zone }: GivenOfColumn): DoubtedReading[] {
    const { evidence } = this.best;
    const reading = evidence.reading();
    if (reading === undefined) return [];
    const why = `is written as ${reading.format}`;
    return [{ ...inZone(reading, zone, evidence.zone), why, given: {} }];
  }
}

/** The type of a column without values, by the pattern of those to come. */
export function writtenAs(format: string): Pick<CellReading, 'type' | 'spelling' | 'local'> {
  const hasTime = hasOffset(format) || /%[HI]/.test(format);
  const isLocal = hasTime && !hasOffset(format);
  return {
    type: hasTime ? 'datetime' : 'date',
    spelling: { format },
    local: isLocal ? true : undefined,
  };
}

/** Collects whether a column's cells are dates or times in a given pattern. */
class PatternEvidence implements CellEvidence {
  private readonly format: string;
  private readonly parse: (text: string) => string | undefined;
  private readonly parseAsOurs: (text: string) => string | undefined;
  private readonly given: OtherCalendar | undefined;
  /** The calendar, if a cell has a year of it. */
  private calendar?: OtherCalendar;
  private range?: Range<string>;
  private first?: SeenCell;
  private cut?: SeenCell;
  private hasTime = false;
  /** Finds where days begin, if the times have an offset. */
  readonly zone = new ZoneEvidence();

  constructor(format: string, calendar: OtherCalendar | undefined) {
    this.format = format;
    this.given = calendar;
    this.parse = timeParser(format, undefined, calendar);
    this.parseAsOurs = timeParser(format);
  }

  add(text: string, line: number): string | undefined {
    const whole = this.parse(text);
    if (whole === undefined) return `is not written as ${this.format}`;
    const { given } = this;
    if (given !== undefined && whole !== this.parseAsOurs(text)) this.calendar = given;
    const value = cutToMilliseconds(whole);
    const instant = hasOffset(this.format) ? Date.parse(value) : 0;
    if (Number.isNaN(instant)) return 'has an offset that no zone has';
    if (value !== whole) this.cut ??= seenCell(text, line);
    this.first ??= seenCell(text, line);
    this.hasTime ||= this.format === 'excel' ? !value.endsWith(MIDNIGHT) : value.includes('T');
    if (hasOffset(this.format)) {
      const inUtc = new Date(instant).toISOString();
      this.zone.add(text, inUtc);
      this.range = widened(this.range, inUtc);
    } else this.range = widened(this.range, value);
    return undefined;
  }

  /** The reading of the cells. Its range is of instants in UTC if they have an offset. */
  reading(): TimeReading | undefined {
    const { format, calendar, range, first, cut, hasTime } = this;
    if (range === undefined || first === undefined) return undefined;
    const shown = (value: string) => (hasTime ? value : value.slice(0, '0000-00-00'.length));
    return {
      type: hasTime ? 'datetime' : 'date',
      format,
      local: hasTime && !hasOffset(format) ? true : undefined,
      calendar,
      cut,
      range: { min: shown(range.min), max: shown(range.max) },
      deciding: [first],
    };
  }
}
