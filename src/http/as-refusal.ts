import { Refusal } from '../problem/errors.ts';

export function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : internalError(error);
}

/** The refusal for whatever we did not foresee; what it was is for the log. */
function internalError(cause: unknown): Refusal {
  const detail = 'Something broke on our side. The run id helps to find it.';
  return new Refusal('internal-error', detail, { cause });
}

/** The refusal for a function that did not answer; why not is for the log. */
export function serviceUnavailable(cause: unknown): Refusal {
  const detail = 'The service did not answer. Try again soon.';
  return new Refusal('service-unavailable', detail, { headers: { 'Retry-After': '1' }, cause });
}
