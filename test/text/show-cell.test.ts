import { expect, test } from '@jest/globals';
import { showCell } from '../../src/text/wording.ts';

test.each([
  ['Café "1"', '"Café \\"1\\""'],
  ['a\tb\nc', '"a\\tb\\nc"'],
  ['\x1b[31mred', '"\\u001b[31mred"'],
  ['\x9b31m\x7f', '"\\u{9b}31m\\u{7f}"'],
  ['1\u00a0234', '"1\\u{a0}234"'],
  ['\u202eevil\u2028\u200b', '"\\u{202e}evil\\u{2028}\\u{200b}"'],
  ['\ud800', '"\ufffd"'],
  ['x'.repeat(61), `"${'x'.repeat(60)}…"`],
])('a cell %j is shown as %s', (cell, shown) => {
  expect(showCell(cell)).toBe(shown);
});
