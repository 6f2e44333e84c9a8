import { Problem } from '../problem/errors.ts';
import type { HttpRequest, RequestHeaders } from './request.ts';

const MOST_BODY_BYTES = 262_144;

/** Of a body without a length: each costs as much as a page of bytes, and may be one byte. */
const MOST_PIECES = 8192;

/** The bytes of a request's body as they were sent. Throws a Problem for what does not arrive. */
export async function readBytes({ headers, body }: HttpRequest): Promise<Uint8Array> {
  if (Number(headers['content-length'] ?? 0) > MOST_BODY_BYTES) throw tooLarge();
  try {
    return await body();
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    // The sender went away: nobody reads this answer, and nothing of ours broke.
    throw new Problem('bad-request', 'The body did not arrive whole.', { cause });
  }
}

/** The pieces of a body as they arrive; throws a Problem at the first one that is too many. */
export class BodyPieces {
  readonly #pieces: Uint8Array[] = [];
  readonly #mostPieces: number;
  #bytes = 0;

  /** However many pieces a body of a known length comes in, it is no longer. */
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

/** What follows on this connection is not read. */
const CLOSE = { Connection: 'close' };

function tooLarge(headers = {}): Problem {
  const detail = `The body is over ${MOST_BODY_BYTES} bytes, the most that is read.`;
  return new Problem('body-too-large', detail, { headers });
}

function tooManyPieces(): Problem {
  const detail = `The body comes in over ${MOST_PIECES} pieces. Send it with a Content-Length, or in larger ones.`;
  return new Problem('body-too-large', detail, { headers: CLOSE });
}

/** Refuses a body that is compressed. */
export function checkEncoding({ 'content-encoding': encoding = '' }: RequestHeaders): void {
  if (['', 'identity'].includes(encoding.trim().toLowerCase())) return;
  const detail = 'A compressed body is not read here; send it without a Content-Encoding.';
  throw new Problem('unsupported-content-encoding', detail);
}
