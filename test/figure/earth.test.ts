import { describe, expect, test } from '@jest/globals';
import { geoAlbersUsa, geoAzimuthalEqualArea, geoEqualEarth } from 'd3-geo';
import fc from 'fast-check';
import { datasetBlock } from '../../src/block/block.ts';
import { groundOf } from '../../src/figure/drawing.ts';
import { earth } from '../../src/figure/earth/earth.ts';
import { layerOf } from '../../src/figure/earth/outlines.ts';
import { streetOf } from '../../src/figure/earth/streets.ts';
import { boxText } from '../../src/figure/frame.ts';
import type { Place } from '../../src/figure/ground.ts';
import type { Box } from '../../src/figure/shape.ts';
import { profileDataset } from '../../src/import/profile-dataset.ts';
import { ENGLISH } from '../../src/languages/english.ts';
import { LANGUAGES } from '../../src/languages/languages.ts';
import { EARTH_RADIUS } from '../../src/values/places.ts';
import {
  captionIn,
  FIELDS,
  figure,
  GEOMETRY,
  knownOf,
  ofKind,
  placesOf,
  pointsIn,
  questionOf,
  rowOf,
  seenIn,
  textsIn,
} from './questions.ts';

const PLACES = datasetBlock({
  ...{ id: 'p', name: 'p', title: 'P', description: '', examples: [] },
  ...{ fields: FIELDS, geometry: GEOMETRY },
});

const rowAt = ([lon, lat]: Place) => rowOf({ kind: `at ${lon}`, lon, lat });

function groundIn(box: Box, places: readonly Place[] = [], isOfUs = false) {
  return earth.groundOf({ box, isOfUs, places, addresses: [], language: ENGLISH });
}

/** Places in 239 countries and 56 states, as Natural Earth has them. */
const KNOWN: readonly Place[] = [...layerOf('near').named, ...layerOf('states').named]
  .flatMap(({ seats }) => [seats[0], seats.at(-1)])
  .filter((place) => place !== undefined);

describe('a place is drawn where d3 has it, within 2 pixels', () => {
  const distance = (a: readonly number[], b: readonly number[]) =>
    Math.hypot(...a.map((one, i) => one - (b[i] as number)));

  test('there are 500 of them', () => {
    expect(KNOWN.length).toBeGreaterThan(500);
  });

  test.each([
    [0, [[-150, 10]]],
    [150, [[170, 10]]],
  ] as const)('on the world with %i° E in its middle', (middle, places) => {
    // Nothing lies near the other cut.
    const near = middle === 0 ? [[-30, 0] as const] : [[180, 0] as const];
    const ground = groundIn([-180, -80, 180, 80], [...places, ...near]);
    const d3 = geoEqualEarth().rotate([-middle, 0]);
    d3.fitExtent(
      [
        [2, 2],
        [998, 498],
      ],
      { type: 'Sphere' },
    );
    for (const place of KNOWN) {
      const drawn = ground.at(...place) ?? [];
      expect(distance(drawn, d3([...place]) ?? [])).toBeLessThan(2);
    }
  });

  test('in the United States, with Alaska and Hawaii in their corner', () => {
    const nation = layerOf('states').land.flatMap(({ outline }) =>
      outline.type === 'Polygon' ? [outline.coordinates] : [],
    );
    const d3 = geoAlbersUsa().fitExtent(
      [
        [6, 6],
        [994, 619],
      ],
      { type: 'MultiPolygon', coordinates: nation },
    );
    const ground = groundIn([-180, 15, -60, 72], [], true);
    const inside = KNOWN.filter((place) => d3([...place]) !== null);
    expect(inside.length).toBeGreaterThan(90);
    for (const place of inside) {
      expect(distance(ground.at(...place) ?? [], d3([...place]) ?? [])).toBeLessThan(2);
    }
  });

  test.each<[string, Box]>([
    ['Europe', [-12, 35, 32, 60]],
    ['the sea of Japan', [120, 25, 150, 50]],
    ['Fiji, over the 180th meridian', [165, -25, -170, -8]],
    ['the Arctic, around the pole', [-180, 60, 180, 90]],
    ['Antarctica', [-180, -90, 180, -62]],
    ['California', [-125, 32, -113, 43]],
    ['the Alps', [5, 44, 16, 48]],
  ])('in %s', (_, box) => {
    const ground = groundIn(box);
    const [west, south, east, north] = box;
    const middle = east - west === 360 ? 0 : (west + (east < west ? east + 360 : east)) / 2;
    const pole = east - west === 360 ? Math.sign(north + south) * 90 : (south + north) / 2;
    const d3 = geoAzimuthalEqualArea()
      .rotate([-middle, -pole])
      .scale(ground.pixelsPerMetre * EARTH_RADIUS)
      .translate([0, 0]);
    const inside = KNOWN.filter((place) => ground.at(...place) !== undefined);
    expect(inside.length).toBeGreaterThan(0);
    const [first = [0, 0]] = inside;
    const from = (at: readonly number[], base: readonly number[]) =>
      at.map((one, i) => one - (base[i] as number));
    for (const place of inside) {
      const drawn = from(ground.at(...place) ?? [], ground.at(...first) ?? []);
      const expected = from(d3([...place]) ?? [], d3([...first]) ?? []);
      expect(distance(drawn, expected)).toBeLessThan(2);
    }
  });
});

