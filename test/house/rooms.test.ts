import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { codeLines, dialectIn, overBudget, sizesOfRooms } from '../../bench/house/rooms.ts';
import { ROOT } from '../support/service.ts';

test('no room of the house has more than its budget, which `npm run house` prints', () => {
  const budget = JSON.parse(readFileSync(`${ROOT}/bench/house/budget.json`, 'utf8'));
  expect(overBudget(sizesOfRooms(ROOT), budget)).toEqual([]);
});

test('a room with more lines, more words of the dialect, or no budget is over it', () => {
  const budget = { a: { lines: 10, dialect: 1 }, b: { lines: 10, dialect: 1 } };
  const sizes = {
    a: { lines: 11, dialect: 0 },
    b: { lines: 10, dialect: 2 },
    c: { lines: 1, dialect: 0 },
  };
  expect(overBudget(sizes, budget)).toEqual([
    'a has 11 lines of code; it may have 10',
    'b has 2 words of the dialect; it may have 1',
    'c has 1 lines of code; it may have 0',
  ]);
});

test('comments, blank lines and imports are no lines of code', () => {
  const text = `import {
  a,
} from 'b';

/**
 * Words.
 */
// More.
const one = a;
`;
  expect(codeLines(text)).toBe(1);
});

test('words of the dialect count in comments, messages and names of tests, and `its` as a name', () => {
  expect(dialectIn("// What stands behind it.\ntest('so many of which', () => {});")).toBe(4);
  expect(dialectIn('const its = behind(stands); // plain')).toBe(1);
  expect(dialectIn("say('its rows')")).toBe(0);
});
