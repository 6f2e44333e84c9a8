/**
 * Names in a query that are not arguments: tools append the first group to any address, and old
 * clients send the second. They are ignored without a warning, so no block may use these names.
 */
const IN_QUERY: readonly (readonly [pattern: RegExp, whose: string])[] = [
  [/^(?:utm_.*|fbclid|gclid|_)$/, 'tools append it to addresses'],
  [/^(?:cache|expiry|flatten)$/, 'old clients send it in every query'],
  [/^api_key$/, 'a key goes there'],
];

const IN_BODY: readonly (readonly [pattern: RegExp, whose: string])[] = [
  [/^(?:_blockspring_.*|api_key)$/, 'old clients send it in every body'],
];

const ANY_IN_QUERY = anyOf(IN_QUERY);
const ANY_IN_BODY = anyOf(IN_BODY);

export function passesInQuery(name: string): boolean {
  return ANY_IN_QUERY.test(name);
}

export function passesInBody(name: string): boolean {
  return ANY_IN_BODY.test(name);
}

/** Joins the patterns into one for speed: a body may have thousands of names. */
function anyOf(patterns: typeof IN_QUERY): RegExp {
  return new RegExp(patterns.map(([{ source }]) => source).join('|'));
}

/** Why a block may not use this name; undefined if it may. */
export function whyReserved(name: string): string | undefined {
  if (name === '__proto__') return 'JavaScript takes it for something else';
  return [...IN_QUERY, ...IN_BODY].find(([pattern]) => pattern.test(name))?.[1];
}
