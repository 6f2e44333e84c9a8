import { percentEncoded } from './form-text.ts';
import type { SnippetCall } from './snippet.ts';

/** A call as JSON and HTTP can carry it. What a key cannot be is left out. */
export function sendable({ url, arguments: sent, key }: SnippetCall): SnippetCall {
  return {
    url: percentEncoded(url, /[\w.~:/%[\]-]/),
    arguments: wellFormed(JSON.parse(JSON.stringify(sent))) as Record<string, unknown>,
    // As RFC 6750, 2.1, has a token: nothing in it ends a header, or a literal.
    ...(key !== undefined && /^[\w.~+/-]+=*$/.test(key) ? { key } : {}),
  };
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member)]),
  );
}
