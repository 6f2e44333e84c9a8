import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Answer, isWhole } from '../http/answer.ts';
import { atTurnsEnd } from './at-turns-end.ts';

/** A body that nobody has read goes on to arrive for so long; then the connection is closed. */
const DRAIN_MS = 500;

/**
 * Writes an answer to `node:http`. A body in pieces is taken as fast as its reader takes it, and no
 * longer than there is one; where it breaks off, so does the answer.
 */
export async function writeAnswer({ status, headers, body }: Answer, outgoing: ServerResponse) {
  const { req: incoming } = outgoing;
  if (!incoming.complete) outgoing.once('finish', () => drain(incoming));
  if (body === null) outgoing.writeHead(status, headers).end();
  else if (isWhole(body)) {
    // As bytes: to write a long text costs Node several times as much.
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const whole = { ...headers, 'Content-Length': bytes.length };
    atTurnsEnd(() => outgoing.writeHead(status, whole).end(bytes));
  } else {
    outgoing.writeHead(status, headers);
    await pipeline(body, outgoing);
  }
}

function drain(incoming: ServerResponse['req']): void {
  if (incoming.closed) return;
  incoming.resume();
  const timer = setTimeout(() => incoming.socket.destroySoon(), DRAIN_MS).unref();
  incoming.once('close', () => clearTimeout(timer));
}
