import { describe, expect, test } from '@jest/globals';
import { firstFew, fitting, listInWords } from '../../src/text/wording.ts';

describe('the first of some texts', () => {
  test.each([
    [0, ''],
    [2, 'a, a'],
    [3, 'a, a and 1 more'],
    [1234, 'a, a and 1,232 more'],
  ])('are two of %d', (count, expected) => {
    expect(firstFew(Array(count).fill('a'), 2)).toBe(expected);
  });

  test('have other words for the rest, and between them', () => {
    expect(firstFew(['a', 'b', 'c'], 1, (more) => `; ${more} too`, '; ')).toBe('a; 2 too');
  });
});

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a or b'],
  [['a', 'b', 'c'], 'a, b or c'],
])('%j in a sentence', (texts, expected) => {
  expect(listInWords(texts, 'or')).toBe(expected);
});

test.each([
  [['ab', 'c', 'd'], 3, 0, ['ab', 'c']],
  [['ab', 'c', ''], 3, 0, ['ab', 'c', '']],
  [['abcd', 'e'], 3, 0, []],
  [['abcd', 'e'], 3, 1, ['abcd']],
  [['ab', 'cd', ''], 3, 0, ['ab']],
])('of %j, those that fit into %d characters, at least %d', (texts, most, least, expected) => {
  expect(fitting(texts, ({ length }) => length, most, least)).toEqual(expected);
});
