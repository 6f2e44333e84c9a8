import { Problem } from '../problem/errors.ts';
import { numberText } from '../values/wording.ts';
import type { HttpRequest, RequestHeaders } from './request.ts';

const MOST_BODY_BYTES = 262_144;

/** For a body without a length: a piece costs as much as a page of bytes, and may be one byte. */
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
export function checkEncoding({ 'content-encoding': encoding = '' }: RequestHeaders): void {
  if (['', 'identity'].includes(encoding.trim().toLowerCase())) return;
  const detail = 'A compressed body is not read here; send it without a Content-Encoding.';
  throw new Problem('unsupported-content-encoding', detail);
}
