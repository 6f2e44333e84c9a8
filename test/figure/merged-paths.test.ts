import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { drawAreas } from '../../src/figure/earth/draw-areas.ts';
import { mergedPath } from '../../src/figure/merged-paths.ts';

type Corner = readonly [x: number, y: number];

/** The rings of a path, by a plain reading. */
function ringsIn(path: string): Corner[][] {
  return [...path.matchAll(/M(-?\d+)[ ]?(-?\d+)l([^z]*)z/g)].map(([, x, y, steps = '']) => {
    const numbers = (steps.match(/-?\d+/g) ?? []).map(Number);
    const ring: Corner[] = [[Number(x), Number(y)]];
    for (let i = 0; i < numbers.length; i += 2) {
      const [lastX, lastY] = ring.at(-1) as Corner;
      ring.push([lastX + (numbers[i] as number), lastY + (numbers[i + 1] as number)]);
    }
    return ring;
  });
}

/** How many times rings go around a point: an SVG is filled where that is not 0. */
function turnsAround([x, y]: Corner, rings: readonly Corner[][]): number {
  let turns = 0;
  for (const ring of rings) {
    for (const [i, [fromX, fromY]] of ring.entries()) {
      const [toX, toY] = ring[(i + 1) % ring.length] as Corner;
      if (fromY > y === toY > y) continue;
      const at = fromX + ((y - fromY) * (toX - fromX)) / (toY - fromY);
      if (at > x) turns += toY > fromY ? 1 : -1;
    }
  }
  return turns;
}

describe('areas of one shade as one path', () => {
  const squareAt = (x: number, y: number) => `M${10 * x} ${10 * y}l10 0 0 10-10 0z`;
  const cells = fc.uniqueArray(fc.tuple(fc.nat(5), fc.nat(5)), {
    minLength: 1,
    selector: ([x, y]) => `${x} ${y}`,
  });

  test('fill what they fill one by one, and nothing else', () => {
    fc.assert(
      fc.property(cells, (all) => {
        const rings = ringsIn(mergedPath(all.map(([x, y]) => squareAt(x, y))));
        const isIn = new Set(all.map(([x, y]) => `${x} ${y}`));
        for (let x = -1; x <= 6; x++) {
          for (let y = -1; y <= 6; y++) {
            const middle = [10 * x + 5, 10 * y + 5] as const;
            expect(turnsAround(middle, rings) !== 0).toBe(isIn.has(`${x} ${y}`));
          }
        }
      }),
      { seed: 60, numRuns: 300 },
    );
  });

  test('have no border between two of them', () => {
    expect(mergedPath([squareAt(0, 0), squareAt(1, 0), 'M0 10l10 0 10 0 0 5-20 0z'])).toBe(
      'M0 0l20 0 0 15-20 0z',
    );
  });
});

describe('the counties of all states', () => {
  const { shapes, width, height } = drawAreas('us-counties', new Set(['01001', '06037']));

  test('are all on the map, each in whole numbers', () => {
    expect(Object.keys(shapes).length).toBeGreaterThan(3100);
    for (const path of Object.values(shapes)) {
      expect(path).toMatch(/^(?:M\d+ \d+l[-\d ]+z)+$/);
      for (const [x, y] of ringsIn(path).flat()) {
        expect(x >= 0 && x <= width && y >= 0 && y <= height).toBe(true);
      }
    }
  });

  test('meet at their borders: together they have only the outlines of the land', () => {
    const paths = Object.values(shapes);
    const corners = ringsIn(mergedPath(paths)).flat().length;
    expect(corners).toBeLessThan(ringsIn(paths.join('')).flat().length / 8);
  });
});
