import { DAY_MS } from '../../values/calendar.ts';
import { isUtc, offsetAt } from '../../values/time-zone.ts';
import type { CellReading } from './column-decision.ts';

/**
 * The zone that counts the days of a column's times: that of their only offset, or the first zone
 * with all offsets.
 */
export type FoundZone = { readonly timeZone: string; readonly offset?: string };

/** A zone in words. Those of whole hours have the opposite sign in their names. */
export function zoneInWords(timeZone: string): string {
  const [, sign, hours = ''] = /^Etc\/GMT([+-])(\d+)$/.exec(timeZone) ?? [];
  if (sign === undefined) return timeZone;
  return `UTC${sign === '-' ? '+' : '-'}${hours.padStart(2, '0')}:00 (${timeZone})`;
}

/** Clocks change at most once in this time: what holds at both ends holds between them. */
const SPAN_MS = 3 * DAY_MS;

/** For one offset: the instants of the first and the last time within one span. */
type Span = { readonly minutes: number; first: number; last: number };

/** 160 years of one offset. Random offsets fit no zone. */
const MOST_SPANS = 20_000;

const OFFSET = /([+-])(\d\d):?(\d\d)?$/;

/** Collects the offsets of a column's times. */
export class ZoneEvidence {
  private hasZ = false;
  private hasTooMany = false;
  private readonly spans = new Map<string, Span>();
  private readonly offsets = new Map<number, string>();

  /** Takes a time with an offset, as written and in UTC. */
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

  /** Whether there are offsets other than that of UTC. */
  get isBeyondUtc(): boolean {
    return [...this.offsets.keys()].some((minutes) => minutes !== 0);
  }

  /** Finds a zone in which every cell has its own offset. Undefined if there is none. */
  find(): FoundZone | undefined {
    if (this.hasZ || this.hasTooMany) return undefined;
    const [[minutes, offset] = [0, '']] = this.offsets;
    const hours = minutes / 60;
    if (this.offsets.size === 1 && Number.isInteger(hours) && hours >= -12 && hours <= 14) {
      // These names have the opposite sign.
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

/** The zone that counts the days of times with an offset. */
export function zoneOf(given: string | undefined, zone: ZoneEvidence): Partial<CellReading> {
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
