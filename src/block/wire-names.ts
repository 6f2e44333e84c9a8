/**
 * Names in a query that no block is asked by: tools append the first ones to any address, old
 * clients send the others. They pass unused and unmentioned, so that nothing of a block may be
 * called so.
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

/** One pattern for all: a body may have thousands of names. */
function anyOf(patterns: typeof IN_QUERY): RegExp {
  return new RegExp(patterns.map(([{ source }]) => source).join('|'));
}

/** Why nothing of a block may have this name; undefined where it may. */
export function whyReserved(name: string): string | undefined {
  if (name === '__proto__') return 'JavaScript takes it for something else';
  return [...IN_QUERY, ...IN_BODY].find(([pattern]) => pattern.test(name))?.[1];
}
