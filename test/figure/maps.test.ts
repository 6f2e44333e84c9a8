import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { datasetBlock } from '../../src/block/block.ts';
import type { MapDrawing } from '../../src/block/manifest.ts';
import { classesOf, classesOfCounts } from '../../src/figure/classes.ts';
import type { Figure } from '../../src/figure/figure.ts';
import { numberWords } from '../../src/figure/numbers.ts';
import type { Box } from '../../src/figure/shape.ts';
import { profileDataset } from '../../src/import/profile-dataset.ts';
import { ENGLISH } from '../../src/languages/english.ts';
import type { Row } from '../../src/values/field-type.ts';
import {
  captionIn,
  FIELDS,
  figure,
  GEOMETRY,
  knownOf,
  linksIn,
  ofKind,
  placesOf,
  pointsIn,
  questionOf,
  rowOf,
  seenIn,
  textsIn,
} from './questions.ts';

const near = (lon: number, lat: number) => rowOf({ kind: `at ${lon}`, lon, lat });
const sides = { west: 9, east: 11, south: 49, north: 51 };
const points: MapDrawing = {
  ...sides,
  kind: 'points',
  width: 600,
  height: 900,
  others: 'M300 450h0',
};
const shapes = { Left: 'M0 0h300v900h-300z', Right: 'M300 0h300v900h-300z', Empty: 'M0 0h9v9z' };
const areas: MapDrawing = { ...sides, kind: 'regions', width: 600, height: 900, shapes };

const PLACES = datasetBlock({
  ...{ id: 'p', name: 'p', title: 'P', description: '', examples: [] },
  ...{ fields: FIELDS, geometry: GEOMETRY },
});

describe('classes of shades', () => {
  const write = (values: readonly number[]) =>
    numberWords({ language: ENGLISH, field: { name: 'n', type: 'number' }, values });

  test('of counts say each whole number once', () => {
    const counts = [1, 1, 2, 3, 5, 8, 13, 21, 34];
    expect(classesOf(counts, write(counts)).key.map(({ text }) => text)).toEqual([
      ...['1 to 2', '3 to 7', '8 to 19', '20 to 34'],
    ]);
  });

  test('of squares grow with them, unless most counts would be in the first', () => {
    const counts = [1, 3, 6, 7, 8, 12, 18, 22, 39];
    expect(classesOfCounts(counts, write(counts)).key.map(({ text }) => text)).toEqual([
      ...['1 to 4', '5 to 9', '10 to 19', '20 to 29', '30 to 39'],
    ]);
    const skewed = [1, 1, 1, 1, 2, 2, 3, 900];
    expect(classesOfCounts(skewed, write(skewed))).toEqual({
      ...classesOf(skewed, write(skewed)),
      lookOf: expect.any(Function),
    });
  });

  test('of squares, of which most have one row and one has 546, are told apart', () => {
    const counts = [...Array.from({ length: 200 }, () => 1), 2, 5, 9, 20, 31, 60, 120, 240, 546];
    expect(classesOfCounts(counts, write(counts)).key.map(({ text }) => text)).toEqual([
      ...['1 to 3', '4 to 9', '10 to 39', '40 to 199', '200 to 546'],
    ]);
  });

  test('of other numbers end where the next one begins, with as many decimals', () => {
    const values = [0.03, 0.05, 0.06, 0.07, 0.08, 0.085, 0.09, 0.095, 0.1, 0.3];
    expect(classesOf(values, write(values)).key.map(({ text }) => text)).toEqual([
      ...['under 0.06', '0.06 to 0.08', '0.08 to 0.09', '0.09 to 0.10', '0.10 and over'],
    ]);
    const larger = [1, 2.5, 3.4, 13.2, 40];
    expect(classesOf(larger, write(larger)).key.map(({ text }) => text)).toEqual([
      ...['under 2.5', '2.5 to 3.4', '3.4 to 13', '13 to 40', '40 and over'],
    ]);
  });

  test('tell the others apart where most numbers are the least', () => {
    const storms = [...Array.from({ length: 33 }, () => 0), 1, 2, 2, 2, 2, 6, 9, 10, 10, 12, 12];
    storms.push(15, 20, 22, 31, 46, 49, 59, 110);
    expect(classesOf(storms, write(storms)).key.map(({ text }) => text)).toEqual([
      ...['0', '1', '2 to 9', '10 to 29', '30 to 110'],
    ]);
    const rates = [0, 0, 0, 0, 0.021, 0.4];
    expect(classesOf(rates, write(rates)).key.map(({ text }) => text)).toEqual([
      ...['under 0.02', '0.02 to 0.40', '0.40 and over'],
    ]);
  });

  test('of equal numbers are one', () => {
    expect(classesOf([7, 7, 7], write([7])).key).toEqual([{ look: 's3', text: '7' }]);
  });

  test('have no gaps, ascend, and have each number in one of them', () => {
    const numbers = fc.array(
      fc.oneof(fc.integer({ min: -50, max: 500 }), fc.double({ noNaN: true, min: -1e6, max: 1e6 })),
      {
        ...{ minLength: 1, maxLength: 60 },
      },
    );
    fc.assert(
      fc.property(numbers, (values) => {
        const { starts, lookOf, key } = classesOf(values, write(values));
        expect(starts.length).toBeLessThanOrEqual(5);
        expect(key).toHaveLength(starts.length);
        expect(starts[0]).toBe(Math.min(...values));
        for (const [i, start] of starts.entries()) {
          if (i > 0) expect(start).toBeGreaterThan(starts[i - 1] as number);
        }
        for (const value of values) {
          const index = starts.findLastIndex((start) => value >= start);
          expect(lookOf(value)).toBe(key[index]?.look);
        }
        // No class is empty.
        expect(new Set(values.map(lookOf)).size).toBe(starts.length);
      }),
      { seed: 41 },
    );
  });
});

