import { DAY_MS } from '../../values/calendar.ts';
import { isUtc, offsetAt } from '../../values/time-zone.ts';
import type { Reading } from './column-decision.ts';

/** The zone whose days a column's times have: that of their one offset, or the first with them all. */
export type FoundZone = { readonly timeZone: string; readonly offset?: string };

/** A zone in words: those of whole hours are named with their signs the other way round. */
export function zoneInWords(timeZone: string): string {
  const [, sign, hours = ''] = /^Etc\/GMT([+-])(\d+)$/.exec(timeZone) ?? [];
  if (sign === undefined) return timeZone;
  return `UTC${sign === '-' ? '+' : '-'}${hours.padStart(2, '0')}:00 (${timeZone})`;
}

/** In so short a time clocks change once at most: what holds at both its ends holds within. */
const SPAN_MS = 3 * DAY_MS;

/** Of each offset, the instants of the first and the last time within one span. */
type Span = { readonly minutes: number; first: number; last: number };

/** 160 years of one offset; random offsets are in no zone. */
const MOST_SPANS = 20_000;

const OFFSET = /([+-])(\d\d):?(\d\d)?$/;

/** Collects the offsets that a column's times are written with. */
export class ZoneEvidence {
  private hasZ = false;
  private hasTooMany = false;
  private readonly spans = new Map<string, Span>();
  private readonly offsets = new Map<number, string>();

  /** Takes a time with an offset, as it is written, and in UTC. */
  add(text: string, inUtc: string): void {
    const [, sign, hours, minutes = '00'] = OFFSET.exec(text) ?? [];
    if (hours === undefined) {
      this.hasZ = true;
      return;
    }
    if (this.hasTooMany) return;
    const ahead = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
    const instant = Date.parse(inUtc);
    const key = `${Math.floor(instant / SPAN_MS)} ${ahead}`;
    const span = this.spans.get(key);
    if (span !== undefined) {
      if (instant < span.first) span.first = instant;
      if (instant > span.last) span.last = instant;
      return;
    }
    this.hasTooMany = this.spans.size >= MOST_SPANS;
    this.spans.set(key, { minutes: ahead, first: instant, last: instant });
    this.offsets.set(ahead, `${sign}${hours}:${minutes}`);
  }

  /** Whether there are offsets beside that of UTC. */
  get isBeyondUtc(): boolean {
    return [...this.offsets.keys()].some((minutes) => minutes !== 0);
  }

  /** Undefined if there is no zone in which each cell has its own offset. */
  find(): FoundZone | undefined {
    if (this.hasZ || this.hasTooMany) return undefined;
    const [[minutes, offset] = [0, '']] = this.offsets;
    const hours = minutes / 60;
    if (this.offsets.size === 1 && Number.isInteger(hours) && hours >= -12 && hours <= 14) {
      // Signs are the other way round there.
      return { timeZone: `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`, offset };
    }
    const timeZone = Intl.supportedValuesOf('timeZone').find((zone) => this.isIn(zone));
    return timeZone === undefined ? undefined : { timeZone };
  }

  private isIn(zone: string): boolean {
    for (const { minutes, first, last } of this.spans.values()) {
      const ahead = minutes * 60_000;
      if (offsetAt(zone, first) !== ahead || offsetAt(zone, last) !== ahead) return false;
    }
    return true;
  }
}

/** The zone in which the days of times with an offset are counted. */
export function zoneOf(given: string | undefined, zone: ZoneEvidence): Partial<Reading> {
  if (given !== undefined) {
    return isUtc(given) ? {} : { timeZone: given, whyZone: 'as was chosen' };
  }
  if (!zone.isBeyondUtc) return {};
  const found = zone.find();
  if (found === undefined) return { isZoneOpen: true };
  const { timeZone, offset } = found;
  const whyZone =
    offset === undefined
      ? 'the first by name that has the offset of each cell'
      : `since each cell has the offset ${offset}`;
  return { timeZone, whyZone };
}
