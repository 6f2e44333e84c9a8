import { DAY_MS } from './calendar.ts';
import { firstWhere } from './comparison.ts';

/** Whether the runtime knows this IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * How far a zone is ahead of UTC at an instant, in milliseconds, cut to whole minutes. Before there
 * were time zones, local times differed by seconds too, which a written offset cannot express.
 */
export function offsetAt(zone: string, instant: number): number {
  if (isUtc(zone)) return 0;
  const shown = clockOf(zone).format(instant);
  const [, month, day, year, era, hour, minute, second] = SHOWN.exec(shown) ?? [];
  const astronomical = era === 'B' ? 1 - Number(year) : Number(year);
  const ofDate = new Date(0).setUTCFullYear(astronomical, Number(month) - 1, Number(day));
  const ofDay = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000;
  const exact = ofDate + ofDay - Math.floor(instant / 1000) * 1000;
  return Math.trunc(exact / 60_000) * 60_000;
}

const SHOWN = /^(\d+)\/(\d+)\/(\d+) ([AB]), (\d+):(\d+):(\d+)$/;

export function isUtc(zone: string): boolean {
  return /^utc$/i.test(zone);
}

/**
 * The first instant at which the clocks of a zone show this time or a later one. Both are in
 * milliseconds. If clocks show the time twice, this is the first instant; if they skip it, it is
 * the moment of the change.
 */
export function instantOf(wall: number, zone: string): number {
  if (isUtc(zone)) return wall;
  // No zone changes its clocks twice within two days.
  const offsets = [offsetAt(zone, wall - DAY_MS), offsetAt(zone, wall + DAY_MS)];
  const found = offsets
    .map((offset) => wall - offset)
    .filter((instant) => instant + offsetAt(zone, instant) === wall);
  if (found.length > 0) return Math.min(...found);
  const isReached = (instant: number) => instant + offsetAt(zone, instant) >= wall;
  return firstWhere(isReached, wall - Math.max(...offsets), wall - Math.min(...offsets));
}

/** The formats are cached, because making one takes far longer than using it. */
const CLOCKS = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const made = CLOCKS.get(timeZone);
  if (made !== undefined) return made;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    calendar: 'gregory',
    numberingSystem: 'latn',
    era: 'narrow',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  CLOCKS.set(timeZone, clock);
  return clock;
}

/**
 * Offsets are looked up at this distance. Between two of them, more are looked up only if the two
 * differ. No zone has ever changed its offset and changed back within this time. The shortest such
 * time was four days, in Africa/Freetown in September 1939.
 */
const CELL_MS = 3 * DAY_MS;

/**
 * The most cells that are examined at once: about half a year, which is as long as most offsets
 * last.
 */
const MOST_CELLS = 64;

/** Before this, clocks everywhere showed local mean time, so each zone has one offset. */
const FIRST = Date.UTC(1800, 0, 1);

/**
 * From this year on, changes follow a yearly rule: the tz database lists the changes that follow
 * the moon one by one, and only until 2087. So two years have the same changes if they begin on the
 * same weekday and both or neither are leap years.
 */
const YEARLY = 2101;

/** From `YEARLY` until here, all 14 kinds of years occur. */
const END_YEAR = YEARLY + 28;
const END = Date.UTC(END_YEAR, 0, 1);

type Change = { readonly at: number; readonly offset: number };

/**
 * A zone's offsets from UTC, in milliseconds, for many instants. The number of lookups is bounded.
 */
export class ZoneOffsets {
  readonly #zone: string;
  /** The offset at the start of each cell. NaN if it has not been looked up. */
  readonly #starts: Float64Array;
  /** The changes in those cells in which clocks change. */
  readonly #changes = new Map<number, readonly Change[]>();
  #lookups = 0;

  constructor(zone: string) {
    this.#zone = zone;
    const cells = isUtc(zone) ? 0 : cellOf(END) + 2;
    this.#starts = new Float64Array(cells).fill(Number.NaN);
  }

  /** The number of lookups so far. Each takes some microseconds. */
  get lookups(): number {
    return this.#lookups;
  }

  offsetAt(instant: number): number {
    if (this.#starts.length === 0) return 0;
    const at = instant < FIRST ? FIRST : instant < END ? instant : sameInLikeYear(instant);
    const cell = cellOf(at);
    const [before, after] = [this.#atStartOf(cell), this.#atStartOf(cell + 1)];
    if (before === after) return before;
    let changes = this.#changes.get(cell);
    if (changes === undefined) {
      const start = FIRST + cell * CELL_MS;
      changes = this.#changesIn(start, before, start + CELL_MS, after);
      this.#changes.set(cell, changes);
    }
    return changes.findLast((change) => change.at <= at)?.offset ?? before;
  }

  /**
   * An instant up to which the offset surely stays the same. It is the instant itself if nothing
   * more is known.
   */
  sameUntil(instant: number): number {
    if (this.#starts.length === 0) return Number.POSITIVE_INFINITY;
    if (instant < FIRST || instant >= END) return instant;
    let cell = cellOf(instant);
    const offset = this.offsetAt(instant);
    const change = this.#changes.get(cell)?.find(({ at }) => at > instant);
    if (change !== undefined) return change.at;
    const most = cell + MOST_CELLS;
    do cell++;
    while (cell < most && this.#starts[cell + 1] === offset);
    return FIRST + cell * CELL_MS;
  }

  #atStartOf(cell: number): number {
    const known = this.#starts[cell] as number;
    if (!Number.isNaN(known)) return known;
    const offset = this.#lookedUp(FIRST + cell * CELL_MS);
    this.#starts[cell] = offset;
    return offset;
  }

  /** Finds the second at which clocks change, by bisection. */
  #changesIn(from: number, before: number, to: number, after: number): Change[] {
    if (before === after) return [];
    if (to - from <= 1000) return [{ at: to, offset: after }];
    const middle = from + Math.ceil((to - from) / 2000) * 1000;
    const between = this.#lookedUp(middle);
    return [
      ...this.#changesIn(from, before, middle, between),
      ...this.#changesIn(middle, between, to, after),
    ];
  }

  #lookedUp(instant: number): number {
    this.#lookups++;
    return offsetAt(this.#zone, instant);
  }
}

const ZONES = new Map<string, ZoneOffsets>();

/** The offsets of a zone that a field uses. They stay in memory, and take 300 KB for each zone. */
export function zoneOffsetsOf(zone: string): ZoneOffsets {
  let offsets = ZONES.get(zone);
  if (offsets === undefined) {
    offsets = new ZoneOffsets(zone);
    ZONES.set(zone, offsets);
  }
  return offsets;
}

function cellOf(instant: number): number {
  return Math.floor((instant - FIRST) / CELL_MS);
}

/** For each kind of year, the beginning of one. */
const LIKE_YEARS: number[] = [];
for (let year = YEARLY; year < END_YEAR; year++) LIKE_YEARS[kindOf(year)] = Date.UTC(year, 0, 1);

function kindOf(year: number): number {
  const start = Date.UTC(year, 0, 1);
  const isLeap = Date.UTC(year + 1, 0, 1) - start > 365 * DAY_MS;
  return 2 * new Date(start).getUTCDay() + (isLeap ? 1 : 0);
}

function sameInLikeYear(instant: number): number {
  const year = new Date(instant).getUTCFullYear();
  return (LIKE_YEARS[kindOf(year)] as number) + instant - Date.UTC(year, 0, 1);
}
