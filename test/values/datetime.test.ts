import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { datetime } from '../../src/values/datetime.ts';
import type { NumberType } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { instantOf, isTimeZone, offsetAt } from '../../src/values/time-zone.ts';

const type: NumberType = datetime;
const field = (more: Partial<Field> = {}): Field => ({
  ...{ type: 'datetime', name: 't', title: 'T' },
  ...more,
});

/** Zones with daylight saving in both halves of the world, by half an hour, and at midnight; and none. */
const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'America/Havana',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
];
const zone = fc.constantFrom(...ZONES);
const instant = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2037, 11, 31) });

test('a zone is UTC in any case, and costs no look at its offsets', () => {
  const stepsIn = (timeZone: string) => type.stepsOfTest(['2020'], field({ timeZone }));
  expect(stepsIn('utc')).toBe(stepsIn('UTC'));
  expect(stepsIn('utc')).toBeLessThan(stepsIn('Europe/Berlin'));
});

describe('a value', () => {
  test('is the instant: what is shown of it is read as it, in every zone', () => {
    fc.assert(
      fc.property(zone, fc.integer({ min: -1.16e13, max: 1.35e13 }), (timeZone, key) => {
        const own = field({ timeZone });
        const shown = type.valueOf(key, own) as string;
        expect(Date.parse(shown)).toBe(key);
        expect(type.readCell(type.writeCell(shown), own)).toBe(shown);
        expect(type.keyOf(shown, own)).toBe(key);
      }),
      { seed: 3, numRuns: 1000 },
    );
  });

  test('is shown as the clocks of its zone show it', () => {
    fc.assert(
      fc.property(zone, instant, (timeZone, key) => {
        const shown = type.valueOf(key, field({ timeZone })) as string;
        const clock = new Intl.DateTimeFormat('sv-SE', {
          timeZone,
          dateStyle: 'short',
          timeStyle: 'medium',
        });
        expect(shown.slice(0, 19).replace('T', ' ')).toBe(clock.format(key));
      }),
      { seed: 4, numRuns: 1000 },
    );
  });

  test.each<[string, string | undefined, Partial<Field>]>([
    ['2020-05-17T10:30:00Z', '2020-05-17T06:30:00-04:00', { timeZone: 'America/New_York' }],
    ['2020-05-17 10:30:00.25+02:00', '2020-05-17T08:30:00.250Z', {}],
    ['2020-05-17T10:30Z', '2020-05-17T10:30:00Z', {}],
    ['2020-05-17T10:30:00.123000Z', '2020-05-17T10:30:00.123Z', {}],
    // Finer than what is held: another instant would be shown.
    ['2020-05-17T10:30:00.1234Z', undefined, {}],
    ['2020-05-17T10:30:00', undefined, {}],
    ['2020-05-17', undefined, {}],
    ['2020-02-30T10:30:00Z', undefined, {}],
    ['2020-05-17T24:00:00Z', undefined, {}],
    ['2020-05-17T10:30:60Z', undefined, {}],
    ['2020-05-17T10:30:00', '2020-05-17T10:30:00', { local: true }],
    ['2020-05-17T10:30:00Z', undefined, { local: true }],
    ['9999-12-31T23:59:59Z', undefined, { timeZone: 'Asia/Kathmandu' }],
    ['0001-01-01T00:00:00Z', undefined, { timeZone: 'America/New_York' }],
    ['0001-01-01T00:00:00Z', '0001-01-01T05:41:00+05:41', { timeZone: 'Asia/Kathmandu' }],
  ])('of the cell %s is %s', (cell, value, more) => {
    expect(type.readCell(cell, field(more))).toBe(value);
  });
});

describe('a period', () => {
  const text = fc.tuple(zone, instant, fc.constantFrom(4, 7, 10)).map(([timeZone, key, length]) => {
    const own = field({ timeZone });
    return [own, (type.valueOf(key, own) as string).slice(0, length)] as const;
  });

  test('holds the instants that its zone shows within it, and no others', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: -5, max: 5 }), ([own, period], near) => {
        const [from, to] = type.intervalOf(period, own);
        // Around both ends, where it matters.
        for (const end of [from, to]) {
          for (const key of [end + near, end + near * 60_000, end + near * 3_600_000]) {
            const isWithin = (type.valueOf(key, own) as string).startsWith(period);
            expect([key, key >= from && key <= to]).toEqual([key, isWithin]);
          }
        }
      }),
      { seed: 5, numRuns: 1000 },
    );
  });

  test.each([
    ['2020-03-08', 'America/New_York', 23],
    ['2020-11-01', 'America/New_York', 25],
    ['2020-10-04', 'Australia/Lord_Howe', 23.5],
    ['2020-11-01', 'America/Havana', 25],
    ['2018-11-04', 'America/Sao_Paulo', 23],
    ['2018-02-17', 'America/Sao_Paulo', 25],
    // Samoa went from the 29th to the 31st.
    ['2011-12-30', 'Pacific/Apia', 0],
  ])('%s in %s has %d hours', (day, timeZone, hours) => {
    const [from, to] = type.intervalOf(day, field({ timeZone }));
    expect((to - from + 1) / 3_600_000).toBe(hours);
  });

  test.each([
    ['2020-05-17T10:30Z', 60_000],
    ['2020-05-17T10:30:00Z', 1000],
    // With a fraction, it is the instant, in as many digits as there are.
    ['2020-05-17T10:30:00.5Z', 1],
    ['2020-05-17T10:30:00.123Z', 1],
    ['2020-05-17T10:30:00.1230000Z', 1],
    ['2020-05-17T10:30:00.000000000Z', 1],
    ['9999-12-30T23:59:59.99900Z', 1],
    // Between two milliseconds there is no value.
    ['2020-05-17T10:30:00.123456Z', 0],
  ])('%s has %d milliseconds', (written, length) => {
    const [from, to] = type.intervalOf(written, field());
    expect(to - from + 1).toBe(length);
  });
});

