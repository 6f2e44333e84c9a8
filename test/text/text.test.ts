import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareCodePoints, fold, isBlankText, sortByCodePoint } from '../../src/text/fold.ts';
import { matchesPattern, parseDigitsPattern, parsePattern } from '../../src/text/pattern.ts';
import { anyCharacter } from '../support/any-character.ts';

const anyText = fc.string({ unit: anyCharacter, maxLength: 30 });

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

  // The names are Unicode's; what ASCII they are written as is CLDR's (common/transforms,
  // Latin-ASCII), as ICU 72 has it.
  test.each([
    ['æ', 'ae', 'LATIN SMALL LETTER AE'],
    ['ð', 'd', 'LATIN SMALL LETTER ETH'],
    ['ø', 'o', 'LATIN SMALL LETTER O WITH STROKE'],
    ['þ', 'th', 'LATIN SMALL LETTER THORN'],
    ['đ', 'd', 'LATIN SMALL LETTER D WITH STROKE'],
    ['ħ', 'h', 'LATIN SMALL LETTER H WITH STROKE'],
    ['ı', 'i', 'LATIN SMALL LETTER DOTLESS I'],
    ['ĸ', 'q', 'LATIN SMALL LETTER KRA'],
    ['ł', 'l', 'LATIN SMALL LETTER L WITH STROKE'],
    ['ŋ', 'n', 'LATIN SMALL LETTER ENG'],
    ['œ', 'oe', 'LATIN SMALL LIGATURE OE'],
    ['ŧ', 't', 'LATIN SMALL LETTER T WITH STROKE'],
    ['ƀ', 'b', 'LATIN SMALL LETTER B WITH STROKE'],
    ['ɓ', 'b', 'LATIN SMALL LETTER B WITH HOOK'],
    ['ƃ', 'b', 'LATIN SMALL LETTER B WITH TOPBAR'],
    ['ƈ', 'c', 'LATIN SMALL LETTER C WITH HOOK'],
    ['ɖ', 'd', 'LATIN SMALL LETTER D WITH TAIL'],
    ['ɗ', 'd', 'LATIN SMALL LETTER D WITH HOOK'],
    ['ƌ', 'd', 'LATIN SMALL LETTER D WITH TOPBAR'],
    ['ɛ', 'e', 'LATIN SMALL LETTER OPEN E'],
    ['ƒ', 'f', 'LATIN SMALL LETTER F WITH HOOK'],
    ['ɠ', 'g', 'LATIN SMALL LETTER G WITH HOOK'],
    ['ƕ', 'hv', 'LATIN SMALL LETTER HV'],
    ['ɨ', 'i', 'LATIN SMALL LETTER I WITH STROKE'],
    ['ƙ', 'k', 'LATIN SMALL LETTER K WITH HOOK'],
    ['ƚ', 'l', 'LATIN SMALL LETTER L WITH BAR'],
    ['ɲ', 'n', 'LATIN SMALL LETTER N WITH LEFT HOOK'],
    ['ƞ', 'n', 'LATIN SMALL LETTER N WITH LONG RIGHT LEG'],
    ['ƣ', 'oi', 'LATIN SMALL LETTER OI'],
    ['ƥ', 'p', 'LATIN SMALL LETTER P WITH HOOK'],
    ['ƫ', 't', 'LATIN SMALL LETTER T WITH PALATAL HOOK'],
    ['ƭ', 't', 'LATIN SMALL LETTER T WITH HOOK'],
    ['ʈ', 't', 'LATIN SMALL LETTER T WITH RETROFLEX HOOK'],
    ['ʋ', 'v', 'LATIN SMALL LETTER V WITH HOOK'],
    ['ƴ', 'y', 'LATIN SMALL LETTER Y WITH HOOK'],
    ['ƶ', 'z', 'LATIN SMALL LETTER Z WITH STROKE'],
    ['ǥ', 'g', 'LATIN SMALL LETTER G WITH STROKE'],
    ['ȡ', 'd', 'LATIN SMALL LETTER D WITH CURL'],
    ['ȥ', 'z', 'LATIN SMALL LETTER Z WITH HOOK'],
    ['ȴ', 'l', 'LATIN SMALL LETTER L WITH CURL'],
    ['ȵ', 'n', 'LATIN SMALL LETTER N WITH CURL'],
    ['ȶ', 't', 'LATIN SMALL LETTER T WITH CURL'],
    ['ȷ', 'j', 'LATIN SMALL LETTER DOTLESS J'],
    ['ȸ', 'db', 'LATIN SMALL LETTER DB DIGRAPH'],
    ['ȹ', 'qp', 'LATIN SMALL LETTER QP DIGRAPH'],
    ['ⱥ', 'a', 'LATIN SMALL LETTER A WITH STROKE'],
    ['ȼ', 'c', 'LATIN SMALL LETTER C WITH STROKE'],
    ['ⱦ', 't', 'LATIN SMALL LETTER T WITH DIAGONAL STROKE'],
    ['ȿ', 's', 'LATIN SMALL LETTER S WITH SWASH TAIL'],
    ['ɀ', 'z', 'LATIN SMALL LETTER Z WITH SWASH TAIL'],
    ['ʉ', 'u', 'LATIN SMALL LETTER U BAR'],
    ['ɇ', 'e', 'LATIN SMALL LETTER E WITH STROKE'],
    ['ɉ', 'j', 'LATIN SMALL LETTER J WITH STROKE'],
    ['ɍ', 'r', 'LATIN SMALL LETTER R WITH STROKE'],
    ['ɏ', 'y', 'LATIN SMALL LETTER Y WITH STROKE'],
  ])('%s is %s: %s', (letter, ascii) => {
    expect(fold(letter)).toBe(ascii);
    expect(fold(`x${letter.toUpperCase()}\u0301x`)).toBe(`x${ascii}x`);
  });

  test.each([
    ['Łódź', 'lodz'],
    ['Ørsted', 'orsted'],
    ['Đà Nẵng', 'da nang'],
    ['Ħamrun', 'hamrun'],
    ['Þórshöfn', 'thorshofn'],
    ['Ærøskøbing', 'aeroskobing'],
    ['ŒUVRE', 'oeuvre'],
    ['Diyarbakır', 'diyarbakir'],
  ])('%s is found by %s', (stored, asked) => {
    expect(fold(stored)).toBe(fold(asked));
  });

  test.each([
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

  test('thirty marks in a row count, and a text of two million is folded', () => {
    const marks = '\u0301\u0316'.repeat(1_000_000);
    expect(fold(`\u05d0${marks}`)).toBe(fold(`\u05d0${marks.slice(0, 30)}`));
    expect(fold(`\u05d0${marks.slice(0, 30)}`)).not.toBe(fold(`\u05d0${marks.slice(0, 28)}`));
    expect(fold(`a${marks}b`)).toBe('ab');
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

test('texts are sorted by code point, whatever they hold', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: anyCharacter, maxLength: 4 })), (texts) => {
      const bytes = texts.map((text) => Buffer.from(text)).sort(Buffer.compare);
      expect(sortByCodePoint([...texts])).toEqual(bytes.map(String));
    }),
    { seed: 7, numRuns: 2000, examples: [[['\u{1f600}', '\uff21', 'a']]] },
  );
});
