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
