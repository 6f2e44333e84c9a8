import { createHmac } from 'node:crypto';
import { isSameSignature, secretUnavailable, signatureRefused } from '../core/signature.ts';

/** The headers of Standard Webhooks, as the specification names them. */
export const SIGNATURE_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** What a delivery says of its signature: the three headers' values, null where one is not there. */
export type Signed = { readonly [K in (typeof SIGNATURE_HEADERS)[number]]: string | null };

/** A signature's age, either way; what the specification's own libraries allow. */
const TOLERANCE_S = 300;

// A header that came twice arrives as both values with a comma and a space between: none of these
// matches that. An id with a full stop could give its end to the timestamp.
const ID = /^[!-+\-/-~]{1,256}$/;
const TIMESTAMP = /^[1-9]\d{0,11}$/;
const SIGNATURE = /^(v\d{1,3}[a-z]?),([\w+/=-]+)$/;

/**
 * Refuses a delivery that is not signed by one of these secrets over these bytes, with one refusal
 * whatever is wrong. `now` is in seconds since 1970.
 */
export function checkSignature(
  signed: Signed,
  body: Uint8Array,
  secrets: readonly string[],
  now: number,
): void {
  const keys = secrets.map(keyOf);
  if (keys.length === 0 || keys.includes(undefined)) {
    throw secretUnavailable(new Error('A secret of webhooks is not base64, or there is none.'));
  }
  if (!isSignedBy(signed, body, keys as Buffer[], now)) throw signatureRefused();
}

/** The specification asks for 24 to 64; less than this is a pass phrase that happens to be base64. */
const LEAST_SECRET_BYTES = 16;

/** Throws an Error of one line, which names no secret, where a delivery could not be checked. */
export function checkWebhookSecrets(secrets: readonly string[]): void {
  const wrong = secrets.map(faultOfSecret);
  const bad = wrong.findIndex((fault) => fault !== undefined);
  if (secrets.length > 0 && bad < 0) return;
  const which = secrets.length > 1 ? `member ${bad + 1} of WEBHOOK_SECRET` : 'WEBHOOK_SECRET';
  throw new Error(
    `${which} is ${wrong[bad] ?? 'blank'}; expected whsec_ and base64, as openssl rand -base64 32 writes it.`,
  );
}

function faultOfSecret(secret: string): string | undefined {
  const key = keyOf(secret);
  if (key === undefined) return 'not base64';
  return key.length < LEAST_SECRET_BYTES ? `of ${key.length} bytes` : undefined;
}

function isSignedBy(signed: Signed, body: Uint8Array, keys: readonly Buffer[], now: number) {
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  } = signed;
  if (id === null || timestamp === null || signature === null) return false;
  if (!ID.test(id) || !TIMESTAMP.test(timestamp)) return false;
  if (Math.abs(now - Number(timestamp)) > TOLERANCE_S) return false;
  const entries = signature.split(' ').map((entry) => SIGNATURE.exec(entry));
  if (entries.includes(null)) return false;
  const given = entries.flatMap((entry) => (entry?.[1] === 'v1' ? [entry[2] as string] : []));
  const expected = keys.map((key) =>
    createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64'),
  );
  return expected.some((wanted) => given.some((text) => isSameSignature(text, wanted)));
}

/** A secret's bytes; undefined where it is not base64, with or without its padding. */
function keyOf(secret: string): Buffer | undefined {
  const text = secret.replace(/^whsec_/, '').replace(/={1,2}$/, '');
  const key = Buffer.from(text, 'base64');
  // Node passes over what is not base64: what was read must be what was written.
  return text !== '' && key.toString('base64').replace(/=+$/, '') === text ? key : undefined;
}
