import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RequestHeaders } from '../http/request.ts';
import { Problem } from '../problem/errors.ts';

/** Slack's own measure against a request that is sent again later. */
const MOST_SECONDS = 300;

/** What of a request is signed, and how. */
export type SignedRequest = {
  readonly headers: RequestHeaders;
  /** As they came: a body that was read and written anew has another signature. */
  readonly body: Uint8Array;
  readonly secrets: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
};

export const SIGNATURE_HEADERS = ['x-slack-signature', 'x-slack-request-timestamp'] as const;

/**
 * Refuses a request that Slack has not signed with one of these secrets in the last five minutes
 * (docs.slack.dev, "Verifying requests from Slack"). Every problem is the same.
 */
export function checkSignature({ headers, body, secrets, now }: SignedRequest): void {
  const [signature = '', timestamp = ''] = SIGNATURE_HEADERS.map((name) => headers[name] ?? '');
  // A header that comes twice is joined by a comma, which neither may hold.
  const isWritten = /^v0=[0-9a-f]{64}$/.test(signature) && /^\d{1,12}$/.test(timestamp);
  const isRecent = Math.abs(Math.floor(now / 1000) - Number(timestamp)) <= MOST_SECONDS;
  if (isWritten && isRecent && secrets.some((secret) => isSameSignature(signature, signed(secret))))
    return;
  throw new Problem('signature-refused', 'The signature is not accepted.');

  function signed(secret: string): string {
    const hmac = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body);
    return `v0=${hmac.digest('hex')}`;
  }
}

/** Whether a signature is the one that is wanted, in a time that does not tell how much of it is. */
function isSameSignature(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** There is no secret to check a signature with, which is our fault; `cause` is for the log. */
export function secretUnavailable(cause: unknown): Problem {
  const detail = 'The signature cannot be checked just now. Try again soon.';
  return new Problem('secret-unavailable', detail, { headers: { 'Retry-After': '1' }, cause });
}
