import { expect, test } from '@jest/globals';
import { featuresOf } from '../../src/formats/geojson.ts';

const square = '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}';
const regions = { kind: 'regions', region: 'name', longitude: 'x', latitude: 'y' } as const;
const points = { kind: 'points', longitude: 'x', latitude: 'y' } as const;
const rows = ['{"name":"A","x":-76.5,"y":39.25,"n":1}', '{"name":"B","x":null,"y":39,"n":null}'];
const of = (asked: Parameters<typeof featuresOf>[1]) =>
  featuresOf(rows, asked).map((feature) => JSON.parse(feature));

test('rows at points: longitude first, and null where a row has no place', () => {
  expect(of({ geometry: points })).toEqual([
    {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [-76.5, 39.25] },
      properties: { name: 'A', x: -76.5, y: 39.25, n: 1 },
    },
    { type: 'Feature', geometry: null, properties: { name: 'B', x: null, y: 39, n: null } },
  ]);
});

test('rows of regions: their shapes, or their centres', () => {
  const boundaries = { A: square, B: square };
  const shapes = of({ geometry: regions, boundaries });
  expect(shapes.map((feature: { geometry: unknown }) => feature.geometry)).toEqual([
    JSON.parse(square),
    JSON.parse(square),
  ]);
  const centres = of({ geometry: regions, boundaries, form: 'point' });
  expect(centres[0].geometry).toEqual({ type: 'Point', coordinates: [-76.5, 39.25] });
});

test('the properties asked for, in the order asked; the place is there all the same', () => {
  const [feature] = of({ geometry: points, fields: ['n', 'name'] });
  expect(JSON.stringify(feature.properties)).toBe('{"n":1,"name":"A"}');
  expect(feature.geometry.coordinates).toEqual([-76.5, 39.25]);
});