describe('squares', () => {
  test('have an area that is their count, and are darker by class', () => {
    const rows = [
      ...Array.from({ length: 16 }, () => near(10, 50)),
      ...Array.from({ length: 4 }, () => near(10.3, 50)),
    ];
    const drawn = figure(questionOf(rows, { _group: 'place.10km', map: points }));
    expect(drawn.mark).toBe('cells');
    const rects = ofKind(seenIn(drawn), 'rect').filter(({ look }) => /^s\d$/.test(look));
    const sidesOf = rects.map(({ width }) => (width as readonly number[])[1] as number);
    expect(((sidesOf[0] as number) / (sidesOf[1] as number)) ** 2).toBeCloseTo(4);
    expect(drawn.numbers.rows.map(({ cells }) => cells[1])).toEqual(['16', '4']);
    expect(linksIn(drawn).every(({ href }) => href !== undefined)).toBe(true);
  });

  test('of more than 700 want wider ones, and say which were asked for', () => {
    const question = questionOf([near(10, 50)], { _group: 'place.500m', map: points });
    const [group] = question.answer.groups;
    const wanted = (width: string, total: number) => {
      const asked = questionOf([near(10, 50)], { _group: `place.${width}`, map: points });
      const groups = Array.from({ length: Math.min(total, 10_000) }, () => group as Row);
      return figure({ ...asked, answer: { ...asked.answer, groups, total } }).fewer;
    };
    expect(wanted('500m', 700)).toBeUndefined();
    expect(wanted('500m', 701)).toEqual({ width: '600m' });
    expect(wanted('500m', 2800)).toEqual({ width: '1500m' });
    expect(wanted('1.5mi', 7000)).toEqual({ width: '5mi' });
    // Of the whole earth.
    expect(wanted('500km', 2042)).toEqual({ width: '999km' });
    expect(wanted('900000ft', 7000)).toEqual({ width: '999km' });
    const wider = questionOf([near(10, 50)], {
      _group: 'place.1km',
      map: points,
      narrower: '500m',
    });
    expect(captionIn(figure(wider))).toMatch(
      /^There are more than 700 squares of 500 m, so they are of 1 km\. Squares hold/,
    );
  });

  test('that no usual width makes few enough are as wide as needed at once, since each try reads all rows', () => {
    const usual = questionOf([near(10, 50)], { _group: 'place.15km', map: points });
    const wanted = (total: number) =>
      figure({ ...usual, wider: ['25km'], answer: { ...usual.answer, total } }).fewer;
    expect(wanted(1300)).toEqual({ width: '25km' });
    expect(wanted(4737)).toEqual({ width: '50km' });
  });

  test('of which a table leaves none out say how many are on the map', () => {
    const rows = [...Array.from({ length: 60 }, () => near(10, 50)), near(40, 0), rowOf({})];
    const drawn = figure(questionOf(rows, { _group: 'place.10km', map: points }));
    expect(drawn.extent).toBe('in 2 squares of 10 km, 1 of them on the map');
    expect(drawn.numbers.rows.map(({ cells: [, count] }) => count)).toEqual(['60', '1', '1']);
    expect(drawn.numbers.rows.at(-1)?.cells[0]).toBe('without a place');
  });
});

