import { Problem } from '../problem/errors.ts';
import { compareCodePoints } from '../text/code-point-order.ts';
import { DAMAGED } from './cursor.ts';
import type { KeyedRow } from './predicate.ts';
import type { Sort } from './query.ts';

/**
 * The rows in the order asked for: numbers by value, texts as they are compared, in code-point
 * order; no value last both ways, ties in the dataset's order both ways. Behind the row at
 * position `after`, where that is given. The rows come in the dataset's order.
 */
export function sortRows<R extends KeyedRow & { readonly position: number }>(
  rows: readonly R[],
  sort: Sort,
  after?: number,
): R[] {
  const value = (row: R) => row.keys[sort.field] ?? null;
  const sorted = [...rows].sort((a, b) => compareSorted(value(a), value(b), sort.descending));
  if (after === undefined) return sorted;
  return sorted.slice(placeAfter(sorted.findIndex(({ position }) => position === after)));
}

/** The index behind one that was found, or a Problem: the cursor's row is not of this query. */
export function placeAfter(index: number): number {
  if (index >= 0) return index + 1;
  throw new Problem('invalid-arguments', DAMAGED, {
    faults: [{ code: 'invalid-cursor', detail: DAMAGED, parameter: '_cursor' }],
  });
}

/** Orders two values of one field; null last both ways, 0 for a tie (the sort is stable). */
export function compareSorted(
  a: string | number | null,
  b: string | number | null,
  descending: boolean,
): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const order = typeof a === 'string' ? compareCodePoints(a, b as string) : a - (b as number);
  return descending ? -order : order;
}
