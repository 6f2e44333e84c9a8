import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { groupingOf } from '../../src/block/grouping.ts';
import { extentOf, PARTS, periodsOf, timeTicks } from '../../src/figure/periods.ts';
import { ENGLISH } from '../../src/languages/english.ts';
import { TIME_PARTS } from '../../src/values/time-part.ts';
import { FIELDS } from './questions.ts';

const DAY_MS = 86_400_000;
const keyOf = (day: string) => Date.parse(day) / DAY_MS;

function dimensionOf(text: string) {
  const [dimension] = groupingOf({ fields: FIELDS }, { _group: [text] })?.dimensions ?? [];
  if (dimension === undefined) throw new TypeError('No dimension.');
  return dimension;
}

function periodsBy(text: string) {
  const periods = periodsOf(dimensionOf(text), ENGLISH);
  if (periods === undefined) throw new TypeError('These are no periods.');
  return periods;
}

describe('periods', () => {
  test.each([
    ['day.day', '2024-02-29', '29 Feb 2024', 'on 29 February 2024'],
    ['day.week', '2020-W53', '2020-W53', 'in week 53 of 2020'],
    ['day.month', '2024-10', 'Oct 2024', 'in October 2024'],
    ['day.quarter', '2024-Q3', 'Q3 2024', 'in Q3 2024'],
    ['day.year', 2024, '2024', 'in 2024'],
    ['day.month', '0476-09', 'Sep 476', 'in September 476'],
    ['day', '2024-02-29', '29 Feb 2024', 'on 29 February 2024'],
  ])('%s %s is %s, and %s', (text, value, short, when) => {
    const periods = periodsBy(text);
    const key = periods.keyOf(value);
    expect([periods.short(key), periods.when(key)]).toEqual([short, when]);
  });

  test.each(['day.weekday', 'day.month_of_year', 'kind', 'load.5', 'load', 'built'])(
    '%s is no line of time',
    (text) => expect(periodsOf(dimensionOf(text), ENGLISH)).toBeUndefined(),
  );

  test('a field named year is one, and another whose numbers all are', () => {
    expect(periodsOf(dimensionOf('year'), ENGLISH)?.part).toBe('year');
    expect(periodsOf(dimensionOf('built'), ENGLISH, { min: 1890, max: 2024 })?.part).toBe('year');
    expect(periodsOf(dimensionOf('built'), ENGLISH, { min: 3, max: 2024 })).toBeUndefined();
  });

  test('each text has the key of its part, and each key begins where its part does', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -700_000, max: 2_900_000 }),
        fc.constantFrom(...PARTS),
        (day, name) => {
          const part = TIME_PARTS[name];
          const keyOfDay = (at: number) =>
            (part.keyOf as (day: number, ms: number) => number)(at, 0);
          const key = keyOfDay(day);
          const periods = periodsBy(`day.${name}`);
          expect(periods.keyOf(part.valueOf(key))).toBe(key);
          const first = periods.beginOf(key) / DAY_MS;
          expect(first).toBeLessThanOrEqual(day);
          expect([keyOfDay(first), keyOfDay(first - 1)]).toEqual([key, key - 1]);
          expect(periods.beginOf(key + 1) / DAY_MS).toBeGreaterThan(day);
        },
      ),
      { seed: 41, numRuns: 500 },
    );
  });
});

describe('the extent of a block', () => {
  const extent = (text: string, from: string, to: string, distinct: number, cut = {}) =>
    extentOf(
      dimensionOf(text),
      periodsBy(text),
      ENGLISH,
      { min: keyOf(from), max: keyOf(to), distinct },
      cut,
    );

  test.each([
    ['daily, to the last day', '2024-01-01', '2024-03-31', 91, {}],
    ['daily, to the middle', '2024-01-01', '2024-03-14', 74, { lastEnds: '14 March 2024' }],
    ['daily, from the middle', '2024-01-15', '2024-03-31', 77, { firstBegins: '15 January 2024' }],
    ['the first of each month', '2024-01-01', '2024-03-01', 3, {}],
    ['quarters', '2023-01-01', '2024-01-01', 5, {}],
    ['weekly, to the last week', '2024-01-01', '2024-03-25', 13, {}],
    ['weekly, to the one before', '2024-01-01', '2024-03-18', 12, { lastEnds: '18 March 2024' }],
  ])('%s', (_, from, to, distinct, ends) => {
    const { first, last, ...found } = extent('day.month', from, to, distinct) ?? {};
    expect(found).toEqual(ends);
  });

  test('is cut to the filter, which may end within a period', () => {
    const cut = { min: keyOf('2024-02-01'), max: keyOf('2024-03-10') };
    const found = extent('day.month', '2024-01-01', '2024-12-31', 366, cut);
    expect(found).toEqual({ first: 2024 * 12 + 1, last: 2024 * 12 + 2, lastEnds: '10 March 2024' });
  });

  test('of times is of days in the zone of the field', () => {
    const [min, max] = ['2024-03-01T03:00:00Z', '2024-04-01T03:00:00Z'].map((at) => Date.parse(at));
    const dimension = dimensionOf('at.month');
    const statistics = { min: min as number, max: max as number, distinct: 5000 };
    // In New York, these are the last evenings of February and of March.
    expect(extentOf(dimension, periodsBy('at.month'), ENGLISH, statistics)).toEqual({
      ...{ first: 2024 * 12 + 1, last: 2024 * 12 + 2 },
      firstBegins: '29 February 2024',
    });
  });

  test('is none without statistics, or if the filter leaves nothing', () => {
    expect(extentOf(dimensionOf('day.month'), periodsBy('day.month'), ENGLISH, {})).toBeUndefined();
    expect(
      extent('day.month', '2024-01-01', '2024-02-01', 2, { min: keyOf('2025-01-01') }),
    ).toBeUndefined();
  });
});

describe('ticks of time', () => {
  const texts = (from: string, to: string) =>
    timeTicks(Date.parse(from), Date.parse(to), ENGLISH).map(({ text }) => text);

  test('are years if there are two or more, else months, else days', () => {
    expect(texts('2020-03-01', '2024-10-01')).toEqual(['2021', '2022', '2023', '2024']);
    expect(texts('2024-01-01', '2024-12-01')).toEqual(['2024', 'Apr', 'Jul', 'Oct']);
    expect(texts('2024-03-01', '2024-03-09')).toEqual(expect.arrayContaining(['3 Mar', '5 Mar']));
  });

  test('lie between the two, whatever they are', () => {
    const days = fc.integer({ min: -700_000, max: 2_900_000 });
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 900_000 }), (day, more) => {
        const [from, to] = [day * DAY_MS, Math.min(2_932_896, day + more) * DAY_MS];
        const ticks = timeTicks(from, to, ENGLISH);
        expect(ticks.length).toBeLessThanOrEqual(14);
        for (const { at } of ticks) {
          expect(at).toBeGreaterThanOrEqual(from);
          expect(at).toBeLessThanOrEqual(to);
        }
      }),
      { seed: 41 },
    );
  });
});
