import { PassThrough, type Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { memoryRows } from '../../src/columns/memory-rows.ts';
import { serveDataset } from '../../src/http/served-block.ts';
import { makeDataset } from '../../src/importer/import-dataset.ts';
import { eventOf } from '../../src/lambda/invoke-block.ts';
import { lambdaHandler } from '../../src/lambda/lambda-handler.ts';
import type { RowStore } from '../../src/query/row-store.ts';
import { tinyBlock } from '../support/tiny-block.ts';

const ROWS = 2500;
const dataset = makeDataset(
  tinyBlock,
  Array.from({ length: ROWS }, (_, number) => ({ street: `Street ${number}`, number })),
  { title: 't', publisher: 'p', license: 'l', date: '2026' },
);
const whole = memoryRows(tinyBlock.fields, dataset.rows);

type Handler = (event: unknown, stream: Writable, context: Context) => Promise<void>;

/** The parts of Lambda's runtime: a head goes before the first write, with eight zeros behind it. */
const runtime = {
  streamifyResponse: (handler: Handler) => handler,
  HttpResponseStream: {
    from: (stream: Writable, head: object) => {
      const write = stream.write.bind(stream) as (piece: unknown) => boolean;
      let isFirst = true;
      const withHead = (piece: unknown) => {
        if (isFirst) write(Buffer.concat([Buffer.from(JSON.stringify(head)), Buffer.alloc(8)]));
        isFirst = false;
        return write(piece);
      };
      return Object.assign(stream, { write: withHead });
    },
  },
};
const before = globalThis.awslambda;
beforeAll(() => {
  Object.assign(globalThis, { awslambda: runtime });
});
afterAll(() => {
  Object.assign(globalThis, { awslambda: before });
});

const handlerOf = (store: RowStore) =>
  lambdaHandler(
    serveDataset({ block: tinyBlock, manifest: dataset.manifest, store }),
    {},
  ) as unknown as Handler;

/** An event as API Gateway makes it. */
const getting = (query: Record<string, string>) => ({
  httpMethod: 'GET',
  path: '/api_v2/blocks/tiny',
  headers: {},
  multiValueQueryStringParameters: Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, [value]]),
  ),
  body: null,
  isBase64Encoded: false,
  requestContext: { path: '/prod/api_v2/blocks/tiny', domainName: 'here' },
});

async function streamed(event: unknown, store = whole) {
  const stream = new PassThrough();
  const read = buffer(stream);
  const context = {} as Context;
  await handlerOf(store)(event, stream, context);
  const bytes = await read;
  const end = bytes.indexOf(Buffer.alloc(8));
  return {
    head: end < 0 ? undefined : JSON.parse(bytes.subarray(0, end).toString()),
    body: bytes.subarray(end + 8).toString(),
    all: bytes.toString(),
    context,
  };
}

describe('a function that streams', () => {
  test('gives API Gateway its head, and then every row', async () => {
    const { head, body, context } = await streamed(getting({ _format: 'csv', _fields: 'number' }));
    expect([head.statusCode, head.headers['X-Total-Count'], head.headers.Link]).toEqual([
      200,
      String(ROWS),
      undefined,
    ]);
    expect(body.trim().split('\r\n')).toEqual([
      'number',
      ...Array.from({ length: ROWS }, (_, i) => `${i}`),
    ]);
    expect(context.callbackWaitsForEmptyEventLoop).toBe(false);
  });

  test('gives a whole answer too, and one without a body', async () => {
    const { head, body } = await streamed(getting({ number: '7' }));
    expect([head.statusCode, JSON.parse(body).params.total]).toEqual([200, 1]);
    const options = { ...getting({}), httpMethod: 'OPTIONS' };
    expect(await streamed(options)).toMatchObject({ head: { statusCode: 204 }, body: '' });
  });

  test('rejects where its store fails midway, so that Lambda breaks the answer off', async () => {
    const failing: RowStore = {
      read: (plan, budget) => whole.read(plan, budget),
      group: (...asked) => whole.group(...asked),
      async *rest() {
        yield ['{"street":"Street 1000","number":1000}'];
        throw new Error('broken');
      },
    };
    await expect(streamed(getting({ _format: 'csv' }), failing)).rejects.toThrow('broken');
  });

  test('gives calls of our own functions a result, and refuses what such a result cannot hold', async () => {
    const call = async (event: unknown): Promise<APIGatewayProxyResult> =>
      JSON.parse((await streamed(event)).all);
    const { statusCode, body } = await call(eventOf('tiny', '{"number":7}'));
    expect([statusCode, JSON.parse(body).params.total]).toEqual([200, 1]);
    const refused = await call(eventOf('tiny', '{"_format":"csv"}'));
    expect([refused.statusCode, JSON.parse(refused.body)]).toMatchObject([
      400,
      { code: 'result-too-large', errors: [{ pointer: '#/_limit' }] },
    ]);
    expect(await call({})).toMatchObject({ statusCode: 204 });
  });
});
