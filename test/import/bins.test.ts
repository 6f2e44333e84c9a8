import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { binsOf, MOST_BINS } from '../../src/import/bins.ts';
import { binOf } from '../../src/query/bin-of.ts';
import type { Field } from '../../src/values/field-types.ts';

const integer: Field = { name: 'n', title: 'N', type: 'integer' };
const number: Field = { name: 'n', title: 'N', type: 'number' };
const date: Field = { name: 'day', title: 'Day', type: 'date' };
const time: Field = { name: 'at', title: 'At', type: 'datetime', timeZone: 'America/New_York' };

const of = (field: Field, keys: readonly number[]) => binsOf(field, Float64Array.from(keys).sort());
const dayKey = (text: string) => Date.parse(text) / 86_400_000;
const dayTexts = (edges: readonly number[]) =>
  edges.map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));

const dates = fc.integer({ min: -700_000, max: 2_900_000 });
const columns = fc.oneof(
  fc.record({ field: fc.constant(integer), keys: fc.array(fc.integer(), { minLength: 1 }) }),
  fc.record({
    field: fc.constant(integer),
    keys: fc.array(fc.oneof(fc.nat(5), fc.nat(1000), fc.nat(1e9)), { minLength: 1 }),
  }),
  fc.record({
    field: fc.constant(number),
    keys: fc.array(fc.double({ noNaN: true, min: -1e200, max: 1e200 }), { minLength: 1 }),
  }),
  fc.record({
    field: fc.constant(number),
    keys: fc.array(fc.double({ noNaN: true, min: 0, max: 3 }), { minLength: 1 }),
  }),
  fc.record({ field: fc.constant(date), keys: fc.array(dates, { minLength: 1 }) }),
  fc.record({
    field: fc.constant(time),
    keys: fc.array(
      dates.map((day) => day * 86_400_000 + 12_345),
      { minLength: 1 },
    ),
  }),
);

test('each value is in the bin between whose edges it lies, and the bins are few', () => {
  fc.assert(
    fc.property(columns, ({ field, keys }) => {
      const { edges, counts } = of(field, keys);
      expect(counts).toHaveLength(edges.length - 1);
      expect(counts.length).toBeLessThanOrEqual(MOST_BINS);
      const last = counts.length - 1;
      counts.forEach((count, i) => {
        const [from, to] = [edges[i] as number, edges[i + 1] as number];
        if (Math.max(...keys) > Math.min(...keys)) expect(from).toBeLessThan(to);
        const within = keys.filter((key) => key >= from && (i === last ? key <= to : key < to));
        expect([field.type, from, to, count]).toEqual([field.type, from, to, within.length]);
      });
      expect(counts.reduce((a, b) => a + b)).toBe(keys.length);
    }),
    { seed: 4, numRuns: 1000 },
  );
});

describe('the edges are', () => {
  test('each whole number, if these are few', () => {
    expect(of(integer, [0, 1, 1, 3])).toEqual({ edges: [0, 1, 2, 3, 4], counts: [1, 2, 0, 1] });
  });

  test('round', () => {
    const { edges } = of(
      number,
      Array.from({ length: 100 }, (_, i) => 3.7 + i / 10),
    );
    expect(edges.slice(0, 3)).toEqual([3.5, 4, 4.5]);
    expect(edges.at(-1)).toBe(14);
  });

  test('wider outside, where few values lie far away', () => {
    const keys = [...Array.from({ length: 500 }, (_, i) => 1000 + (i % 100)), 9_999_999];
    const { edges, counts } = of(integer, keys);
    expect(edges.slice(-2)).toEqual([1100, 9_999_999]);
    expect(counts.at(-1)).toBe(1);
    expect(Math.max(...counts)).toBeLessThan(50);
  });

  test('further and further apart, where most values crowd at one end', () => {
    const keys = Array.from({ length: 1000 }, (_, i) => Math.floor(1e6 / (i + 1)));
    const { edges, counts } = of(integer, keys);
    expect(edges.slice(0, 4)).toEqual([0, 1, 2, 5]);
    expect(Math.max(...counts)).toBeLessThan(600);
  });

  test.each([
    ['2018-10-06', '2018-10-20', ['2018-10-06', '2018-10-07'], '2018-10-21'],
    ['2018-10-06', '2018-12-20', ['2018-10-01', '2018-10-08'], '2018-12-24'],
    ['2020-03-11', '2021-10-31', ['2020-03-01', '2020-04-01'], '2021-11-01'],
    ['2020-03-11', '2024-10-31', ['2020-01-01', '2020-04-01'], '2025-01-01'],
    ['1987-03-11', '2024-10-31', ['1986-01-01', '1988-01-01'], '2026-01-01'],
    ['0001-01-01', '9999-12-31', ['0000-01-01', '0500-01-01'], undefined],
  ])('the starts of periods: of %s to %s', (first, last, starts, end) => {
    const { edges } = of(date, [dayKey(first), dayKey(last)]);
    expect(dayTexts(edges.slice(0, 2))).toEqual(starts);
    if (end !== undefined) expect(dayTexts(edges).at(-1)).toBe(end);
  });

  test('the starts of days where the field’s clocks are', () => {
    const keys = ['2024-03-09T06:00:00Z', '2024-03-12T05:00:00Z'].map(Date.parse);
    const edges = of(time, keys).edges.map((edge) => new Date(edge).toISOString());
    expect(edges).toEqual([
      '2024-03-09T05:00:00.000Z',
      '2024-03-10T05:00:00.000Z',
      '2024-03-11T04:00:00.000Z',
      '2024-03-12T04:00:00.000Z',
      '2024-03-13T04:00:00.000Z',
    ]);
  });
});

test('what lies beyond the edges is in the outer bins', () => {
  expect([-1, 0, 9, 10, 29, 30, 99].map((key) => binOf([0, 10, 20, 30], key))).toEqual([
    0, 0, 0, 1, 2, 2, 2,
  ]);
});
