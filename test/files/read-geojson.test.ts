import { describe, expect, test } from '@jest/globals';
import { geoContains } from 'd3-geo';
import { readGeoJson } from '../../src/files/geojson/read-geojson.ts';
import { pieces } from '../support/pieces.ts';

const collection = (features: readonly string[], more = '') =>
  `{"type":"FeatureCollection",${more}"features":[\n${features.join(',\n')}]}`;
const feature = (geometry: string, properties = '{}') =>
  `{"type":"Feature","properties":${properties},"geometry":${geometry}}`;
const point = (coordinates: string) => `{"type":"Point","coordinates":${coordinates}}`;

const open = (text: string) => readGeoJson(pieces(text, 11), 'f.geojson');
const read = async (text: string) => {
  const table = await open(text);
  const rows: (readonly string[])[] = [];
  for await (const { cells } of table.records) rows.push(cells);
  return { ...table, notes: table.notes, rows: [table.headers, ...rows] };
};
const refused = async (text: string, message: string) => {
  await expect(open(text)).rejects.toThrow(message);
};

test('properties are columns; a Point is a longitude and a latitude with its digits', async () => {
  const { rows, counts } = await read(
    collection([
      feature(point('[-76.6100, 3.9e1]'), '{"name":"A","address":{"zip":"02134"}}'),
      feature('null', '{"name":"B","tags":["x"]}'),
    ]),
  );
  expect(rows).toEqual([
    ['name', 'address.zip', 'tags', 'longitude', 'latitude'],
    ['A', '02134', '', '-76.6100', '3.9e1'],
    ['B', '', '["x"]', '', ''],
  ]);
  expect(counts).toBe('feature');
});

test('columns that the properties have already keep their names', async () => {
  const { rows } = await read(
    collection([`{"id":7,${feature(point('[1,2]'), '{"Longitude":"x","id":3}').slice(1)}`]),
  );
  expect(rows).toEqual([
    ['feature_id', 'Longitude', 'id', 'point_longitude', 'point_latitude'],
    ['7', 'x', '3', '1', '2'],
  ]);
});

test('features may stand one on a line', async () => {
  const text = `${feature(point('[1,2]'), '{"a":1}')}\n${feature('null', '{"b":2}')}\n`;
  const { rows } = await read(text);
  expect(rows).toEqual([
    ['a', 'b', 'longitude', 'latitude'],
    ['1', '', '1', '2'],
    ['', '2', '', ''],
  ]);
});

test.each([
  ['in a sequence (RFC 8142)', '\x1e', '\n', ''],
  ['over several lines', '', '\n', '\n'],
  ['in a sequence over several lines', '\x1e', '\n', '\n'],
  ['behind one another', '', '', ''],
])('features may stand %s', async (_, before, behind, within) => {
  const both = [feature(point('[1,2]'), '{"a":1}'), feature('null', '{"a":2}')];
  const text = both.map((one) => before + one.replace('{', `{${within}`) + behind).join('');
  const { rows } = await read(text);
  expect(rows.slice(1)).toEqual([
    ['1', '1', '2'],
    ['2', '', ''],
  ]);
});

test('names that objects have anyway are properties', async () => {
  const { rows } = await read(
    collection([feature('null', '{"__proto__":1,"constructor":{"name":2}}')]),
  );
  expect(rows).toEqual([
    ['__proto__', 'constructor.name'],
    ['1', '2'],
  ]);
});

describe('a point stands for other geometries', () => {
  const LETTER_U = '[[0,0],[9,0],[9,9],[6,9],[6,3],[3,3],[3,9],[0,9],[0,0]]';
  const DISC_WITH_A_HOLE = '[[0,0],[8,0],[8,8],[0,8],[0,0]],[[2,2],[2,6],[6,6],[6,2],[2,2]]';
  test.each([
    ['Polygon', `[${LETTER_U}]`, ['1.5', '4.5']],
    ['Polygon', `[${DISC_WITH_A_HOLE}]`, ['1', '4']],
    // Fiji, and a rectangle from 100 degrees west to 100 east, which is no crossing.
    ['Polygon', '[[[177,-19],[-178,-19],[-178,-16],[177,-16],[177,-19]]]', ['179.5', '-17.5']],
    ['Polygon', '[[[178,-19],[-175,-19],[-175,-16],[178,-16],[178,-19]]]', ['-178.5', '-17.5']],
    ['Polygon', '[[[-100,0],[100,0],[100,10],[0,20],[-100,10],[-100,0]]]', ['0', '10']],
    ['MultiPolygon', `[[[[20,20],[21,20],[21,21],[20,20]]],[${LETTER_U}]]`, ['1.5', '4.5']],
    ['LineString', '[[0,0],[1,5],[2,0]]', ['1', '5']],
    ['MultiPoint', '[[3.25,4]]', ['3.25', '4']],
    ['MultiLineString', '[[[0,0],[1,1]],[[7,8]]]', ['1', '1']],
  ])('%s %s', async (type, coordinates, expected) => {
    const geometry = `{"type":"${type}","coordinates":${coordinates}}`;
    const { rows, notes, geometry: drawn } = await read(collection([feature(geometry)]));
    expect(rows[1]).toEqual(expected);
    expect(notes).toEqual([`1 ${type}: a point that stands for each`]);
    expect(drawn?.are).toBe(/Polygon$/.test(type) ? 'areas' : 'others');
    if (type === 'Polygon') {
      // d3 winds rings the other way.
      const rings = JSON.parse(coordinates).map((ring: number[][]) => ring.toReversed());
      expect(
        geoContains({ type, coordinates: rings }, rows[1]?.map(Number) as [number, number]),
      ).toBe(true);
    }
  });

  test('a collection of geometries', async () => {
    const geometry = `{"type":"GeometryCollection","geometries":[${point('[1,2]')}]}`;
    const { rows } = await read(collection([feature(geometry)]));
    expect(rows[1]).toEqual(['1', '2']);
  });
});

