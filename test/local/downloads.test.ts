import { once } from 'node:events';
import type { Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { isWhole } from '../../src/http/answer.ts';
import type { HttpRequest } from '../../src/http/request.ts';
import type { RunRecord } from '../../src/http/run-record.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { localServer, localService } from '../../src/local/local-server.ts';
import type { RowStore } from '../../src/query/row-store.ts';
import { PRODUCTION, SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { testClock } from '../support/test-clock.ts';
import { tinyBlock } from '../support/tiny-block.ts';
import { turnsDuring } from '../support/turns-during.ts';
import { Wire } from './wire.ts';

const ROWS = 40_000;
const dataset = makeDataset(
  tinyBlock,
  Array.from({ length: ROWS }, (_, number) => ({ street: `Street ${number} of many`, number })),
  { title: 't', publisher: 'p', license: 'l', date: '2026' },
);
const rows = memoryRows(tinyBlock.fields, dataset.rows);
let pagesRead = 0;
const store: RowStore = {
  read: (query, budget) => {
    pagesRead++;
    return rows.read(query, budget);
  },
  group: (...asked) => rows.group(...asked),
  rest: (query, budget, reads) => rows.rest(query, budget, reads),
};
const runs: RunRecord[] = [];
const settings = { ...SETTINGS, record: (run: RunRecord) => void runs.push(run) };
const served = [serveDataset({ block: tinyBlock, manifest: dataset.manifest, store })];
const service = localService(served, settings);

const PATH = '/api_v2/blocks/tiny';
/** So much work that it takes several turns. */
const LONG = Array.from('abcdefghij', (letter) => `street=*e*${letter}*q*`).join('&');

const request: HttpRequest = {
  method: 'GET',
  origin: 'http://localhost',
  path: PATH,
  query: '',
  headers: {},
  body: async () => new Uint8Array(),
  canStream: true,
};
const ask = (query: string, known: Partial<HttpRequest> = {}) =>
  service({ ...request, query, ...known });

let server: Server;
beforeAll(async () => {
  server = localServer(served, settings);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  runs.length = 0;
  pagesRead = 0;
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const connect = () => net.connect((server.address() as AddressInfo).port, '127.0.0.1');

describe('HTTP/1.0, which cannot tell a part from the whole', () => {
  const get = async (query: string) => {
    const socket = connect();
    socket.write(`GET ${PATH}?${query} HTTP/1.0\r\n\r\n`);
    let text = '';
    for await (const piece of socket.setEncoding('utf8')) text += piece;
    return text;
  };

  test('gets a whole result that fits one answer, with its length', async () => {
    const text = await get('_format=csv&number_max=999');
    expect(text).toMatch(/^HTTP\/1.1 200 OK/);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toContain(`Content-Length: ${body.length}`);
  });

  test('is refused a larger one', async () => {
    const text = await get('_format=csv');
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({
      code: 'result-too-large',
      errors: [{ parameter: '_limit' }],
    });
  });
});

describe('work ends with its connection', () => {
  test('a run', async () => {
    const socket = connect();
    socket.write(`GET ${PATH}?${LONG} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const [incoming] = await once(server, 'request');
    const closed = new Promise((resolve) => incoming.socket.on('close', resolve));
    socket.resetAndDestroy();
    await closed;
    while (runs.length === 0) await new Promise(setImmediate);
    expect(runs).toMatchObject([{ status: 400, code: 'bad-request' }]);
  });

  test('a run and a download that have not begun', async () => {
    for (const query of ['_format=csv', '_format=csv&_sort=-street']) {
      const { status } = await ask(query, { isGone: () => true });
      expect([status, pagesRead]).toEqual([400, 0]);
    }
  });

  test('a download under way', async () => {
    let isGone = false;
    const { body } = await ask('_format=csv&_sort=-street', { isGone: () => isGone });
    if (isWhole(body)) throw new Error('expected pieces');
    const pieces = body[Symbol.asyncIterator]();
    for (let i = 0; i < 3; i++) await pieces.next();
    isGone = true;
    await expect(pieces.next()).rejects.toMatchObject({ code: 'bad-request' });
    expect(runs).toMatchObject([{ status: 200, code: 'bad-request', rows: expect.any(Number) }]);
    expect(runs[0]?.rows).toBeLessThan(ROWS);
  });

  test('a download for somebody who left at once begins with bytes, which show it', async () => {
    const client = new Wire(server, `GET ${PATH}?_format=csv HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    client.isLeft = true;
    while (runs.length === 0) await new Promise(setImmediate);
    expect(runs[0]?.rows ?? 0).toBe(0);
  });
});

test('downloads that are asked for together let others be answered first', async () => {
  const downloads = Array.from({ length: 20 }, () => ask('_format=csv'));
  expect((await ask('number=7')).status).toBe(200);
  expect(pagesRead).toBe(1);
  for (const { status } of await Promise.all(downloads)) expect(status).toBe(200);
});

test('a search that takes some turns goes before downloads that begin', async () => {
  const downloads = Array.from({ length: 40 }, () => ask('_format=csv'));
  const search = Array.from('abcdef', (letter) => `street=*e*${letter}*q*`).join('&');
  expect((await ask(search)).status).toBe(200);
  expect(pagesRead).toBeLessThan(20);
  for (const { status } of await Promise.all(downloads)) expect(status).toBe(200);
});

test('of large pages that are asked for together, one a turn is made: all at once would be in memory', async () => {
  const { outcome: madeAt } = await turnsDuring((turn) => {
    const page = async () => {
      await ask('_limit=1000');
      return turn();
    };
    return Promise.all(Array.from({ length: 20 }, page));
  });
  expect(new Set(madeAt).size).toBe(20);
});

test('large pages wait for room while they could still be made within 2.8 s, and are then refused', async () => {
  const clock = testClock();
  const timed = localService(served, { ...PRODUCTION, now: clock.now });
  let isLookedAt = () => {};
  const lookedAt = () =>
    new Promise<void>((resolve) => {
      isLookedAt = resolve;
    });
  const hasRoom = () => {
    isLookedAt();
    return false;
  };
  const isWaiting = lookedAt();
  const large = timed({ ...request, query: '_limit=1000', hasRoom });
  await isWaiting;
  clock.time = 2400;
  expect(await Promise.race([large, lookedAt()])).toBeUndefined();
  clock.time = 2401;
  expect(await Promise.race([large, lookedAt()])).toMatchObject({
    status: 503,
    headers: { 'Retry-After': '1' },
  });
});

test('large pages wait while there is no room for them, and small ones do not', async () => {
  let hasRoom = false;
  let isMade = false;
  const large = ask('_limit=1000', { hasRoom: () => hasRoom }).then(({ status }) => {
    isMade = true;
    return status;
  });
  for (let i = 0; i < 3; i++) {
    expect((await ask(`number=${i}`, { hasRoom: () => hasRoom })).status).toBe(200);
    await new Promise(setImmediate);
  }
  expect(isMade).toBe(false);
  hasRoom = true;
  expect(await large).toBe(200);
});
