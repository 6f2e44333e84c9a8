import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { evenSteps, logSteps } from '../../src/query/axis-steps.ts';

test.each([
  [0, 99, 50, [0, 2, 4], 100],
  [0, 100, 50, [0, 5, 10], 105],
  [3, 40, 10, [0, 5, 10], 45],
  [-0.31, 0.29, 10, [-0.4, -0.3, -0.2], 0.3],
  [0.1, 0.3, 4, [0.1, 0.2, 0.3], 0.4],
])('even steps from %d to %d begin at round numbers', (least, greatest, most, first, last) => {
  const edges = evenSteps(least, greatest, most);
  expect(edges.slice(0, 3)).toEqual(first);
  expect(edges.at(-1)).toBe(last);
});

test('steps of a logarithmic axis are preferred numbers, as fine as their number allows', () => {
  expect(logSteps(1, 9, 50)).toEqual([1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8, 10]);
  expect(logSteps(120, 99_000, 20).slice(0, 4)).toEqual([100, 160, 250, 400]);
  expect(logSteps(1, 999, 10)).toEqual([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]);
  expect(logSteps(1e-300, 1e300, 50)).toHaveLength(32);
});

const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(0, 1e15, 1e15 + 1, 0.1, 0.3, Number.MAX_VALUE, Number.MIN_VALUE),
);

test('steps of any numbers ascend, are no more than asked for, and hold the least and the greatest', () => {
  const holds = (edges: readonly number[], least: number, greatest: number, most: number) => {
    expect(edges.length - 1).toBeLessThanOrEqual(most);
    expect(edges.length).toBeGreaterThan(1);
    expect(edges.every((edge, i) => i === 0 || edge > (edges[i - 1] as number))).toBe(true);
    expect(edges.every(Number.isFinite)).toBe(true);
    expect(edges[0]).toBeLessThanOrEqual(least);
    const last = edges.at(-1) as number;
    expect(last > greatest || last === Number.MAX_VALUE).toBe(true);
    // No step before the first number, and none after the last.
    expect((edges[1] as number) > least || edges[1] === Number.MAX_VALUE).toBe(true);
    expect(edges.at(-2)).toBeLessThanOrEqual(greatest);
  };
  fc.assert(
    fc.property(numbers, numbers, fc.integer({ min: 10, max: 50 }), (a, b, most) => {
      const [least, greatest] = a < b ? [a, b] : [b, a];
      holds(evenSteps(least, greatest, most), least, greatest, most);
      if (least > 0) holds(logSteps(least, greatest, most), least, greatest, most);
    }),
    { seed: 59, numRuns: 2000 },
  );
});
