import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../bench/data/seeded-random.ts';
import { matchOf, RowSelection, rowOrder } from '../../src/columns/selection.ts';

describe('rows of a chunk that satisfy several conditions', () => {
  const ROWS = 2 ** 16;
  const SIZE = 1000;
  const random = seededRandom(62);
  const columns = [0, 1].map(() => {
    const codes = Uint16Array.from({ length: ROWS }, () => Math.floor(SIZE * random()));
    return { codes, order: rowOrder(codes, SIZE) };
  });

  test.each([1, 10, 60, 400, 999])(
    'are in their order if %d in a thousand values of sorted columns match, and one more',
    (last) => {
      for (const some of [columns.slice(0, 1), columns]) {
        const found = matchOf(
          undefined,
          some.map(({ codes, order }) => new RowSelection(codes, SIZE, [[0, last]], order)),
        );
        const wanted = Array.from({ length: ROWS }, (_, row) => row).filter((row) =>
          some.every(({ codes }) => (codes[row] as number) <= last),
        );
        const rows = Array.from(found?.rows(0, ROWS) ?? []);
        expect(rows).toHaveLength(wanted.length);
        // Jest takes minutes to show how long lists differ.
        expect(rows.findIndex((row, i) => row !== wanted[i])).toBe(-1);
      }
    },
  );
});