function cornersIn({ picture }: Figure): string {
  return picture?.layout === 'map' ? (picture.corners ?? '') : '';
}

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

describe('what a map says adds up to the rows that match', () => {
  // Cities, the poles and the 180th meridian, and anywhere.
  const centre = fc.constantFrom([10, 50], [-179.9, 0], [179.9, -89.95], [0, 89.95], [-74, 40]);
  const near = fc
    .tuple(
      centre,
      fc.double({ min: -0.3, max: 0.3, noNaN: true }),
      fc.double({ min: -0.05, max: 0.05, noNaN: true }),
    )
    .map(([[x = 0, y = 0], east, north]) => [((x + east + 540) % 360) - 180, y + north] as const);
  const anywhere = fc.tuple(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.double({ min: -90, max: 90, noNaN: true }),
  );
  const place = fc.oneof(near, anywhere, fc.constantFrom([180, 90], [-180, -90], [0, 0]));
  const row = fc.record({
    place: fc.option(place, { freq: 6 }),
    isMatching: fc.boolean(),
    load: fc.option(fc.integer({ min: 1, max: 9 })),
  });
  const frame = fc.option(
    fc.constantFrom([170, -20, -170, 20], [-180, -90, 180, 90], [9, 49, 11, 51], [0, 85, 20, 90]),
  );
  const asked = fc.record({
    all: fc.array(row, { minLength: 1, maxLength: 120 }),
    isFiltered: fc.boolean(),
    frame,
    width: fc.constantFrom('200m', '20km', '500km'),
    measure: fc.constantFrom('count', 'avg:load'),
    isDots: fc.boolean(),
  });

  test('in squares or circles, wherever they are, as caption, numbers and corners have it', () => {
    fc.assert(
      fc.property(asked, ({ all, isFiltered, frame, width, measure, isDots }) => {
        const rows = all.map(({ place, load }) =>
          rowOf(place === null ? { load } : { load, lon: place[0] ?? 0, lat: place[1] ?? 0 }),
        );
        const matching = rows.filter((_, i) => !isFiltered || all[i]?.isMatching);
        if (matching.length === 0) return;
        const { map } = profileDataset(PLACES, {}, pointsIn(rows));
        const more = frame === null ? {} : { frame: frame as unknown as Box };
        const drawn = isDots
          ? figure({ ...placesOf(matching, more), known: knownOf(rows, undefined, map) })
          : figure(
              questionOf(rows, {
                ...{ _group: `place.${width}`, _measure: measure, matching, ...more },
                ...(map === undefined ? {} : { map }),
              }),
            );
        const caption = captionIn(drawn);
        const placed = matching.filter(({ lon }) => lon !== null);
        // A map without any square says that there is no value.
        const hasNumber = ({ load }: Row) => measure === 'count' || load !== null;
        if (!isDots && !placed.some(hasNumber)) return;
        expect(sumIn(caption)).toBe(matching.length);
        expect(Number(/, (\S+) without a place/.exec(caption)?.[1]?.replace('none', '0'))).toBe(
          matching.length - placed.length,
        );
        if (drawn.picture?.layout !== 'map') return;
        // A block's own frame leaves out 2 % at most, and none over 90 degrees.
        const [west, south, east, north] = drawn.picture.frame as Box;
        if (frame === null && !isFiltered) {
          const outside = /, (\S+) outside it/.exec(caption)?.[1]?.replace('none', '0');
          expect(Number(outside)).toBeLessThanOrEqual(east - west > 100 ? 0 : rows.length * 0.02);
        }
        expect(Math.max(-south, north)).toBeLessThanOrEqual(90);
        expect(east - west).toBeLessThanOrEqual(360 + 1e-9);
        const corners = [...cornersIn(drawn).matchAll(/([\d.]+)° ([NSEW])/g)];
        expect(corners).toHaveLength(4);
        for (const [, number, side] of corners) {
          expect(Number(number)).toBeLessThanOrEqual('NS'.includes(`${side}`) ? 90 : 180);
        }
        const listed = drawn.numbers.rows;
        if (isDots) {
          expect(listed).toHaveLength(matching.length);
          expect(ofKind(seenIn(drawn), 'circle')).toHaveLength(drawn.marks.length);
        } else if (measure === 'count') {
          expect(listed.reduce((sum, { cells }) => sum + Number(cells[1]), 0)).toBe(
            matching.length,
          );
        }
      }),
      { seed: 54, numRuns: 400 },
    );
  });
});

