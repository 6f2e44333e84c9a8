import { expect, test } from '@jest/globals';
import type { MapDrawing } from '../../src/block/manifest.ts';
import { layerOf } from '../../src/figure/earth/outlines.ts';
import { withUs } from '../../src/import/map-of-us.ts';

const FIELDS = { longitude: 'lon', latitude: 'lat' };
const MAP: MapDrawing = {
  ...{ kind: 'points', west: -170, south: 18, east: -66, north: 70, width: 600, height: 400 },
  others: '',
};
const inStates = layerOf('states').named.flatMap(({ seats }) =>
  seats.map(([lon, lat]) => ({ lon, lat })),
);
const inEurope = Array.from({ length: inStates.length }, (_, i) => ({ lon: i % 20, lat: 48 }));

const isOfUs = async (rows: readonly object[], map: MapDrawing = MAP) => {
  const found = await withUs(map, rows as never, FIELDS, rows.length);
  return found?.kind === 'points' && found.isOfUs === true;
};

test('a map is of the United States if 95 % of the places are there', async () => {
  expect(inStates.length).toBeGreaterThan(900);
  expect(await isOfUs(inStates)).toBe(true);
  const few = Math.floor(inStates.length * 0.02);
  expect(await isOfUs([...inEurope.slice(0, few), ...inStates])).toBe(true);
  const more = Math.ceil(inStates.length * 0.08);
  expect(await isOfUs([...inEurope.slice(0, more), ...inStates])).toBe(false);
  expect(await isOfUs(inEurope)).toBe(false);
});

test('and if they are far from each other, and the publisher has no areas', async () => {
  expect(await isOfUs(inStates, { ...MAP, west: -80 })).toBe(false);
  const { others, ...sides } = MAP as Extract<MapDrawing, { kind: 'points' }>;
  expect(await isOfUs(inStates, { ...sides, kind: 'regions', shapes: {} })).toBe(false);
  expect(await isOfUs([{ lon: null, lat: null }])).toBe(false);
});
