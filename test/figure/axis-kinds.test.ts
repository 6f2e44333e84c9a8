import { describe, expect, test } from '@jest/globals';
import type { AxisName } from '../../src/block/views.ts';
import type { Figure } from '../../src/figure/figure.ts';
import type { Shape } from '../../src/figure/shape.ts';
import { plainText } from '../../src/figure/words.ts';
import { LANGUAGES } from '../../src/languages/languages.ts';
import type { Row } from '../../src/values/field-type.ts';
import { figure, questionOf, rowOf } from './questions.ts';

const MONTHS = ['2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01'];

/** A line of loads for each name, a number a month; null is a month without a row. */
function rowsOf(lines: Readonly<Record<string, readonly (number | null)[]>>): Row[] {
  return Object.entries(lines).flatMap(([kind, loads]) =>
    loads.flatMap((load, i) =>
      load === null ? [] : [rowOf({ kind, load, day: MONTHS[i] as string })],
    ),
  );
}

const ASKED = { _group: 'day.month,kind', _measure: 'avg:load' };

function drawn(lines: Parameters<typeof rowsOf>[0], axis?: AxisName, measure = 'avg:load') {
  return figure(questionOf(rowsOf(lines), { ...ASKED, _measure: measure, axis }));
}

const textsIn = (shapes: readonly Shape[]): string[] =>
  shapes.flatMap((shape) => {
    if (shape.shape === 'link') return textsIn(shape.shapes);
    return shape.shape === 'text' ? [shape.runs.map(({ text }) => text).join('')] : [];
  });

function plotOf({ picture }: Figure) {
  if (picture?.layout !== 'plot') throw new TypeError('No plot is drawn.');
  return picture;
}

/** The texts of the axis: those to the left of the plot. */
const ticksOf = (one: Figure) =>
  plotOf(one).shapes.flatMap((shape) =>
    shape.shape === 'text' && shape.look === 'tick' && Array.isArray(shape.x) && shape.x[1] === -8
      ? textsIn([shape])
      : [],
  );

const captionOf = ({ caption }: Figure) => plainText(caption);
const titlesOf = ({ axes }: Figure) => axes.map(({ title }) => title);