describe('the ground follows the extent of the rows', () => {
  test.each<[string, Box]>([
    ['world', [-170, -50, 170, 70]],
    ['region', [-180, 66, 180, 89]],
    ['region', [-20, -35, 55, 38]],
    ['region', [170, -50, -170, -30]],
    ['city', [-74.02, 40.66, -73.98, 40.7]],
    ['city', [10, 89.9, 11, 90]],
  ])('%s: %j', (kind, box) => {
    expect(groundIn(box).kind).toBe(kind);
  });

  test('the world is cut where fewer places lie, and says so', () => {
    const quakes: Place[] = Array.from({ length: 9 }, (_, i) => [175 + i / 2, -20 + 5 * i]);
    const rows = [...quakes, [-70, -20] as const, [20, 60] as const].map(rowAt);
    const known = { ...knownOf(rows), map: undefined };
    const drawn = figure({ ...placesOf(rows, { earth, frame: [-180, -90, 180, 90] }), known });
    expect(captionIn(drawn)).toContain('It is cut at 30° W, where few of these rows lie.');
    const atlantic = [
      [-30, 30],
      [-28, 40],
      [2, 50],
      [-70, 10],
    ] as const;
    const other = atlantic.map(rowAt);
    const uncut = figure(placesOf(other, { earth, frame: [-180, -90, 180, 90] }));
    expect(captionIn(uncut)).not.toContain('It is cut');
  });

  test('a drawing of the publisher stays first, in a part of it too', () => {
    const sides = { west: 10, east: 11, south: 50, north: 51, width: 600, height: 900 };
    const outline = { path: 'M0,0L600,0L600,900Z', isWhole: true };
    const map = { kind: 'points' as const, ...sides, others: '', outline };
    const asked = placesOf([rowAt([10, 50]), rowAt([10.2, 50.1])], { earth });
    for (const frame of [undefined, [10, 50, 10.1, 50.1] as const]) {
      const drawn = figure({ ...asked, known: { ...asked.known, map }, frame });
      expect(ofKind(seenIn(drawn), 'area').map(({ look }) => look)).toEqual(['land']);
    }
  });

  test('names lie on no mark, and on no other name; they are in the language of the page', () => {
    const named = (language = ENGLISH) => {
      const rows = [rowAt([2, 47]), rowAt([20, 41])];
      const asked = placesOf(rows, { earth, frame: [-12, 35, 32, 60] });
      return textsIn(seenIn(figure({ ...asked, known: { ...asked.known, language } })));
    };
    expect(named()).toEqual(expect.arrayContaining(['France', 'Germany', 'Spain']));
    expect(named(LANGUAGES.de)).toEqual(expect.arrayContaining(['Frankreich', 'Deutschland']));
  });

  test('the states are named in the United States, and their neighbours', () => {
    const drawn = figure(placesOf([rowAt([-120, 37])], { earth, frame: [-125, 31, -112, 43] }));
    expect(textsIn(seenIn(drawn))).toEqual(expect.arrayContaining(['California', 'Nevada']));
    expect(textsIn(seenIn(drawn))).not.toContain('United States');
  });
});

describe('streets of a city', () => {
  test.each([
    ['313 BOND ST', 'Bond St'],
    ['12-14 3RD AVENUE, Brooklyn', '3rd Avenue'],
    ['Hauptstraße 12a', 'Hauptstraße'],
    ['5 Mill Lane', 'Mill Lane'],
    ['Acme Ltd', undefined],
    ['42', undefined],
    ['', undefined],
  ])('%j is on %j', (address, street) => {
    expect(streetOf(address)).toBe(street);
  });

  const along = (text: string, from: Place, step: Place, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      text: `${i + 1} ${text}`,
      place: [from[0] + i * step[0], from[1] + i * step[1]] as const,
    }));

  test('run where at least three of the addresses lie, and one that is wrong bends none', () => {
    const addresses = [
      ...along('COURT ST', [-74, 40.67], [0.001, 0.002], 8),
      ...along('BOND ST', [-74.01, 40.69], [0.002, -0.001], 2),
    ];
    const box: Box = [-74.02, 40.66, -73.98, 40.7];
    const roadsOf = (all: typeof addresses) =>
      earth
        .groundOf({ box, places: [], addresses: all, language: ENGLISH })
        .under()
        .map((shape) => ('path' in shape ? shape.path : ''));
    const right = roadsOf(addresses);
    expect(right).toHaveLength(1);
    expect(right[0]?.split('M')).toHaveLength(2);
    const wrong = { text: '9 COURT ST', place: [-73.985, 40.664] as const };
    expect(roadsOf([...addresses, wrong])).toEqual(right);
    // Nor one that is far from the map.
    expect(roadsOf([...addresses, { text: '9 COURT ST', place: [-77.5, 42] }])).toEqual(right);
    // Of more that are wrong, no line is true.
    const scattered = along('COURT ST', [-74.018, 40.661], [0.006, 0.0002], 6);
    expect(roadsOf([...addresses, ...scattered])).toEqual([]);
  });
});

