import { ratioOf } from '../text/decimal.ts';
import type { Value } from '../values/field-type.ts';
import { count, type RowCounter } from './counts.ts';
import type { MeasureKind } from './measure.ts';
import { type ExactSums, sum } from './sums.ts';

/**
 * A group's part of all rows that the filters leave. With several groupings, its part of the rows
 * that have the same value in the first.
 */
export const shareOfRows: MeasureKind<RowCounter> = {
  title: 'Share of rows',
  of: () => false,
  type: 'number',
  boundsOf: () => ({ min: 0, max: 1 }),
  aggregate: count.aggregate,
  async results(counter, groups, _, budget, wholes) {
    const all = await counter.totals(wholes, budget);
    return Array.from(groups, (group): Value => {
      const whole = all[wholes.of?.[group] ?? 0] as number;
      // Both are whole numbers, so one division rounds only once.
      return whole === 0 ? null : counter.countOf(group) / whole;
    });
  },
};

/** A group's part of a sum. It is null if the sum is 0, or if the group has no number. */
export const shareOfSum: MeasureKind<ExactSums> = {
  title: 'Share of the sum of',
  of: sum.of,
  type: 'number',
  boundsOf: () => ({ min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY }),
  rankInForm: 6,
  aggregate: sum.aggregate,
  async results(sums, groups, _, budget, wholes) {
    const all = await sums.totals(wholes, budget);
    const found: Value[] = [];
    for (const group of groups) {
      const part = sums.exactOf(group);
      const whole = all[wholes.of?.[group] ?? 0];
      found.push(part === undefined || whole === undefined ? null : (ratioOf(part, whole) ?? null));
      const pause = budget.checkpoint(sums.stepsPerGroup);
      if (pause !== undefined) await pause;
    }
    return found;
  },
};
