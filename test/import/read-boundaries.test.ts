import { describe, expect, test } from '@jest/globals';
import { readBoundaries } from '../../src/files/geojson/read-boundaries.ts';

const bytes = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const feature = (name: unknown, geometry: unknown) => ({
  type: 'Feature',
  properties: { name },
  geometry,
});
const collection = (...features: unknown[]) => ({ type: 'FeatureCollection', features });
const clockwise = [
  [0, 0],
  [0, 2],
  [2, 2],
  [2, 0],
  [0, 0],
];
const counterclockwise = [...clockwise].reverse();
const read = (value: unknown) => readBoundaries(bytes(value), 'f.geojson', 'name');

describe('rings go round as RFC 7946 has them, whichever way the file does', () => {
  test.each([
    ['an exterior that is clockwise', [clockwise, clockwise]],
    ['an exterior that is not', [counterclockwise, counterclockwise]],
  ])('%s', (_, coordinates) => {
    const { A } = read(collection(feature('A', { type: 'Polygon', coordinates })));
    expect(JSON.parse(A as string)).toEqual({
      type: 'Polygon',
      coordinates: [counterclockwise, clockwise],
    });
  });

  test('several polygons', () => {
    const { A } = read(
      collection(feature('A', { type: 'MultiPolygon', coordinates: [[clockwise], [clockwise]] })),
    );
    expect(JSON.parse(A as string).coordinates).toEqual([[counterclockwise], [counterclockwise]]);
  });
});

describe('what is no set of boundaries is refused in one line', () => {
  const polygon = { type: 'Polygon', coordinates: [clockwise] };
  test.each([
    ['no JSON', '{', 'f.geojson: not valid JSON'],
    ['another type', { type: 'Feature' }, 'f.geojson: expected a GeoJSON FeatureCollection'],
    ['null', 'null', 'f.geojson: expected a GeoJSON FeatureCollection'],
    [
      'no name',
      collection(feature(5, polygon)),
      'f.geojson: feature 1: name is missing; expected a text',
    ],
    [
      'a name twice',
      collection(feature('A', polygon), feature('A', polygon)),
      'f.geojson: feature 2: A is there twice',
    ],
    [
      'a point',
      collection(feature('A', { type: 'Point', coordinates: [0, 0] })),
      'f.geojson: feature 1: expected a Polygon or a MultiPolygon',
    ],
    [
      'a ring that is open',
      collection(feature('A', { type: 'Polygon', coordinates: [clockwise.slice(1)] })),
      'f.geojson: feature 1: expected closed rings of longitude and latitude, in degrees',
    ],
    [
      'metres',
      collection(
        feature('A', {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [0, 2000],
              [9, 9],
              [0, 0],
            ],
          ],
        }),
      ),
      'f.geojson: feature 1: expected closed rings of longitude and latitude, in degrees',
    ],
  ])('%s', (_, value, message) => {
    expect(() => read(value)).toThrow(new Error(message));
  });
});
