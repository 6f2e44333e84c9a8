import { describe, expect, test } from '@jest/globals';
import { drawPicture } from '../../src/figure/draw.ts';
import { drawFile } from '../../src/figure/draw-file.ts';
import { logAxis } from '../../src/figure/log-axis.ts';
import { pairAxis } from '../../src/figure/pair-axes.ts';
import { ENGLISH } from '../../src/languages/english.ts';
import type { Field } from '../../src/values/field-types.ts';
import {
  captionIn,
  FIELDS,
  figure,
  linksIn,
  ofKind,
  pairsOf,
  rowOf,
  seenIn,
  textsIn,
} from './questions.ts';

const CARS = [
  rowOf({ kind: 'Mini', load: 0.5, year: 40 }),
  rowOf({ kind: 'Van', load: 2, year: 90 }),
  rowOf({ kind: 'Truck', load: 8, year: 70 }),
];

const log = (field: string, min: number, max: number) => ({
  field,
  scale: 'log' as const,
  min,
  max,
});

describe('circles', () => {
  test('each row is a circle at its two numbers, and leads to it', () => {
    const found = figure(pairsOf(CARS));
    expect([found.mark, found.title]).toEqual(['circles', 'Year against Load']);
    const links = linksIn(found);
    expect(links.map(({ title }) => title)).toEqual([
      'Van: Year 90, Load 2 t',
      'Truck: Year 70, Load 8 t',
      'Mini: Year 40, Load 0.5 t',
    ]);
    const [van, truck, mini] = links.map(({ shapes }) => ofKind(shapes, 'circle')[0]);
    expect(links[0]?.href).toContain('kind=Van');
    expect(Number(van?.y)).toBeLessThan(Number(truck?.y));
    expect(Number(mini?.x)).toBeLessThan(Number(van?.x));
    // Even: 2 is a quarter of the way from 0 to 8.
    expect(Number(van?.x) / Number(truck?.x)).toBeCloseTo(0.25, 5);
  });

  test('the rows with most of either number and with least of y have their names', () => {
    const found = figure(pairsOf(CARS));
    expect(textsIn(seenIn(found))).toEqual(
      expect.arrayContaining(['Van', 'Truck', 'Mini', 'Load, t', 'Year']),
    );
    expect(captionIn(found)).toBe(
      'Highest Year: Van, 90. Highest Load: Truck, 8 t. Lowest Year: Mini, 40. Each circle is one of the loads, and leads to it.',
    );
  });

  test('of rows that tie at an end, none has its name', () => {
    const tied = [...CARS, rowOf({ kind: 'Bus', load: 3, year: 90 })];
    expect(captionIn(figure(pairsOf(tied)))).toMatch(
      /^Highest Load: Truck, 8 t\. Lowest Year: Mini/,
    );
  });

  test('a logarithmic axis has powers of ten, and each is as far from the one before', () => {
    const rows = [1, 10, 100, 1000].map((load) => rowOf({ kind: `k${load}`, load, year: load }));
    const found = figure(pairsOf(rows, { x: log('load', 1, 1000) }));
    const at = linksIn(found).map(({ shapes }) => Number(ofKind(shapes, 'circle')[0]?.x));
    const gaps = at.slice(1).map((x, i) => (at[i] as number) - x);
    expect(gaps[0]).toBeCloseTo(gaps[1] as number, 9);
    expect(captionIn(found)).toContain('Logarithmic: Load; each line is ten times the one before.');
    expect(textsIn(seenIn(found))).toEqual(expect.arrayContaining(['1', '10', '100', '1,000']));
  });

  test('rows that lack a number, or have a 0 on a logarithmic axis, are counted in words', () => {
    const caption = captionIn(figure(pairsOf(CARS, { without: 7, zeros: 2 })));
    expect(caption).toContain('Not drawn: 7 loads without Load or Year.');
    expect(caption).toContain('Not drawn: 2 loads with a 0, which has no logarithm.');
  });

  test('a dashed line is drawn where both are equal, if they have one unit', () => {
    const alike = (unit: string | undefined) => {
      const [x, y] = ['load', 'year'].map((name) => FIELDS.find((one) => one.name === name));
      const asked = { x: x as Field, y: { ...(y as Field), unit }, hasMedians: false };
      const found = figure(pairsOf(CARS, {}, { asked }));
      return [
        ofKind(seenIn(found), 'curve').length,
        captionIn(found).includes('On the dashed line both are equal.'),
      ];
    };
    expect([alike('t'), alike('kg'), alike(undefined)]).toEqual([
      [0, false],
      [0, false],
      [0, false],
    ]);
    const near = CARS.map((row) => ({ ...row, year: Number(row.year) / 10 }));
    const [x, y] = ['load', 'year'].map((name) => FIELDS.find((one) => one.name === name));
    const asked = { x: x as Field, y: { ...(y as Field), unit: 't' }, hasMedians: false };
    const found = figure(pairsOf(near, {}, { asked }));
    expect(ofKind(seenIn(found), 'curve').map(({ look }) => look)).toEqual(['l old open']);
    expect(captionIn(found)).toContain('On the dashed line both are equal.');
  });

  test('medians are a line, and said', () => {
    const medians = [
      { from: 0, to: 2, count: 20, median: 50 },
      { from: 2, to: 4, count: 30, median: 80 },
    ];
    const found = figure(pairsOf(CARS, { medians }));
    expect(ofKind(seenIn(found), 'curve').map(({ look }) => look)).toEqual(['l medians']);
    expect(captionIn(found)).toContain(
      'The line is the median of Year in each step that has 20 loads.',
    );
  });

  test('without a row with both numbers, nothing is drawn and all are told', () => {
    const found = figure(pairsOf([], { rows: 0, without: 5 }, { matching: 5 }));
    expect([found.picture, captionIn(found)]).toEqual([
      undefined,
      'Not drawn: 5 loads without Load or Year.',
    ]);
  });
});

