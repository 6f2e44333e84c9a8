import type { Members } from '../core/arguments.ts';
import { Refusal } from '../core/errors.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { readMultipart, readUrlencoded } from './read-form.ts';

const MOST_BODY_BYTES = 262_144;

/** The members of a request's body, by its type. Throws a Refusal for what cannot be read. */
export async function readBody(request: BodySource): Promise<Members> {
  checkEncoding(request.headers.get('content-encoding'));
  const body = await readWhole(request);
  const contentType = request.headers.get('content-type') ?? '';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (body.length === 0) return Object.create(null);
  checkCharset(contentType);
  if (type === 'application/x-www-form-urlencoded') return readUrlencoded(decodeUtf8(body));
  if (type === 'multipart/form-data') return readMultipart(body, contentType);
  if (type === '' || type === 'text/plain' || /^application\/(?:.+\+)?json$/.test(type)) {
    return readJson(decodeUtf8(body));
  }
  const detail = `A body of type ${type.slice(0, 100)} is not read here; send one of ${READ_TYPES.join(', ')}.`;
  throw new Refusal('unsupported-media-type', detail, {
    faults: [{ code: 'unsupported-media-type', detail, allowed: READ_TYPES }],
    headers: { 'Accept-Post': READ_TYPES.join(', ') },
  });
}

/** What is read of a request: Hono's own, so that a server can hand over its bytes directly. */
type BodySource = {
  readonly headers: Headers;
  readonly stream: () => ReadableStream<Uint8Array> | null;
  readonly bytes: () => Promise<ArrayBuffer>;
};

const READ_TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
];

function readJson(text: string): Members {
  if (text.trim() === '') return Object.create(null);
  const value = parseJson(text);
  // PHP and R write an empty list for no arguments.
  if (Array.isArray(value) && value.length === 0) return Object.create(null);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const what = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
    const detail = `The body is ${what}; expected an object of arguments, such as {"name": "value"}.`;
    throw new Refusal('invalid-json', detail);
  }
  return Object.assign(Object.create(null), value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const where = /at position (\d+)/.exec(String(cause))?.[1];
    const at = where === undefined ? '' : ` (at character ${Number(where) + 1})`;
    const detail = `The body is not valid JSON${at}. To send a form, set its Content-Type.`;
    throw new Refusal('invalid-json', detail, { cause });
  }
}

async function readWhole(request: BodySource): Promise<Uint8Array> {
  try {
    return await readBytes(request);
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    // The sender went away: nobody reads this answer, and nothing of ours broke.
    throw new Refusal('bad-request', 'The body did not arrive whole.', { cause });
  }
}

async function readBytes(request: BodySource): Promise<Uint8Array> {
  const length = request.headers.get('content-length');
  if (length !== null) {
    if (Number(length) > MOST_BODY_BYTES) throw tooLarge();
    return new Uint8Array(await request.bytes());
  }
  const stream = request.stream();
  if (stream === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MOST_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): Refusal {
  const detail = `The body is over ${MOST_BODY_BYTES} bytes, the most that is read.`;
  return new Refusal('body-too-large', detail);
}

function checkEncoding(encoding: string | null): void {
  if (encoding === null || ['', 'identity'].includes(encoding.trim().toLowerCase())) return;
  const detail = 'A compressed body is not read here; send it without a Content-Encoding.';
  throw new Refusal('unsupported-content-encoding', detail);
}

function checkCharset(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1];
  if (charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset)) return;
  const detail = `Only UTF-8 is read here, not ${charset.slice(0, 50)}.`;
  throw new Refusal('unsupported-media-type', detail);
}
