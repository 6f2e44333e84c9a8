import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { offsetAt } from '../../src/fields/time-zone.ts';
import { ZoneDays } from '../../src/fields/zone-days.ts';

const ZONES = ['America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC'];
const [FIRST, LAST] = [Date.parse('1890-01-01'), Date.parse('2110-01-01')];

test("are the zone's offsets at every instant, also before 1900, after 2100 and on days of a change", () => {
  const instant = fc.oneof(
    fc.integer({ min: FIRST, max: LAST }),
    fc.integer({ min: Date.parse('2019-10-01'), max: Date.parse('2020-04-30') }),
    fc.constantFrom(...['1899-12-31', '1900-01-01', '2099-12-31', '2100-01-02'].map(Date.parse)),
  );
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), fc.array(instant), (zone, instants) => {
      const days = new ZoneDays(zone);
      for (const one of instants) expect(days.offsetAt(one)).toBe(offsetAt(zone, one));
    }),
    { seed: 5, numRuns: 60 },
  );
});

test('are looked up once in a process', () => {
  const noon = Date.parse('2003-07-01T12:00:00Z');
  new ZoneDays('Europe/Vilnius').offsetAt(noon);
  const again = new ZoneDays('Europe/Vilnius');
  expect([again.offsetAt(noon), again.lookups]).toEqual([3 * 3_600_000, 0]);
});
