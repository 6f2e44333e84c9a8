import type { Members } from '../arguments/given.ts';
import { Problem } from '../problem/errors.ts';
import { numberText, shorten } from '../text/wording.ts';
import { decodeUtf8, type HttpRequest, type RequestHeaders } from './request.ts';

/**
 * Reads a body by its type: as any JSON value, or as a form's members. Returns undefined if it is
 * empty, and throws a Problem if it cannot be read.
 */
export function readBody(body: Uint8Array, contentType: string): unknown | Promise<Members> {
  if (body.length === 0) return undefined;
  // As nearly every program writes it.
  if (contentType === 'application/json') return readJson(decodeUtf8(body));
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  checkCharset(contentType);
  if (type === 'application/x-www-form-urlencoded') {
    const text = decodeUtf8(body);
    // `curl -d` says that everything is a form, and no parameter's name begins as JSON does.
    return /^\s*\{/.test(text) ? readJson(text) : readUrlencoded(text);
  }
  if (type === 'multipart/form-data') return readMultipart(body, contentType);
  if (type === '' || type === 'text/plain' || /^application\/(?:.+\+)?json$/.test(type)) {
    return readJson(decodeUtf8(body));
  }
  const detail = `A body of type ${shorten(type)} is not read here; send one of ${READ_TYPES.join(', ')}.`;
  throw new Problem('unsupported-media-type', detail, {
    fault: { allowed: READ_TYPES },
    headers: { 'Accept-Post': READ_TYPES.join(', ') },
  });
}

/** A body's value as members; throws a Problem, which calls the value `what`, if it has none. */
export function membersOf(value: unknown, what = 'The body'): Members {
  if (value === undefined) return Object.create(null);
  // PHP and R write no arguments as an empty list.
  if (Array.isArray(value) && value.length === 0) return Object.create(null);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const is = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
    const detail = `${what} is ${is}; expected an object of arguments, such as {"name": "value"}.`;
    throw new Problem('invalid-json', detail);
  }
  return Object.assign(Object.create(null), value);
}

const READ_TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
];

function readJson(text: string): unknown {
  return text.trim() === '' ? undefined : parseJson(text);
}

function parseJson(text: string): unknown {
  const value = parseText(text);
  if (isWithoutRepeats(value, text)) return value;
  const { repeatedName } = scanJson(text);
  if (repeatedName === undefined) return value;
  const detail = `The body has ${JSON.stringify(shorten(repeatedName))} twice in one object, and which is meant cannot be told. Send one, or a list.`;
  throw new Problem('invalid-json', detail);
}

/**
 * Whether an object surely has no name twice: its text has no more colons than it has members. A scan
 * of the text takes ten times as long.
 */
function isWithoutRepeats(value: unknown, text: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { length } = Object.keys(value);
  let at = -1;
  for (let colons = 0; colons <= length; colons++) {
    at = text.indexOf(':', at + 1);
    if (at < 0) return true;
  }
  return false;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const where = /at position (\d+)/.exec(String(cause))?.[1];
    const at = where === undefined ? '' : ` (at character ${Number(where) + 1})`;
    const detail = `The body is not valid JSON${at}. To send a form, set its Content-Type.`;
    throw new Problem('invalid-json', detail, { cause });
  }
}

function checkCharset(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1];
  if (charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset)) return;
  const detail = `Only UTF-8 is read here, not ${shorten(charset)}.`;
  throw new Problem('unsupported-media-type', detail);
}

/** A body. Then 413. */
const MOST_BODY_BYTES = 262_144;

/**
 * Pieces of a body without a length: a piece costs as much as a page of bytes, and may be one byte.
 */
const MOST_PIECES = 8192;

/** The bytes of a request's body as sent. Throws a Problem if they do not all arrive. */
export async function readBytes({ headers, body }: HttpRequest): Promise<Uint8Array> {
  if (Number(headers['content-length'] ?? 0) > MOST_BODY_BYTES) throw tooLarge();
  try {
    return await body();
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    // The sender went away. Nobody reads this answer, and it is no error of ours.
    throw new Problem('bad-request', 'The body did not arrive whole.', { cause });
  }
}

/** Collects the pieces of a body; throws a Problem at the first piece over a bound. */
export class BodyPieces {
  readonly #pieces: Uint8Array[] = [];
  readonly #mostPieces: number;
  #bytes = 0;

  /** The count of pieces is bounded only where no length bounds the body. */
  constructor(isLengthKnown: boolean) {
    this.#mostPieces = isLengthKnown ? Number.POSITIVE_INFINITY : MOST_PIECES;
  }

