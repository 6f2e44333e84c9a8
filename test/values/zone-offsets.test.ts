import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DAY_MS } from '../../src/values/calendar.ts';
import { offsetAt, ZoneOffsets } from '../../src/values/time-zone.ts';

/** With changes by the lunar calendar, across the date line, by half an hour, and a few days apart. */
const ZONES = [
  'America/New_York',
  'America/Noronha',
  'Africa/Casablanca',
  'Africa/Freetown',
  'Antarctica/Troll',
  'Asia/Gaza',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Dublin',
  'Pacific/Apia',
];

const startOf = (year: number) => new Date(0).setUTCFullYear(year, 0, 1);

describe('offsets of a zone are those that the runtime tells', () => {
  const year = fc.oneof(
    fc.integer({ min: 1, max: 9999 }),
    fc.integer({ min: 1830, max: 2130 }),
    fc.constantFrom(1800, 1939, 2000, 2040, 2087, 2100, 2101, 2128, 2129, 2400, 9999),
  );
  const instant = fc
    .tuple(year, fc.integer({ min: 0, max: 366 * DAY_MS }))
    .map(([of, ms]) => startOf(of) + ms);

  test.each(ZONES)('%s, in the years 1 to 9999', (name) => {
    const zone = new ZoneOffsets(name);
    fc.assert(
      fc.property(instant, (at) => {
        expect(zone.offsetAt(at)).toBe(offsetAt(name, at));
      }),
      { seed: 15, numRuns: 300 },
    );
  });

  test.each([
    ['America/New_York', '2026-03-08T07:00:00Z'],
    ['America/New_York', '2426-03-08T07:00:00Z'],
    ['America/New_York', '1883-11-18T17:00:00Z'],
    ['America/Noronha', '2000-10-08T02:00:00Z'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ])('%s, to the second, about %s', (name, changed) => {
    const zone = new ZoneOffsets(name);
    const at = Date.parse(changed);
    for (let ms = at - 2 * DAY_MS; ms < at + 6 * DAY_MS; ms += 3 * 3_600_000) {
      expect(zone.offsetAt(ms)).toBe(offsetAt(name, ms));
    }
    const around = [at - 1000, at - 1, at, at + 1];
    expect(around.map((ms) => zone.offsetAt(ms))).toEqual(around.map((ms) => offsetAt(name, ms)));
    expect(zone.offsetAt(at - 1)).not.toBe(zone.offsetAt(at));
  });
});

test('ten thousand years take fifty thousand lookups, and none the next time', () => {
  const zone = new ZoneOffsets('Africa/Casablanca');
  const ask = () => {
    for (let at = startOf(1); at < startOf(10_000); at += 11 * DAY_MS) zone.offsetAt(at);
    return zone.lookups;
  };
  const lookups = ask();
  expect(lookups).toBeLessThan(50_000);
  expect(ask()).toBe(lookups);
});