describe('circles', () => {
  test('are one row each, and lead to it', () => {
    const drawn = figure(placesOf([near(10, 50), near(10.1, 50.1), rowOf({ kind: 'x' })]));
    expect(drawn.mark).toBe('dots');
    expect(ofKind(seenIn(drawn), 'circle')).toHaveLength(2);
    expect(linksIn(drawn).map(({ title }) => title)).toEqual(['at 10.1', 'at 10']);
    expect(captionIn(drawn)).toBe('2 are on the map, none outside it, 1 without a place.');
  });

  test('a box over the 180th meridian frames what is in it', () => {
    const rows = [near(179, 0), near(-179, 0), near(0, 0)];
    const drawn = figure(placesOf(rows, { frame: [170, -10, -170, 10] }));
    expect(captionIn(drawn)).toContain('2 are on the map, 1 outside it');
    const [left, right] = ofKind(seenIn(drawn), 'circle')
      .map(({ x }) => (x as readonly number[])[1] as number)
      .sort((a, b) => a - b);
    expect(right as number).toBeGreaterThan(left as number);
  });

  test('without an outline there are a scale bar and the degrees of the frame', () => {
    const drawn = figure(placesOf([near(10, 50), near(10.2, 50.1)]));
    expect(textsIn(seenIn(drawn))).toEqual([expect.stringMatching(/^\d+ km$/)]);
    expect(cornersIn(drawn)).toMatch(/^From [\d.]+° N, [\d.]+° E to [\d.]+° N, [\d.]+° E$/);
  });

  test('a whole outline takes the place of both, until a box is asked for', () => {
    const sides = { west: 10, east: 11, south: 50, north: 51, width: 600, height: 900 };
    const outline = { path: 'M0,0L600,0L600,900Z', isWhole: true };
    const map = { kind: 'points' as const, ...sides, others: '', outline };
    const asked = placesOf([near(10, 50), near(10.2, 50.1)]);
    const known = { ...asked.known, map };
    const whole = seenIn(figure({ ...asked, known }));
    expect(textsIn(whole).filter((text) => / km$/.test(text))).toEqual([]);
    expect(cornersIn(figure({ ...asked, known }))).toBe('');
    const part = figure({ ...asked, known, frame: [10, 50, 10.1, 50.1] });
    expect(cornersIn(part)).toMatch(/° N/);
    const zoomed = seenIn(part);
    for (const seen of [whole, zoomed]) {
      expect(ofKind(seen, 'area').map(({ look, path }) => [look, path])).toEqual([
        ['land', outline.path],
      ]);
    }
  });

  test('near a place, the first nine are numbered, and the nearest is named', () => {
    const rows = Array.from({ length: 12 }, (_, i) => ({
      ...near(10 + i / 100, 50),
      _distance: i * 700,
    }));
    const drawn = figure(placesOf(rows, { here: [10, 50] }));
    expect(textsIn(seenIn(drawn)).filter((text) => /^\d$/.test(text))).toHaveLength(9);
    expect(captionIn(drawn)).toContain('The nearest, at 10, is 0 m away.');
    expect(drawn.numbers.rows[2]?.cells[2]).toBe('1.4 km');
    const rings = ofKind(seenIn(drawn), 'circle').filter(({ look }) => look === 'ring');
    expect(rings.map(({ radius }) => Math.round(radius / (rings[0]?.radius ?? 0)))).toEqual([1, 2]);
  });

  test('the nearest is so wherever the map is, and keeps its number', () => {
    const rows = Array.from({ length: 12 }, (_, i) => ({
      ...near(10 + i / 100, 50),
      _distance: i * 700,
    }));
    const drawn = figure(placesOf(rows, { here: [10, 50], frame: [10.045, 49, 10.2, 51] }));
    expect(textsIn(seenIn(drawn)).filter((text) => /^\d$/.test(text))).toEqual(
      expect.arrayContaining(['6', '7', '8', '9']),
    );
    expect(captionIn(drawn)).toContain('The nearest, at 10, is 0 m away.');
  });

  test('say their streets and numbers if they have any, and where they are if not', () => {
    const rows = [
      { ...near(10, 50), kind: 'Laundry', area: '395 Court St', _distance: 178 },
      { ...near(10.01, 50), kind: 'Cleaner', area: null, _distance: 900 },
    ];
    const asked = placesOf(rows, { here: [10, 50] });
    const addressField = { type: 'text', name: 'area', title: 'Street address' } as const;
    const drawn = figure({ ...asked, places: { ...asked.places, addressField } });
    expect(drawn.numbers.heads.map(({ title }) => title)).toEqual([
      ...['Loads', 'Street address', 'Distance'],
    ]);
    expect(drawn.numbers.rows.map(({ cells }) => cells[1])).toEqual([
      ...['395 Court St', '50.0000° N, 10.0100° E'],
    ]);
    expect(captionIn(drawn)).toContain('The nearest, Laundry, is 178 m away: 395 Court St.');
    expect(linksIn(drawn).map(({ title }) => title)).toContain('Laundry, 395 Court St, 178 m');
  });

  test('more than 1,000 are said, not drawn', () => {
    const rows = Array.from({ length: 1001 }, () => near(10, 50));
    const drawn = figure(placesOf(rows));
    expect(ofKind(seenIn(drawn), 'circle')).toHaveLength(1000);
    expect(captionIn(drawn)).toContain('1 more are not shown; circles are 1,000 at most.');
  });
});

