import { parseUrl } from '../text/parse-url.ts';
/** Whose browser pages may read answers: anyone's, or those of the origins it returns true for. */
export type AllowOrigin = '*' | ((origin: string) => boolean);

/** The CORS headers of an answer to a page of this origin (WHATWG Fetch, "CORS protocol"). */
export function originHeaders(
  origin: string | undefined,
  allow: AllowOrigin,
): Readonly<Record<string, string>> {
  if (allow === '*') return ANYBODY;
  const isAllowed = origin !== undefined && allow(origin);
  return { ...(isAllowed ? { 'Access-Control-Allow-Origin': origin } : {}), Vary: 'Origin' };
}

/** A shared constant, since most services are open and send it with every answer. */
const ANYBODY = { 'Access-Control-Allow-Origin': '*' };

/**
 * Reads `*`, or origins separated by commas or spaces (`https://data.example.org`; `null` is a file
 * opened in a browser). Returns undefined if any of them is not an origin.
 */
export function readOrigins(text: string): AllowOrigin | undefined {
  const origins = text.split(/[\s,]+/).filter((origin) => origin !== '');
  if (origins.includes('*')) return origins.length === 1 ? '*' : undefined;
  return origins.length > 0 && origins.every(isOrigin)
    ? (origin) => origins.includes(origin)
    : undefined;
}

function isOrigin(text: string): boolean {
  return text === 'null' || parseUrl(text)?.origin === text;
}
