import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FetchClock } from './fetch-clock.ts';
import { FetchError, SAVE_IT } from './fetch-error.ts';
import { networkFailure } from './network-failure.ts';

/** How far a fetch is: bytes as they are sent, of how many if the server says so. */
export type Progress = { readonly bytes: number; readonly ofBytes: number | undefined };

export type BodyLimits = {
  readonly mostBytes: number;
  readonly idleMs: number;
  readonly clock: FetchClock;
  readonly onProgress: ((progress: Progress) => void) | undefined;
};

/** An answer's body as sent, bounded before and after it is unpacked. Throws FetchErrors. */
export async function* fileBody(
  answer: IncomingMessage,
  place: string,
  limits: BodyLimits,
): AsyncGenerator<Buffer> {
  const { clock } = limits;
  try {
    const received = receive(answer, place, limits);
    yield* isPacked(answer, place) ? bounded(unpacked(received), place, limits) : received;
  } catch (error) {
    throw clock.signal.aborted ? clock.signal.reason : networkFailure(error, place);
  }
}

async function* receive(
  answer: IncomingMessage,
  place: string,
  { mostBytes, idleMs, clock, onProgress }: BodyLimits,
): AsyncGenerator<Buffer> {
  const ofBytes = lengthOf(answer);
  if (ofBytes !== undefined && ofBytes > mostBytes) throw tooLarge(place, mostBytes);
  clock.wait(idleMs, () => {
    const reason = `nothing came for ${idleMs / 1000} s in the middle of the file; try again later`;
    return new FetchError('too-slow', place, reason);
  });
  let bytes = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    clock.goOn();
    bytes += piece.length;
    if (bytes > mostBytes) throw tooLarge(place, mostBytes);
    onProgress?.({ bytes, ofBytes });
    yield piece;
  }
}

async function* bounded(
  pieces: AsyncIterable<Buffer>,
  place: string,
  { mostBytes }: BodyLimits,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > mostBytes) throw tooLarge(place, mostBytes);
    yield piece;
  }
}

function unpacked(packed: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  // Failures come out of the iteration.
  return pipeline(packed, createGunzip(), () => {});
}

function isPacked({ headers }: IncomingMessage, place: string): boolean {
  const coding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (coding === 'identity') return false;
  if (coding === 'gzip' || coding === 'x-gzip') return true;
  const reason = `the answer is packed in a way that was not asked for; ${SAVE_IT}`;
  throw new FetchError('bad-answer', place, reason);
}

/** Node takes no answer that has fewer bytes than it says. */
function lengthOf({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Tells whether a body that breaks off could be told from one that ends. */
export function isEndKnown(answer: IncomingMessage, place: string): boolean {
  const isChunked = /\bchunked\s*$/i.test(answer.headers['transfer-encoding'] ?? '');
  return isChunked || lengthOf(answer) !== undefined || isPacked(answer, place);
}

function tooLarge(place: string, mostBytes: number): FetchError {
  const most = mostBytes.toLocaleString('en');
  const reason = `more than ${most} bytes, the most that is fetched; ${SAVE_IT}`;
  return new FetchError('too-large', place, reason);
}
