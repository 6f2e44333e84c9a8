import { describe, expect, test } from '@jest/globals';
import { drawPicture, MOST_PICTURE_LENGTH } from '../../src/import/profile-dataset.ts';

const frame = { width: 600, height: 300, west: 0, east: 2, south: 0, north: 1 };
const points = { kind: 'points', ...frame } as const;
const statistics = { nulls: 0, distinct: 3 };

describe('a picture', () => {
  test('has a dot for each place, once', () => {
    const others = 'M0 0h0M1 1h0M300 150h0';
    expect(drawPicture({ ...points, others }, [])).toEqual({
      ...{ kind: 'dots', width: 64, height: 32 },
      path: 'M0 0h0M32 16h0',
    });
  });

  test('has areas without the corners that are too small to be seen', () => {
    const shapes = { a: 'M0,0L150,1L300,0L300,300L0,300Z', b: 'M0,0L1,0L1,1Z' };
    expect(drawPicture({ kind: 'regions', ...frame, shapes }, [])).toEqual({
      ...{ kind: 'areas', width: 64, height: 32 },
      path: 'M0 0l32 0 0 32-32 0z',
    });
  });

  test('is coarser, and at last of another kind, rather than long', () => {
    const places = Array.from({ length: 5000 }, (_, i) => `M${(i * 7) % 600} ${(i * 11) % 300}h0`);
    const dots = drawPicture({ ...points, others: places.join('') }, []);
    expect(dots?.path.length).toBeLessThanOrEqual(MOST_PICTURE_LENGTH);
    expect(dots?.path.length).toBeGreaterThan(MOST_PICTURE_LENGTH / 4);
    const shapes = Object.fromEntries(
      places
        .slice(0, 600)
        .map((_, i) => [
          i,
          `M${(i * 7) % 500},${(i * 11) % 250}l0,0`.replace(
            /M(\d+),(\d+)l0,0/,
            (_all, x, y) => `M${x},${y}L${+x + 60},${y}L${x},${+y + 40}Z`,
          ),
        ]),
    );
    const counts = [5, 3, 1];
    const many = drawPicture({ kind: 'regions', ...frame, shapes }, [{ statistics, counts }]);
    expect(many?.kind).toBe('bars');
  });

  test('has bars for the first column that shows how its values are spread', () => {
    const names = { statistics: { nulls: 0, distinct: 90 }, counts: Array(24).fill(1) };
    const constant = { statistics, bins: { edges: [0, 1, 2, 3], counts: [9, 0, 0] } };
    const spread = { statistics, bins: { edges: [0, 1, 2, 3], counts: [1, 2, 4] } };
    const picture = drawPicture(undefined, [names, constant, spread]);
    expect(picture).toEqual({
      ...{ kind: 'bars', width: 6, height: 24 },
      path: 'M0 24v-6h1.6v6zM2 24v-12h1.6v12zM4 24v-24h1.6v24z',
    });
    expect(drawPicture(undefined, [names, undefined])).toBe(undefined);
  });
});
