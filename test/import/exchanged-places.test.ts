import { expect, test } from '@jest/globals';
import { noteOfExchanged } from '../../src/import/exchanged-places.ts';

const FIELDS = { longitude: 'lon', latitude: 'lat' };
type Place = readonly [lon: number, lat: number];

const noteOf = (places: readonly Place[]) => {
  const rows = places.map(([lon, lat]) => ({ lon, lat }));
  return noteOfExchanged(rows, FIELDS, rows.length);
};
const exchanged = (places: readonly Place[]) => places.map(([lon, lat]): Place => [lat, lon]);
/** A square grid of places. */
const grid = (west: number, south: number, step: number, side = 8): readonly Place[] =>
  Array.from({ length: side * side }, (_, i) => [
    west + step * (i % side),
    south + step * Math.floor(i / side),
  ]);

const ENGLAND = grid(-2.5, 51.5, 0.22);
const KANSAS = grid(-85, 36, 0.7);

test('places of a country in the sea or in Antarctica are told, and what they would be', async () => {
  expect(await noteOf(exchanged(ENGLAND))).toBe(
    '64 places lie in the sea or in Antarctica, and 64 would lie on land if latitude and longitude were exchanged: look at the map, and if they are, exchange them in the file, or add GeoJSON with --axis-order lat-lon',
  );
  expect(await noteOf(exchanged(KANSAS))).toContain('64 places lie in the sea or in Antarctica');
  // Some of the shore are in the water.
  const shore = [...ENGLAND, ...grid(2.5, 54, 0.1, 4)];
  expect(await noteOf(exchanged(shore))).toContain(
    '80 places lie in the sea or in Antarctica, and 6',
  );
});

test('places on land are not, nor those at sea the other way round too, nor a few', async () => {
  expect(await noteOf(ENGLAND)).toBeUndefined();
  expect(await noteOf(KANSAS)).toBeUndefined();
  const pacific = grid(-40, -40, 0.5);
  expect(await noteOf(pacific)).toBeUndefined();
  expect(await noteOf(exchanged(ENGLAND).slice(0, 4))).toBeUndefined();
  expect(await noteOf([...exchanged(ENGLAND), ...ENGLAND.slice(0, 5)])).toBeUndefined();
  // A longitude that no latitude is.
  expect(await noteOf(grid(150, 0, 0.5))).toBeUndefined();
});

test('of many places, some in each part of the file are looked at', async () => {
  const many = Array.from({ length: 50 }, () => exchanged(ENGLAND)).flat();
  expect(await noteOf(many)).toMatch(/^200 places of 200 looked at lie in the sea/);
  expect(await noteOf([...many, ...many.map(([lon, lat]): Place => [lat, lon])])).toBeUndefined();
});
