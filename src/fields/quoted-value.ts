import { shorten } from '../words/shorten.ts';

/** A caller's value, shortened to be quoted in a sentence. */
export function quotedValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(shorten(value));
}