  add(piece: Uint8Array): void {
    this.#bytes += piece.byteLength;
    if (this.#bytes > MOST_BODY_BYTES) throw tooLarge(CLOSE);
    if (this.#pieces.length >= this.#mostPieces) throw tooManyPieces();
    this.#pieces.push(piece);
  }

  whole(): Uint8Array {
    const [first] = this.#pieces;
    return this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces);
  }
}

/** Closes the connection, since the rest of the body stays unread on it. */
const CLOSE = { Connection: 'close' };

function tooLarge(headers = {}): Problem {
  const detail = `The body is over ${numberText(MOST_BODY_BYTES)} bytes, the most that is read.`;
  return new Problem('body-too-large', detail, { headers });
}

function tooManyPieces(): Problem {
  const detail = `The body comes in over ${numberText(MOST_PIECES)} pieces. Send it with a Content-Length, or in larger ones.`;
  return new Problem('body-too-large', detail, { headers: CLOSE });
}

/** Refuses a compressed body. */
export function checkEncoding({ 'content-encoding': encoding }: RequestHeaders): void {
  if (encoding === undefined || ['', 'identity'].includes(encoding.trim().toLowerCase())) return;
  const detail = 'A compressed body is not read here; send it without a Content-Encoding.';
  throw new Problem('unsupported-content-encoding', detail);
}

/** Reads an `application/x-www-form-urlencoded` body (WHATWG URL, section 5.1) strictly. */
export function readUrlencoded(text: string): Members {
  const pairs = text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const equals = pair.indexOf('=');
      return equals < 0
        ? [decodeComponent(pair), '']
        : [decodeComponent(pair.slice(0, equals)), decodeComponent(pair.slice(equals + 1))];
    });
  return gather(pairs);
}

/** Reads a `multipart/form-data` body (RFC 7578); a file is read as text. */
async function readMultipart(body: Uint8Array, contentType: string): Promise<Members> {
  // Refuses what is not UTF-8, which the platform's parser would replace silently.
  decodeUtf8(body);
  const form = await parseMultipart(body, contentType);
  const pairs: [string, string][] = [];
  for (const [name, value] of form) {
    pairs.push([name, typeof value === 'string' ? value : await (value as Blob).text()]);
  }
  return gather(pairs);
}

async function parseMultipart(body: Uint8Array, contentType: string): Promise<FormData> {
  try {
    const headers = { 'content-type': contentType };
    return await new Response(body as Uint8Array<ArrayBuffer>, { headers }).formData();
  } catch (cause) {
    const detail =
      'The multipart body cannot be read: check its boundary, and that its lines end in CR LF.';
    throw new Problem('invalid-form', detail, { cause });
  }
}

function decodeComponent(component: string): string {
  const spaced = component.replace(/\+/g, ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return decodeUtf8(percentDecode(spaced));
  }
}

/** Decodes percent-escapes; a `%` without two hex digits stands for itself, as in browsers. */
function percentDecode(text: string): Uint8Array {
  const decoded = Buffer.from(text)
    .toString('latin1')
    .replace(/%([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
}

/** What parsing a JSON text does not tell. */
type JsonScan = {
  /** How deep it is nested. */
  readonly depth: number;
  /**
   * The first name that an object has twice. Most JSON parsers silently take the last one (RFC
   * 8259, section 4: "the behavior … is unpredictable").
   */
  readonly repeatedName?: string;
};

/** Scans a JSON text, which must be valid; without recursion. */
export function scanJson(text: string): JsonScan {
  let depth = 0;
  let repeatedName: string | undefined;
  // The names so far of each open object; a list has none.
  const open: Set<string>[] = [];
  for (const [mark, string = '', colon] of text.matchAll(MARKS)) {
    if (colon !== undefined) {
      const names = open.at(-1) as Set<string>;
      const name: string = string.includes('\\') ? JSON.parse(string) : string.slice(1, -1);
      if (names.has(name)) repeatedName ??= name;
      names.add(name);
    } else if (mark === '{' || mark === '[') depth = Math.max(depth, open.push(new Set()));
    else if (mark === '}' || mark === ']') open.pop();
  }
  return { depth, repeatedName };
}

/** A string, which is a name if a colon follows, or a bracket. */
const MARKS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[[\]{}]/gs;

/** Turns pairs into members: a name sent twice, or as `name[]`, becomes a list. */
export function gather(pairs: Iterable<[string, string]>): Members {
  const members: Record<string, string | string[]> = Object.create(null);
  for (const [sent, value] of pairs) {
    const isList = sent.endsWith('[]') && sent.length > 2;
    const name = isList ? sent.slice(0, -2) : sent;
    const before = members[name];
    if (before === undefined) members[name] = isList ? [value] : value;
    else if (Array.isArray(before)) before.push(value);
    else members[name] = [before, value];
  }
  return members;
}
