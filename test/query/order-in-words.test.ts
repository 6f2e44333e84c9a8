import { expect, test } from '@jest/globals';
import { orderInWords } from '../../src/query/answer-in-words.ts';
import type { Field } from '../../src/values/field-types.ts';

const FIELDS: Field[] = [
  { type: 'text', name: 'street', title: 'Street address' },
  { type: 'phone', name: 'phone', title: 'Phone' },
  { type: 'number', name: '_65', title: '65 and older' },
  { type: 'date', name: 'opened', title: 'Opened' },
  { type: 'boolean', name: 'is_open', title: 'Is open' },
];

test.each([
  ['street', 'Street address, A to Z'],
  ['-street', 'Street address, Z to A'],
  ['-phone', 'Phone, 9 to 0'],
  ['_65', '65 and older, lowest first'],
  ['-_65', '65 and older, highest first'],
  ['-opened', 'Opened, latest first'],
  ['is_open', 'Is open, false first'],
  ['is_open,-_65', 'Is open, false first, then 65 and older, highest first'],
  ['none', undefined],
  [undefined, undefined],
])('the order %s is %s', (sort, words) => {
  expect(orderInWords(FIELDS, sort?.split(','))).toBe(words);
});
