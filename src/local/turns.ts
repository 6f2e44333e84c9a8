import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of a connection, of which one at a time is answered. */
type Line = { latest: ServerResponse; beforeLatest: ServerResponse | undefined; waiting: number };

const lines = new WeakMap<Socket, Line>();

/**
 * The turn of a request that came before an earlier one of its connection was answered
 * (pipelining, RFC 9112, section 9.3.2); undefined if it need not wait. Without turns, a client
 * that sends many requests and reads nothing would have all their answers in memory at once.
 */
export function turnOf(outgoing: ServerResponse): Promise<void> | undefined {
  const { socket } = outgoing.req;
  const line = lines.get(socket);
  const earlier = line?.latest;
  if (line === undefined || earlier === undefined || earlier.closed) {
    lines.set(socket, { latest: outgoing, beforeLatest: undefined, waiting: 0 });
    return undefined;
  }
  line.latest = outgoing;
  line.beforeLatest = earlier;
  line.waiting++;
  socket.pause();
  return closed(earlier).then(() => {
    line.waiting--;
    // The body of the last one may still be on its way.
    if (line.waiting === 0) socket.resume();
    else socket.pause();
  });
}

/**
 * Waits until all requests before one that cannot be read are answered: an answer is known by its
 * place alone. False if that request has an answer already, or nobody can get another.
 */
export async function turnOfUnreadable(socket: Socket): Promise<boolean> {
  const line = lines.get(socket);
  if (line === undefined) return true;
  const { latest, beforeLatest } = line;
  const isAnother = latest.req.complete;
  const earlier = isAnother ? latest : beforeLatest;
  if (earlier !== undefined && !earlier.closed) await closed(earlier);
  return socket.writable && (isAnother || !latest.headersSent);
}

function closed(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => outgoing.once('close', resolve));
}
