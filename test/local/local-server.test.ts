import type { Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { block } from '../../functions/rgb-to-color-name/block.ts';
import { createRun } from '../../functions/rgb-to-color-name/run.ts';
import { serveValue } from '../../src/http/served-block.ts';
import { localServer } from '../../src/local/local-server.ts';
import { serverErrorLog } from '../../src/local/start.ts';
import { SETTINGS } from '../support/ample.ts';
import { ROOT } from '../support/service.ts';

const PATH = '/api_v2/blocks/rgb-to-color-name';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let server: Server;
const log: string[] = [];
beforeAll(async () => {
  const served = serveValue(block, createRun(path.join(ROOT, 'seed-data')));
  server = localServer([served], {
    ...SETTINGS,
    record: serverErrorLog((line) => log.push(line)),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

type RawAnswer = { status: number; headers: Record<string, string>; body: string };

/** Sends these bytes, and reads until the server closes. */
function textAfter(text: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (chunk) => {
      answer += chunk;
    });
    socket.once('error', reject).once('close', () => resolve(answer));
  });
}

const sendRaw = async (text: string) => parseAnswer(await textAfter(text));

function parseAnswer(text: string): RawAnswer {
  const cut = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, cut).split('\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    ),
    body: text.slice(cut + 4),
  };
}

function expectProblem({ status, headers, body }: RawAnswer, wanted: number, code: string): void {
  expect([status, headers['content-type']]).toEqual([wanted, 'application/problem+json']);
  expect(headers['x-run-id']).toMatch(UUID);
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['access-control-expose-headers']).toContain('X-Run-Id');
  expect(headers['cache-control']).toBe('no-store');
  const problem = JSON.parse(body);
  expect(problem).toMatchObject({ status: wanted, code, instance: expect.any(String) });
  expect(problem.instance).toBe(`urn:uuid:${headers['x-run-id']}`);
  expect(problem.errors).toHaveLength(1);
  expect(problem._errors).toHaveLength(1);
}

