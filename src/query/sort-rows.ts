import { DAMAGED } from '../arguments/cursor.ts';
import { Problem } from '../problem/errors.ts';
import { compareCodePoints } from '../text/fold.ts';
import type { KeyedRow } from './predicate.ts';
import type { Sort } from './row-store.ts';

/**
 * Sorts rows: numbers by value, texts by their keys in code-point order. In both directions, rows
 * without a value come last, and ties stay in the order of the dataset. If `after` is present,
 * returns only the rows after the one at that position. The rows must come in the order of the
 * dataset.
 */
export function sortRows<R extends KeyedRow & { readonly position: number }>(
  rows: readonly R[],
  sort: Sort,
  after?: number,
): R[] {
  const value = (row: R) => row.keys[sort.field] ?? null;
  const sorted = [...rows].sort((a, b) => compareSorted(value(a), value(b), sort.descending));
  if (after === undefined) return sorted;
  return sorted.slice(indexAfter(sorted.findIndex(({ position }) => position === after)));
}

/**
 * Returns the index after this one. Throws a Problem if it is -1, because then the query does not
 * have the cursor's row.
 */
export function indexAfter(index: number): number {
  if (index >= 0) return index + 1;
  throw new Problem('invalid-arguments', DAMAGED, {
    faults: [{ code: 'invalid-cursor', detail: DAMAGED, parameter: '_cursor' }],
  });
}

/**
 * Compares two keys of a field. Null comes last in both directions. 0 means a tie, which the sort
 * leaves in order.
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