describe('an argument', () => {
  test.each([
    ['2020-05-17T10:30:00 02:00', '2020-05-17T10:30:00+02:00'],
    ['2020-05-17 10:30:00 02:00', '2020-05-17T10:30:00+02:00'],
    [' 2020-05-17t10:30z ', '2020-05-17T10:30Z'],
    ['2020-05', '2020-05'],
    [2020, '2020'],
    [20, 20],
    [10_000, 10_000],
    [2020.5, 2020.5],
    [true, true],
  ])('%j is read as %j', (sent, read) => {
    expect(type.read(sent, { ...field(), name: 't' })).toBe(read);
  });

  test.each<[string, string | undefined, RegExp, Partial<Field>]>([
    ['2020-02-30T10:30:00Z', '2020-02-29T10:30:00Z', /not a time/, {}],
    ['2020-05-17T25:30:00Z', '2020-05-17T23:30:00Z', /not a time/, {}],
    ['2020-05-17T10:30:60Z', '2020-05-17T10:30:59Z', /not a time/, {}],
    [
      '2020-05-17T10:30:00',
      '2020-05-17T10:30:00-04:00',
      /no offset from UTC \(the field's zone is America\/New_York\)/,
      { timeZone: 'America/New_York' },
    ],
    ['2020-05-17T10:30:00Z', '2020-05-17T10:30:00', /without an offset/, { local: true }],
    ['yesterday', undefined, /expected a time such as/, {}],
    // What would be refused again is not suggested.
    ['2020-05-17T10:30:00+24:00', undefined, /not a time/, {}],
    ['2020-05-17T10:30:00+2460', undefined, /not a time/, {}],
  ])('%s is refused, and %s suggested', (sent, suggestion, detail, more) => {
    const parameter = { ...field(more), name: 't' };
    const pattern = new RegExp(type.schema(parameter).pattern as string);
    expect(pattern.test(type.read(sent, parameter) as string)).toBe(false);
    const fault = type.fault(type.read(sent, parameter), parameter, type.expected(parameter));
    expect(fault).toMatchObject({ code: 'not-a-datetime', detail: expect.stringMatching(detail) });
    expect(fault.suggestion).toBe(suggestion);
    if (suggestion !== undefined) expect(pattern.test(suggestion)).toBe(true);
  });
});

test('the first instant of a time is found by looking at every quarter of an hour', () => {
  const quarter = 900_000;
  fc.assert(
    fc.property(zone, instant, (timeZone, key) => {
      const wall = Math.floor((key + offsetAt(timeZone, key)) / quarter) * quarter;
      let first = wall - 26 * 3_600_000;
      while (first + offsetAt(timeZone, first) < wall) first += quarter;
      expect(instantOf(wall, timeZone)).toBe(first);
    }),
    { seed: 6, numRuns: 200 },
  );
});

test('a zone is known by its name of IANA', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('a time is read alike, with a Z, with the offset of UTC, and without either', () => {
  const two = (most: number) => fc.nat(most).map((value) => String(value).padStart(2, '0'));
  const parts = fc.record({
    year: fc.constantFrom('0000', '0001', '1900', '2000', '2020', '2021', '9999'),
    ...{ month: two(13), day: two(32), hour: two(25), minute: two(61) },
    between: fc.constantFrom('T', 'T', ' ', 't', '_'),
    second: fc.option(two(61), { nil: undefined }),
    fraction: fc.constantFrom('', '.0', '.5', '.25', '.007', '.000', '.1234', '.123000', '.'),
  });
  let found = 0;
  fc.assert(
    fc.property(parts, ({ year, month, day, between, hour, minute, second, fraction }) => {
      const seconds = second === undefined ? '' : `:${second}${fraction}`;
      const text = `${year}-${month}-${day}${between}${hour}:${minute}${seconds}`;
      const read = (cell: string, more: object = {}) =>
        datetime.readCell(cell, { name: 'd', title: 'D', ...more });
      const expected = read(`${text}+00:00`);
      if (expected !== undefined) found++;
      expect([text, read(`${text}Z`)]).toEqual([text, expected]);
      const local = read(text, { local: true });
      expect([text, local === undefined ? undefined : `${local}Z`]).toEqual([text, expected]);
    }),
    { seed: 16, numRuns: 5000 },
  );
  expect(found).toBeGreaterThan(1000);
});
