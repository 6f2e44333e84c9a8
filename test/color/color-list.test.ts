import { describe, expect, test } from '@jest/globals';
import { findColorLines, parseColorList } from '../../functions/rgb-to-color-name/color-list.ts';
import { readList } from './named-lists.ts';

describe('parseColorList', () => {
  test('keeps the order, the colours and the names of the text', () => {
    const list = parseColorList('c93f38 100 Mph\n00ff0a À l’Orange\n');
    expect(list.count).toBe(2);
    expect([...list.rgb]).toEqual([201, 63, 56, 0, 255, 10]);
    expect([list.name(0), list.name(1)]).toEqual(['100 Mph', 'À l’Orange']);
    expect([list.hex(0), list.hex(1)]).toEqual(['#c93f38', '#00ff0a']);
    expect(list.color(1)).toEqual([0, 255, 10]);
  });

  test('reads an empty text as an empty list', () => {
    expect(parseColorList('').count).toBe(0);
  });

  test.each([
    ['a line without a colour', '000000 black\nwhite\n', 'Line 2'],
    ['a colour in capitals', 'FFFFFF white\n', 'Line 1'],
    ['an empty line', '000000 black\n\nffffff white\n', 'Line 2'],
    ['a last line that is cut off', '000000 black\nffffff whi', 'cut off'],
  ])('refuses %s', (_what, text, message) => {
    expect(() => parseColorList(text)).toThrow(message);
  });

  test.each([-1, 2, Number.NaN])('refuses the position %d of a list of two', (position) => {
    const list = parseColorList('000000 black\nffffff white\n');
    expect(() => list.name(position)).toThrow(RangeError);
    expect(() => list.hex(position)).toThrow(RangeError);
    expect(() => list.color(position)).toThrow(RangeError);
  });

  test.each([
    ['full', 31_918, '100 Mph', 'Zydeco Blue'],
    ['bestof', 4_961, '100 Mph', 'Zunda Green'],
    ['short', 3_083, '100 Mph', 'Zunda Green'],
    ['css', 148, 'aliceblue', 'yellowgreen'],
  ] as const)('reads the list %s: %i colours', (id, count, first, last) => {
    const list = readList(id);
    expect(list.count).toBe(count);
    expect([list.name(0), list.name(count - 1)]).toEqual([first, last]);
  });
});

test.each([
  ['ff7f50 Coral\n# Not\n', 'Line 2 of a colour list does not start with a colour.'],
  ['ff7f50 Coral\n0000ff Blue', 'The last line of a colour list is cut off.'],
])('a damaged list is told: %j', (text, message) => {
  expect(() => findColorLines(text)).toThrow(message);
});
