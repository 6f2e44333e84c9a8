import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nearestNumber } from '../../src/text/decimal.ts';

/** The exact value of a finite number, times 2 ** 1074. */
function unitsOf(number: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(number));
  const bits = view.getBigUint64(0);
  const exponent = bits >> 52n;
  const fraction = bits & (2n ** 52n - 1n);
  const units = exponent === 0n ? fraction : (fraction + 2n ** 52n) << (exponent - 1n);
  return number < 0 ? -units : units;
}

/** The number next to a positive one. */
function beside(number: number, step: 1n | -1n): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  view.setBigUint64(0, view.getBigUint64(0) + step);
  return view.getFloat64(0);
}

const whole = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 70n }),
  fc.bigInt({ min: 0n, max: 10n ** 140n }),
);

describe('the number nearest to a fraction', () => {
  test('is nearer than both beside it; of two as near, it is the even one', () => {
    fc.assert(
      fc.property(
        whole,
        whole.map((by) => by + 1n),
        (count, by) => {
          const found = nearestNumber(count, by);
          fc.pre(found > 0);
          // Twice the distance to the fraction, times what makes it whole.
          const farFrom = (number: number) => {
            const far = unitsOf(number) * by - count * 2n ** 1074n;
            return far < 0n ? -far : far;
          };
          const isEven =
            (unitsOf(found) / (unitsOf(found) - unitsOf(beside(found, -1n)))) % 2n === 0n;
          for (const other of [beside(found, 1n), beside(found, -1n)]) {
            expect(farFrom(found) <= farFrom(other)).toBe(true);
            if (farFrom(found) === farFrom(other)) expect(isEven).toBe(true);
          }
        },
      ),
      { seed: 31, numRuns: 3000 },
    );
  });

  test.each([
    [3n, 10n, 0.3],
    [-1n, 3n, -1 / 3],
    [2n ** 53n + 1n, 1n, 2 ** 53],
    [2n ** 53n + 3n, 1n, 2 ** 53 + 4],
    // A little more than the middle of two numbers.
    [(2n ** 53n + 1n) * 3n ** 40n + 1n, 3n ** 40n, 2 ** 53 + 2],
    [10n ** 400n + 1n, 10n ** 400n, 1],
    [0n, 7n, 0],
  ])('%s / %s is %s', (count, by, expected) => {
    expect(nearestNumber(count, by)).toBe(expected);
  });
});
