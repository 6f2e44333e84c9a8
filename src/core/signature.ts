import { timingSafeEqual } from 'node:crypto';
import { Refusal } from './errors.ts';

/** Whether a signature is the one that is wanted, in a time that does not tell how much of it is. */
export function isSameSignature(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** One refusal for every door and every reason. */
export function signatureRefused(): Refusal {
  return new Refusal('signature-refused', 'The signature is not accepted.');
}

/** There is no secret to check a signature with, which is our fault; `cause` is for the log. */
export function secretUnavailable(cause: unknown): Refusal {
  const detail = 'The signature cannot be checked just now. Try again soon.';
  return new Refusal('secret-unavailable', detail, { headers: { 'Retry-After': '1' }, cause });
}
