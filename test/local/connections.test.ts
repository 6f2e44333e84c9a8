import { once } from 'node:events';
import type { Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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

/** More than the system takes for a client that reads nothing. */
const LARGE_BYTES = 24 * 2 ** 20;
const LARGE = Buffer.from(
  Uint32Array.from({ length: LARGE_BYTES / 4 }, (_, i) => i * 2_654_435_761).buffer,
);

let server: Server;
let connections: Connections;
const clients: net.Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await until(() => connections.count === 0);
  expect(connections.waitingBytes).toBe(0);
});

/** A server that answers by the path: `/whole` and `/stream` are large, `/never` is never made. */
async function listen(bounds: Partial<ConnectionBounds>) {
  const answer = async ({ path, problem, body }: HttpRequest): Promise<Answer> => {
    if (problem !== undefined) {
      const { status } = PROBLEMS[problem.code];
      return { status, headers: {}, body: problem.code };
    }
    if (path === '/never') return new Promise(() => {});
    if (path === '/stream') return { status: 200, headers: {}, body: pieces() };
    if (path === '/copy') return { status: 200, headers: {}, body: Buffer.from(LARGE) };
    if (path === '/whole') return { status: 200, headers: {}, body: LARGE };
    return { status: 200, headers: {}, body: `small ${(await body()).length}` };
  };
  ({ server, connections } = serverOf(answer, { ...CONNECTION_BOUNDS, sweepMs: 10, ...bounds }));
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

/** Reads on; how many bytes have come. */
function countBytes(client: net.Socket): () => number {
  let bytes = 0;
  client.on('data', (part) => {
    bytes += part.length;
  });
  client.resume();
  return () => bytes;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5);
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
    await listen({ stalledMs: 200 });
    const client = await connect(requestTo(path));
    await until(() => connections.waitingBytes > 0);
    await until(() => connections.count === 0);
    expect(connections.waitingBytes).toBe(0);
    expect((await readAll(client)).length).toBeLessThan(LARGE_BYTES);
  });

  test('to a client that leaves does not count any more', async () => {
    await listen({});
    const client = await connect(requestTo(path));
    await until(() => connections.waitingBytes > 0);
    client.destroy();
    await until(() => connections.waitingBytes === 0);
  });
});

test('large answers come whole to clients that pause, byte for byte', async () => {
  await listen({ stalledMs: 1600 });
  const read = async (path: string) => {
    const client = await connect(closing(path));
    let next = 0;
    client.on('data', () => {
      if (client.bytesRead < next) return;
      // The system takes more of an answer only once its reader has room for much.
      next = client.bytesRead + LARGE_BYTES / 8;
      client.pause();
      setTimeout(() => client.resume(), 250);
    });
    const bytes = await readAll(client);
    return bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
  };
  const [whole, stream] = await Promise.all([read('/whole'), read('/stream')]);
  expect(whole.equals(LARGE)).toBe(true);
  expect(unchunked(stream).equals(LARGE)).toBe(true);
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
    const never = { stalledWhenFullMs: 600_000, stalledMs: 600_000 };
    await listen({ waitingBytes: 2.5 * LARGE_BYTES, ...never });
    const first = await connect(requestTo('/whole'));
    await until(() => connections.waitingBytes === LARGE_BYTES);
    const second = await connect(requestTo('/whole'));
    await until(() => connections.waitingBytes === 2 * LARGE_BYTES);
    // Who came first takes some now, so the second is behind.
    const readByFirst = countBytes(first);
    await until(() => readByFirst() > LARGE_BYTES / 2);
    first.pause();
    const third = await connect(requestTo('/whole'));
    await until(() => connections.count === 2);
    expect(connections.waitingBytes).toBe(2 * LARGE_BYTES);
    expect((await readAll(second)).length).toBeLessThan(LARGE_BYTES);
    const readByThird = countBytes(third);
    first.resume();
    await until(() => readByFirst() > LARGE_BYTES && readByThird() > LARGE_BYTES);
  });

  test('a download, which holds little, is the last to go', async () => {
    await listen({ waitingBytes: 2.5 * LARGE_BYTES });
    const download = await connect(requestTo('/stream'));
    await until(() => connections.waitingBytes > 0);
    const held = connections.waitingBytes;
    await sleep(50);
    const whole = await connect(requestTo('/whole'));
    await until(() => connections.waitingBytes === held + LARGE_BYTES);
    await connect(requestTo('/whole'));
    await until(() => connections.waitingBytes === held + 2 * LARGE_BYTES);
    await sleep(20);
    await connect(requestTo('/whole'));
    await until(() => connections.count === 3);
    expect((await readAll(whole)).length).toBeLessThan(LARGE_BYTES);
    expect(download.destroyed).toBe(false);
    expect((await readAll(download, (text) => text.length > 60_000)).length).toBeGreaterThan(0);
  });

  test('an answer that is larger comes whole to who reads it', async () => {
    await listen({ waitingBytes: 2 ** 20 });
    const client = await connect(closing('/whole'));
    const bytes = await readAll(client);
    expect(bytes.subarray(-LARGE_BYTES).equals(LARGE)).toBe(true);
  });

  test('from half of it on, who takes nothing goes, however many wait, and who reads stays', async () => {
    await listen({ waitingBytes: 3 * LARGE_BYTES, stalledWhenFullMs: 200 });
    const stalled = await connect(requestTo('/whole'));
    await until(() => connections.waitingBytes === LARGE_BYTES);
    expect(connections.hasRoom).toBe(true);
    const reading = await connect(closing('/whole'));
    const reader = setInterval(() => reading.read(), 10);
    await until(() => connections.count === 1);
    clearInterval(reader);
    expect((await readAll(stalled)).length).toBeLessThan(LARGE_BYTES);
    expect(reading.destroyed).toBe(false);
  });

  test('small answers go on', async () => {
    await listen({ waitingBytes: 2 ** 20 });
    await connect(requestTo('/whole'));
    await until(() => connections.waitingBytes > 2 ** 20);
    expect(await askSmall()).toMatch(/ 200 OK.*small 0$/s);
    expect(connections.waitingBytes).toBeGreaterThan(2 ** 20);
  });
});

