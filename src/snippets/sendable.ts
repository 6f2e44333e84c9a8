import { percentEncoded } from './form-text.ts';
import type { SnippetCall } from './snippet.ts';

/** A call in a form that JSON and HTTP can carry; a key that is not valid is left out. */
export function sendable({ url, arguments: sent, key }: SnippetCall): SnippetCall {
  return {
    url: percentEncoded(url, /[\w.~:/%[\]-]/),
    arguments: wellFormed(JSON.parse(JSON.stringify(sent))) as Record<string, unknown>,
    // The form of a token by RFC 6750, section 2.1, which cannot end a header or a literal.
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
