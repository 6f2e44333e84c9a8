import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { numberWords, percent, signed } from '../../src/figure/numbers.ts';
import { ENGLISH } from '../../src/languages/english.ts';

const load = { name: 'load', type: 'number' as const };
const words = (values: readonly number[] = []) =>
  numberWords({ language: ENGLISH, field: load, values });

const LOWERED: Readonly<Record<string, string>> = Object.fromEntries(
  [...'⁰¹²³⁴⁵⁶⁷⁸⁹'].map((raised, digit) => [raised, String(digit)]),
);

describe('beside a mark, a number has three significant digits', () => {
  test.each([
    [3_658_850, '3.66M'],
    [391_016, '391k'],
    [10_000, '10k'],
    [9_999.6, '10k'],
    [9_999, '9,999'],
    [1_014.4, '1,014'],
    [999_999, '1M'],
    [999_499, '999k'],
    [4_300_000, '4.3M'],
    [2.5e9, '2.5B'],
    [12.345, '12.3'],
    [0.000_123_4, '0.000123'],
    [0, '0'],
    [-5, '−5'],
    [-12_345, '−12.3k'],
    [5e12, '5T'],
    [1e-12, '1 × 10⁻¹²'],
    [9.364e17, '9.36 × 10¹⁷'],
    [1e21, '1 × 10²¹'],
  ])('%d is %s', (value, text) => expect(words().short(value)).toBe(text));

  test('zeros are kept within a column', () => {
    expect([4_300_000, 4_280_000].map(words().aligned)).toEqual(['4.30M', '4.28M']);
    expect(words().aligned(999_600)).toBe('1.00M');
    const column = [10.1, 79.6, 73, 8.38, 0.797, 0.02];
    const said = ['10.1', '79.6', '73.0', '8.4', '0.8', '0.02'];
    expect(column.map(words(column).aligned)).toEqual(said);
    expect(column.map(words(column).spoken)).toEqual(said);
    const wide = [416.18, 390, 28.84, 6];
    expect(wide.map(words(wide).aligned)).toEqual(['416', '390', '28.8', '6.0']);
    expect([3, 1200].map(words([3, 1200]).aligned)).toEqual(['3', '1,200']);
    expect([3, 12_000].map(words([3, 12_000]).aligned)).toEqual(['3', '12.0k']);
  });

  test.each([
    [3_658_850, '3.66 million'],
    [391_016, '391,000'],
    [1_014, '1,014'],
    [-2.5e9, '−2.5 billion'],
    [3e12, '3 trillion'],
    [9.364e17, '936 quadrillion'],
    [-9.364e20, '−9.36 × 10²⁰'],
  ])('%d is %s in a sentence', (value, text) => expect(words().spoken(value)).toBe(text));

  test('is never farther from the number than half of its third digit', () => {
    const read = (text: string) => {
      const unit = { k: 1e3, M: 1e6, B: 1e9, T: 1e12 }[text.at(-1) as string] ?? 1;
      const plain = text.replaceAll(',', '').replace(' × 10', 'e');
      return (
        Number.parseFloat(plain.replace(/[⁰-⁹⁻¹²³−]/gu, (sign) => LOWERED[sign] ?? '-')) * unit
      );
    };
    const values = fc
      .double({ min: -1e14, max: 1e14, noNaN: true })
      .filter((value) => Math.abs(value) > 1e-300);
    fc.assert(
      fc.property(values, (value) => {
        const size = Math.abs(value);
        const step = size < 1e4 && size >= 100 ? 1 : 10 ** (Math.floor(Math.log10(size || 1)) - 2);
        expect(Math.abs(read(words().short(value)) - value)).toBeLessThanOrEqual(step * 0.5001);
      }),
      { seed: 41 },
    );
  });
});

describe('a table has the whole number', () => {
  test('of whole numbers', () => {
    expect([2_375_007, -4].map(words([2_375_007, -4]).whole)).toEqual(['2,375,007', '−4']);
  });

  test('by one rule for the decimals of a column', () => {
    expect([12.345, 7, 0.5].map(words([12.345, 7, 0.5]).whole)).toEqual(['12.3', '7.0', '0.5']);
    expect([391_015.8].map(words([391_015.8]).whole)).toEqual(['391,016']);
  });

  test('and what is not nothing is not written as 0', () => {
    expect(words([0.004, 812.5]).whole(0.004)).toBe('0.004');
    expect(words([0.004, 812.5]).whole(0)).toBe('0');
  });

  test('years and other labels have no separators', () => {
    const year = numberWords({
      language: ENGLISH,
      field: { name: 'opened', type: 'integer' },
      values: [1998, 2024],
    });
    expect([year.short(2024), year.whole(1998), ...year.ticks([2000, 2010]).texts]).toEqual([
      ...['2024', '1998'],
      ...['2000', '2010'],
    ]);
  });
});

describe('the numbers of an axis share one unit, and have just enough decimals', () => {
  test.each([
    [
      [0, 1e6, 2e6],
      ['0', '1M', '2M'],
    ],
    [
      [0, 500_000, 1e6],
      ['0', '0.5M', '1.0M'],
    ],
    [
      [0, 2.5, 5],
      ['0', '2.5', '5.0'],
    ],
    [
      [0, 0.25, 0.5],
      ['0', '0.25', '0.50'],
    ],
    [
      [0, 5_000],
      ['0', '5,000'],
    ],
    [
      [0, 5_000, 10_000],
      ['0', '5k', '10k'],
    ],
    [
      [-10, 0, 10],
      ['−10', '0', '10'],
    ],
  ])('%j', (ticks, texts) => expect(words().ticks(ticks)).toEqual({ texts }));
});

describe('per cent is whole', () => {
  test.each([
    [0.296, '30 %', '30 %'],
    [0.013, '1 %', '1.3 %'],
    [0.004, '<1 %', '0.4 %'],
    [0.000_4, '<1 %', '<1 %'],
    [0.999, '>99 %', '>99 %'],
    [0, '0 %', '0 %'],
    [1, '100 %', '100 %'],
    [-0.05, '−5 %', '−5.0 %'],
  ])('%d is %s, and %s in a list', (share, text, inList) => {
    expect([percent(share, ENGLISH), percent(share, ENGLISH, true)]).toEqual([text, inList]);
  });

  test('a column of shares is written so', () => {
    const shares = numberWords({
      ...{ language: ENGLISH, field: load },
      ...{ values: [0.5, 0.013], isShare: true },
    });
    expect([shares.short(0.013), shares.whole(0.013), ...shares.ticks([0, 0.5, 1]).texts]).toEqual([
      ...['1 %', '1.3 %'],
      ...['0 %', '50 %', '100 %'],
    ]);
  });
});

test('a difference has its sign', () => {
  expect([signed(5, words()), signed(-5, words()), signed(0, words())]).toEqual(['+5', '−5', '0']);
});
