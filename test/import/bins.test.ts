import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { datasetBlock } from '../../src/block/block.ts';
import { chunksOf } from '../../src/columns/memory-rows.ts';
import {
  binned,
  binnedChunks,
  binsOf,
  MOST_BINS,
  sampleOf,
  sharedScales,
} from '../../src/import/bins.ts';
import { binOf } from '../../src/query/bin-of.ts';
import type { Field } from '../../src/values/field-types.ts';
import { makeDataset } from '../support/datasets.ts';
import { packColumns } from '../support/pack-columns.ts';

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
    const { edges, counts, isLog } = of(integer, [0, ...keys]);
    expect([edges.slice(0, 4), isLog]).toEqual([[0, 1, 2, 5], true]);
    expect(Math.max(...counts)).toBeLessThan(600);
  });

  test('from the least value on, where they are further and further apart', () => {
    const keys = Array.from({ length: 500 }, (_, i) => Math.floor(3e8 / (i + 1) ** 1.3));
    const { edges, isLog } = of(integer, [82_656, ...keys]);
    expect([edges[0], isLog]).toEqual([50_000, true]);
    const small = of(number, [0.004, ...keys]).edges;
    expect(small.slice(0, 2)).toEqual([0.003, 0.01]);
    expect(of(integer, [1, 2, 3]).isLog).toBeUndefined();
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

describe('the scale of several columns', () => {
  const sampled = (name: string, keys: readonly number[], unit?: string) => ({
    field: { ...integer, name, ...(unit === undefined ? {} : { unit }) },
    sample: sampleOf(Float64Array.from(keys).sort()),
  });
  const to = (count: number, each: (i: number) => number) =>
    Array.from({ length: count }, (_, i) => each(i));
  // As of films: what they take here, and in the world; crowded at the lower end.
  const here = to(900, (i) => Math.round(7e8 / (i + 1)));
  const world = here.map((gross, i) => Math.round(gross * (1 + (i % 3) / 2)));

  test('is one, if the middle halves overlap by half and no unit is declared', () => {
    const minutes = to(900, (i) => 80 + (i % 90));
    const scales = sharedScales([
      sampled('here', here),
      sampled('minutes', minutes),
      sampled('world', world),
    ]);
    expect([...scales.keys()]).toEqual(['here', 'world']);
    expect(scales.get('here')).toEqual(scales.get('world'));
    const { edges = [] } = scales.get('world') ?? {};
    expect(edges[0]).toBeLessThanOrEqual(Math.min(...here));
    expect(edges.at(-1)).toBeGreaterThanOrEqual(Math.max(...world));
  });

  test('is one, if one unit is declared and the ranges overlap by half, and not if two are', () => {
    const [low, high] = [to(100, (i) => i - 10), to(100, (i) => i + 20)];
    const middle = high.map((at) => (at > 40 && at < 100 ? 110 : at));
    expect(sharedScales([sampled('a', low, '°C'), sampled('b', high, '°C')]).size).toBe(2);
    expect(sharedScales([sampled('a', low, '°C'), sampled('b', middle, '°C')]).size).toBe(2);
    expect(sharedScales([sampled('a', low), sampled('b', middle)]).size).toBe(0);
    expect(sharedScales([sampled('a', low, '°C'), sampled('b', low, '°F')]).size).toBe(0);
    expect(sharedScales([sampled('a', low, '°C'), sampled('b', low)]).size).toBe(0);
    // As many as a tenth are a part, which would be a single bar.
    const tenth = low.map((at) => at / 10);
    expect(sharedScales([sampled('a', low, '°C'), sampled('b', tenth, '°C')]).size).toBe(0);
  });

  test('has all rows of each column in its bins', () => {
    const fields: Field[] = ['here', 'world'].map((name) => ({ ...integer, name, title: name }));
    const block = datasetBlock({
      ...{ id: 'films', name: 'films', title: 'Films', description: '', examples: [], fields },
    });
    const rows = here.map((gross, i) => ({ here: gross, world: world[i] ?? null }));
    const source = { title: 't', publisher: 'p', license: 'l', date: '2026' };
    const { bins } = makeDataset(block, rows, source).profile;
    expect(bins.here?.edges).toEqual(bins.world?.edges);
    for (const [name, keys] of Object.entries({ here, world })) {
      const { edges = [], counts = [] } = bins[name] ?? {};
      counts.forEach((count, i) => {
        expect(count).toBe(keys.filter((key) => binOf(edges, key) === i).length);
      });
    }
  });
});

test('what lies beyond the edges is in the outer bins', () => {
  expect([-1, 0, 9, 10, 29, 30, 99].map((key) => binOf([0, 10, 20, 30], key))).toEqual([
    0, 0, 0, 1, 2, 2, 2,
  ]);
});

test('sorted keys, and the chunks of a column, are counted in the bins in which each key is', () => {
  const value = fc.oneof(
    fc.integer({ min: -40, max: 40 }),
    fc.double({ noNaN: true, min: -50, max: 50 }).map((key) => key + 0),
  );
  const edges = fc.uniqueArray(fc.integer({ min: -30, max: 30 }), { minLength: 2, maxLength: 9 });
  fc.assert(
    fc.property(fc.array(fc.option(value)), edges, fc.nat(9), (values, some, more) => {
      const scale = { edges: some.sort((a, b) => a - b) };
      const keys = values.filter((key) => key !== null);
      const counts = scale.edges
        .slice(1)
        .map((_, bin) => keys.filter((key) => binOf(scale.edges, key) === bin).length);
      expect(binned(Float64Array.from(keys).sort(), scale).counts).toEqual(counts);
      const rows = values.map((n) => ({ n }));
      const chunks = chunksOf(packColumns([number], rows, more + 1), 'n');
      expect(binnedChunks(chunks, scale).counts).toEqual(counts);
    }),
    { seed: 3, numRuns: 500 },
  );
});