const square = (load: number, year: number, count: number) => ({
  ...{ load_from: load, load_to: load + 1, year_from: year, year_to: year + 10, count },
});

describe('squares', () => {
  const squares = [square(0, 0, 900), square(1, 0, 100), square(5, 40, 9)];
  const question = pairsOf(squares, { of: 'squares', rows: 1009 }, { named: CARS });

  test('each square is in the middle of its steps, as large as its rows, and leads to them', () => {
    const found = figure(question);
    const links = linksIn(found);
    expect(links.map(({ title }) => title)).toEqual([
      '900 loads: Year 0 to below 10, Load 0 to below 1 t',
      '100 loads: Year 0 to below 10, Load 1 to below 2 t',
      '9 loads: Year 40 to below 50, Load 5 to below 6 t',
    ]);
    const rects = links.flatMap(({ shapes }) => ofKind(shapes, 'rect'));
    const sides = rects.map(({ width }) => (width as readonly [number, number])[1]);
    expect(sides).toEqual([16, 4, 4]);
    const places = rects.map(({ x, y }) =>
      [x, y].map((at) => (at as readonly [number, number])[0]),
    );
    expect(places[0]).toEqual([expect.closeTo(0.5 / 6, 9), expect.closeTo(1 - 5 / 50, 9)]);
    expect(found.extent).toBe('in 3 squares');
    expect(found.state).toBe('1,009 of 3 loads');
  });

  test('the rows at the ends are named over the squares', () => {
    expect(captionIn(figure(question))).toContain('Highest Year: Van, 90.');
  });

  test('all numbers are in the table and in a file', () => {
    const found = figure(question);
    expect(found.numbers.rows.map(({ cells }) => cells)).toEqual([
      ['0 to below 10', '0 to below 1 t', '900'],
      ['0 to below 10', '1 to below 2 t', '100'],
      ['40 to below 50', '5 to below 6 t', '9'],
    ]);
    const file = drawFile(found);
    expect(file.match(/<title>/g)).toHaveLength(3);
    expect(file).toContain('Load, t');
  });

  test('on a page the figure is one stop of the keyboard, and its links are none', () => {
    const html = drawPicture(figure(question));
    expect(html.match(/tabindex="0"/g)).toHaveLength(1);
    expect(html.match(/<a [^>]*tabindex="-1"/g)).toHaveLength(3);
  });
});

test.each([
  ['log', [1e-200, 1, 1e200]],
  ['log', [5e-324, 1, 1.7e308]],
  ['linear', [-1.7e308, 0, 1.7e308]],
  ['linear', [0, 1, Number.MAX_VALUE]],
] as const)('numbers of any size have a place on a %s axis: %j', (scale, loads) => {
  const rows = loads.map((load, i) => rowOf({ kind: `k${i}`, load, year: 40 + i }));
  const ends = { min: loads[0], max: loads[2] };
  const found = figure(pairsOf(rows, { x: { field: 'load', scale, ...ends } }));
  const circles = linksIn(found).flatMap(({ shapes }) => ofKind(shapes, 'circle'));
  expect(circles).toHaveLength(3);
  for (const { x } of circles) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x).toBeLessThanOrEqual(1);
  }
  expect(drawFile(found)).not.toMatch(/NaN|Infinity/);
});

test('numbers between whole ends keep their decimals', () => {
  const rows = [1, 3.7, 5].map((load, i) => rowOf({ kind: `k${i}`, load, year: 40 + i }));
  expect(figure(pairsOf(rows)).numbers.rows.flatMap(({ cells }) => cells)).toContain('3.70');
});

test.each([
  ['Weight', 'Weight, t'],
  ['Weight in T', 'Weight in T'],
  ['Weight (t)', 'Weight (t)'],
])('the axis of %s names the unit once', (title, name) => {
  const field: Field = { name: 'w', type: 'number', title, unit: 't', description: '' };
  const found = { field: 'w', scale: 'linear', min: 1, max: 9 } as const;
  expect(pairAxis(field, found, [1, 9], { language: ENGLISH, isTight: false }).name).toBe(name);
});

test('1,000 rows in squares are so for their names alone, and one median is no line', () => {
  const few = pairsOf([square(0, 0, 900), square(1, 0, 100)], {
    ...{ of: 'squares', rows: 1000, medians: [{ from: 0, to: 1, median: 5, count: 20 }] },
  });
  expect(captionIn(figure(few))).not.toMatch(/Over 1,000|median/);
  expect(captionIn(figure(few))).toContain('Their names have no room in an answer');
});

test.each([
  [1, 1000, [1, 10, 100, 1000], true],
  [2, 90, [2, 5, 10, 20, 50], false],
  [1e-12, 1e12, [1e-10, 1e-5, 1, 1e5, 1e10], false],
  [7, 7, [], false],
])('a logarithmic axis from %d to %d has round numbers', (from, to, ticks, isByTen) => {
  const axis = logAxis(from, to);
  expect([axis.ticks, axis.isByTen]).toEqual([ticks, isByTen]);
  expect([axis.at(from), axis.at(to)]).toEqual(from === to ? [0.5, 0.5] : [0, 1]);
});
