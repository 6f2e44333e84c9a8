import { once } from 'node:events';
import type { Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Answer } from '../../src/http/answer.ts';
import type { HttpRequest } from '../../src/http/request.ts';
import {
  CONNECTION_BOUNDS,
  type ConnectionBounds,
  type WaitingAnswers,
} from '../../src/local/connections.ts';
import { serverOf } from '../../src/local/node-http.ts';
import { PROBLEMS } from '../../src/problem/errors.ts';
import { inOwnProcess } from '../support/own-process.ts';
import { until as untilSo } from '../support/process.ts';

const LARGE_BYTES = 24 * 2 ** 20;
const LARGE = Buffer.from(
  Uint32Array.from({ length: LARGE_BYTES / 4 }, (_, i) => i * 2_654_435_761).buffer,
);

let server: Server;
let waiting: WaitingAnswers;
const sockets = new Set<net.Socket>();
const clients: net.Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(waiting.bytes).toBe(0);
});

/** A server that answers by the path: `/whole` and `/stream` are large, `/never` is never made. */
async function listen(bounds: Partial<ConnectionBounds>) {
  const answer = async ({ path: asked, problem, body }: HttpRequest): Promise<Answer> => {
    if (problem !== undefined) {
      const { status } = PROBLEMS[problem.code];
      return { status, headers: {}, body: problem.code };
    }
    if (asked === '/never') return new Promise(() => {});
    if (asked === '/stream') return { status: 200, headers: {}, body: pieces() };
    if (asked === '/whole') return { status: 200, headers: {}, body: LARGE };
    return { status: 200, headers: {}, body: `small ${(await body()).length}` };
  };
  ({ server, waiting } = serverOf(answer, { ...CONNECTION_BOUNDS, sweepMs: 10, ...bounds }));
  sockets.clear();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function* pieces() {
  for (let at = 0; at < LARGE_BYTES; at += 2 ** 20) yield LARGE.subarray(at, at + 2 ** 20);
}

const requestTo = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

const closing = (path: string) => requestTo(path).replace('a\r\n', 'a\r\nConnection: close\r\n');

/** A client that sends this, and reads nothing before it is asked to. */
async function connect(text: string, allowHalfOpen = false): Promise<net.Socket> {
  const { port } = server.address() as AddressInfo;
  const client = net.connect({ port, host: '127.0.0.1', allowHalfOpen });
  clients.push(client);
  client.on('error', () => {}).pause();
  await once(client, 'connect');
  if (text !== '') client.write(text);
  return client;
}

/** All that comes until the connection is closed, or until it has come so far. */
async function readAll(client: net.Socket, isEnough: (text: Buffer) => boolean = () => false) {
  const parts: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((resolve) => {
    client.on('data', (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      // Only short answers are looked into.
      if (bytes < 65_536 && isEnough(Buffer.concat(parts))) resolve();
    });
    if (client.destroyed) resolve();
    client.on('end', resolve).on('close', resolve).resume();
  });
  return Buffer.concat(parts);
}

const textOf = async (client: net.Socket) => (await readAll(client)).toString();

const until = (isSo: () => boolean) => untilSo(isSo, 'the connections to be so');

const isAnswered = (text: Buffer) => text.includes('small');

async function askSmall(): Promise<string> {
  const client = await connect(requestTo('/'));
  const bytes = await readAll(client, isAnswered);
  client.destroy();
  return bytes.toString();
}

describe.each(['/whole', '/stream'])('a large answer, %s', (path) => {
  test('to a client that reads nothing breaks off, and does not count any more', async () => {
    await listen({ stalledMs: 50 });
    const client = await connect(requestTo(path));
    await until(() => sockets.size === 1);
    await until(() => sockets.size === 0);
    expect(waiting.bytes).toBe(0);
    expect((await readAll(client)).length).toBeLessThan(LARGE_BYTES);
  });

  test('to a client that leaves does not count any more', async () => {
    await listen({});
    const client = await connect(requestTo(path));
    await until(() => [...sockets].some(({ writableLength }) => writableLength > 0));
    if (path === '/whole') expect(waiting.bytes).toBe(LARGE_BYTES);
    client.destroy();
    await until(() => sockets.size === 0);
  });

  test('comes whole to a client that begins to read late, byte for byte', async () => {
    await listen({});
    const client = await connect(closing(path));
    await until(() => [...sockets].some(({ writableLength }) => writableLength > 0));
    const bytes = await readAll(client);
    const body = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
    expect((path === '/whole' ? body : unchunked(body)).equals(LARGE)).toBe(true);
  });
});

/** A body without the sizes of its chunks (RFC 9112, section 7.1). */
function unchunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    if (size === 0) return Buffer.concat(parts);
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

describe('past the bound on what waits', () => {
  test('an answer that is larger comes whole to who reads it', async () => {
    await listen({ waitingBytes: 2 ** 20 });
    const bytes = await readAll(await connect(closing('/whole')));
    expect(bytes.subarray(-LARGE_BYTES).equals(LARGE)).toBe(true);
  });

  test('a large answer is refused with when to try again, and small ones go on', async () => {
    await listen({ waitingBytes: 2 ** 20 });
    const unread = await connect(requestTo('/whole'));
    await until(() => waiting.bytes === LARGE_BYTES);
    expect(waiting.hasRoom).toBe(false);
    expect(await textOf(await connect(closing('/whole')))).toMatch(/^HTTP\/1.1 503 /);
    expect(await askSmall()).toMatch(/ 200 OK.*small 0$/s);
    unread.destroy();
    await until(() => waiting.hasRoom);
    expect((await readAll(await connect(closing('/whole')))).includes(LARGE)).toBe(true);
  });
});

describe('at the bound on files that are sent at once', () => {
  test('a new one is told so, and those under way go on', async () => {
    await listen({ streams: 1 });
    const first = await connect(closing('/stream'));
    await until(() => !waiting.hasStream);
    const refused = await connect(closing('/stream'));
    expect(await textOf(refused)).toMatch(/^HTTP\/1.1 503 .*service-unavailable$/s);
    expect(await askSmall()).toMatch(/ 200 OK/);
    expect((await readAll(first)).length).toBeGreaterThan(LARGE_BYTES);
    await until(() => waiting.hasStream);
    expect(await textOf(await connect(closing('/stream')))).toMatch(/^HTTP\/1.1 200 /);
  });
});

test('at the bound on connections a new one is closed, and those that ask go on', async () => {
  await listen({ connections: 2 });
  const working = await connect(requestTo('/never'));
  const keeping = await connect(requestTo('/'));
  await readAll(keeping, isAnswered);
  expect(await textOf(await connect(''))).toBe('');
  keeping.write(requestTo('/'));
  await once(keeping, 'data');
  expect(working.destroyed).toBe(false);
});

describe('a client that keeps its side open', () => {
  test('is closed, if it never sent anything, without an answer', async () => {
    await listen({ arrivalMs: 50 });
    const client = await connect('', true);
    expect(await textOf(client)).toBe('');
    await until(() => sockets.size === 0);
  });

  test('is closed after a 408, if its request does not arrive in time', async () => {
    await listen({ arrivalMs: 50 });
    for (const part of [
      'GET / HT',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1234',
    ]) {
      let text = '';
      // On a busy machine the time may be over before any of it is read: then there is no answer.
      do {
        sockets.clear();
        text = await textOf(await connect(part, true));
      } while (![...sockets].some(({ bytesRead }) => bytesRead > 0));
      expect(text).toMatch(/^HTTP\/1.1 408 .*request-timeout$/s);
    }
    await until(() => sockets.size === 0);
  });

  test('is closed after its answer, once it asks for nothing more', async () => {
    await listen({ idleMs: 50 });
    const client = await connect(requestTo('/'), true);
    expect(await textOf(client)).toMatch(/small 0$/);
    await until(() => sockets.size === 0);
  });
});

test('requests one behind the other are answered in order, large ones too', async () => {
  await listen({});
  const client = await connect(
    `${['/', '/whole', '/', '/stream'].map(requestTo).join('')}nonsense\r\n\r\n`,
  );
  const bytes = await readAll(client);
  const text = bytes.toString('latin1');
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(
    [200, 200, 200, 200, 400].map((status) => `HTTP/1.1 ${status}`),
  );
  expect(bytes.indexOf(LARGE)).toBeGreaterThan(0);
});

test('requests one behind the other of a client that reads nothing end, with what waits for it', async () => {
  await listen({ stalledMs: 50 });
  await connect(requestTo('/whole').repeat(5));
  await until(() => waiting.bytes > 0);
  expect(waiting.bytes).toBe(LARGE_BYTES);
  await until(() => sockets.size === 0);
});

test('an idle connection keeps nothing of its last answer in memory', async () => {
  const { held, count } = await inOwnProcess<{ held: number; count: number }>(
    path.join(import.meta.dirname, 'idle-connections.ts'),
  );
  expect(count).toBe(5);
  expect(held).toBeLessThan(2 * LARGE_BYTES);
});
