import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Body } from '../../src/http/answer.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { eventOf } from '../../src/lambda/block-function.ts';
import type { LambdaEnv } from '../../src/lambda/function-settings.ts';
import { lambdaHandler } from '../../src/lambda/lambda-handler.ts';
import { streamingHandler } from '../../src/lambda/streaming-handler.ts';
import type { RowStore } from '../../src/query/row-store.ts';
import { functionSettings } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { readParquet } from '../support/read-parquet.ts';
import { tinyBlock } from '../support/tiny-block.ts';
import { blockEvent } from './block-event.ts';

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

const handlerOf = (store: RowStore, env: LambdaEnv = {}) =>
  lambdaHandler(
    serveDataset({ block: tinyBlock, manifest: dataset.manifest, store }),
    { SERVICE_NAME: 'made', ...env },
    functionSettings(env),
  ) as unknown as Handler;

async function streamed(event: unknown, store = whole, env: LambdaEnv = {}) {
  const stream = new PassThrough();
  const read = buffer(stream);
  const context = {} as Context;
  await handlerOf(store, env)(event, stream, context);
  const bytes = await read;
  const end = bytes.indexOf(Buffer.alloc(8));
  return {
    head: end < 0 ? undefined : JSON.parse(bytes.subarray(0, end).toString()),
    bytes: bytes.subarray(end + 8),
    body: bytes.subarray(end + 8).toString(),
    all: bytes.toString(),
    context,
  };
}

/** The lines that a call writes. */
async function written(call: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const write = jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
  try {
    await call();
    return write.mock.calls.map(([text]) => JSON.parse(String(text)));
  } finally {
    write.mockRestore();
  }
}