describe('what Node itself refuses is a problem document too', () => {
  const last = 'Connection: close\r\n\r\n';

  test.each([
    ['a request line that is none', 'hello\r\n\r\n'],
    ['an unknown method', `FETCH ${PATH} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['a header without a colon', `GET ${PATH} HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n`],
    ['a chunk of no size', `POST ${PATH} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['two lengths', `POST ${PATH} HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx`],
    ['a Host with a space', `GET ${PATH} HTTP/1.1\r\nHost: a b\r\n${last}`],
    ['a Host with a path', `GET ${PATH} HTTP/1.1\r\nHost: a/b\r\n${last}`],
    ['an asterisk for an address', `OPTIONS * HTTP/1.1\r\nHost: a\r\n${last}`],
  ])('%s is a 400', async (_, text) => {
    expectProblem(await sendRaw(text), 400, 'bad-request');
  });

  test('headers over 10,240 bytes are a 431, and a little less are not', async () => {
    const withHeader = (bytes: number) =>
      sendRaw(`GET ${PATH}?R=1&G=2&B=3 HTTP/1.1\r\nX-Long: ${'x'.repeat(bytes)}\r\n${last}`);
    const refused = await withHeader(10_240);
    expectProblem(refused, 431, 'headers-too-large');
    expect(JSON.parse(refused.body).detail).toContain('10,240');
    expect((await withHeader(9_900)).status).toBe(200);
  });

  test('headers are all read, however many fit into that', async () => {
    const many = 'a:\r\n'.repeat(2400);
    const text = `POST ${PATH} HTTP/1.1\r\n${many}Host: a\r\nContent-Type: text/csv\r\nContent-Length: 1\r\n${last}x`;
    expectProblem(await sendRaw(text), 415, 'unsupported-media-type');
  });

  test('a body that is mostly left unread is a 413, to a client that closes its connection too', async () => {
    const body = 'x'.repeat(4 * 2 ** 20);
    const head = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
    const text = `${head}Content-Length: ${body.length}\r\n${last}${body}`;
    for (let i = 0; i < 5; i++) expectProblem(await sendRaw(text), 413, 'body-too-large');
  });

  test('a request line over 10,240 bytes is a 431', async () => {
    const text = `GET ${PATH}?R=${'1'.repeat(10_240)} HTTP/1.1\r\nHost: a\r\n\r\n`;
    expectProblem(await sendRaw(text), 431, 'headers-too-large');
  });

  test.each([
    ['TRACE', `TRACE ${PATH} HTTP/1.1\r\nHost: a\r\n${last}`],
    ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n'],
    ['PROPFIND', `PROPFIND ${PATH} HTTP/1.1\r\nHost: a\r\n${last}`],
    ['DELETE', `DELETE ${PATH} HTTP/1.1\r\nHost: a\r\n${last}`],
  ])('%s is a 405 that names the methods', async (_, text) => {
    const answer = await sendRaw(text);
    expectProblem(answer, 405, 'method-not-allowed');
    expect(answer.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
  });
});

describe('a sender that waits with its body until it is asked', () => {
  const statusesAfter = async (head: string) => {
    const { port } = server.address() as AddressInfo;
    const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
    socket.write(`${head}\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      if (text === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write('{}');
    });
    await new Promise((resolve) => socket.once('close', resolve));
    return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  };
  const post = `POST ${PATH} HTTP/1.1\r\nContent-Length: `;

  test('is asked where the body is read', async () => {
    expect(await statusesAfter(`${post}2`)).toEqual([100, 400]);
  });

  test.each([
    ['a body that is too large', `${post}262145`, 413],
    ['a compressed one', `${post}2\r\nContent-Encoding: gzip`, 415],
    ['an address that is none', `${post}2`.replace(PATH, '/nothing'), 404],
    ['a method that is not taken', `${post}2`.replace('POST', 'PUT'), 405],
    ['a GET', `${post}2`.replace('POST', 'GET'), 200],
  ])('is not asked for %s', async (_, head, status) => {
    expect(await statusesAfter(head)).toEqual([status]);
  });
});

describe('requests that come one behind the other', () => {
  const get = `GET ${PATH}?R=1&G=2&B=3 HTTP/1.1\r\nHost: a\r\n\r\n`;
  const post = `POST ${PATH} HTTP/1.1\r\nHost: a\r\n`;
  const unknown = get.replace(PATH, '/nothing');

  test.each([
    ['one that is none', `${get}${unknown}hello\r\n\r\n`, [200, 404, 400]],
    ['CONNECT', `${get}CONNECT b:1 HTTP/1.1\r\nHost: b:1\r\n\r\n`, [200, 405]],
    ['a chunk of no size', `${get}${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, [200, 400]],
    ['more than its length', `${post}Content-Length: 2\r\n\r\n{}hello`, [400, 400]],
  ])('are answered in their order; the last is %s', async (_, text, statuses) => {
    const answers = (await textAfter(text)).matchAll(/HTTP\/1\.1 (\d+)/g);
    expect([...answers].map(([, status]) => Number(status))).toEqual(statuses);
  });

  test('are all answered, if the client then closes its side', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.end(get.repeat(20));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(20);
  });

  test('get one answer each, even if the body behind an answer is broken', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      socket.write('zz\r\n');
    });
    // The server may have closed its side by then.
    socket.on('error', () => {});
    socket.write(`${post.replace(PATH, '/nothing')}Transfer-Encoding: chunked\r\n\r\n`);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404']);
  });
});

describe('what Node would refuse, and we need not', () => {
  test.each([
    ['no Host header', `GET ${PATH}?R=1&G=2&B=3 HTTP/1.1\r\nConnection: close\r\n\r\n`],
    ['HTTP/1.0', `GET ${PATH}?R=1&G=2&B=3 HTTP/1.0\r\n\r\n`],
    [
      'an absolute address',
      `GET http://example.org${PATH}?R=1&G=2&B=3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    ],
    [
      'an Expect that nobody knows',
      `GET ${PATH}?R=1&G=2&B=3 HTTP/1.1\r\nHost: a\r\nExpect: more\r\nConnection: close\r\n\r\n`,
    ],
    [
      'an offer to upgrade',
      `GET ${PATH}?R=1&G=2&B=3 HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: upgrade, close\r\n\r\n`,
    ],
    [
      'a GET with a body',
      `GET ${PATH}?R=1&G=2&B=3 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nxyz`,
    ],
  ])('%s is answered', async (_, text) => {
    const { status, body } = await sendRaw(text);
    expect(status).toBe(200);
    expect(JSON.parse(body).params.rgb).toEqual([1, 2, 3]);
  });

  test('nothing of all this is a fault of ours', () => {
    expect(log).toEqual([]);
  });
});
