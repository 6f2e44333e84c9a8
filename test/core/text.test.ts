import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareCodePoints } from '../../src/core/code-point-order.ts';
import { fold, isBlankText } from '../../src/core/fold.ts';
import { matchesPattern, parseDigitsPattern, parsePattern } from '../../src/core/pattern.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 30 });

describe('folding', () => {
  test.each([
    ['Straße', 'STRASSE'],
    ['ẞ', 'ss'],
    ['ΟΔΟΣ', 'οδος'],
    ['Café', 'CAFE\u0301'],
    ['Ёлка', 'елка'],
    ['İstanbul', 'istanbul'],
    ['ﬁne', 'FINE'],
    ['Ｒｅｔａｉｌ', 'retail'],
    ['O’Brien “x”', 'o\'brien "x"'],
    ['a–b—c−d‐e', 'a-b-c-d-e'],
    ['soft\u00adhyphen', 'softhyphen'],
    ['a\u00a0\t\n b', 'a b'],
    ['  x\u0085', 'x'],
    ['½', '1⁄2'],
  ])('%s equals %s', (a, b) => {
    expect(fold(a)).toBe(fold(b));
  });

  test.each([
    ['ı', 'i'],
    ['が', 'か'],
    ['कि', 'क'],
    ['a*', 'a'],
    ['ö', 'oe'],
  ])('%s does not equal %s', (a, b) => {
    expect(fold(a)).not.toBe(fold(b));
  });

  test('twice is once, for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => expect(fold(fold(text))).toBe(fold(text))),
      { seed: 3, numRuns: 6_000 },
    );
  });

  test('text is blank when it folds to nothing', () => {
    const blankish = fc.string({
      unit: fc.constantFrom(
        ' ',
        '\u200b',
        '\u2028',
        '\u0085',
        '\ufeff',
        '\u00ad',
        '\u3000',
        '\u0301',
        'x',
      ),
    });
    fc.assert(
      fc.property(fc.oneof(anyText, blankish), (text) =>
        expect(isBlankText(text)).toBe(fold(text) === ''),
      ),
      { seed: 4, numRuns: 6_000 },
    );
  });
});

describe('patterns', () => {
  test.each([
    ['court*', 'court street', true],
    ['court *', 'court', false],
    ['* court', 'north  court', true],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'acb', false],
    ['ab*ba', 'aba', false],
    ['*', '', true],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['\\\\*', '\\*', true],
    ['a\\b', 'a\\b', true],
    ['＊', '*', true],
    ['x＊', 'xy', false],
  ])('%s on %s: %s', (pattern, text, expected) => {
    expect(matchesPattern(parsePattern(pattern), fold(text))).toBe(expected);
  });

  test('match as a regular expression would, for small alphabets', () => {
    const small = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 10 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
    fc.assert(
      fc.property(small, text, (pattern, subject) => {
        const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(subject);
        expect(matchesPattern(parsePattern(pattern), subject)).toBe(expected);
      }),
      { seed: 5, numRuns: 6_000 },
    );
  });

  test('a leading 1 goes from eleven digits, and from no wildcard', () => {
    expect(parseDigitsPattern('+1 (718) 624-7581')).toEqual(['7186247581']);
    expect(parseDigitsPattern('1718624758')).toEqual(['1718624758']);
    expect(parseDigitsPattern('1 718*')).toEqual(['1718', '']);
  });
});

test('texts are ordered by code point, as DynamoDB orders them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(
        Buffer.compare(Buffer.from(a), Buffer.from(b)),
      );
    }),
    {
      seed: 6,
      numRuns: 5000,
      examples: [
        ['😀', '\uff21'],
        ['a', ''],
        ['ab', 'a'],
      ],
    },
  );
});
