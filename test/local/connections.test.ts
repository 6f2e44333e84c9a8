import { once } from 'node:events';
import type { Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Answer } from '../../src/http/answer.ts';
import type { HttpRequest } from '../../src/http/request.ts';
import {
  CONNECTION_BOUNDS,
  type ConnectionBounds,
  type Connections,
} from '../../src/local/connections.ts';
import { serverOf } from '../../src/local/node-http.ts';
import { PROBLEMS } from '../../src/problem/errors.ts';
import { inOwnProcess } from '../support/own-process.ts';
import { until as untilSo } from '../support/process.ts';
import { type TestClock, testClock } from '../support/test-clock.ts';
import { Wire } from './wire.ts';

const LARGE_BYTES = 24 * 2 ** 20;
const LARGE = Buffer.from(
  Uint32Array.from({ length: LARGE_BYTES / 4 }, (_, i) => i * 2_654_435_761).buffer,
);

let server: Server;
let connections: Connections;
let clock: TestClock;
const sockets = new Set<net.Socket>();
const clients: Duplex[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await until(() => connections.count === 0);
  expect(connections.waitingBytes).toBe(0);
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
  clock = testClock();
  const { now } = clock;
  const all = { ...CONNECTION_BOUNDS, sweepMs: 10, now, ...bounds };
  ({ server, connections } = serverOf(answer, all));
  sockets.clear();
  server.on('connection', (socket) => sockets.add(socket));
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

const { stalledMs: STALLED_MS, stalledWhenFullMs: STALLED_WHEN_FULL_MS } = CONNECTION_BOUNDS;

/** A client of which the test says what it reads. The server has seen that it took nothing so far. */
async function wire(text: string): Promise<Wire> {
  const client = new Wire(server, text);
  clients.push(client);
  await until(() => client.writableLength > 0);
  await clock.isSeen();
  return client;
}

const isAnswered = (text: Buffer) => text.includes('small');

async function askSmall(): Promise<string> {
  const client = await connect(requestTo('/'));
  const bytes = await readAll(client, isAnswered);
  client.destroy();
  return bytes.toString();
}

describe.each(['/whole', '/stream'])('a large answer, %s', (path) => {
  test('to a client that reads nothing ends with a reset, and does not count any more', async () => {
    await listen({});
    const client = await wire(requestTo(path));
    clock.time = STALLED_MS - 1;
    await clock.isSeen();
    expect(connections.count).toBe(1);
    clock.time = STALLED_MS;
    await until(() => connections.count === 0);
    expect(connections.waitingBytes).toBe(0);
    expect(client.wasReset).toBe(true);
  });

  test('to a client that leaves does not count any more', async () => {
    await listen({});
    const client = await connect(requestTo(path));
    await until(() => connections.waitingBytes > 0);
    client.destroy();
    await until(() => connections.waitingBytes === 0);
  });

  test('comes whole to a client that pauses, byte for byte', async () => {
    await listen({});
    const client = await wire(closing(path));
    for (let pauses = 0; pauses < 4; pauses++) {
      client.reads(LARGE_BYTES / 8);
      await clock.isSeen();
      clock.time += STALLED_MS - 1;
      await clock.isSeen();
    }
    const bytes = await client.readsAll();
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
  test('the reader who took nothing for longest is closed, and no other', async () => {
    await listen({ waitingBytes: 2.5 * LARGE_BYTES });
    const first = await wire(closing('/whole'));
    await until(() => connections.waitingBytes === LARGE_BYTES);
    clock.time = 1000;
    const second = await wire(closing('/whole'));
    await until(() => connections.waitingBytes === 2 * LARGE_BYTES);
    clock.time = 2000;
    // Who came first takes some now, so the second is behind.
    first.reads(LARGE_BYTES / 2);
    await clock.isSeen();
    const third = await wire(closing('/whole'));
    await until(() => connections.count === 2);
    expect(connections.waitingBytes).toBe(2 * LARGE_BYTES);
    expect([first, second, third].map(({ wasReset }) => wasReset)).toEqual([false, true, false]);
    for (const one of [first, third]) expect((await one.readsAll()).includes(LARGE)).toBe(true);
  });

  test('a download, which holds little, is the last to go', async () => {
    await listen({ waitingBytes: 2.5 * LARGE_BYTES });
    const download = await wire(closing('/stream'));
    const held = connections.waitingBytes;
    clock.time = 1000;
    const whole = await wire(closing('/whole'));
    await until(() => connections.waitingBytes === held + LARGE_BYTES);
    clock.time = 2000;
    await wire(closing('/whole'));
    await until(() => connections.waitingBytes === held + 2 * LARGE_BYTES);
    clock.time = 3000;
    await wire(closing('/whole'));
    await until(() => connections.count === 3);
    expect([whole.wasReset, download.wasReset]).toEqual([true, false]);
    expect((await download.readsAll()).length).toBeGreaterThan(LARGE_BYTES);
  });

  test('an answer that is larger comes whole to who reads it', async () => {
    await listen({ waitingBytes: 2 ** 20 });
    const client = await connect(closing('/whole'));
    const bytes = await readAll(client);
    expect(bytes.subarray(-LARGE_BYTES).equals(LARGE)).toBe(true);
  });

  test('from half of it on, who takes nothing goes, however many wait, and who reads stays', async () => {
    await listen({ waitingBytes: 3 * LARGE_BYTES });
    const stalled = await wire(closing('/whole'));
    await until(() => connections.waitingBytes === LARGE_BYTES);
    expect(connections.hasRoom).toBe(true);
    const reading = await wire(closing('/whole'));
    await until(() => connections.waitingBytes === 2 * LARGE_BYTES);
    expect(connections.hasRoom).toBe(false);
    clock.time = STALLED_WHEN_FULL_MS - 1;
    reading.reads(LARGE_BYTES / 2);
    await clock.isSeen();
    expect(connections.count).toBe(2);
    clock.time = STALLED_WHEN_FULL_MS;
    await until(() => connections.count === 1);
    expect([stalled.wasReset, reading.wasReset]).toEqual([true, false]);
    expect((await reading.readsAll()).includes(LARGE)).toBe(true);
  });

  test('small answers go on', async () => {
    await listen({ waitingBytes: 2 ** 20 });
    await wire(requestTo('/whole'));
    await until(() => connections.waitingBytes > 2 ** 20);
    expect(await askSmall()).toMatch(/ 200 OK.*small 0$/s);
    expect(connections.waitingBytes).toBeGreaterThan(2 ** 20);
  });
});

describe('at the bound on files that are sent at once', () => {
  test('a new one is told so, and those under way go on', async () => {
    await listen({ streams: 1 });
    const first = await wire(closing('/stream'));
    const refused = await connect(closing('/stream'));
    expect(await textOf(refused)).toMatch(/^HTTP\/1.1 503 .*service-unavailable$/s);
    expect(await askSmall()).toMatch(/ 200 OK/);
    expect((await first.readsAll()).length).toBeGreaterThan(LARGE_BYTES);
    expect(await textOf(await connect(closing('/stream')))).toMatch(/^HTTP\/1.1 200 /);
  });

  test('one that nobody reads gives way', async () => {
    await listen({ streams: 1 });
    const stalled = await wire(closing('/stream'));
    clock.time = STALLED_WHEN_FULL_MS;
    expect(await textOf(await connect(closing('/stream')))).toMatch(/^HTTP\/1.1 200 /);
    expect(stalled.wasReset).toBe(true);
  });
});

describe('at the bound on connections', () => {
  test('who is idle for longest is closed, and the new one answered', async () => {
    await listen({ connections: 3 });
    const silent = await connect('');
    await until(() => connections.count === 1);
    clock.time = 1000;
    const keeping = await connect(requestTo('/'));
    await readAll(keeping, isAnswered);
    clock.time = 2000;
    const half = await connect('GET / HT');
    await until(() => connections.count === 3);
    // The kept one asks again: it is no longer idle for longest but one.
    clock.time = 3000;
    keeping.write(requestTo('/'));
    await once(keeping, 'data');
    clock.time = 4000;
    expect(await askSmall()).toMatch(/ 200 OK/);
    expect(await textOf(silent)).toBe('');
    await connect('');
    await connect('');
    expect(await textOf(half)).toBe('');
    expect(keeping.destroyed).toBe(false);
  });

  test('a thousand that send nothing lock nobody out', async () => {
    await listen({ connections: 100 });
    for (let i = 0; i < 1000; i++)
      await connect(i % 2 === 0 ? '' : 'POST / HTTP/1.1\r\nHost: a\r\n');
    expect(await askSmall()).toMatch(/ 200 OK/);
    expect(connections.count).toBeLessThanOrEqual(100);
  });

  test('those with a body on its way give way, those with an answer under way do not', async () => {
    await listen({ connections: 2 });
    const working = await connect(requestTo('/never'));
    await once(server, 'request');
    const sending = await connect('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1234');
    await once(server, 'request');
    expect(await askSmall()).toMatch(/ 200 OK/);
    expect(await textOf(sending)).toBe('');
    expect(working.destroyed).toBe(false);
  });

  test('of busy ones, who took nothing for longest gives way', async () => {
    await listen({ connections: 2 });
    const stalled = await wire(requestTo('/whole'));
    clock.time = STALLED_WHEN_FULL_MS;
    const working = await connect(requestTo('/never'));
    await once(server, 'request');
    expect(await askSmall()).toMatch(/ 200 OK/);
    expect(stalled.wasReset).toBe(true);
    expect(working.destroyed).toBe(false);
  });

  test('a new one is told that there is no room, if all are busy', async () => {
    await listen({ connections: 1 });
    const working = await connect(requestTo('/never'));
    await once(server, 'request');
    expect(await textOf(await connect(''))).toMatch(/^HTTP\/1.1 503 .*service-unavailable$/s);
    expect(working.destroyed).toBe(false);
  });
});

describe('a client that keeps its side open', () => {
  test('is closed, if it never sent anything, without an answer', async () => {
    await listen({ arrivalMs: 50 });
    const client = await connect('', true);
    expect(await textOf(client)).toBe('');
    await until(() => connections.count === 0);
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
    await until(() => connections.count === 0);
  });

  test('is closed after its answer, once it asks for nothing more', async () => {
    await listen({ idleMs: 50 });
    const client = await connect(requestTo('/'), true);
    expect(await textOf(client)).toMatch(/small 0$/);
    await until(() => connections.count === 0);
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
  await listen({});
  const client = await wire(requestTo('/whole').repeat(5));
  await until(() => connections.waitingBytes > 0);
  expect(connections.waitingBytes).toBe(LARGE_BYTES);
  clock.time = STALLED_MS;
  await until(() => connections.count === 0);
  expect(client.wasReset).toBe(true);
});

test('an idle connection keeps nothing of its last answer in memory', async () => {
  const { held, count } = await inOwnProcess<{ held: number; count: number }>(
    path.join(import.meta.dirname, 'idle-connections.ts'),
  );
  expect(count).toBe(5);
  expect(held).toBeLessThan(2 * LARGE_BYTES);
});
