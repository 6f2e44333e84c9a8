import { expect, test } from '@jest/globals';
import { filtersOf, parametersOfFields } from '../../src/block/parameter.ts';
import { describeFilters } from '../../src/query/filters-in-words.ts';
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
  [{ street: 'court st' }, ['Street address is “court st”']],
  [{ street: '*court st*' }, ['Street address contains “court st”']],
  [{ street: '4*' }, ['Street address begins with “4”']],
  [{ street: '*st' }, ['Street address ends with “st”']],
  [{ street: '4*st' }, ['Street address matches “4*st”']],
  [{ street: '*' }, ['Street address has a value']],
  [{ street: ['a', '**'] }, ['Street address is “a” or has a value']],
  [{ street: 'a\\*b' }, ['Street address is “a*b”']],
  [{ street: ['a', '*b*'] }, ['Street address is “a” or contains “b”']],
  [{ gq: 'x' }, ['GQ type is “x”']],
  [{ number_min: 1 }, ['House number is at least 1']],
  [{ number_max: 0 }, ['House number is at most 0']],
  [{ number_min: 1, number_max: 2.5 }, ['House number is from 1 to 2.5']],
  [{ number_min: 2, number_max: 2 }, ['House number is 2']],
  [{ _5_to_17_min: 1e3, street: 'x' }, ['Street address is “x”', '5 to 17 years is at least 1000']],
  [{ people_min: 1, people_max: 2 }, ['Population is from 1 to 2 people']],
  [{ people: [1, 2] }, ['Population is 1 people or 2 people']],
  [{ people_min: 5 }, ['Population is at least 5 people']],
  [{ '_not.gq': 'x*' }, ['GQ type does not begin with “x”']],
  [{ _empty: ['gq', 'street'] }, ['GQ type and Street address have no value']],
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
