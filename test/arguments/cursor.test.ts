import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from '../../src/arguments/cursor.ts';

const of = (version: string) => ({ version, rows: 42 });

const code = (decode: () => unknown) => {
  try {
    return decode();
  } catch (error) {
    const { code: problem, faults } = error as { code: string; faults: { code: string }[] };
    return `${problem}: ${faults[0]?.code}`;
  }
};

test('a cursor gives its place back', () => {
  expect(decodeCursor(encodeCursor(41, 'query', 'v1'), 'query', of('v1'))).toBe(41);
});

test('a cursor of an older version of the dataset is gone, of another query it is refused', () => {
  const cursor = encodeCursor(41, 'query', 'v1');
  expect(code(() => decodeCursor(cursor, 'query', of('v2')))).toBe(
    'cursor-expired: cursor-expired',
  );
  expect(code(() => decodeCursor(cursor, 'other', of('v1')))).toBe(
    'invalid-arguments: cursor-of-another-query',
  );
  expect(code(() => decodeCursor(cursor, 'other', of('v2')))).toBe(
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
      expect(code(() => decodeCursor(damaged, 'query', of('v2')))).toBe(
        'invalid-arguments: invalid-cursor',
      );
    }),
    { seed: 9, numRuns: 3000 },
  );
});

describe('a forged cursor, its checksum right', () => {
  const forged = (place: string) => {
    const checksum = createHash('sha256').update(place).digest('base64url').slice(0, 8);
    return Buffer.from(checksum + place).toString('base64url');
  };

  test('the forgery is as good as ours', () => {
    expect(forged('[41,"query","v1"]')).toBe(encodeCursor(41, 'query', 'v1'));
  });

  test.each([
    'not json',
    'null',
    '{}',
    '[]',
    '"x"',
    '["x","query","v1"]',
    '[-50,"query","v1"]',
    '[-0,"query","v1"]',
    '[1.5,"query","v1"]',
    '[1e3,"query","v1"]',
    '[1e999,"query","v1"]',
    '[null,"query","v1"]',
    '[[1],"query","v1"]',
    '[41,"query"]',
    '[41,null,"v1"]',
    '[41,"query",["v1"]]',
    '[41,"query","v1",1]',
    '[41, "query","v1"]',
    '[041,"query","v1"]',
    '[41,"query","v1"]\n',
    '[42,"query","v1"]',
    `[${'9'.repeat(300)},"query","v1"]`,
    `[41,"query","${'v'.repeat(700)}"]`,
  ])('%s: damaged', (place) => {
    expect(code(() => decodeCursor(forged(place), 'query', of('v1')))).toBe(
      'invalid-arguments: invalid-cursor',
    );
  });

  test('of another query, or an older version, with a row that is not there', () => {
    expect(code(() => decodeCursor(forged('[99,"other","v1"]'), 'query', of('v1')))).toBe(
      'invalid-arguments: cursor-of-another-query',
    );
    expect(code(() => decodeCursor(forged('[99,"query","v0"]'), 'query', of('v1')))).toBe(
      'cursor-expired: cursor-expired',
    );
  });
});
