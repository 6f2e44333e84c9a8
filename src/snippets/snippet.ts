import { decimalText } from '../text/decimal.ts';

/** A call to write as a program. */
export type SnippetCall = {
  /** The block's absolute address, without a query. */
  readonly url: string;
  /** The arguments as a caller sends them: strings, numbers, booleans, lists of these. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Sent as `x-api-key`, or in the address by a spreadsheet, which cannot send headers. */
  readonly key?: string;
};

/** A program that makes a call and prints what it answers. */
export type Snippet = {
  /** The language's name for programs: `javascript`. */
  readonly language: string;
  /** The language's name for people: `JavaScript`. */
  readonly title: string;
  readonly text: string;
};

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

/** The address that answers a call as CSV; it does not have the key. */
export function csvAddress({ url, arguments: sent }: SnippetCall): string {
  const pairs = Object.entries({ ...sent, _format: 'csv' }).flatMap(([name, value]) =>
    [value].flat().map((member) => [name, formText(member)] as const),
  );
  const query = pairs.map(([name, text]) => `${percentEncoded(name)}=${percentEncoded(text)}`);
  return `${url}?${query.join('&')}`;
}

/** A value as form text, which the service reads as the same value. */
export function formText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return decimalText(value);
  return value === null ? '' : JSON.stringify(value);
}

/** Percent-encodes a text's UTF-8 bytes for an address or a form, except `plain` characters. */
export function percentEncoded(text: string, plain = /[\w.~-]/): string {
  return Array.from(text, (character) =>
    plain.test(character)
      ? character
      : Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&'),
  ).join('');
}

/**
 * JSON on one line for a literal of another language. Characters that are not plain there become
 * JSON escapes, so that the literal needs no escapes.
 */
export function jsonText(value: unknown, isPlain: (character: string) => boolean): string {
  const text = JSON.stringify(value).replaceAll('\\\\', '\\u005c');
  return Array.from(text, (character) =>
    isPlain(character) ? character : character.split('').map(unicodeEscape).join(''),
  ).join('');
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** How a language writes the values of JSON. */
export type Notation = {
  readonly string: (text: string) => string;
  /** A member's name with the separator after it: `R: `. */
  readonly name: (name: string) => string;
  readonly list: readonly [open: string, close: string];
  readonly record: readonly [open: string, close: string];
  readonly constants: { readonly null: string; readonly true: string; readonly false: string };
};

/** A JSON value as a literal; each member of a record has a line, so that it is easy to change. */
export function literal(value: unknown, notation: Notation, indent: string, step = indent): string {
  if (typeof value === 'string') return notation.string(value);
  if (Array.isArray(value)) {
    const members = value.map((member) => literal(member, notation, indent, step));
    return notation.list[0] + members.join(', ') + notation.list[1];
  }
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value);
    return notation.constants[text as keyof Notation['constants']] ?? text;
  }
  const [open, close] = notation.record;
  const members = Object.entries(value).map(
    ([name, member]) =>
      `${indent}${notation.name(name)}${literal(member, notation, indent + step, step)},\n`,
  );
  if (members.length === 0) return open + close;
  return `${open}\n${members.join('')}${indent.slice(step.length)}${close}`;
}

/**
 * Characters that are invisible or change the direction of text: controls, formats, surrogates, and
 * all spaces except the plain one. Snippets have them only as escapes.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

type Quoting = {
  readonly quote: string;
  /** The characters that are special between the quotes, each with its escape. */
  readonly special: Readonly<Record<string, string>>;
  /** The escape of a code point, given in hexadecimal. */
  readonly codePoint: (codePoint: string) => string;
};

/** A text in quotes, escaped so that it reads as exactly that text. */
export function quoted(text: string, { quote, special, codePoint }: Quoting): string {
  const inside = Array.from(
    text,
    (character) =>
      special[character] ??
      (UNSEEN.test(character) ? codePoint(hexadecimal(character)) : character),
  );
  return quote + inside.join('') + quote;
}

export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text);
}

function hexadecimal(character: string): string {
  return (character.codePointAt(0) as number).toString(16);
}
