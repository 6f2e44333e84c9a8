import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RequestHeaders } from '../../http/request.ts';
import { Problem } from '../../problem/errors.ts';

/** Slack's own bound on a request's age, against replays. */
const MOST_SECONDS = 300;

/** The signed parts of a request, and what is needed to check them. */
type SignedRequest = {
  readonly headers: RequestHeaders;
  /** The bytes as sent: a body that was parsed and written again has another signature. */
  readonly body: Uint8Array;
  readonly secrets: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
};

export const SIGNATURE_HEADERS = ['x-slack-signature', 'x-slack-request-timestamp'] as const;

/**
 * Refuses a request that Slack has not signed with one of these secrets in the last five minutes
 * (docs.slack.dev, "Verifying requests from Slack"). The problem never tells what was wrong.
 */
export function checkSignature({ headers, body, secrets, now }: SignedRequest): void {
  const [signature = '', timestamp = ''] = SIGNATURE_HEADERS.map((name) => headers[name] ?? '');
  // A repeated header is joined by a comma, which neither header may contain.
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

/** Compares signatures in constant time, so that the time does not tell how much is right. */
function isSameSignature(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The problem if there is no secret to check with: an error of ours; `cause` is for the log. */
export function secretUnavailable(cause: unknown): Problem {
  const detail = 'The signature cannot be checked just now. Try again soon.';
  return new Problem('secret-unavailable', detail, { headers: { 'Retry-After': '1' }, cause });
}

/**
 * Reads the secrets that signatures are checked with: several while a new one replaces an old one.
 * Throws a Problem (`secret-unavailable`) if they cannot be read.
 */
export type ReadSecrets = () => Promise<readonly string[]>;

/** Splits a text into secrets, which are separated by spaces or line ends. */
export function secretsIn(text: string): string[] {
  return text.split(/\s+/).filter((secret) => secret !== '');
}
