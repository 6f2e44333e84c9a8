import { DAMAGED } from '../arguments/cursor.ts';
import { Problem } from '../problem/errors.ts';
import { compareCodePoints } from '../text/fold.ts';
import type { KeyedRow } from './predicate.ts';
import type { Sort } from './row-store.ts';

/**
 * Sorts rows: numbers by value, texts by their keys in code-point order. In both directions, rows
 * without a value come last and ties stay in the dataset's order. Returns only the rows after the
 * one at position `after`, if given. Expects rows in the dataset's order.
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

/**
 * The index after a found one. Throws a Problem if it is -1: the cursor's row is not in this query.
 */
export function placeAfter(index: number): number {
  if (index >= 0) return index + 1;
  throw new Problem('invalid-arguments', DAMAGED, {
    faults: [{ code: 'invalid-cursor', detail: DAMAGED, parameter: '_cursor' }],
  });
}

/**
 * Compares two values of a field: null is last in both directions, 0 is a tie (the sort is stable).
 */
export function compareSorted(
  a: string | number | null,
  b: string | number | null,
  descending: boolean,
): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const order = typeof a === 'string' ? compareCodePoints(a, b as string) : a - (b as number);
  return descending ? -order : order;
}
