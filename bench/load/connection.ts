import { connect } from 'node:net';

export type Response = { readonly headers: string; readonly body: string };

/** One kept-alive connection that has one request under way at a time. */
export type Connection = {
  /** Calls back when the answer is whole. */
  send(request: Buffer, answered: (response: () => Response) => void): void;
  close(): void;
};

/**
 * A plain socket that reads no more of an answer than where it ends: on two cores, Node's own
 * client would take more of the machine than the server it measures. Throws for any status but
 * 200, and for an answer without a Content-Length.
 */
export function openConnection(port: number): Connection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let answered: ((response: () => Response) => void) | undefined;
  let chunks: Buffer[] = [];
  let received = 0;
  let length = 0;

  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    received += chunk.length;
    if (length === 0) length = wholeLength(chunks);
    if (length === 0 || received < length) return;
    if (received > length) throw new Error('more bytes than the answer has');
    const parts = chunks;
    const done = answered;
    chunks = [];
    received = 0;
    length = 0;
    answered = undefined;
    done?.(() => split(Buffer.concat(parts)));
  });
  socket.on('close', () => {
    if (answered !== undefined) throw new Error('the server closed the connection');
  });
  return {
    send: (request, callback) => {
      answered = callback;
      socket.write(request);
    },
    close: () => socket.destroy(),
  };
}

/** The bytes of headers and body, 0 where the headers are not whole yet. */
function wholeLength(chunks: readonly Buffer[]): number {
  const start = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  const end = start.indexOf('\r\n\r\n');
  if (end < 0) return 0;
  const headers = start.toString('latin1', 0, end);
  const status = headers.slice(0, headers.indexOf('\r\n'));
  const length = /\r\ncontent-length: *(\d+)/i.exec(headers)?.[1];
  if (status !== 'HTTP/1.1 200 OK' || length === undefined) {
    throw new Error(`not an answer to be measured: ${start.toString().slice(0, 600)}`);
  }
  return end + 4 + Number(length);
}

function split(response: Buffer): Response {
  const end = response.indexOf('\r\n\r\n');
  return { headers: response.toString('latin1', 0, end), body: response.toString('utf8', end + 4) };
}