test('what is left out is noted', async () => {
  const more = feature(point('[1,2,30]')).replace('{', '{"bbox":[1,2,1,2],"style":{"x":1},');
  const { notes } = await read(collection([more, feature('null')]));
  expect(notes).toEqual([
    '1 feature without a geometry',
    'left out the altitude of 1 point',
    'left out members beside the properties: style',
  ]);
});

describe('coordinates are WGS 84', () => {
  const crs = (name: string) => `"crs":{"type":"name","properties":{"name":${name}}},`;
  test.each(['"urn:ogc:def:crs:OGC:1.3:CRS84"', '"EPSG:4326"', '"urn:ogc:def:crs:EPSG::4326"'])(
    '%s',
    async (name) => {
      const { rows } = await read(collection([feature(point('[1,2]'))], crs(name)));
      expect(rows[1]).toEqual(['1', '2']);
    },
  );

  test('or refused, with the fix', async () => {
    const text = collection([feature(point('[1,2]'))], crs('"urn:ogc:def:crs:EPSG::2248"'));
    await refused(text, 'the coordinates are in "urn:ogc:def:crs:EPSG::2248"; make WGS 84 of it');
    await refused(text, 'ogr2ogr -t_srs EPSG:4326');
    const metres = collection([feature(point('[1,2]')), feature(point('[1433000.5,2]'))]);
    await refused(
      metres,
      'f.geojson, line 3, column 1: the position 1433000.5, 2 is not in degrees; coordinates of a projection, in metres or feet, become degrees',
    );
    await refused(metres, 'ogr2ogr -s_srs EPSG:<number> -t_srs EPSG:4326 new.geojson <this file>');
  });

  test.each([
    ['longitudes to 360', '[198.5,47.1]', '198.5, 47.1 is beyond 180 degrees; longitudes go from'],
    ['latitudes first', '[47.1,98.5]', '47.1, 98.5 is on no map; a latitude stands before its'],
    ['neither', '[147.1,98.5]', '147.1, 98.5 is on no map: latitudes go from -90 to 90'],
  ])('%s are refused with what they are', async (_, position, told) => {
    await refused(collection([feature(point(position))]), told);
  });
});

describe('refused', () => {
  test.each([
    ['a geometry', point('[1,2]'), 'with "features", found the type "Point"'],
    ['TopoJSON', '{"type":"Topology","objects":{}}', 'this is TopoJSON'],
    ['an array', '[]', 'line 1, column 1: expected a GeoJSON FeatureCollection'],
    ['no features', collection([]), 'it holds no features'],
    ['another thing', collection(['{"type":"Point"}']), 'expected a "type" of "Feature"'],
    ['properties', collection([feature('null', '[1]')]), 'expected properties in an object'],
    ['levels', collection([feature(point('[[1,2]]'))]), 'these are no coordinates of a Point'],
    [
      'too few levels',
      collection([feature('{"type":"Polygon","coordinates":[[1,2],[3,4]]}')]),
      'line 2, column 1: these are no coordinates of a Polygon',
    ],
    ['a text', collection([feature(point('["1",2]'))]), 'these are no coordinates of a Point'],
    [
      'a text instead of all coordinates',
      collection([feature('{"type":"Polygon","coordinates":"x"}')]),
      'line 2, column 1: these are no coordinates of a Polygon',
    ],
    ['a type', collection([feature(point('[1,2]').replace('Point', 'toString'))]), 'of a toString'],
    ['no type', collection([feature('{"coordinates":[1,2]}')]), 'a geometry without a type'],
    ['an infinity', collection([feature(point('[1e999,2]'))]), 'Infinity, 2 is not in degrees'],
  ])('%s', async (_, text, message) => {
    await refused(text, message);
  });
});
