import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cellWidthIn, MapCells } from '../../src/values/map-cells.ts';
import { haversine, metresIn, metresOf, type Point } from '../../src/values/places.ts';

const WIDTHS = ['10m', '300ft', '0.5km', '2km', '50km', '900mi'];

const longitude = fc.oneof(
  fc.constantFrom(-180, 180, 0, -1e-16, -1e-15, -0.5),
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.integer({ min: -1800, max: 1800 }).map((tenths) => tenths / 10),
);
const latitude = fc.oneof(
  fc.constantFrom(-90, 90, 0, -1e-16, 89.999_999),
  fc.double({ min: -90, max: 90, noNaN: true }),
  fc.integer({ min: -900, max: 900 }).map((tenths) => tenths / 10),
);

/** A box as `_bbox` takes it, and whether it has a place: both ends are inclusive. */
function isInBox(box: string, [longitude, latitude]: Point): boolean {
  const ends = box.split(',').map(Number) as [number, number, number, number];
  const [west, south, east, north] = ends.map((end) => (Math.abs(end) < 1e-15 ? 0 : end)) as [
    number,
    number,
    number,
    number,
  ];
  const isThere = (at: number) => west <= at && at <= east;
  const isEast = isThere(longitude) || (Math.abs(longitude) === 180 && isThere(-longitude));
  return isEast && south <= latitude && latitude <= north;
}

describe.each(WIDTHS)('cells of %s', (width) => {
  const cells = new MapCells(width);

  test('have each place in one box: the box of a cell has a place if and only if the cell does', () => {
    const near = fc.tuple(longitude, latitude, fc.constantFrom(0, 1e-7, -1e-6, 1e-4, 0.01));
    fc.assert(
      fc.property(near, near, fc.boolean(), ([x, y, by], [otherX, otherY], isFar) => {
        const key = cells.keyOf(x, y);
        const box = cells.boxOf(key);
        const other: Point = isFar
          ? [otherX, otherY]
          : [Math.max(-180, Math.min(180, x + by)), Math.max(-90, Math.min(90, y + by))];
        const tiny = other.some((degrees) => degrees !== 0 && Math.abs(degrees) < 1e-15);
        if (!tiny) expect(isInBox(box, other)).toBe(cells.keyOf(...other) === key);
        expect(cells.boxAround(cells.centreOf(key))).toBe(box);
      }),
      { seed: 71, numRuns: 2000 },
    );
  });

  test('have their own borders in the west and south, and not the next cell’s', () => {
    fc.assert(
      fc.property(longitude, latitude, (x, y) => {
        const key = cells.keyOf(x, y);
        const [west, south, east, north] = cells.boxOf(key).split(',').map(Number) as number[];
        expect(cells.keyOf(west as number, south as number)).toBe(key);
        expect(cells.keyOf(east as number, north as number)).toBe(key);
      }),
      { seed: 72, numRuns: 1000 },
    );
  });

  test('are about as wide and as high as asked for, except beside the poles', () => {
    fc.assert(
      fc.property(longitude, fc.double({ min: -60, max: 60, noNaN: true }), (x, y) => {
        const key = cells.keyOf(x, y);
        const ends = cells.boxOf(key).split(',').map(Number);
        const [west, south, east, north] = ends as [number, number, number, number];
        const middle = (south + north) / 2;
        const wide = metresOf(haversine([west, middle], [east, middle])) / metresIn(width);
        const high = metresOf(haversine([west, south], [west, north])) / metresIn(width);
        for (const one of [wide, high]) expect(Math.abs(one - 1)).toBeLessThan(0.06);
      }),
      { seed: 73, numRuns: 300 },
    );
  });
});

test('cells ascend from south to north, then from west to east', () => {
  const cells = new MapCells('50km');
  const keys = [cells.keyOf(10, 5), cells.keyOf(11, 5), cells.keyOf(-170, 6)];
  expect([...keys].sort((a, b) => a - b)).toEqual(keys);
});

test.each([
  [200, 10],
  [10, 95],
  [Number.NaN, 10],
  [10, Number.NaN],
])('%s,%s is no place, and has no cell', (longitude, latitude) => {
  expect(new MapCells('2km').keyOf(longitude, latitude)).toBeNaN();
});

test.each([
  ['place.2km', '2km'],
  ['place.10m', '10m'],
  ['place.0.25mi', '0.25mi'],
  ['place.1.5km', '1.5km'],
  ['place.100ft', '100ft'],
  ['place.9m', undefined],
  ['place.1000km', undefined],
  ['place.2.0km', undefined],
  ['place.02km', undefined],
  ['place.2', undefined],
  ['other.2km', undefined],
])('%s asks for cells of %s', (text, width) => {
  expect(cellWidthIn(text)).toBe(width);
});
