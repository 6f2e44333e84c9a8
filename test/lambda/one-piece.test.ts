import { beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type DatasetDeclaration, datasetBlock } from '../../src/block/block.ts';
import type { VersionFiles } from '../../src/formats/files.ts';
import type { Answer } from '../../src/http/answer.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { plainHandler } from '../../src/lambda/api-gateway-handler.ts';
import { textIn } from '../../src/lambda/block-function.ts';
import type { LambdaEnv } from '../../src/lambda/function-settings.ts';
import { lambdaHandler } from '../../src/lambda/lambda-handler.ts';
import { pageTooLong } from '../../src/query/answer-length.ts';
import { functionSettings } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { readParquet } from '../support/read-parquet.ts';
import { blockEvent } from './block-event.ts';

/** What Lambda may be handed: 6 MB, of which API Gateway has the rest. */
const MOST = 6_000_000;

const block = datasetBlock({
  ...{ id: 'tiny-id', name: 'tiny', title: 'Tiny', description: 'Made by a test.', examples: [] },
  fields: [
    { type: 'text', name: 'street', title: 'Street' },
    { type: 'number', name: 'number', title: 'Number' },
  ],
} satisfies DatasetDeclaration);

/** 10,000 rows: half of short texts, half of texts that JSON escapes, and then escapes again. */
const HALF = 5000;
const ROWS = Array.from({ length: 2 * HALF }, (_, number) => ({
  street: number < HALF ? `Elm ${'x'.repeat(1000)}` : '"'.repeat(420),
  number,
}));
const dataset = makeDataset(block, ROWS, { title: 't' });
const store = memoryRows(block.fields, dataset.rows);

/** Files that are somewhere, of each kind but Excel. */
const files: VersionFiles = {
  has: ({ format }) => format !== 'xlsx',
  bytesOf: () => undefined,
  open: async () => {
    throw new Error('No test opens one.');
  },
};

const handlerWith = (env: LambdaEnv, more: { readonly files?: VersionFiles } = {}) => {
  const runs: object[] = [];
  const settings = { ...functionSettings(env), record: (run: object) => void runs.push(run) };
  const served = serveDataset({ block, manifest: dataset.manifest, store }, more);
  return { runs, handler: lambdaHandler(served, { SERVICE_NAME: 'made', ...env }, settings) };
};
const { handler, runs } = handlerWith({ STREAMING: 'false' });
const ask = (query: Record<string, string>, httpMethod = 'GET') =>
  handler(blockEvent(query, httpMethod) as unknown as APIGatewayProxyEvent);
const responseBytes = (result: APIGatewayProxyResult) => Buffer.byteLength(JSON.stringify(result));
const linesIn = (result: APIGatewayProxyResult) => textIn(result).trimEnd().split('\n').length;

describe('where nothing is streamed, a whole file', () => {
  test('has all rows in one piece, if that fits', async () => {
    const csv = await ask({ _format: 'csv', number_max: String(HALF - 1) });
    expect([csv.statusCode, csv.isBase64Encoded, linesIn(csv)]).toEqual([200, false, 1 + HALF]);
    expect(responseBytes(csv)).toBeGreaterThan(5e6);
    expect(responseBytes(csv)).toBeLessThan(MOST);
  });

  test('is in base64 where JSON would make it too long', async () => {
    const lines = await ask({ _format: 'ndjson', number_min: String(HALF) });
    expect([lines.statusCode, lines.isBase64Encoded, linesIn(lines)]).toEqual([200, true, HALF]);
    expect(Buffer.byteLength(JSON.stringify(textIn(lines)))).toBeGreaterThan(MOST);
    expect(responseBytes(lines)).toBeLessThan(MOST);
  });

  test('is refused with ways on before it is read, if the import knows that it is too long', async () => {
    const before = runs.length;
    const refused = await ask({ _format: 'csv' });
    expect([refused.statusCode, JSON.parse(refused.body)]).toMatchObject([
      400,
      {
        code: 'result-too-large',
        detail: expect.stringMatching(
          /^10,000 rows match, about \d+ MB as CSV, and an answer has at most 6 MB here\. Ask for pages: with _limit=1000, .*_fields/,
        ),
      },
    ]);
    expect(runs.slice(before)).toMatchObject([{ status: 400, code: 'result-too-large' }]);
  });

  test('is refused as well where only its making shows that', async () => {
    const before = runs.length;
    // The import has counted the characters, and not what JSON makes of them once more.
    const refused = await ask({ _format: 'ndjson', _sort: '-number', number_min: '3600' });
    expect([refused.statusCode, JSON.parse(refused.body)]).toMatchObject([
      400,
      {
        code: 'result-too-large',
        detail: expect.stringMatching(
          /^6,400 rows match, more than 6 MB as NDJSON, and an answer has at most 6 MB here\. Ask for pages: with _limit=1000/,
        ),
      },
    ]);
    expect(runs.slice(before)).toMatchObject([{ status: 400, code: 'result-too-large' }]);
  });

  test('goes on by pages, of which each fits', async () => {
    const page = await ask({ _format: 'ndjson', _limit: '1000', number_min: String(HALF) });
    expect([page.statusCode, linesIn(page)]).toEqual([200, 1000]);
    expect(page.headers?.Link).toContain('rel="next"');
  });

  test('may be Parquet', async () => {
    const parquet = await ask({ _format: 'parquet' });
    expect([parquet.statusCode, parquet.isBase64Encoded]).toEqual([200, true]);
    const { rows } = await readParquet(Buffer.from(parquet.body, 'base64'));
    expect(rows).toHaveLength(ROWS.length);
  });

  test('has at most what answerMegabytes says', async () => {
    const { handler: lower } = handlerWith({ STREAMING: 'false', ANSWER_MEGABYTES: '2' });
    const event = blockEvent({ _format: 'csv', number_max: String(HALF - 1) });
    expect(JSON.parse((await lower(event as unknown as APIGatewayProxyEvent)).body).detail).toMatch(
      /an answer has at most 2 MB here/,
    );
  });
});

