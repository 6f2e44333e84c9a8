import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lz4Unpacked } from '../../src/files/parquet/lz4.ts';

const HELLO = [...Buffer.from('hello')];

/** A length as a block has it: four bits, then further bytes. */
function lengthBytes(length: number): { readonly bits: number; readonly rest: readonly number[] } {
  if (length < 15) return { bits: length, rest: [] };
  const rest = length - 15;
  return { bits: 15, rest: [...Array(Math.floor(rest / 255)).fill(255), rest % 255] };
}

/** A sequence: literals, then a match; the last one has no match. */
function sequence(literals: readonly number[], match?: { distance: number; length: number }) {
  const head = lengthBytes(literals.length);
  const tail = match === undefined ? { bits: 0, rest: [] } : lengthBytes(match.length - 4);
  const distance = match === undefined ? [] : [match.distance % 256, match.distance >> 8];
  return [(head.bits << 4) | tail.bits, ...head.rest, ...literals, ...distance, ...tail.rest];
}

const unpacked = (packed: readonly number[], length: number) => [
  ...lz4Unpacked(Uint8Array.from(packed), length),
];

test('a match repeats bytes that it writes itself', () => {
  const packed = [...sequence(HELLO, { distance: 2, length: 7 }), ...sequence(HELLO)];
  expect(Buffer.from(unpacked(packed, 17)).toString()).toBe('hellololololhello');
});

test('random sequences unpack to what they are made of', () => {
  const part = fc.record({
    literals: fc.array(fc.nat(255), { minLength: 1, maxLength: 600 }),
    back: fc.double({ min: 0, max: 0.9999, noNaN: true }),
    length: fc.integer({ min: 4, max: 700 }),
  });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const whole: number[] = [];
      const packed: number[] = [];
      for (const { literals, back, length } of parts) {
        whole.push(...literals);
        const distance = 1 + Math.floor(back * Math.min(whole.length, 65_535));
        packed.push(...sequence(literals, { distance, length }));
        for (let i = 0; i < length; i++) whole.push(whole[whole.length - distance] as number);
      }
      whole.push(...HELLO);
      packed.push(...sequence(HELLO));
      expect(unpacked(packed, whole.length)).toEqual(whole);
    }),
    { seed: 56, numRuns: 200 },
  );
});

describe('is refused', () => {
  test.each([
    ['a length that it does not have', sequence(HELLO), 6],
    ['more than its length', sequence(HELLO), 4],
    ['literals that are cut off', sequence(HELLO).slice(0, 4), 5],
    ['a match that begins before the first byte', sequence(HELLO, { distance: 6, length: 4 }), 9],
    ['a match of a distance of 0', sequence(HELLO, { distance: 0, length: 4 }), 9],
    ['half of a distance', sequence(HELLO, { distance: 1, length: 4 }).slice(0, -1), 9],
    ['a length that never ends', [0xf0, ...Array(50).fill(255)], 9],
    ['a match of gigabytes', [0x1f, 7, 1, 0, ...Array(5000).fill(255), 0], 100],
  ])('%s', (_, packed, length) => {
    expect(() => unpacked(packed, length)).toThrow('does not unpack to its declared length');
  });
});