describe('at the bound on files that are sent at once', () => {
  test('a new one is told so, and those under way go on', async () => {
    await listen({ streams: 1 });
    const first = await connect(closing('/stream'));
    await until(() => connections.waitingBytes > 0);
    const refused = await connect(closing('/stream'));
    expect(await textOf(refused)).toMatch(/^HTTP\/1.1 503 .*service-unavailable$/s);
    expect(await askSmall()).toMatch(/ 200 OK/);
    const bytes = await readAll(first);
    expect(bytes.length).toBeGreaterThan(LARGE_BYTES);
    expect(await textOf(await connect(closing('/stream')))).toMatch(/^HTTP\/1.1 200 /);
  });

  test('one that nobody reads gives way', async () => {
    await listen({ streams: 1, stalledWhenFullMs: 100 });
    const stalled = await connect(closing('/stream'));
    await until(() => connections.waitingBytes > 0);
    await sleep(250);
    expect(await textOf(await connect(closing('/stream')))).toMatch(/^HTTP\/1.1 200 /);
    expect((await readAll(stalled)).length).toBeLessThan(LARGE_BYTES);
  });
});

describe('at the bound on connections', () => {
  test('who is idle for longest is closed, and the new one answered', async () => {
    await listen({ connections: 3 });
    const silent = await connect('');
    const keeping = await connect(requestTo('/'));
    await readAll(keeping, isAnswered);
    const half = await connect('GET / HT');
    await until(() => connections.count === 3);
    // The kept one asks again: it is no longer idle for longest but one.
    keeping.write(requestTo('/'));
    await once(keeping, 'data');
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
    await listen({ connections: 2, stalledWhenFullMs: 100 });
    const stalled = await connect(requestTo('/whole'));
    await until(() => connections.waitingBytes > 0);
    await sleep(150);
    const working = await connect(requestTo('/never'));
    await once(server, 'request');
    expect(await askSmall()).toMatch(/ 200 OK/);
    expect((await readAll(stalled)).length).toBeLessThan(LARGE_BYTES);
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
      const client = await connect(part, true);
      expect(await textOf(client)).toMatch(/^HTTP\/1.1 408 .*request-timeout$/s);
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
  await listen({ stalledMs: 200 });
  const client = await connect(requestTo('/whole').repeat(5));
  await until(() => connections.waitingBytes > 0);
  expect(connections.waitingBytes).toBe(LARGE_BYTES);
  await until(() => connections.count === 0);
  expect((await readAll(client)).length).toBeLessThan(LARGE_BYTES);
});

test('an idle connection keeps nothing of its last answer in memory', async () => {
  await listen({});
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = () => {
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  const before = held();
  for (let i = 0; i < 5; i++) {
    const read = countBytes(await connect(requestTo('/copy')));
    await until(() => read() > LARGE_BYTES);
  }
  await until(() => connections.waitingBytes === 0);
  expect(connections.count).toBe(5);
  expect(held() - before).toBeLessThan(2 * LARGE_BYTES);
});
