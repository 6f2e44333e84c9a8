import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { type ClientSettings, ReadClient } from '../../src/dynamodb/read-client.ts';
import { AMPLE_MS } from '../support/ample.ts';

type Answer = (response: ServerResponse) => void;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A client of a DynamoDB that answers so, and what that DynamoDB has noticed. */
async function clientOf(answer: Answer, settings: ClientSettings = {}) {
  const noticed = { attempts: 0, connections: 0 };
  const server = createServer((_, response) => {
    noticed.attempts++;
    answer(response);
  });
  server.on('connection', () => noticed.connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new ReadClient({ requestTimeout: AMPLE_MS, ...settings, endpoint });
  stops.push(async () => {
    client.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { client, noticed };
}

const queryOf = (client: ReadClient, signal = new AbortController().signal) =>
  client.query({ TableName: 't' }, signal);

const EMPTY = '{"Items":[],"Count":0}';

/** Answers from the n-th attempt on; before that, does something else. */
const answersAt =
  (n: number, before: Answer): Answer =>
  (response) => {
    if (--n > 0) before(response);
    else response.end(EMPTY);
  };

/** As often as a busy machine takes too long for an answer that comes at once. */
const IMPATIENT = { requestTimeout: 500, mostAttempts: Number.POSITIVE_INFINITY };

test.each<[string, Answer, ClientSettings]>([
  [
    'whose connection is cut in the middle',
    (response) => {
      response.writeHead(200, { 'content-length': EMPTY.length });
      response.write(EMPTY.slice(0, 5), () => response.destroy());
    },
    {},
  ],
  ['whose connection is cut before it', (response) => void response.destroy(), {}],
  [
    'that DynamoDB throttles',
    (response) => {
      response.writeHead(400);
      response.end('{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException"}');
    },
    {},
  ],
  [
    'that DynamoDB fails to give',
    (response) => {
      response.writeHead(500);
      response.end('{"__type":"InternalServerError"}');
    },
    {},
  ],
  ['that does not begin in time', () => {}, IMPATIENT],
  [
    'whose bytes arrive too slowly',
    (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(timer));
    },
    IMPATIENT,
  ],
])('an answer %s is given up, and asked for again', async (_, before, settings) => {
  const { client, noticed } = await clientOf(answersAt(2, before), settings);
  expect(await queryOf(client)).toMatchObject({ Count: 0 });
  expect(noticed.attempts).toBeGreaterThan(1);
});

test('a read that DynamoDB throttles each time is asked for three times', async () => {
  const { client, noticed } = await clientOf((response) => {
    response.writeHead(400);
    response.end('{"__type":"ProvisionedThroughputExceededException"}');
  });
  await expect(queryOf(client)).rejects.toThrow(
    expect.objectContaining({ name: 'ProvisionedThroughputExceededException' }),
  );
  expect(noticed.attempts).toBe(3);
});

test('a read that DynamoDB refuses is not asked for again', async () => {
  const { client, noticed } = await clientOf((response) => {
    response.writeHead(400);
    response.end('{"__type":"ValidationException"}');
  });
  await expect(queryOf(client)).rejects.toThrow(
    expect.objectContaining({ name: 'ValidationException' }),
  );
  expect(noticed.attempts).toBe(1);
});

test('an answer without end is given up at a bound of its bytes, and not asked for again', async () => {
  let bytes = 0;
  const { client, noticed } = await clientOf((response) => {
    const piece = Buffer.alloc(2 ** 20, ' ');
    const write = () => {
      while (!response.destroyed && bytes < 2 ** 28) {
        bytes += piece.length;
        if (!response.write(piece)) return;
      }
      response.end();
    };
    response.on('drain', write);
    write();
  });
  await expect(queryOf(client)).rejects.toThrow('The answer is over 33554432 bytes.');
  expect(noticed.attempts).toBe(1);
  expect(bytes).toBeLessThan(2 ** 28);
});

test.each<[string, (response: ServerResponse, abort: () => void) => void]>([
  ['before its answer', (_, abort) => abort()],
  // More than fits in between, so that a part has been read.
  [
    'in the middle of its answer',
    (response, abort) => response.write(Buffer.alloc(2 ** 24), abort),
  ],
])('a signal ends a read %s, with its connection, and nothing is asked again', async (_, until) => {
  const aborted = new AbortController();
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const { client, noticed } = await clientOf((response) => {
    response.once('close', close);
    until(response, () => aborted.abort());
  });
  await expect(queryOf(client, aborted.signal)).rejects.toThrow();
  await closed;
  expect(noticed.attempts).toBe(1);
});

test('reads one after another share a connection, and many at once have 50 at most', async () => {
  const waiting: ServerResponse[] = [];
  const one = await clientOf((response) => void response.end(EMPTY));
  for (let i = 0; i < 5; i++) await queryOf(one.client);
  expect(one.noticed).toMatchObject({ attempts: 5, connections: 1 });
  const many = await clientOf((response) => {
    waiting.push(response);
    if (waiting.length >= 50) for (const each of waiting) each.end(EMPTY);
  });
  const answers = await Promise.all(Array.from({ length: 120 }, () => queryOf(many.client)));
  expect(answers).toHaveLength(120);
  expect(many.noticed.connections).toBe(50);
});
