import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  decimalText,
  hundredthAbove,
  hundredthBelow,
  lengthOfNumber,
  parseDecimal,
  suggestDecimal,
} from '../../src/text/decimal.ts';

test.each([
  ['5', 5],
  [' -76.61 ', -76.61],
  ['+1e3', 1000],
  ['.5', 0.5],
  ['-0', 0],
  ['007', 7],
  ['1E-2', 0.01],
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', 9007199254740992],
  ['1e21', 1e21],
  ['0e5', 0],
  ['0.1234567890123456789', 0.12345678901234568],
])('%s is %d', (text, value) => {
  expect(Object.is(parseDecimal(text), value)).toBe(true);
});

test.each([
  '',
  ' ',
  '5.',
  '5,000',
  '5%',
  '0x10',
  '1e',
  'e5',
  '1e999',
  '-Infinity',
  '9007199254740993',
  '-12345678901234567891',
  '1e-400',
  'NaN',
  '1_000',
  '٣',
  '1 2',
  '--1',
  '1n',
])('%s is no decimal', (text) => {
  expect(parseDecimal(text)).toBeUndefined();
});

test.each([
  ['5,000', '5000'],
  ['1,234,567.5', '1234567.5'],
  ['76,61', '76.61'],
  ['5%', '5'],
  ['−76.61', '-76.61'],
  ['–5', '-5'],
  ['5−6', undefined],
  ['$ 5', '5'],
  ['5.', '5'],
  ["1'000", '1000'],
  ['abc', undefined],
  ['5', undefined],
])('%s could be written %s', (text, suggestion) => {
  expect(suggestDecimal(text)).toBe(suggestion);
});

test.each([
  [18.9, 18.9, 18.9],
  [1.005, 1, 1.01],
  [-1.005, -1.01, -1],
  [2.4123, 2.41, 2.42],
  [-76.711, -76.72, -76.71],
  [0, 0, 0],
  [1e21, 1e21, 1e21],
])('%d is between the hundredths %d and %d', (value, below, above) => {
  expect([hundredthBelow(value), hundredthAbove(value)]).toEqual([below, above]);
});

test('a number’s decimal text has digits alone, and is that number', () => {
  const any = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(any, (value) => {
      const text = decimalText(value);
      expect(text).toMatch(/^-?\d+(\.\d+)?$/);
      expect(Number(text)).toBe(value === 0 ? 0 : value);
    }),
    { seed: 8, numRuns: 5000, examples: [[1e21], [1.5e-7], [-1.25e25], [5e-324]] },
  );
});

test('the length of a number is that of its text, whatever is known of its decimals', () => {
  const digits = fc.integer({ min: 0, max: 12 });
  const decimals = fc
    .tuple(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), digits)
    .map(([units, power]) => units / 10 ** power);
  const any = fc.oneof(decimals, fc.double({ noNaN: true, noDefaultInfinity: true }));
  fc.assert(
    fc.property(any, digits, (value, more) => {
      const text = String(value);
      const written = text.includes('e') ? 15 : (text.split('.')[1]?.length ?? 0);
      expect(lengthOfNumber(value)).toBe(text.length);
      expect(lengthOfNumber(value, Math.min(15, written + more))).toBe(text.length);
    }),
    {
      seed: 9,
      numRuns: 20_000,
      examples: [
        [-0.5, 0],
        [1e21, 0],
        [1e-7, 2],
        [100.5, 9],
      ],
    },
  );
});
