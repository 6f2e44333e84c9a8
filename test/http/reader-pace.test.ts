import { expect, test } from '@jest/globals';
import { isTooSlow } from '../../src/http/answer.ts';

const MEBIBYTE = 2 ** 20;

test.each([
  [0, 60_000, false],
  [0, 60_001, true],
  [MEBIBYTE, 92_000, false],
  [MEBIBYTE, 92_001, true],
  [100 * MEBIBYTE, 3_260_000, false],
  [100 * MEBIBYTE, 3_260_001, true],
])(
  'a reader may take 60 s, and a second for each 32 KiB: %i bytes in %i ms',
  (bytes, waitedMs, expected) => {
    expect(isTooSlow(bytes, waitedMs)).toBe(expected);
  },
);
