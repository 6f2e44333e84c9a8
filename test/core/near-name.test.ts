import { expect, test } from '@jest/globals';
import { nearName } from '../../src/core/near-name.ts';

const KNOWN = ['R', 'G', 'list', 'category', 'city_state', 'location_1_city', 'location_1_zip'];

test.each([
  ['r', 'R'],
  ['CATEGORY', 'category'],
  ['catgory', 'category'],
  ['categorie', 'category'],
  ['lists', 'list'],
  ['lit', 'list'],
  ['cate', 'category'],
  ['location', 'location_1_city'],
  ['location_1_xip', 'location_1_zip'],
  ['x', undefined],
  ['lo', undefined],
  ['colour', undefined],
  ['', undefined],
])('%s: %s', (name, expected) => {
  expect(nearName(name, KNOWN)).toBe(expected);
});

test('of several equally near, the first', () => {
  expect(nearName('under_x_min', ['under_5_min', 'under_6_min'])).toBe('under_5_min');
});
