import { expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { firstQuestionOf } from '../../src/first/first-question.ts';
import { rankCorrelation } from '../../src/import/numbers-together.ts';
import type { Row } from '../../src/values/field-type.ts';
import { makeDataset } from '../support/datasets.ts';

const block = datasetBlock({
  ...{ id: 'b', name: 'b', title: 'B', description: '', noun: 'countries', examples: [] },
  fields: [
    { type: 'text', name: 'country', title: 'Country', main: true },
    { type: 'number', name: 'income', title: 'Income' },
    { type: 'number', name: 'health', title: 'Health' },
    { type: 'number', name: 'rain', title: 'Rain' },
  ],
});

/** Health rises with income, which is 500 times apart; rain has nothing to do with either. */
const countryOf = (i: number): Row => ({
  country: `country ${i}`,
  income: 500 * 1.07 ** i + 0.5,
  health: 40 + i / 3 + ((i * 7) % 5),
  rain: 100 + ((i * 37) % 91) + 0.5,
});

const opensWith = (rows: readonly Row[]) => {
  const { manifest, profile } = makeDataset(block, rows, { title: 'Made' });
  return { together: profile.together, ...firstQuestionOf(block, manifest, profile) };
};

test('few rows with names of their own open with two numbers that go together', () => {
  const found = opensWith(Array.from({ length: 92 }, (_, i) => countryOf(i)));
  expect(found.together).toEqual({ x: 'health', y: 'income' });
  expect(found.arguments).toEqual({
    ...{ _view: 'chart', _xy: ['health', 'income'], _scale: ['linear', 'log'] },
  });
  expect(found.reason).toBe(
    'It opens with Income against Health, because each row has its own Country, and Income and Health go together.',
  );
});

test('numbers that do not go together are bars, and more than 1,000 rows are no things', () => {
  const scattered = Array.from({ length: 91 }, (_, i) => ({
    ...countryOf(i),
    income: 500 + ((i * 53) % 91),
  }));
  expect(opensWith(scattered).arguments).toMatchObject({ _group: ['country'] });
  const many = Array.from({ length: 1001 }, (_, i) => ({ ...countryOf(i % 90), country: `c${i}` }));
  expect(opensWith(many).together).toBeUndefined();
});

test.each([
  [
    [
      [1, 1],
      [2, 4],
      [3, 9],
    ],
    1,
  ],
  [
    [
      [1, 9],
      [2, 4],
      [3, 1],
    ],
    -1,
  ],
  [
    [
      [1, 5],
      [2, 5],
      [3, 5],
    ],
    0,
  ],
  // By hand: ranks 1, 2.5, 2.5, 4 and 1, 3, 2, 4.
  [
    [
      [1, 10],
      [2, 30],
      [2, 20],
      [3, 40],
    ],
    0.9486832980505138,
  ],
] as [[number, number][], number][])('the rank correlation of %j is %d', (pairs, correlation) => {
  expect(rankCorrelation(pairs)).toBeCloseTo(correlation, 12);
});