describe('areas', () => {
  const rows = [
    rowOf({ area: 'Left', load: 4 }),
    rowOf({ area: 'Right', load: 9 }),
    rowOf({ area: 'Nowhere', load: 1 }),
  ];
  const given = { _group: 'area', _measure: 'sum:load', map: areas };

  test('are shaded by their number; those without and those elsewhere are told', () => {
    const drawn = figure(questionOf(rows, given), 'regions');
    expect(ofKind(seenIn(drawn), 'area').map(({ look }) => look)).toEqual([
      'area s1',
      'area s5',
      'area bare',
    ]);
    expect(captionIn(drawn)).toBe(
      'Right has the most, 9, Left the least, 4. Empty has no number. “Nowhere” (1 of the loads) is not on the map.',
    );
    expect(drawn.key?.at(-1)).toEqual({ look: 'area bare', text: 'no number' });
  });

  test('that have the least together are counted: none of them is named alone', () => {
    const three = { ...areas, shapes: { ...shapes, Low: 'M9 9h9v9z', Empty: 'M0 0h9v9z' } };
    const said = (loads: Readonly<Record<string, number>>) => {
      const all = Object.entries(loads).map(([area, load]) => rowOf({ area, load }));
      return captionIn(figure(questionOf(all, { ...given, map: three }), 'regions'));
    };
    expect(said({ Left: 0, Right: 9, Low: 0, Empty: 1 })).toBe(
      'Right has the most, 9. 2 have the least, 0.',
    );
    expect(said({ Left: 9, Right: 9, Low: 0, Empty: 1 })).toBe(
      '2 have the most, 9. Low has the least, 0.',
    );
    expect(said({ Left: 9, Right: 9, Low: 9, Empty: 9 })).toBe('All 4 have 9.');
    expect(said({ Left: 9 })).toMatch(/^Left has the most, 9\. 3 areas have no number\./);
  });

  test('that a filter leaves out are not said to have no number', () => {
    const matching = rows.slice(0, 1);
    const drawn = figure(questionOf(rows, { ...given, matching }), 'regions');
    expect(drawn.key?.at(-1)?.text).toBe('not in this filter');
    expect(captionIn(drawn)).toContain('2 areas are not in this filter.');
    expect(linksIn(drawn).map(({ title }) => title)).toContain('Right: not in this filter');
    expect(captionIn(drawn)).not.toContain('no number');
  });

  test('are not offered to groups of anything else', () => {
    expect(figure(questionOf(rows, { ...given, _group: 'kind' }), 'regions').mark).toBe('bars');
  });
});
