import { Problem } from '../problem/errors.ts';

/**
 * A fault of the store, as callers see it: 503, try again. What DynamoDB calls a
 * ValidationException is a fault of ours, and stays what it is.
 */
export function storeUnavailable(cause: unknown): unknown {
  if (cause instanceof Problem) return cause;
  if (cause instanceof Error && cause.name === 'ValidationException') return cause;
  return new Problem('store-unavailable', 'The data cannot be read just now. Try again soon.', {
    headers: { 'Retry-After': '1' },
    cause,
  });
}

/** The table holds other rows than the dataset: no answer is better than a wrong one. */
export function datasetIncomplete(expected: number, found: number): Problem {
  return storeUnavailable(
    new Error(`The table has ${found} rows; the dataset has ${expected}.`),
  ) as Problem;
}

export function rowMissing(position: number): Problem {
  return storeUnavailable(new Error(`The table has no row ${position}.`)) as Problem;
}
