import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { profileDataset } from '../../src/import/profile-dataset.ts';
import { importDataset, makeDataset } from '../support/datasets.ts';
import { ROOT } from '../support/service.ts';

const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };
const block = datasetBlock({
  id: 'places',
  name: 'places',
  title: 'Places',
  description: '',
  fields: [
    { type: 'text', name: 'type', title: 'Type' },
    { type: 'number', name: 'size', title: 'Size' },
    { type: 'number', name: 'x', title: 'Longitude', filterable: false },
    { type: 'number', name: 'y', title: 'Latitude', filterable: false },
  ],
  geometry: { kind: 'points', longitude: 'x', latitude: 'y' },
  examples: [],
});
const row = (
  type: string | null,
  size: number | null,
  x: number | null = 0,
  y: number | null = 0,
) => ({
  type,
  size,
  x,
  y,
});
const profileOf = (...rows: ReturnType<typeof row>[]) => makeDataset(block, rows, SOURCE).profile;

test('a range has a histogram, unless it has no value', () => {
  const { bins } = profileOf(row('a', 0), row('a', 1), row('a', 2), row('a', null));
  expect(bins.size?.counts).toHaveLength((bins.size?.edges.length ?? 0) - 1);
  expect(bins.size?.counts.reduce((a, b) => a + b)).toBe(3);
  expect(profileOf(row('a', null)).bins).toEqual({});
});

describe('suggestions', () => {
  test('the commonest first, one spelling of what is compared as one; a star is a star', () => {
    const types = ['b', 'A', 'a ', 'a*b', null, 'x'.repeat(200), 'two\nlines'];
    const { suggestions } = profileOf(...types.map((type) => row(type, 1)));
    expect(suggestions.type).toEqual(['A', 'b', 'a\\*b']);
  });
});

test('the rows with the commonest value are counted, of texts and of yes and no', () => {
  const { commonest } = profileOf(...['a', 'b', 'B ', null, 'c'].map((type) => row(type, 1)));
  expect(commonest).toEqual({
    type: [
      ['b', 2],
      ['a', 1],
      ['c', 1],
    ],
  });
  expect(profileOf(row(null, 1)).commonest).toEqual({ type: [] });
  const flags = datasetBlock({
    ...{ id: 'f', name: 'f', title: 'F', description: '', examples: [] },
    fields: [{ type: 'boolean', name: 'open', title: 'Open' }],
  });
  const rows = [true, false, true, null, true].map((open) => ({ open }));
  expect(makeDataset(flags, rows, SOURCE).profile.commonest).toEqual({
    open: [
      ['yes', 3],
      ['no', 1],
    ],
  });
});

describe("a map's frame", () => {
  test('holds the many and leaves one far-off row outside', () => {
    const many = Array.from({ length: 100 }, (_, i) => row('a', 1, -74 + i / 1e4, 40.6 + i / 1e4));
    const { map } = profileOf(...many, row('far', 1, 10, 50));
    if (map?.kind !== 'points') throw new Error('no map');
    expect([map.west, map.east].map((x) => x.toFixed(2))).toEqual(['-74.00', '-73.99']);
    expect(map.others.match(/M/g)?.length).toBeLessThanOrEqual(100);
    // As wide as high on the ground, where degrees of longitude are shorter.
    const ground =
      ((map.east - map.west) * Math.cos((40.605 * Math.PI) / 180)) / (map.north - map.south);
    expect(map.width / map.height).toBeCloseTo(ground, 2);
  });

  test('has all places drawn in its ground, of few as dots and of many as squares', () => {
    for (const count of [400, 6000]) {
      // A spiral, in the file's order from its middle outwards.
      const rows = Array.from({ length: count }, (_, i) => {
        const [angle, radius] = [i / 7, (4 * i) / count];
        return row('a', 1, -74 + radius * Math.cos(angle), 40 + radius * Math.sin(angle));
      });
      const { map } = profileOf(...rows);
      if (map?.kind !== 'points') throw new Error('no map');
      const drawn = [...map.others.matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)(?:v([\d.]+))?/g)].map(
        ([, ...numbers]) => numbers.map((text) => Number(text ?? 0)),
      );
      expect(map.squareSide === undefined).toBe(count === 400);
      expect(drawn.length).toBeLessThanOrEqual(1000);
      const room = map.squareSide === undefined ? 0.5 : 1e-6;
      const missing = rows.filter(({ x, y }) => {
        const left = (((x as number) - map.west) / (map.east - map.west)) * map.width;
        const top = ((map.north - (y as number)) / (map.north - map.south)) * map.height;
        return !drawn.some(([x = 0, y = 0, wide = 0, high = 0]) => {
          const isAcross = left >= x - room && left <= x + wide + room;
          return isAcross && top >= y - room && top <= y + high + room;
        });
      });
      expect(missing).toEqual([]);
    }
  });

  test('of more than 90 degrees leaves no place out', () => {
    const many = Array.from({ length: 200 }, (_, i) => row('a', 1, (i % 100) - 50, (i % 30) + 20));
    const { map } = profileOf(...many, row('far', 1, 175, -60));
    expect([map?.west, map?.south].every((side) => Number(side) <= -50)).toBe(true);
    expect(map?.east).toBeGreaterThanOrEqual(175);
    expect([map?.south, map?.north].every((side) => Math.abs(Number(side)) <= 90)).toBe(true);
  });

  test('goes over the 180th meridian, where places lie on both sides of it', () => {
    const { map } = profileOf(...[177, -179, 179, -178].map((x) => row('a', 1, x, -17)));
    expect(map?.west).toBeCloseTo(176.8, 1);
    expect(map?.east).toBeCloseTo(182.2, 1);
  });

  test('is none without a place', () => {
    expect(profileOf(row('a', 1, null, null)).map).toBeUndefined();
    expect(profileOf(row('a', 1)).map).toMatchObject({ kind: 'points' });
  });
});

