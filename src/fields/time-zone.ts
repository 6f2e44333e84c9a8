import { DAY_MS } from './calendar.ts';

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
 * How far a zone is ahead of UTC at an instant, in milliseconds, truncated to whole minutes: before
 * time zones, local times differed by seconds too, which a written offset cannot express.
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
 * The first instant at which a zone's clocks show this time or a later one, both in milliseconds.
 * If the time occurs twice, this is the first; if clocks skip it, the moment of the change.
 */
export function instantOf(wall: number, zone: string): number {
  if (isUtc(zone)) return wall;
  // No zone changes its clocks twice within two days.
  const offsets = [offsetAt(zone, wall - DAY_MS), offsetAt(zone, wall + DAY_MS)];
  const found = offsets
    .map((offset) => wall - offset)
    .filter((instant) => instant + offsetAt(zone, instant) === wall);
  if (found.length > 0) return Math.min(...found);
  let [before, after] = [wall - Math.max(...offsets) - 1, wall - Math.min(...offsets)] as [
    number,
    number,
  ];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (middle + offsetAt(zone, middle) >= wall) after = middle;
    else before = middle;
  }
  return after;
}

/** Cached, because making a format takes far longer than using it. */
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
