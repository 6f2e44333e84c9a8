import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { CONNECTION_BOUNDS } from '../../src/local/connections.ts';
import { serverOf } from '../../src/local/node-http.ts';
import { until } from '../support/process.ts';

let server: Server;
let socket: net.Socket;
afterEach(() => {
  socket.destroy();
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const ANSWER_BYTES = 1_000_000;

/** A server with large answers, and a connection that has sent this. Counts the answers begun. */
async function connect(text: string) {
  const made = { count: 0, beforeTheirTurn: 0 };
  const asked: ServerResponse[] = [];
  ({ server } = serverOf(async ({ body }) => {
    if (asked[made.count++ - 1]?.closed === false) made.beforeTheirTurn++;
    await body();
    return { status: 200, headers: {}, body: Buffer.alloc(ANSWER_BYTES) };
  }, CONNECTION_BOUNDS));
  server.prependListener('request', (_, outgoing) => asked.push(outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(text);
  return made;
}

/** Reads until so many bytes of answers have come. */
async function readBytes(bytes: number) {
  let read = 0;
  await new Promise<void>((resolve) => {
    socket.on('data', (piece) => {
      read += piece.length;
      if (read >= bytes) resolve();
    });
  });
}

test('of many requests that are sent at once, each is answered once the answer before it is taken', async () => {
  const made = await connect(GET.repeat(200));
  await until(() => made.count > 0, 'an answer');
  // The system takes some of them of a client that reads nothing, and never all.
  expect(made.count).toBeLessThan(200);
  await readBytes(200 * ANSWER_BYTES);
  expect(made).toEqual({ count: 200, beforeTheirTurn: 0 });
});

test('the body of the last request may come later', async () => {
  const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab';
  const made = await connect(`${GET.repeat(3)}${post}`);
  const isRead = readBytes(5 * ANSWER_BYTES);
  await until(() => made.count === 4, 'the last request');
  socket.write(`cd${GET}`);
  await isRead;
  expect(made.count).toBe(5);
});

test('the answers of a connection that is gone are not made', async () => {
  const made = await connect(GET.repeat(200));
  const [incoming] = await once(server, 'request');
  await until(() => made.count > 0, 'an answer');
  let before = 0;
  const isClosed = new Promise<void>((resolve) => {
    incoming.socket.once('close', () => {
      before = made.count;
      resolve();
    });
  });
  socket.destroy();
  await isClosed;
  // An answer whose turn has come would be begun in one of the next turns of the event loop.
  for (let i = 0; i < 100; i++) await new Promise(setImmediate);
  expect(made.count).toBe(before);
});
