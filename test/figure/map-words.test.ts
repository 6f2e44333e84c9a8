import { describe, expect, test } from '@jest/globals';
import type { MapDrawing } from '../../src/block/manifest.ts';
import { drawPicture } from '../../src/figure/draw.ts';
import { earth } from '../../src/figure/earth/earth.ts';
import { figureOf } from '../../src/figure/figure.ts';
import { ENGLISH } from '../../src/languages/english.ts';
import { LANGUAGES } from '../../src/languages/languages.ts';
import type { Row } from '../../src/values/field-type.ts';
import { captionIn, FIELDS, figure, knownOf, placesOf, questionOf, rowOf } from './questions.ts';

const at = (kind: string, lon: number, lat: number) => rowOf({ kind, lon, lat });
const labelOf = (html: string) => / aria-label="([^"]*)"/.exec(html)?.[1];
const several = (row: Row, count: number) => Array.from({ length: count }, () => row);

describe('what is read aloud of a map', () => {
  test('is its fullest squares, each with its state and its number', () => {
    const rows = [
      ...several(at('a', -120, 37), 9),
      ...several(at('b', -99, 31), 5),
      ...several(at('c', -75, 43), 3),
      at('d', -84, 33),
    ];
    const us: MapDrawing = {
      ...{ kind: 'points', width: 600, height: 400, others: '', isOfUs: true },
      ...{ west: -125, east: -66, south: 24, north: 50 },
    };
    const asked = questionOf(rows, { _group: 'place.100km', map: us });
    const drawn = figureOf({ ...asked, earth }, 'cells');
    expect(labelOf(drawPicture(drawn as NonNullable<typeof drawn>))).toMatch(
      /^Map: .*\. The most: California, 37\.4° N, 119\.4° W: 9 loads; Texas, [^:]+: 5 loads; New York, [^:]+: 3 loads\.$/,
    );
  });

  test('names countries in the language of the page', () => {
    const rows = [...several(at('a', 10, 51), 4), ...several(at('b', 2.5, 47), 2)];
    const asked = questionOf(rows, { _group: 'place.100km', language: LANGUAGES.de });
    const drawn = figureOf({ ...asked, earth }, 'cells');
    expect(drawn?.aloud).toMatch(
      /^Am meisten: Deutschland, [^:]+: 4 loads; Frankreich, [^:]+: 2 loads\.$/,
    );
  });

  test('is its places by name, the first of them', () => {
    const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
    const rows = names.map((name, i) => at(name, 10 + i / 100, 50));
    expect(figure(placesOf(rows)).aloud).toBe('Places: one, two, three, four, five and 2 more.');
    expect(figure(placesOf(rows.slice(0, 2))).aloud).toBe('Places: one, two.');
  });

  test('is its greatest areas', () => {
    const shapes = { A: 'M0 0h1v1z', B: 'M1 0h1v1z', C: 'M2 0h1v1z', D: 'M3 0h1v1z' };
    const areas = {
      ...{ kind: 'own' as const, field: 'area', width: 4, height: 1, shapes },
      areaOf: { A: 'A', B: 'B', C: 'C', D: 'D' },
    };
    const rows = ['A', 'B', 'C', 'D'].map((area, i) => rowOf({ area, load: 1 + ((i * 3) % 4) }));
    const question = questionOf(rows, { _group: 'area', _measure: 'avg:load' });
    const drawn = figure({ ...question, known: { ...knownOf(rows, FIELDS), areas } }, 'regions');
    expect(drawn.aloud).toBe('The most: B: 4; C: 3; D: 2.');
  });
});

describe('the farthest place outside of a block’s own map', () => {
  const map = {
    ...{ kind: 'points' as const, width: 600, height: 600, others: '' },
    ...{ west: -73.99, east: -73.97, south: 40.67, north: 40.69 },
  };
  const near = [at('here', -73.98, 40.68), at('there', -73.985, 40.685)];
  const far = [at('an error', -77.5, 40.7), at('over the river', -74.1, 40.7)];

  test('is named with its distance, since it may be an error of the source', () => {
    const rows = [...near, ...far];
    const drawn = figure({ ...placesOf(rows), known: { ...knownOf(rows), map } });
    expect(captionIn(drawn)).toContain(
      '2 are on the map, 2 outside it, none without a place. The farthest, an error, is 297 km from its middle.',
    );
    // A list of blocks quotes what a map shows, not that.
    expect(drawn.statement).toBeUndefined();
  });

  test('is not named of a part that was asked for, nor where none is outside', () => {
    const rows = [...near, ...far];
    const part = { ...placesOf(rows, { frame: [-74, 40.6, -73.9, 40.7] }) };
    expect(captionIn(figure({ ...part, known: { ...knownOf(rows), map } }))).not.toContain(
      'farthest',
    );
    const whole = { ...placesOf(near), known: { ...knownOf(near), map } };
    expect(captionIn(figure(whole))).not.toContain('farthest');
  });
});

test('the area of a place is that of the outlines, and there is none at sea', () => {
  const asked = { box: [-180, -85, 180, 85] as const, places: [], addresses: [] };
  const { areaAt } = earth.groundOf({ ...asked, language: ENGLISH });
  expect([areaAt?.(2.35, 48.85), areaAt?.(44.8, 41.7), areaAt?.(-30, 30)]).toEqual([
    'France',
    'Georgia',
    undefined,
  ]);
  const us = earth.groundOf({ ...asked, isOfUs: true, language: ENGLISH });
  expect(us.areaAt?.(-84.4, 33.75)).toBe('Georgia');
});
