import { Problem } from '../problem/errors.ts';

/**
 * Turns a failure of the store into a 503 that tells callers to try again. DynamoDB's
 * ValidationException is our own mistake, so it is returned unchanged.
 */
export function storeUnavailable(cause: unknown): unknown {
  if (cause instanceof Problem) return cause;
  if (cause instanceof Error && cause.name === 'ValidationException') return cause;
  return new Problem('store-unavailable', 'The data cannot be read just now. Try again soon.', {
    headers: { 'Retry-After': '1' },
    cause,
  });
}

/** The table lacks or exceeds the dataset's rows: no answer is better than a wrong one. */
export function datasetIncomplete(expected: number, found: number): Problem {
  return storeUnavailable(
    new Error(`The table has ${found} rows; the dataset has ${expected}.`),
  ) as Problem;
}
