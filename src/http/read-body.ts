import type { Members } from '../arguments/given.ts';
import { Problem } from '../problem/errors.ts';
import { shorten } from '../values/wording.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { readMultipart, readUrlencoded } from './read-form.ts';
import { scanJson } from './scan-json.ts';

/**
 * Reads a body by its type: as any JSON value, or as a form's members. Returns undefined if it is
 * empty, and throws a Problem if it cannot be read.
 */
export function readBody(body: Uint8Array, contentType: string): unknown | Promise<Members> {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (body.length === 0) return undefined;
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
    faults: [{ code: 'unsupported-media-type', detail, allowed: READ_TYPES }],
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
  const { repeatedName } = scanJson(text);
  if (repeatedName === undefined) return value;
  const detail = `The body has ${JSON.stringify(shorten(repeatedName))} twice in one object, and which is meant cannot be told. Send one, or a list.`;
  throw new Problem('invalid-json', detail);
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
