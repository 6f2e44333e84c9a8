import { expect, test } from '@jest/globals';
import { filtersOf, parametersOfFields } from '../../src/block/parameter.ts';
import { describeFilters } from '../../src/query/answer-in-words.ts';
import type { Field } from '../../src/values/field-types.ts';

const fields: readonly Field[] = [
  { type: 'text', name: 'street', title: 'Street address' },
  { type: 'text', name: 'gq', title: 'GQ type' },
  { type: 'number', name: 'number', title: 'House number' },
  { type: 'number', name: '_5_to_17', title: '5 to 17 years' },
  { type: 'integer', name: 'people', title: 'Population', unit: 'people' },
  { type: 'number', name: 'latitude', title: 'Latitude', filterable: false },
];
const block = { fields, filters: filtersOf(parametersOfFields(fields), fields) };

test.each([
  [{}, []],
  [{ street: 'court st' }, ['street address is “court st”']],
  [{ street: '*court st*' }, ['street address contains “court st”']],
  [{ street: '4*' }, ['street address begins with “4”']],
  [{ street: '*st' }, ['street address ends with “st”']],
  [{ street: '4*st' }, ['street address matches “4*st”']],
  [{ street: '*' }, ['street address has a value']],
  [{ street: ['a', '**'] }, ['street address is “a” or has a value']],
  [{ street: 'a\\*b' }, ['street address is “a*b”']],
  [{ street: ['a', '*b*'] }, ['street address is “a” or contains “b”']],
  [{ gq: 'x' }, ['GQ type is “x”']],
  [{ number_min: 1 }, ['house number is at least 1']],
  [{ number_max: 0 }, ['house number is at most 0']],
  [{ number_min: 1, number_max: 2.5 }, ['house number is from 1 to 2.5']],
  [{ number_min: 2, number_max: 2 }, ['house number is 2']],
  [{ _5_to_17_min: 1e3, street: 'x' }, ['street address is “x”', '5 to 17 years is at least 1000']],
  [{ people_min: 1, people_max: 2 }, ['population is from 1 to 2 people']],
  [{ people: [1, 2] }, ['population is 1 people or 2 people']],
  [{ people_min: 5 }, ['population is at least 5 people']],
  [{ '_not.gq': 'x*' }, ['GQ type does not begin with “x”']],
  [{ _empty: ['gq', 'street'] }, ['GQ type and street address have no value']],
  [{ _limit: 5, latitude: 3 }, []],
])('%j in words', (values, texts) => {
  expect(describeFilters(block, values).map(({ text }) => text)).toEqual(texts);
});

test('a filter names the parameters that state it, so that it can be dropped', () => {
  const filters = describeFilters(block, { street: 'x', number_min: 1, number_max: 2 });
  expect(filters.map(({ parameters }) => parameters)).toEqual([
    ['street'],
    ['number_min', 'number_max'],
  ]);
});
