import { Refusal } from '../core/errors.ts';

const MOST_BODY_BYTES = 262_144;

/** Of a body without a length: each costs as much as a page of bytes, and may be one byte. */
const MOST_PIECES = 8192;

/** The bytes of a request's body as they were sent. Throws a Refusal for what does not arrive. */
export async function readBytes(request: Request): Promise<Uint8Array> {
  try {
    return await readBounded(request);
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    // The sender went away: nobody reads this answer, and nothing of ours broke.
    throw new Refusal('bad-request', 'The body did not arrive whole.', { cause });
  }
}

async function readBounded(request: Request): Promise<Uint8Array> {
  const length = request.headers.get('content-length');
  if (length !== null) {
    if (Number(length) > MOST_BODY_BYTES) throw tooLarge();
    return new Uint8Array(await request.arrayBuffer());
  }
  const stream = request.body;
  if (stream === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MOST_BODY_BYTES) throw tooLarge(CLOSE);
    if (chunks.length >= MOST_PIECES) throw tooManyPieces();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What follows on this connection is not read. */
const CLOSE = { Connection: 'close' };

function tooLarge(headers = {}): Refusal {
  const detail = `The body is over ${MOST_BODY_BYTES} bytes, the most that is read.`;
  return new Refusal('body-too-large', detail, { headers });
}

function tooManyPieces(): Refusal {
  const detail = `The body comes in over ${MOST_PIECES} pieces. Send it with a Content-Length, or in larger ones.`;
  return new Refusal('body-too-large', detail, { headers: CLOSE });
}

/** Refuses a body that is compressed. */
export function checkEncoding(headers: Headers): void {
  const encoding = headers.get('content-encoding');
  if (encoding === null || ['', 'identity'].includes(encoding.trim().toLowerCase())) return;
  const detail = 'A compressed body is not read here; send it without a Content-Encoding.';
  throw new Refusal('unsupported-content-encoding', detail);
}
