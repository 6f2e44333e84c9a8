import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Answer, isWhole } from '../http/answer.ts';
import type { AtTurnsEnd } from './at-turns-end.ts';
import type { Connection } from './connections.ts';

/** How long the rest of what nobody reads may still arrive before the connection is closed. */
export const DRAIN_MS = 500;

/** The most that is written at once: only what the system took whole counts as taken. */
const PIECE_BYTES = 65_536;

/**
 * What a download has in memory beside a piece that waits: the positions of 32,768 rows, and 64 KB
 * of rows (src/columns).
 */
const DOWNLOAD_BYTES = 3 * 65_536;

/**
 * Writes an answer to `node:http`. A long body is written only as fast as the client reads, and no
 * more of it is made when he goes away; if the body fails, the answer breaks off.
 */
export function writeAnswer(
  { status, headers, body }: Answer,
  outgoing: ServerResponse,
  connection: Connection,
  atTurnsEnd: AtTurnsEnd,
): Promise<void> | undefined {
  const { req: incoming } = outgoing;
  if (!incoming.complete) outgoing.once('finish', () => drain(incoming));
  if (isWhole(body)) {
    // Written as bytes: Node takes several times as long to write a long text.
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const length = bytes?.length ?? 0;
    const whole = bytes === null ? headers : { ...headers, 'Content-Length': length };
    if (bytes === null || length <= PIECE_BYTES) {
      atTurnsEnd(() => {
        outgoing.writeHead(status, whole).end(bytes);
        // Mostly the system takes all of it at once, and nothing waits.
        if (connection.socket.writableLength > 0) holdFor(outgoing, connection, length);
      });
      return undefined;
    }
    outgoing.writeHead(status, whole);
    holdFor(outgoing, connection, length);
    return pipeline(piecesOf(bytes), outgoing);
  }
  // At once: a client that has gone resets its connection at the first bytes.
  outgoing.writeHead(status, headers).flushHeaders();
  holdFor(outgoing, connection, 0);
  connection.isStreaming = true;
  outgoing.once('close', () => {
    connection.isStreaming = false;
  });
  return pipeline(offered(body, outgoing, connection), outgoing);
}

/** Counts a whole body until its end is taken: until then all of it is in memory. */
function holdFor(outgoing: ServerResponse, connection: Connection, bytes: number): void {
  connection.begin(bytes);
  connection.hold(bytes);
  outgoing.once('close', () => {
    connection.hold(0);
    connection.line.forget();
  });
}

/**
 * A body's pieces; the next one may be long in the making. If the body fails, resets its
 * connection: no client is to take the connection's end for the body's.
 */
async function* offered(
  body: AsyncIterable<string | Uint8Array>,
  outgoing: ServerResponse,
  connection: Connection,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const made of body) {
      const bytes = typeof made === 'string' ? Buffer.from(made) : made;
      connection.hold(DOWNLOAD_BYTES + bytes.length + outgoing.writableLength);
      yield* piecesOf(bytes);
      // All was taken but what Node has room for, 16 KiB: that counts with the next piece.
      connection.hold(0);
    }
  } catch (error) {
    connection.socket.resetAndDestroy();
    throw error;
  }
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES);
  }
}

function drain(incoming: ServerResponse['req']): void {
  if (incoming.closed) return;
  incoming.resume();
  const timer = setTimeout(() => incoming.socket.destroySoon(), DRAIN_MS).unref();
  incoming.once('close', () => clearTimeout(timer));
}
