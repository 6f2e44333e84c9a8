import { DAY_MS } from './calendar.ts';
import { isUtc, offsetAt } from './time-zone.ts';

/** The days whose offsets are kept in a list: about 45 years on either side of the first one. */
const NEAR_DAYS = 2 ** 14;

/** A zone's offsets from UTC, in milliseconds, for many instants: looked up once for each day. */
export class ZoneDays {
  readonly #zone: string;
  readonly #isUtc: boolean;
  /** At the beginnings of days in UTC; NaN where it was not looked up. */
  readonly #near: Float64Array;
  readonly #far = new Map<number, number>();
  #first = Number.NaN;
  #lookups = 0;

  constructor(zone: string) {
    this.#zone = zone;
    this.#isUtc = isUtc(zone);
    this.#near = new Float64Array(this.#isUtc ? 0 : 2 * NEAR_DAYS).fill(Number.NaN);
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
    if (Number.isNaN(this.#first)) this.#first = day - NEAR_DAYS;
    const place = day - this.#first;
    if (place < 0 || place >= 2 * NEAR_DAYS) return this.#farAtStartOf(day);
    const known = this.#near[place] as number;
    if (!Number.isNaN(known)) return known;
    const offset = this.#lookedUp(day * DAY_MS);
    this.#near[place] = offset;
    return offset;
  }

  #farAtStartOf(day: number): number {
    let offset = this.#far.get(day);
    if (offset === undefined) {
      offset = this.#lookedUp(day * DAY_MS);
      this.#far.set(day, offset);
    }
    return offset;
  }

  #lookedUp(instant: number): number {
    this.#lookups++;
    return offsetAt(this.#zone, instant);
  }
}
