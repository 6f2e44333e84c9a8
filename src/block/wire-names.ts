/**
 * Names that tools append to any address, and the tool of each. Nobody would take them for a
 * filter, so a query may have them without a warning. A field may have such a name: then it is a
 * filter. People make up more names that begin with `utm_`, so one of these that is near a field's
 * name may be meant for the field. Source: github.com/mpchadwick/tracking-query-params-registry,
 * and AdGuard's list (AdguardTeam/AdguardFilters, TrackParamFilter/sections/general_url.txt), as of
 * November 2026.
 */
const APPENDED: readonly (readonly [pattern: RegExp, whose: string])[] = [
  [
    /^utm_(?:source|medium|campaign|term|content|id|source_platform|creative_format|marketing_tactic)$/,
    'Google Analytics',
  ],
  [/^(?:_ga|_gl)$/, 'Google Analytics'],
  [/^(?:gclid|gbraid|wbraid|dclid)$/, 'Google Ads'],
  [/^(?:fbclid|igshid)$/, 'Meta'],
  [/^msclkid$/, 'Microsoft Advertising'],
  [/^twclid$/, 'X'],
  [/^ttclid$/, 'TikTok'],
  [/^yclid$/, 'Yandex'],
  [/^(?:mc_cid|mc_eid)$/, 'Mailchimp'],
];

/** Names that already have a meaning in requests, so no field may have them. */
const RESERVED_IN_QUERY: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^(?:cache|expiry|flatten)$/, 'old clients send it in every query'],
  [/^api_key$/, 'a key goes there'],
  [/^_$/, 'jQuery appends it to addresses'],
];

const RESERVED_IN_BODY: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^(?:_blockspring_.*|api_key)$/, 'old clients send it in every body'],
];

const ANY_APPENDED = anyOf(APPENDED);
const ANY_RESERVED_IN_QUERY = anyOf(RESERVED_IN_QUERY);
const ANY_RESERVED_IN_BODY = anyOf(RESERVED_IN_BODY);

export function isAppended(name: string): boolean {
  return ANY_APPENDED.test(name);
}

export function isReservedInQuery(name: string): boolean {
  return ANY_RESERVED_IN_QUERY.test(name);
}

/** Tells whether an address that does not read this name ignores it without a warning. */
export function isPassedOver(name: string): boolean {
  return isAppended(name) || isPerhapsAppended(name) || isReservedInQuery(name);
}

/** Tells whether a name looks like those that tools append although no known tool appends it. */
export function isPerhapsAppended(name: string): boolean {
  return name.startsWith('utm_');
}

export function isReservedInBody(name: string): boolean {
  return ANY_RESERVED_IN_BODY.test(name);
}

/** Joins the patterns into one, because a body may have thousands of names. */
function anyOf(patterns: typeof APPENDED): RegExp {
  return new RegExp(patterns.map(([{ source }]) => source).join('|'));
}

/** Says why no block may use this name. Undefined if a block may. */
export function whyReserved(name: string): string | undefined {
  if (name === '__proto__') return 'JavaScript takes it for something else';
  return [...RESERVED_IN_QUERY, ...RESERVED_IN_BODY].find(([pattern]) => pattern.test(name))?.[1];
}
