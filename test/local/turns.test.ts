import { createServer, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { Line } from '../../src/local/connections.ts';

let server: Server;
let socket: net.Socket;
afterEach(() => {
  socket.destroy();
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const ANSWER_BYTES = 1_000_000;

/** A server with large answers, and a connection that has sent this; counts the answers begun. */
async function connect(text: string) {
  const made = { count: 0 };
  const line = new Line();
  server = createServer(async (incoming, outgoing) => {
    await line.turnOf(outgoing);
    if (incoming.socket.destroyed) return;
    made.count++;
    for await (const _ of incoming);
    outgoing.end(Buffer.alloc(ANSWER_BYTES));
  });
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

test('a client that reads nothing has few answers made, and all of them once it reads', async () => {
  const made = await connect(GET.repeat(200));
  await sleep(300);
  expect(made.count).toBeGreaterThan(0);
  // What the system buffers is some megabytes; the rest waits.
  expect(made.count).toBeLessThan(50);
  await readBytes(200 * ANSWER_BYTES);
  expect(made.count).toBe(200);
});

test('the body of the last request may come later', async () => {
  const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab';
  const made = await connect(`${GET.repeat(3)}${post}`);
  const isRead = readBytes(5 * ANSWER_BYTES);
  while (made.count < 4) await sleep(5);
  socket.write(`cd${GET}`);
  await isRead;
  expect(made.count).toBe(5);
});

test('the answers of a connection that is gone are not made', async () => {
  const made = await connect(GET.repeat(200));
  await sleep(100);
  socket.destroy();
  const before = made.count;
  await sleep(100);
  expect(made.count - before).toBeLessThan(2);
});
