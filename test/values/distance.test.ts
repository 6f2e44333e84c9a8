import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  boundsWithin,
  COMPASS,
  directionTo,
  haversine,
  metresIn,
  metresOf,
  type Point,
} from '../../src/values/places.ts';

const near = (value: number) =>
  fc.double({ min: -0.01, max: 0.01, noNaN: true }).map((by) => value + by);
const longitude = fc
  .oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, 180, 0).chain(near))
  .map((value) => Math.max(-180, Math.min(180, value)));
const latitude = fc
  .oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 90, 40.68).chain(near))
  .map((value) => Math.max(-90, Math.min(90, value)));
const point: fc.Arbitrary<Point> = fc.tuple(longitude, latitude);

test('no place within a distance is out of its bounds', () => {
  let [inside, ruledOut] = [0, 0];
  fc.assert(
    fc.property(point, point, fc.constantFrom(0.9, 1, 1.1, 3), (at, other, factor) => {
      const apart = metresOf(haversine(other, at));
      const { latitudes, longitudes } = boundsWithin(at, apart * factor);
      const isWithin = [longitudes, latitudes].every((intervals, i) =>
        intervals.some(
          ([low, high]) => low <= (other[i] as number) && (other[i] as number) <= high,
        ),
      );
      if (factor >= 1) expect([at, other, isWithin]).toEqual([at, other, true]);
      if (factor >= 1) inside++;
      if (!isWithin) ruledOut++;
      const [first, second] = longitudes;
      if (second !== undefined) expect(first?.[1]).toBeLessThan(second[0]);
    }),
    { seed: 12, numRuns: 5000 },
  );
  expect(inside).toBeGreaterThan(3000);
  expect(ruledOut).toBeGreaterThan(50);
});

test('places on both sides of the 180th meridian, or at a pole, are equally far', () => {
  for (const [a, b, at] of [
    [
      [179, 1],
      [-179, 1],
      [180, 0],
    ],
    [
      [179, 1],
      [-179, 1],
      [-180, 0],
    ],
    [
      [50, 90],
      [-7, 90],
      [12.3, 45.6],
    ],
    [
      [50, 89],
      [-7, 89],
      [12.3, 90],
    ],
  ] as Point[][]) {
    expect(haversine(a as Point, at as Point)).toBe(haversine(b as Point, at as Point));
  }
});

test('-180 and 180 are one meridian, exactly', () => {
  fc.assert(
    fc.property(point, latitude, (at, its) => {
      expect(haversine([-180, its], at)).toBe(haversine([180, its], at));
    }),
    { seed: 3, numRuns: 2000 },
  );
});

test('distances are those of a sphere', () => {
  const quarter = (Math.PI / 2) * 6371008.8;
  expect(metresOf(haversine([0, 0], [90, 0]))).toBeCloseTo(quarter, 3);
  expect(metresOf(haversine([17, 90], [-60, 0]))).toBeCloseTo(quarter, 3);
  expect(metresOf(haversine([180, 10], [-180, 10]))).toBeCloseTo(0, 6);
  expect(['500m', '1.5km', '2mi', '300ft'].map(metresIn)).toEqual([500, 1500, 3218.688, 91.44]);
});

test.each([
  [[0, 1], 'N'],
  [[1, 1], 'NE'],
  [[1, 0], 'E'],
  [[1, -1], 'SE'],
  [[0, -1], 'S'],
  [[-1, -1], 'SW'],
  [[-1, 0], 'W'],
  [[-1, 1], 'NW'],
] as const)('a place at %s from the middle of the map is in the %s', (to, direction) => {
  expect(directionTo([0, 0], to)).toBe(direction);
  // On the other side of the earth's edge, too.
  expect(directionTo([180, 0], [to[0] > 0 ? to[0] - 180 : to[0] + 180, to[1]])).toBe(direction);
});

test('the way back of a short way is in the opposite direction', () => {
  const apart = fc.double({ min: -0.05, max: 0.05, noNaN: true });
  const middle = fc.tuple(longitude, fc.double({ min: -60, max: 60, noNaN: true }));
  fc.assert(
    fc.property(middle, apart, apart, ([x, y], east, north) => {
      fc.pre(Math.abs(east) + Math.abs(north) > 1e-6);
      const other = [x + east, y + north] as const;
      const there = COMPASS.indexOf(directionTo([x, y], other));
      const back = COMPASS.indexOf(directionTo(other, [x, y]));
      // Between two directions, either may be taken.
      expect([3, 4, 5]).toContain((((back - there) % 8) + 8) % 8);
    }),
    { seed: 8 },
  );
});