describe('a function that streams', () => {
  test('gives API Gateway its head, and then every row', async () => {
    const { head, body, context } = await streamed(
      blockEvent({ _format: 'csv', _fields: 'number' }),
    );
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

  test('refuses a file that is longer than its deployment allows', async () => {
    const asked = blockEvent({ _format: 'csv' });
    expect((await streamed(asked, whole, { ANSWER_MEGABYTES: '0.1' })).head.statusCode).toBe(200);
    const { head, body } = await streamed(asked, whole, { ANSWER_MEGABYTES: '0.02' });
    expect([head.statusCode, JSON.parse(body).code]).toEqual([400, 'result-too-large']);
  });

  test('gives it Parquet as bytes, with every row', async () => {
    const { head, bytes } = await streamed(blockEvent({ _format: 'parquet', _fields: 'number' }));
    expect(head.headers).toMatchObject({
      'Content-Type': 'application/vnd.apache.parquet',
      'X-Total-Count': String(ROWS),
    });
    const { rows } = await readParquet(bytes);
    expect(rows).toEqual(Array.from({ length: ROWS }, (_, number) => ({ number })));
  });

  test('gives a whole answer too, and one without a body', async () => {
    const { head, body } = await streamed(blockEvent({ number: '7' }));
    expect([head.statusCode, JSON.parse(body).params.total]).toEqual([200, 1]);
    const options = { ...blockEvent({}), httpMethod: 'OPTIONS' };
    expect(await streamed(options)).toMatchObject({ head: { statusCode: 204 }, body: '' });
  });

  test('rejects where its store fails midway, so that Lambda breaks the answer off', async () => {
    const failing: RowStore = {
      read: (query, budget) => whole.read(query, budget),
      group: (...asked) => whole.group(...asked),
      async *rest() {
        yield ['{"street":"Street 1000","number":1000}'];
        throw new Error('broken');
      },
    };
    const lines = await written(async () => {
      await expect(streamed(blockEvent({ _format: 'csv' }), failing)).rejects.toThrow('broken');
    });
    const line: Record<string, unknown> =
      lines.find(({ message }) => message === 'broken stream') ?? {};
    expect(line).toMatchObject({ level: 'ERROR', block: 'tiny', runId: expect.any(String) });
    expect(line.sentBytes).toBeGreaterThan(0);
    expect(line.cause).toContain('broken');
    // The run itself was a 200: this metric alone counts it.
    expect(lines.filter((one) => one.BrokenStreams === 1)).toHaveLength(1);
    const well = await written(() => streamed(blockEvent({ _format: 'csv' })));
    expect(well.filter((one) => 'BrokenStreams' in one)).toEqual([]);
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
    const parquet = await call(eventOf('tiny', '{"_format":"parquet","_limit":2}'));
    expect(parquet).toMatchObject({ statusCode: 200, isBase64Encoded: true });
    const { rows } = await readParquet(Buffer.from(parquet.body, 'base64'));
    expect(rows.map(({ number }) => number)).toEqual([0, 1]);
    expect(await call(eventOf('tiny', '{"_format":"parquet"}'))).toMatchObject({
      statusCode: 400,
      isBase64Encoded: false,
    });
    expect(await call({})).toMatchObject({ statusCode: 204 });
  });
});

describe('a reader', () => {
  const KIB = 1024;
  /** A clock that goes on by itself only where somebody is waited for. */
  const clock = () => {
    let time = 0;
    return {
      now: () => time,
      pass: (ms: number) => {
        time += ms;
      },
    };
  };

  /**
   * What becomes of a function whose reader takes a piece of 64 KiB in so long; undefined for one
   * that takes nothing.
   */
  async function readBy(
    body: Body,
    { everyMs }: { everyMs: number | undefined },
    time = clock(),
    stalledMs = 30_000,
  ) {
    let taken = 0;
    const stream = new Writable({
      highWaterMark: KIB,
      write: (piece, _, next) => {
        taken += piece.length;
        if (everyMs === undefined) return;
        setImmediate(() => {
          time.pass(everyMs);
          next();
        });
      },
    });
    let ends = 0;
    const handler = streamingHandler(
      async () => ({ status: 200, headers: { 'X-Run-Id': 'r' }, body }),
      async () => ({ statusCode: 500, body: '' }),
      { stalledMs, now: time.now, end: () => ends++ },
    ) as unknown as Handler;
    const rejected = await handler(blockEvent({}), stream, {} as Context).then(
      () => false,
      () => true,
    );
    return { taken, ends, rejected };
  }

  async function* pieces(count: number, bytes: number, making = () => {}) {
    for (let i = 0; i < count; i++) {
      making();
      yield Buffer.alloc(bytes);
    }
  }
  const whole = { ends: 0, rejected: false };

  test('who takes 32 KiB a second gets all of it, however long that takes', async () => {
    const read = await readBy(pieces(600, 64 * KIB), { everyMs: 2000 });
    expect(read).toMatchObject(whole);
    expect(read.taken).toBeGreaterThan(600 * 64 * KIB);
  });

  test('who takes less may take a minute more, and then frees the function', async () => {
    const slow = await readBy(pieces(600, 64 * KIB), { everyMs: 4000 });
    expect(slow).toMatchObject({ ends: 1, rejected: true });
    // A minute is over after 30 pieces that take 2 s longer than they may.
    expect(slow.taken / (64 * KIB)).toBeGreaterThan(28);
    expect(slow.taken / (64 * KIB)).toBeLessThan(34);
    expect(await readBy(pieces(20, 64 * KIB), { everyMs: 4000 })).toMatchObject(whole);
  });

  test('is as slow with an answer that is whole', async () => {
    const body = 'x'.repeat(4 * KIB * KIB);
    expect(await readBy(body, { everyMs: 10_000 })).toMatchObject({ ends: 1, rejected: true });
    expect(await readBy(body, { everyMs: 1000 })).toMatchObject(whole);
  });

  test('who takes nothing at all frees the function too', async () => {
    const none = { everyMs: undefined };
    const ended = { ends: 1, rejected: true };
    expect(await readBy(pieces(600, 64 * KIB), none, clock(), 5)).toMatchObject(ended);
    expect(await readBy('{}', none, clock(), 5)).toMatchObject(ended);
  });

  test('is not to blame for the time in which we make his answer', async () => {
    const time = clock();
    const slowlyMade = pieces(20, 64 * KIB, () => time.pass(30_000));
    expect(await readBy(slowlyMade, { everyMs: 1000 }, time)).toMatchObject(whole);
  });
});
