import { parseUrl } from '../text/path.ts';
import type { HttpRequest } from './request.ts';

/** Whose browser pages may read answers: anyone's, or those of the origins it returns true for. */
export type AllowOrigin = '*' | ((origin: string) => boolean);

/**
 * Whether a request may run by where it comes from: from a program, which sends no origin, from a
 * page of this service, or from a page that may read answers.
 */
export function isAllowedOrigin(
  { headers: { origin }, origin: own }: HttpRequest,
  allow: AllowOrigin,
): boolean {
  return origin === undefined || origin === own || allow === '*' || allow(origin);
}

/**
 * Reads `*`, or origins separated by commas or spaces (`https://data.example.org`; `null` is a file
 * opened in a browser). Returns undefined if any of them is not an origin.
 */
export function readOrigins(text: string): AllowOrigin | undefined {
  const origins = namesIn(text);
  if (origins.includes('*')) return origins.length === 1 ? '*' : undefined;
  return origins.length > 0 && origins.every(isOrigin)
    ? (origin) => origins.includes(origin)
    : undefined;
}

/**
 * Reads who may embed pages: `*`, `none`, or origins as above, beside what is `own`. Returns the
 * sources of a `frame-ancestors` (CSP Level 3, section 6.4.2), which have no `null` and no IPv6;
 * undefined if the text is not valid.
 */
export function readFrames(text: string, own = "'self'"): string | undefined {
  if (text === '*') return '*';
  if (text === 'none') return "'none'";
  const origins = namesIn(text);
  const areOrigins = origins.length > 0 && origins.every((origin) => FRAMING.test(origin));
  return areOrigins ? [own, ...origins].join(' ') : undefined;
}

const FRAMING = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/;

function namesIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '');
}

function isOrigin(text: string): boolean {
  return text === 'null' || parseUrl(text)?.origin === text;
}
