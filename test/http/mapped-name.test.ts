import { expect, test } from '@jest/globals';
import { mappedName } from '../../src/http/picked-arguments.ts';

test.each([
  ['_map.R', 'R'],
  ['_map._limit', '_limit'],
  ['_map.', ''],
  ['_map.a.b', 'a.b'],
])('%s picks for %j', (name, parameter) => {
  expect(mappedName(name)).toEqual({ parameter, isExact: true });
});

test.each([
  '_MAP.R',
  '_Map.R',
  '_map[R]',
  '_map[R',
  '_map:R',
  '_map/R',
  '_map-R',
  '_map_R',
  '_map R',
  '_maps.R',
  '_mpa.R',
  '_mapp.R',
  '_ma.R',
  'map.R',
  'Map[R]',
  'maps.R',
])('%s was meant to', (name) => {
  expect(mappedName(name)).toEqual({ parameter: 'R', isExact: false });
});

test.each([
  '_map',
  '_MAP',
  'map',
  'map_id',
  'map-type',
  '_ga_R',
  '_gl',
  'utm_source',
  'hub.mode',
  'hub.challenge',
  'tap.x',
  '_limit',
  '_cursor',
  '_18_24_min',
  '_5_to_17_max',
  '',
  '_',
  'R',
])('%j is another name', (name) => expect(mappedName(name)).toBeUndefined());
