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
    outgoing.on('timeout', () => incoming.socket.resetAndDestroy());
    // At once: a client that has gone resets its connection at the first bytes.
    outgoing.writeHead(status, headers).flushHeaders();
    await pipeline(offered(body, outgoing, stalledMs), outgoing);
  }
}

/**
 * A body's pieces, each to be taken within a time; the next one may be long in the making. If the
 * body fails, resets its connection: no client is to take the connection's end for the body's.
 */
async function* offered<T>(
  body: AsyncIterable<T>,
  outgoing: ServerResponse,
  withinMs: number,
): AsyncGenerator<T> {
  try {
    for await (const piece of body) {
      outgoing.setTimeout(withinMs);
      yield piece;
      outgoing.setTimeout(0);
    }
    outgoing.setTimeout(withinMs);
  } catch (error) {
    outgoing.req.socket.resetAndDestroy();
    throw error;
  }
}

function drain(incoming: ServerResponse['req']): void {
  if (incoming.closed) return;
  incoming.resume();
  const timer = setTimeout(() => incoming.socket.destroySoon(), DRAIN_MS).unref();
  incoming.once('close', () => clearTimeout(timer));
}
