import { describe, expect, test } from '@jest/globals';
import {
  answerInWords,
  facetInWords,
  fieldsToShow,
  helpSentence,
} from '../../src/query/answer-in-words.ts';

const HELP = {
  parameters: ['category'],
  alone: 0,
  without: 12,
  empties: true,
  containing: null,
  nearest: [],
};
const sentence = (more: Partial<typeof HELP> | object) =>
  helpSentence({ ...HELP, ...more }, 'category:retial', 'businesses');

describe('why no row matches, in words', () => {
  test.each([
    [
      'a value that nothing has, and the nearest that there are',
      { nearest: ['Retail', 'Rental'] },
      'category:retial by itself: no businesses. Did you mean “Retail” or “Rental”? Without it: 12 businesses.',
    ],
    [
      'a text that is within others',
      { containing: 4 },
      'category:retial by itself: no businesses. With * on both sides of it: 4 businesses. Without it: 12 businesses.',
    ],
    [
      'a value of another field',
      { elsewhere: [{ parameter: 'type', rows: 1200 }] },
      'category:retial by itself: no businesses. It is a value of type: type finds 1,200 businesses. Without it: 12 businesses.',
    ],
    [
      'a text of which an older service does not say',
      { containing: undefined },
      'category:retial by itself: no businesses. Without it: 12 businesses.',
    ],
    [
      'one row, whose noun is known in the plural alone',
      { containing: 1, without: 1 },
      'category:retial by itself: no businesses. With * on both sides of it: one. Without it: one.',
    ],
    [
      'a text that is within none',
      { containing: 0 },
      'category:retial by itself: no businesses. Without it: 12 businesses.',
    ],
    [
      'one that excludes the others',
      { alone: 3, without: 12 },
      'category:retial by itself: 3 businesses. No row matches category:retial and the others too. Without it: 12 businesses.',
    ],
    [
      'one of several, without which nothing is left either',
      { alone: 3, without: 0, empties: false },
      'category:retial by itself: 3 businesses.',
    ],
    [
      'what was not counted is not guessed',
      { alone: null, without: null, empties: null },
      'category:retial: not counted.',
    ],
  ])('%s', (_, more, expected) => {
    expect(sentence(more)).toBe(expected);
  });
});

test('counts of values have separators', () => {
  const facet = { values: [{ value: 'Retail', count: 1200 }], others: 99_000, empty: 1000 };
  expect(facetInWords('category', facet)).toBe(
    'category: Retail 1,200; 99,000 have other values; 1,000 have none',
  );
});

describe('the fields to show of a row', () => {
  const question = {
    noun: 'businesses',
    rows: 120,
    keyFields: ['name'],
    parameters: [
      { name: 'category', field: 'category' },
      { name: 'rent_min', field: 'rent' },
    ],
    given: {},
    writeFilter: () => '',
  };
  const fields = ['id', 'name', 'category', 'rent'];
  test.each([
    ['the key fields', {}, {}, ['name']],
    ['those that are filtered', { given: { rent_min: 3 } }, {}, ['name', 'rent']],
    [
      'those whose values are ruled out',
      { given: { '_not.category': 'x' } },
      {},
      ['name', 'category'],
    ],
    ['the one that sorts', { given: { _sort: '-id' } }, {}, ['name', 'id']],
    ['all that the caller chose', { given: { _fields: ['id'], rent_min: 3 } }, {}, fields],
    ['all columns of groups', { given: { _group: 'category' } }, {}, fields],
    ['all of a service that tells no key fields', { keyFields: undefined }, {}, fields],
    [
      'all that fit, the key fields first',
      {},
      { mostFields: 4 },
      ['name', 'id', 'category', 'rent'],
    ],
    ['no others if not all fit', {}, { mostFields: 3 }, ['name']],
    ['the first if none is asked about', { keyFields: [] }, { mostFields: 2 }, ['id', 'name']],
  ])('are %s', (_, asked, room, expected) => {
    expect(fieldsToShow({ ...question, ...asked, ...room }, fields)).toEqual(expected);
  });

  test('are the columns of an answer, which cites its rows', () => {
    const rows = [{ id: 1, name: 'a', category: 'b', rent: 2 }];
    const citing = { block: 'shops', version: 'v', addressOf: (to: string) => `https://a/${to}` };
    const params = { results: rows, total: 1, next: null, addresses: ['shops/rows/1'] };
    expect(answerInWords({ ...question, citing }, params)).toEqual({
      headline: '1 of 120 businesses',
      filters: [],
      without: [],
      table: { columns: ['name'], rows },
      reasons: [],
      facets: [],
      next: null,
      citation: {
        dataset: 'https://a/shops',
        version: 'v',
        addresses: ['https://a/shops/rows/1'],
      },
    });
  });
});

test('rows that two numbers leave out are counted', () => {
  const axis = { field: 'rent', scale: 'log', min: 1, max: 9000 } as const;
  const found = { of: 'rows', x: axis, y: axis, rows: 5, without: 1200, zeros: 1 } as const;
  const withoutOf = (xy: Partial<typeof found> | object) =>
    answerInWords(
      {
        ...{ noun: 'businesses', rows: 120, keyFields: undefined, parameters: [], given: {} },
        writeFilter: String,
      },
      { results: [], total: 5, next: null, xy: { ...found, ...xy } },
    ).without;
  expect(withoutOf({})).toEqual([
    'Left out: 1,200 rows without one of the two numbers.',
    'Left out: 1 row with a 0, which has no logarithm.',
  ]);
  expect(withoutOf({ without: 0, zeros: undefined })).toEqual([]);
});

describe('parts of dates that recur are named', () => {
  const question = {
    ...{ noun: 'trees', rows: 9, keyFields: undefined, parameters: [] },
    writeFilter: String,
  };
  const rows = [
    { opened_weekday: 1, opened_month_of_year: 12, count: 4 },
    { opened_weekday: null, opened_month_of_year: 5, count: 2 },
  ];
  const page = { results: rows, total: 2, next: null };

  test.each([
    ['a list', ['opened.weekday', 'opened.month_of_year']],
    ['one text with commas', 'opened.weekday, opened.month_of_year'],
  ])('in groups, asked for by %s', (_, _group) => {
    const { table } = answerInWords({ ...question, given: { _group } }, page);
    expect(table.rows).toEqual([
      { opened_weekday: 'Monday', opened_month_of_year: 'December', count: 4 },
      { opened_weekday: null, opened_month_of_year: 'May', count: 2 },
    ]);
  });

  test('but not in rows that have such a column of their own', () => {
    expect(answerInWords({ ...question, given: {} }, page).table.rows).toEqual(rows);
  });

  test('in facets', () => {
    const values = [{ value: 53, count: 2 }];
    expect(facetInWords('opened.week_of_year', { values, others: 0, empty: 1 })).toBe(
      'opened.week_of_year: week 53 2; 1 have none',
    );
  });
});
