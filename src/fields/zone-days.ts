import { DAY_MS } from './calendar.ts';
import { isUtc, offsetAt } from './time-zone.ts';

/** The days whose offsets a process keeps, from 1900 to 2100. */
const FIRST_DAY = -25_567;
const KEPT_DAYS = 73_050;
const MINUTE_MS = 60_000;
const UNKNOWN = -32_768;

/** Of each zone of a field, in minutes at the beginnings of days in UTC: 146 KB, filled as it is asked. */
const KEPT = new Map<string, Int16Array>();

/** A zone's offsets from UTC, in milliseconds, for many instants: looked up once for each day. */
export class ZoneDays {
  readonly #zone: string;
  readonly #isUtc: boolean;
  readonly #kept: Int16Array;
  readonly #others = new Map<number, number>();
  #lookups = 0;

  constructor(zone: string) {
    this.#zone = zone;
    this.#isUtc = isUtc(zone);
    this.#kept = KEPT.get(zone) ?? new Int16Array(this.#isUtc ? 0 : KEPT_DAYS).fill(UNKNOWN);
    KEPT.set(zone, this.#kept);
  }

  /** How many offsets were looked up so far, each some microseconds of work. */
  get lookups(): number {
    return this.#lookups;
  }

  offsetAt(instant: number): number {
    if (this.#isUtc) return 0;
    const day = Math.floor(instant / DAY_MS);
    const before = this.#atStartOf(day);
    // No zone changes its clocks twice within two days.
    return before === this.#atStartOf(day + 1) ? before : this.#lookedUp(instant);
  }

  #atStartOf(day: number): number {
    const place = day - FIRST_DAY;
    if (place < 0 || place >= KEPT_DAYS) return this.#otherAtStartOf(day);
    const known = this.#kept[place] as number;
    if (known !== UNKNOWN) return known * MINUTE_MS;
    const offset = this.#lookedUp(day * DAY_MS);
    this.#kept[place] = offset / MINUTE_MS;
    return offset;
  }

  #otherAtStartOf(day: number): number {
    let offset = this.#others.get(day);
    if (offset === undefined) {
      offset = this.#lookedUp(day * DAY_MS);
      this.#others.set(day, offset);
    }
    return offset;
  }

  #lookedUp(instant: number): number {
    this.#lookups++;
    return offsetAt(this.#zone, instant);
  }
}