describe('the axes that are offered', () => {
  test.each([
    ['numbers from 0 on', { a: [0, 4, 9], b: [1, 2, 3] }, ['from 0']],
    ['numbers far apart', { a: [1, 4, 20], b: [2, 2, 3] }, ['from 0', 'logarithmic']],
    ['numbers not quite so far apart', { a: [1, 4, 19.9], b: [2, 2, 3] }, ['from 0']],
    ['a fifth of the greatest', { a: [21, 60, 100], b: [30, 30, 90] }, ['from 0', 'from 20']],
    ['less than a fifth', { a: [19, 60, 100], b: [30, 30, 90] }, ['from 0']],
    ['numbers that are negative too', { a: [-5, 60, 100], b: [1, 2, 3] }, ['from 0']],
  ])('of %s are those that say something true', (_, lines, expected) => {
    const offered = titlesOf(drawn(lines)).filter((title) => !/ = 100$/.test(title));
    expect(offered).toEqual(expected);
  });

  test('the one that is drawn unasked is among them: near, over 70 %, but not of sums', () => {
    const lines = { a: [71, 80, 100], b: [75, 75, 75] };
    expect(drawn(lines)).toMatchObject({ axis: 'near' });
    expect(captionOf(drawn(lines))).toContain('The axis starts at 70, not at 0.');
    expect(drawn(lines, undefined, 'sum:load')).toMatchObject({ axis: 'zero' });
    expect(titlesOf(drawn(lines, undefined, 'sum:load'))).toContain('from 70');
    expect(drawn(lines, 'near', 'sum:load')).toMatchObject({ axis: 'near' });
    expect(ticksOf(drawn(lines, 'zero'))[0]).toBe('0');
  });

  test('near is refused where it would begin at 0 or below', () => {
    for (const a of [
      [0, 5, 9],
      [-5, 5, 9],
      [1, 5, 9],
    ]) {
      const one = drawn({ a, b: a }, 'near');
      expect(one).toMatchObject({
        axis: 'zero',
        refused: 'Near these numbers, an axis begins at 0 or below.',
      });
      expect(titlesOf(one).filter((title) => title.startsWith('from'))).toEqual(['from 0']);
    }
    expect(drawn({ a: [25, 50, 99] }, 'near')).toMatchObject({ axis: 'near' });
  });

  test('one line has no index, and bars have no choice', () => {
    const one = figure(
      questionOf(rowsOf({ a: [1, 2, 30] }), { _group: 'day.month', _measure: 'avg:load' }),
    );
    expect(titlesOf(one)).toEqual(['from 0', 'logarithmic']);
    expect(figure(questionOf(rowsOf({ a: [1] }), { _group: 'kind' })).axes).toEqual([]);
  });

  test('shares are of counts and sums alone, and of some values if a filter leaves these', () => {
    const lines = { a: [1, 2, 3], b: [3, 2, 1] };
    expect(titlesOf(drawn(lines, undefined, 'sum:load'))).toContain('share of all');
    expect(titlesOf(drawn(lines))).not.toContain('share of all');
    expect(titlesOf(drawn({ a: [1, 2, 3], b: [3, -2, 1] }, undefined, 'sum:load'))).not.toContain(
      'share of all',
    );
    const all = rowsOf({ ...lines, c: [1, 1, 1] });
    const matching = all.filter(({ kind }) => kind !== 'c');
    const some = figure(questionOf(all, { ...ASKED, _measure: 'sum:load', matching }));
    expect(titlesOf(some)).toContain('share of the 2');
  });

  test('have words in each language', () => {
    for (const language of Object.values(LANGUAGES)) {
      const lines = rowsOf({ a: [1, 2, 30], b: [3, 2, 1] });
      const titles = titlesOf(
        figure(questionOf(lines, { ...ASKED, _measure: 'sum:load', language })),
      );
      expect(titles.length).toBe(4);
      expect(titles.join()).not.toMatch(/[{}#]/);
    }
  });
});

test('the first and the last year are named where no tick is near them', () => {
  const namesIn = (from: number, to: number) => {
    const years = Array.from({ length: (to - from) / 5 + 1 }, (_, i) => from + 5 * i);
    const one = questionOf(
      years.map((year) => rowOf({ year, load: year })),
      { _group: 'year', _measure: 'avg:load' },
    );
    return plotOf(figure(one)).shapes.flatMap((shape) =>
      shape.shape === 'text' && shape.look === 'tick wide' ? textsIn([shape]) : [],
    );
  };
  expect(namesIn(1955, 2005)).toEqual(['1955', '2005']);
  // A tick names them already.
  expect(namesIn(1960, 2000)).toEqual(['1965', '1975', '1985', '1995']);
});

describe('a logarithmic axis', () => {
  test('of many powers of ten has a line for each', () => {
    const log = drawn({ a: [297, 1e4, 1.3e6], b: [500, 600, 700] }, 'log');
    expect(ticksOf(log)).toEqual(['100', '1,000', '10k', '100k', '1M']);
    expect(captionOf(log)).toContain(
      'The axis is logarithmic: each line is ten times the one below, and equal slopes are equal growth in per cent.',
    );
  });

  test('says which line grew most, of those that have the first and the last month', () => {
    const lines = { a: [10, 5, 25], b: [1, 300, 3.6], c: [null, 1, 900], d: [9, 9, 1] };
    expect(captionOf(drawn(lines, 'log'))).toContain(
      'b grew most, to 3.6 times what it was in January 2024.',
    );
    expect(captionOf(drawn({ a: [30, 2, 1], b: [9, 9, 9] }, 'log'))).not.toContain('grew most');
  });

  test('says nothing of growth up to a month that the data do not fill', () => {
    const lines = rowsOf({ a: [10, 5, 25], b: [1, 300, 3.6] });
    const cut = [...lines, rowOf({ kind: 'a', load: 10, day: '2024-01-02' })];
    const log = figure(questionOf(cut, { ...ASKED, axis: 'log' }));
    expect(log.axis).toBe('log');
    expect(captionOf(log)).not.toContain('grew most');
  });

  test('of more lines than have names, none is said to have grown most', () => {
    const names = [...'abcdefghi'];
    const lines = Object.fromEntries(names.map((name, i) => [name, [i + 1, 5, 30 * (i + 2)]]));
    const log = drawn(lines, 'log');
    expect(log.axis).toBe('log');
    expect(captionOf(log)).not.toContain('grew most');
  });

  test('of few has lines at 1, 2 and 5, as written', () => {
    const log = drawn({ a: [15, 100, 1293], b: [50, 60, 70] }, 'log');
    expect(ticksOf(log)).toEqual(['10', '20', '50', '100', '200', '500', '1,000', '2,000']);
    expect(captionOf(log)).toContain('The axis is logarithmic, with lines as written:');
  });

  test('of very many leaves some out, and says how far apart its lines are', () => {
    const log = drawn({ a: [1e-6, 1, 1e8], b: [1, 1, 1] }, 'log');
    expect(ticksOf(log).length).toBeLessThan(8);
    expect(captionOf(log)).toContain('each line is 1,000 times the one below');
  });

  test('has its numbers where their logarithms are, all of them on the paper', () => {
    const values = [1, 10, 100, 1000];
    const log = drawn({ a: values, b: [1, 1, 1, 1] }, 'log');
    const [curve] = plotOf(log).shapes.filter(({ shape }) => shape === 'curve');
    if (curve?.shape !== 'curve') throw new TypeError('There is a line.');
    const heights = curve.points.map((point) => point?.[1] ?? Number.NaN);
    expect(heights.map((height) => Number(height.toFixed(6)))).toEqual([1, 0.666667, 0.333333, 0]);
  });

  test.each([[[5e-324, 1, 1.7e308]], [[7, 7, 7]], [[0.3, 0.31, 0.32]], [[1, 1, 9.99]]])(
    'of %j has two lines at least',
    (a) => {
      const log = drawn({ a, b: a }, 'log');
      expect(log.axis).toBe('log');
      expect(ticksOf(log).length).toBeGreaterThan(1);
      for (const shape of plotOf(log).shapes) {
        if (shape.shape !== 'curve') continue;
        for (const point of shape.points) {
          expect(point?.[1]).toBeGreaterThanOrEqual(0);
          expect(point?.[1]).toBeLessThanOrEqual(1);
        }
      }
    },
  );

  test('of a 0 is refused in words, and the figure has its usual axis', () => {
    const refused = drawn({ a: [0, 1, 100], b: [1, 1, 1] }, 'log');
    expect(refused).toMatchObject({
      axis: 'zero',
      refused: 'Some of these numbers are 0 or less, and those have no logarithm.',
    });
    expect(titlesOf(refused)).not.toContain('logarithmic');
  });
});

describe('an index', () => {
  const lines = { a: [null, 50, 100, 25], b: [8, 10, 15, 20] };

  test('is 100 in the first month that all have, which is ruled and named', () => {
    const index = drawn(lines, 'index');
    expect(index.title).toBe('Load, by month of Day and Kind, Feb\u00a02024\u00a0=\u00a0100');
    expect(index.marks.map(({ numbers }) => numbers)).toEqual([
      [null, 80],
      [100, 100],
      [200, 150],
      [50, 200],
    ]);
    const { shapes } = plotOf(index);
    expect(textsIn(shapes)).toEqual(
      expect.arrayContaining(['100 = Feb 2024', 'Feb 2024: all are 100']),
    );
    const rules = shapes.filter((one) => one.shape === 'line' && one.look === 'base');
    // At 100, and at the month.
    expect(rules.length).toBe(2);
    expect(captionOf(index)).toBe(
      'In April 2024 b is at 200, a at 50. 100 is the value of each in February 2024, the first full one in which each has a value above 0. The axis starts at 50, not at 0.',
    );
  });

  test('has the numbers that were asked for in the table, and beside them those that are drawn', () => {
    const { numbers } = drawn(lines, 'index');
    expect(numbers.heads.map(({ title }) => title)).toEqual([
      'Month',
      'a',
      'b',
      'a, Feb\u00a02024\u00a0=\u00a0100',
      'b, Feb\u00a02024\u00a0=\u00a0100',
    ]);
    expect(numbers.rows.map(({ cells }) => cells)).toEqual([
      ['Jan 2024', '–', '8', '–', '80'],
      ['Feb 2024', '50', '10', '100', '100'],
      ['Mar 2024', '100', '15', '200', '150'],
      ['Apr 2024', '25', '20', '50', '200'],
    ]);
  });

  test('is logarithmic where the lines are 20 times apart, with 100 ruled', () => {
    const index = drawn({ a: [1, 40, 90], b: [1, 0.9, 1.1] }, 'index');
    expect(ticksOf(index)).toContain('1,000');
    expect(captionOf(index)).toContain('The axis is logarithmic');
    const base = plotOf(index).shapes.filter((one) => one.shape === 'line' && one.look === 'base');
    expect(base.length).toBe(2);
  });

  test('begins in a period that the data fill', () => {
    const days = Array.from({ length: 60 }, (_, i) =>
      new Date(Date.UTC(2024, 0, 20 + i)).toISOString().slice(0, 10),
    );
    const rows = ['a', 'b'].flatMap((kind) => days.map((day) => rowOf({ kind, day, load: 1 })));
    const index = figure(questionOf(rows, { ...ASKED, _measure: 'sum:load', axis: 'index' }));
    expect(index.title).toContain('Feb\u00a02024\u00a0=\u00a0100');
  });

  test.each([
    [{ a: [1, 2, 3] }, 'There is one line, and what is 100 in one period compares several.'],
    [
      { a: [1, 2, null], b: [null, null, 3] },
      'There is no full period in which each line has a number above 0, which would be 100.',
    ],
    [
      { a: [0, 2, 0], b: [5, -3, 3] },
      'There is no full period in which each line has a number above 0, which would be 100.',
    ],
  ])('of %j is refused in words', (lines, refused) => {
    const one = drawn(lines, 'index');
    expect(one.refused).toBe(refused);
    expect(titlesOf(one).join()).not.toContain('= 100');
  });
});

test.each([
  ['kind', 'log', 'Only lines have a logarithmic axis.'],
  ['kind', 'index', 'Only lines over time are compared by what they were in one period.'],
  ['kind', 'near', 'Only lines have an axis that begins near their numbers.'],
  ['kind,area', 'zero', 'Only lines, areas, bars and columns have an axis that begins at 0.'],
  [
    'day.month',
    'share',
    'Only counts, and sums without negative numbers, are shares of all: by time and one more field, without conditions on groups, as areas.',
  ],
] as const)('a figure by %s has no axis %s, and says so', (_group, axis, refused) => {
  const rows = rowsOf({ a: [1, 2], b: [3, 4] });
  expect(figure(questionOf(rows, { _group, axis })).refused).toBe(refused);
  expect(figure(questionOf(rows, { _group: 'kind', axis: 'zero' })).refused).toBeUndefined();
});
