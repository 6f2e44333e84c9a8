const MOST_QUOTED = 60;

/** A caller's value, short enough to quote in a sentence. */
export function quotedValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  const isLong = value.length > MOST_QUOTED;
  return JSON.stringify(isLong ? `${value.slice(0, MOST_QUOTED).toWellFormed()}…` : value);
}
