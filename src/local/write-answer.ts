import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Answer, isWhole } from '../http/answer.ts';
import { atTurnsEnd } from './at-turns-end.ts';

/** How long the rest of an unread body may still arrive before the connection is closed. */
const DRAIN_MS = 500;

/** How long a client may take no byte of a body in pieces. */
const STALLED_MS = 30_000;

/**
 * Writes an answer to `node:http`. It takes a body's pieces only as fast as the client reads, and
 * stops when the client goes away; if the body fails, the answer breaks off.
 */
export async function writeAnswer(
  { status, headers, body }: Answer,
  outgoing: ServerResponse,
  stalledMs = STALLED_MS,
): Promise<void> {
  const { req: incoming } = outgoing;
  if (!incoming.complete) outgoing.once('finish', () => drain(incoming));
  if (body === null) outgoing.writeHead(status, headers).end();
  else if (isWhole(body)) {
    // Written as bytes: Node takes several times as long to write a long text.
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const whole = { ...headers, 'Content-Length': bytes.length };
    atTurnsEnd(() => outgoing.writeHead(status, whole).end(bytes));
  } else {
    outgoing.setTimeout(stalledMs, () => outgoing.destroy());
    outgoing.writeHead(status, headers);
    await pipeline(resetIfCut(body, outgoing), outgoing);
  }
}

/**
 * If a body fails, resets its connection: HTTP/1.0 would take the connection's end for the body's.
 */
async function* resetIfCut<T>(body: AsyncIterable<T>, { req }: ServerResponse): AsyncGenerator<T> {
  try {
    yield* body;
  } catch (error) {
    req.socket.resetAndDestroy();
    throw error;
  }
}

function drain(incoming: ServerResponse['req']): void {
  if (incoming.closed) return;
  incoming.resume();
  const timer = setTimeout(() => incoming.socket.destroySoon(), DRAIN_MS).unref();
  incoming.once('close', () => clearTimeout(timer));
}
