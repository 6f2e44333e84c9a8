import { DAMAGED } from '../arguments/cursor.ts';
import { Problem } from '../problem/errors.ts';
import { compareCodePoints } from '../text/fold.ts';
import type { KeyedRow } from './predicate.ts';
import type { Sort, SortColumn } from './row-store.ts';

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
  const columns = sortColumns(sort);
  const sorted = [...rows].sort((a, b) => {
    for (const { field, descending } of columns) {
      const order = compareSorted(a.keys[field] ?? null, b.keys[field] ?? null, descending);
      if (order !== 0) return order;
    }
    return 0;
  });
  if (after === undefined) return sorted;
  return sorted.slice(indexAfter(sorted.findIndex(({ position }) => position === after)));
}

/** The columns of an order, the first one first. */
export function sortColumns({ second, ...first }: Sort): readonly SortColumn[] {
  return second === undefined ? [first] : [first, second];
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
