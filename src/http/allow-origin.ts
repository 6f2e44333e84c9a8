/** Whose pages in a browser may read answers: anybody's, or those of the origins that it takes. */
export type AllowOrigin = '*' | ((origin: string) => boolean);

/** What an answer to a page of this origin says of it (WHATWG Fetch, "CORS protocol"). */
export function originHeaders(
  origin: string | undefined,
  allow: AllowOrigin,
): Readonly<Record<string, string>> {
  if (allow === '*') return ANYBODY;
  const isAllowed = origin !== undefined && allow(origin);
  return { ...(isAllowed ? { 'Access-Control-Allow-Origin': origin } : {}), Vary: 'Origin' };
}

/** One for all answers: most services are open. */
const ANYBODY = { 'Access-Control-Allow-Origin': '*' };

/**
 * Reads `*`, or origins with commas or spaces between (`https://data.example.org`; `null` is a file
 * that a browser opened). Undefined where one of them is none.
 */
export function readOrigins(text: string): AllowOrigin | undefined {
  const origins = text.split(/[\s,]+/).filter((origin) => origin !== '');
  if (origins.includes('*')) return origins.length === 1 ? '*' : undefined;
  return origins.length > 0 && origins.every(isOrigin)
    ? (origin) => origins.includes(origin)
    : undefined;
}

function isOrigin(text: string): boolean {
  return text === 'null' || (URL.canParse(text) && new URL(text).origin === text);
}
