import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { datasetBlock } from '../../src/block/block.ts';
import { nameColumns } from '../../src/recipe/column-names.ts';

const names = (...headers: string[]) => nameColumns(headers).map(({ name }) => name);

describe('a header becomes a name', () => {
  test.each([
    ['City/State', 'city_state'],
    [' Zip  Code ', 'zip_code'],
    ['Größe', 'grosse'],
    ['Łódź', 'lodz'],
    ['Ærø', 'aero'],
    ['İstanbul', 'istanbul'],
    ['Año (est.)', 'ano_est'],
    ["owner's name", 'owners_name'],
    ['18-24', '_18_24'],
    ['2010', '_2010'],
    ['% vacant', 'vacant'],
    ['人口 (population)', 'population'],
    ['_limit', 'limit'],
    ['__proto__', 'proto'],
  ])('%j: %s', (header, name) => {
    expect(nameColumns([header])).toEqual([{ header, name }]);
  });
});

test.each([
  ['', 'column_2', 'its header is blank'],
  [' \u200b', 'column_2', 'its header is blank'],
  ['人口', 'column_2', 'nothing of its header can be in a name'],
  ['人口 2010', 'column_2', 'nothing of its header can be in a name'],
  ['%', 'column_2', 'nothing of its header can be in a name'],
  ['A', 'a_2', 'another column is called a'],
  ['expiry', 'column_expiry', 'expiry is reserved, since old clients send it in every query'],
  ['a_min', 'a_min_2', 'a_min is how callers ask for a range of a'],
  [`b${'é'.repeat(60)}`, `b${'e'.repeat(49)}`, 'its header has over 50 characters'],
])('%j is called %s, since %s', (header, name, why) => {
  expect(nameColumns(['a', header])[1]).toEqual({ header, name, why });
});

test('a name that another header has as it is stays with that', () => {
  expect(names('a', 'a', 'a_2')).toEqual(['a', 'a_3', 'a_2']);
  expect(names('', 'column_1')).toEqual(['column_1', 'column_1_2']);
  expect(names('x', 'x', 'x_2_min')).toEqual(['x', 'x_3', 'x_2_min']);
  expect(names('x_max', 'x')).toEqual(['x_max_2', 'x']);
});

test('every header row names fields that a block takes', () => {
  const likely = fc.constantFrom(
    'a',
    'A',
    'a_2',
    'a_min',
    'a_2_max',
    '',
    'é',
    '_',
    'cache',
    'expiry',
  );
  const header = fc.oneof(likely, likely, fc.string({ unit: 'grapheme', maxLength: 70 }));
  fc.assert(
    fc.property(fc.array(header, { minLength: 1, maxLength: 12 }), (headers) => {
      const fields = nameColumns(headers).map(
        ({ name }) => ({ name, title: name, type: 'integer' }) as const,
      );
      datasetBlock({ id: 'b', name: 'b', title: '', description: '', examples: [], fields });
      expect(fields.every(({ name }) => name.length <= 60)).toBe(true);
    }),
    { seed: 14, numRuns: 500 },
  );
});
