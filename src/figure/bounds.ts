import type { Measure } from '../block/grouping.ts';

/** Names of the lower and of the upper one of two numbers that belong together. */
export const LOWER_BOUND = /^(?:min|minimum|low|lowest|lower)$/;
export const UPPER_BOUND = /^(?:max|maximum|high|highest|upper)$/;

/** Measures of one field, from the least to the greatest. */
const IN_ORDER = /^(?:min|p\d\d|median|max)$/;
const SHARES = { min: 0, median: 50, max: 100 } as const;

/**
 * Whether two measures are the ends of one range: of `temp_min` and `temp_max` the same, or of one
 * field the least and the greatest, or two percentiles.
 */
export function areEndsOfRange([one, two]: readonly [Measure, Measure]): boolean {
  if (one.field === undefined || two.field === undefined) return false;
  if (one.column.unit !== two.column.unit) return false;
  if (one.field.name === two.field.name) {
    const areOrdered = IN_ORDER.test(one.of) && IN_ORDER.test(two.of);
    return areOrdered && shareBelow(one) !== shareBelow(two);
  }
  if (one.of !== two.of) return false;
  const [a, b] = [one.field.name, two.field.name].map((name) => name.toLowerCase().split('_'));
  if (a === undefined || b === undefined || a.length !== b.length) return false;
  const different = a.flatMap((word, i) => (word === b[i] ? [] : [[word, b[i] ?? ''] as const]));
  const [words, ...more] = different;
  if (words === undefined || more.length > 0) return false;
  const [first, second] = words;
  return (
    (LOWER_BOUND.test(first) && UPPER_BOUND.test(second)) ||
    (UPPER_BOUND.test(first) && LOWER_BOUND.test(second))
  );
}

/** How many of a hundred values are below a measure. */
function shareBelow({ of }: Measure): number {
  return SHARES[of as keyof typeof SHARES] ?? Number(of.slice(1));
}
