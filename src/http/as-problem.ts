import { Problem } from '../problem/errors.ts';

export function asProblem(error: unknown): Problem {
  return error instanceof Problem ? error : internalError(error);
}

/** The problem for an unforeseen error; its cause goes only to the log. */
function internalError(cause: unknown): Problem {
  const detail = 'Something broke on our side. The run id helps to find it.';
  return new Problem('internal-error', detail, { cause });
}

/** The problem for a function that did not answer; the cause goes only to the log. */
export function serviceUnavailable(cause: unknown): Problem {
  const detail = 'The service did not answer. Try again soon.';
  return new Problem('service-unavailable', detail, { headers: { 'Retry-After': '1' }, cause });
}
