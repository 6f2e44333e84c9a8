import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from '../../src/core/cursor.ts';

const code = (decode: () => unknown) => {
  try {
    return decode();
  } catch (error) {
    const { code: problem, faults } = error as { code: string; faults: { code: string }[] };
    return `${problem}: ${faults[0]?.code}`;
  }
};

test('a cursor gives its place back', () => {
  expect(decodeCursor(encodeCursor(41, 'query', 'v1'), 'query', 'v1')).toBe(41);
});

test('a cursor of an older version of the dataset is gone, of another query it is refused', () => {
  const cursor = encodeCursor(41, 'query', 'v1');
  expect(code(() => decodeCursor(cursor, 'query', 'v2'))).toBe('cursor-expired: cursor-expired');
  expect(code(() => decodeCursor(cursor, 'other', 'v1'))).toBe(
    'invalid-arguments: cursor-of-another-query',
  );
  expect(code(() => decodeCursor(cursor, 'other', 'v2'))).toBe(
    'invalid-arguments: cursor-of-another-query',
  );
});

test('any damage is told from age', () => {
  const cursor = encodeCursor(41, 'query', 'v1');
  const character = fc.constantFrom(...'ABCabc019-_=+/. é');
  fc.assert(
    fc.property(fc.nat(cursor.length), fc.nat(1), character, (at, cut, put) => {
      const damaged = cursor.slice(0, at) + put + cursor.slice(at + cut);
      fc.pre(damaged !== cursor);
      expect(code(() => decodeCursor(damaged, 'query', 'v2'))).toBe(
        'invalid-arguments: invalid-cursor',
      );
    }),
    { seed: 9, numRuns: 3000 },
  );
});