/** The rows on the map, outside of it, without a place and in no square, as a caption says. */
function sumIn(caption: string): number {
  const [, ...said] =
    /(\S+) (?:is|are) on the map, (\S+) outside it, (\S+) without/.exec(caption) ?? [];
  said.push(/(\S+) more are in squares without/.exec(caption)?.[1] ?? 'none');
  return said.reduce(
    (sum, text) => sum + (text === 'none' ? 0 : Number(text.replaceAll(',', ''))),
    0,
  );
}

describe('squares, circles and what is outside add up to all rows that match', () => {
  const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
  const anywhere = fc.tuple(degrees(180), degrees(90));
  // The poles, the 180th meridian, and their corners.
  const edges = fc.constantFrom([180, 90], [-180, -90], [180, 0], [-180, 0], [0, 90], [0, -90]);
  const place = fc.option(fc.oneof(anywhere, edges), { freq: 9 });
  const frame = fc
    .tuple(
      degrees(180),
      degrees(90),
      fc.integer({ min: -3, max: 9 }),
      fc.integer({ min: 0, max: 9 }),
    )
    .map(([x, y, wide, high]): Box => {
      // From 0.002 to 360 degrees wide; some go over the meridian, some end at a pole.
      const [across, up] = [Math.min(360, 2 ** wide), Math.min(180, 2 ** (high - 3))];
      const east = x + across;
      return [
        x,
        Math.max(-90, y - up / 2),
        east > 180 ? east - 360 : east,
        Math.min(90, y + up / 2),
      ];
    });
  const asked = fc.record({
    places: fc.array(place, { minLength: 1, maxLength: 40 }),
    frame: fc.option(frame, { freq: 9 }),
    width: fc.constantFrom('200m', '20km', '500km'),
    isDots: fc.boolean(),
  });

  test('on 2,000 maps, and what is drawn lies on them', () => {
    fc.assert(
      fc.property(asked, ({ places, frame, width, isDots }) => {
        const rows = places.map((place) =>
          place === null ? rowOf({}) : rowAt(place as unknown as Place),
        );
        const { map } = profileDataset(PLACES, {}, pointsIn(rows));
        const more = { earth, frame: frame ?? undefined };
        const question = isDots
          ? { ...placesOf(rows, more), known: knownOf(rows, undefined, map) }
          : questionOf(rows, { ...more, _group: `place.${width}`, map });
        const drawn = figure(question);
        if (!isDots && places.every((one) => one === null)) return;
        expect(sumIn(captionIn(drawn))).toBe(rows.length);
        if (drawn.picture?.layout !== 'map') return;
        const seen = seenIn(drawn);
        const marks = isDots
          ? ofKind(seen, 'circle').filter(({ look }) => look === 'dot')
          : ofKind(seen, 'spot');
        const counted = drawn.marks.reduce(
          (sum, { numbers: [n] }) => sum + (isDots ? 1 : (n ?? 0)),
          0,
        );
        expect(Number(/^(?:.*? )?(\S+) (?:is|are) on the map/.exec(captionIn(drawn))?.[1])).toBe(
          counted,
        );
        expect(marks).toHaveLength(drawn.marks.length);
        for (const { x, y } of marks) {
          for (const share of [x, y]) {
            expect(share).toBeGreaterThanOrEqual(0);
            expect(share).toBeLessThanOrEqual(1);
          }
        }
        for (const shape of ofKind(seen, 'area')) expect(shape.path).not.toMatch(/NaN|Infinity/);
        // What is inside is asked for by this box: none of the rows on the map may be outside of it.
        const ground = groundOf(question, []);
        const [west, south, east, north] = boxText(ground.box)
          .split(',')
          .map(Number) as unknown as Box;
        for (const one of places) {
          if (one === null || ground.at(...(one as unknown as Place)) === undefined) continue;
          const [lon, lat] = one as unknown as Place;
          expect(lat).toBeGreaterThanOrEqual(south);
          expect(lat).toBeLessThanOrEqual(north);
          const isAcross = west > east ? lon >= west || lon <= east : lon >= west && lon <= east;
          expect({ lon, box: ground.box, isAcross }).toMatchObject({ isAcross: true });
        }
      }),
      { seed: 60, numRuns: 2000 },
    );
  });
});