test('a part of a file that begins within a character has these bytes', async () => {
  const bytes = Buffer.from('name\r\né\r\n');
  const whole: VersionFiles = {
    bytesOf: () => bytes.length,
    open: async () => ({
      bytes: bytes.length,
      etag: '"an-etag"',
      async *read(from, to) {
        yield bytes.subarray(from, to);
      },
    }),
  };
  const { handler: withFile } = handlerWith({ STREAMING: 'false' }, { files: whole });
  const path = '/api_v2/blocks/tiny/files/current.csv';
  const event = { ...blockEvent({}), path, resource: path, headers: { range: 'bytes=7-9' } };
  const part = await withFile({
    ...event,
    multiValueHeaders: null,
  } as unknown as APIGatewayProxyEvent);
  expect([part.statusCode, part.isBase64Encoded]).toEqual([206, true]);
  expect(Buffer.from(part.body, 'base64')).toEqual(bytes.subarray(7, 10));
});

describe('what is too long to be answered', () => {
  const { handler: withFiles } = handlerWith({ STREAMING: 'false' }, { files });
  const get = (query: Record<string, string>, method = 'GET') =>
    withFiles(blockEvent(query, method) as unknown as APIGatewayProxyEvent);
  const { version } = dataset.manifest;

  test.each<[string, Record<string, string>]>([
    ['ndjson', { _format: 'ndjson' }],
    ['csv', { _format: 'csv', _raw: 'true' }],
  ])('leads to the file with the same bytes, where it is all rows: %s', async (end, query) => {
    for (const method of ['GET', 'HEAD']) {
      const { statusCode, headers } = await get(query, method);
      expect([statusCode, headers?.Location, headers?.['Cache-Control']]).toEqual([
        302,
        `../../api_v2/blocks/tiny/files/${version}.${end}`,
        'private, no-store',
      ]);
    }
    const keyed = await get({ ...query, api_key: 'k&1' });
    expect(keyed.headers?.Location).toMatch(/\?api_key=k%261$/);
  });

  test.each<[string, Record<string, string>]>([
    ['a filter', { _format: 'ndjson', number_min: '1' }],
    ['an order', { _format: 'ndjson', _sort: '-number' }],
    ['other texts than the file', { _format: 'csv' }],
    ['a mark before them', { _format: 'csv', _raw: 'true', _bom: 'true' }],
  ])('is refused as before, if it has %s', async (_, query) => {
    const { statusCode, body } = await get(query);
    expect([statusCode, JSON.parse(body).code]).toEqual([400, 'result-too-large']);
  });

  test('is refused in the words of old clients, which are led nowhere', async () => {
    const { statusCode, headers } = await get({ _format: 'ndjson', cache: '1' });
    expect([statusCode, headers?.Location]).toEqual([200, undefined]);
  });

  test('is refused where there is no such file', async () => {
    expect((await ask({ _format: 'ndjson' })).statusCode).toBe(400);
  });
});

describe('a page in one piece', () => {
  let answers: { readonly body: string; readonly problem: string | undefined }[];
  const handlerOf = (body: string) =>
    plainHandler(async (_event, _canStream, problem): Promise<Answer> => {
      answers.push({ body, problem: problem?.code });
      if (problem === undefined) return { status: 200, headers: {}, body };
      return { status: 400, headers: {}, body: problem.message };
    }, pageTooLong);
  beforeAll(() => {
    answers = [];
  });

  test('of any characters is handed over where one of the two ways fits', async () => {
    for (const body of ['\u0001'.repeat(4_400_000), '"'.repeat(4_400_000), 'é'.repeat(2_900_000)]) {
      const result = await handlerOf(body)({} as APIGatewayProxyEvent);
      expect([result.statusCode, textIn(result) === body]).toEqual([200, true]);
      expect(responseBytes(result)).toBeLessThan(MOST);
    }
  });

  test('that is too long is refused with ways on', async () => {
    const result = await handlerOf('x'.repeat(5_980_001))({} as APIGatewayProxyEvent);
    expect([result.statusCode, result.body]).toEqual([
      400,
      'The page is longer than the 6 MB that this service hands over at once. Ask for fewer rows with _limit, or for fewer fields with _fields.',
    ]);
    expect(answers.at(-1)?.problem).toBe('result-too-large');
  });
});