test('areas without an extent are no map', () => {
  const ring = [1, 1, 1, 1].map(() => [3, 4]);
  const boundaries = { a: JSON.stringify({ type: 'Polygon', coordinates: [ring] }) };
  const geometry = { kind: 'regions', region: 'name', longitude: 'x', latitude: 'y' } as const;
  const nowhere = { longitudes: new Float64Array(), latitudes: new Float64Array() };
  const flat = { ...block, fields: [], keyFields: [], geometry };
  expect(profileDataset(flat, {}, nowhere, boundaries).map).toBeUndefined();
});

test("the census block's regions: a shape for each row, within the drawing", async () => {
  const loaded = (await loadBlocks(path.join(ROOT, 'functions'))).find(
    ({ block: { name } }) => name === 'census-neighborhoods',
  );
  if (loaded?.kind !== 'dataset') throw new Error('not a dataset');
  const imported = await importDataset(loaded.block, loaded.dataset, path.join(ROOT, 'seed-data'));
  const { map } = imported.profile;
  if (map?.kind !== 'regions') throw new Error('no regions');
  expect(Object.keys(map.shapes).sort()).toEqual(
    Array.from(imported.rows, ({ values }) => values.neighborhood_1).sort(),
  );
  for (const [name, shape] of Object.entries(map.shapes)) {
    const numbers = [...shape.matchAll(/-?\d+(?:\.\d+)?/g)].map(Number);
    expect([name, numbers.length > 6]).toEqual([name, true]);
    const xs = numbers.filter((_, i) => i % 2 === 0);
    const ys = numbers.filter((_, i) => i % 2 === 1);
    expect(Math.min(...xs, ...ys)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...xs)).toBeLessThanOrEqual(map.width);
    expect(Math.max(...ys)).toBeLessThanOrEqual(map.height);
  }
  // North is up, and east to the right.
  const middle = (name: unknown, axis: 0 | 1) => {
    const numbers = [...(map.shapes[name as string] ?? '').matchAll(/\d+(?:\.\d+)?/g)].map(Number);
    const own = numbers.filter((_, i) => i % 2 === axis);
    return (Math.min(...own) + Math.max(...own)) / 2;
  };
  const ends = (field: string) => {
    const sorted = Array.from(imported.rows, ({ values }) => values).sort(
      (a, b) => (a[field] as number) - (b[field] as number),
    );
    return [sorted[0]?.neighborhood_1, sorted.at(-1)?.neighborhood_1];
  };
  const [south, north] = ends('centerpoint_y');
  expect(middle(north, 1)).toBeLessThan(middle(south, 1));
  const [west, east] = ends('centerpoint_x');
  expect(middle(west, 0)).toBeLessThan(middle(east, 0));
  // The centre of a neighborhood lies within the box of its shape.
  const { boundaries } = imported;
  for (const { values } of imported.rows) {
    const { coordinates } = JSON.parse(boundaries?.[values.neighborhood_1 as string] as string);
    const ring: [number, number][] = coordinates[0];
    const within = (value: number, all: number[]) =>
      value >= Math.min(...all) && value <= Math.max(...all);
    expect(
      within(
        values.centerpoint_x as number,
        ring.map(([x]) => x),
      ),
    ).toBe(true);
    expect(
      within(
        values.centerpoint_y as number,
        ring.map(([, y]) => y),
      ),
    ).toBe(true);
  }
});

describe('an outline below points', () => {
  const ring = (west: number, south: number, east: number, north: number) => [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ];
  const mapWith = (...sides: Parameters<typeof ring>) => {
    const rows = Array.from({ length: 50 }, (_, i) => row('a', 1, 13 + i / 100, 52 + i / 100));
    const outline = JSON.stringify({ type: 'Polygon', coordinates: ring(...sides) });
    const { map } = makeDataset(block, rows, SOURCE, { outlines: { 1: outline } }).profile;
    if (map?.kind !== 'points') throw new Error('expected points');
    return map;
  };

  test('is within the frame, if it is near the points', () => {
    const map = mapWith(12.9, 51.9, 13.6, 52.6);
    expect(map.outline?.isWhole).toBe(true);
    expect([map.west < 12.9, map.south < 51.9, map.east > 13.6, map.north > 52.6]).toEqual(
      Array(4).fill(true),
    );
    const corners = [...(map.outline?.path ?? '').matchAll(/(-?[\d.]+),(-?[\d.]+)/g)];
    const at = (longitude: number, latitude: number) => [
      ((longitude - map.west) / (map.east - map.west)) * map.width,
      ((map.north - latitude) / (map.north - map.south)) * map.height,
    ];
    const [x, y] = at(12.9, 51.9) as [number, number];
    const isCorner = corners.some(
      ([, a, b]) => Math.abs(Number(a) - x) < 0.1 && Math.abs(Number(b) - y) < 0.1,
    );
    expect(isCorner).toBe(true);
  });

  test('does not make the frame that of a whole country', () => {
    const map = mapWith(5, 47, 15, 55);
    expect(map.outline?.isWhole).toBe(false);
    expect(map.east - map.west).toBeLessThan(1);
  });
});
