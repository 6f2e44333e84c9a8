import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  DeleteItemCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  PutItemCommand,
  type QueryCommandInput,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import type { GetAliasCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Uint8ArrayBlobAdapter } from '@smithy/core/serde';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type DatasetDeclaration, datasetBlock } from '../../src/block/block.ts';
import { firstAnswer, firstExample } from '../../src/build/build-block.ts';
import { DEFAULT_CACHE_BYTES } from '../../src/columns/column-cache.ts';
import { memoryRows } from '../../src/columns/memory-rows.ts';
import { checkRows } from '../../src/dynamodb/check-table.ts';
import { createClient, seedTable, tableName } from '../../src/dynamodb/client.ts';
import { directoryKey, HEAD_KEY } from '../../src/dynamodb/column-items.ts';
import { ID, type Item, idOf, SHARD } from '../../src/dynamodb/item.ts';
import { ReadClient, type TableReads, type TableScans } from '../../src/dynamodb/read-client.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serveValue } from '../../src/http/served-block.ts';
import type { LambdaHandler } from '../../src/lambda/api-gateway-handler.ts';
import { eventOf } from '../../src/lambda/block-function.ts';
import {
  checkVersion,
  type FirstAnswer,
  firstAnswerIn,
  isAsExpected,
  type NewVersion,
} from '../../src/lambda/check-version.ts';
import { datasetHandler } from '../../src/lambda/dataset-handler.ts';
import { lambdaHandler } from '../../src/lambda/lambda-handler.ts';
import { type EmbeddedDynamodb, startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { AMPLE_MS, functionSettings, SETTINGS } from '../support/ample.ts';
import { datasetItems, makeDataset } from '../support/datasets.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';

const declared: DatasetDeclaration = {
  id: 'trees-id',
  name: 'trees',
  title: 'Trees',
  description: 'Made by a test.',
  fields: [
    { type: 'text', name: 'kind', title: 'Kind', indexed: true },
    { type: 'number', name: 'height', title: 'Height' },
  ],
  examples: [{ title: 'Tall ones', arguments: { height_min: 20 } }],
};
const block = datasetBlock(declared);
// Some have no kind, or one without a key, so that the index has fewer rows than the table.
const ROWS = Array.from({ length: 60 }, (_, i) => ({
  kind: i % 20 === 9 ? null : i % 15 === 1 ? '\u00ad' : `kind ${i % 7}`,
  height: i,
}));
const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };
// Several shards, so that a count has several to add up.
const dataset = makeDataset(block, ROWS, SOURCE, { bytesOfShard: 900 });
const { manifest, rows } = dataset;
const served = serveDataset({
  block,
  manifest,
  store: memoryRows(block.fields, rows),
});

let emulator: EmbeddedDynamodb;
let client: DynamoDBClient;
let reader: ReadClient;
let environment: Record<string, string>;
beforeAll(async () => {
  emulator = await startEmbeddedDynamodb();
  client = createClient({ ...emulator, requestTimeout: AMPLE_MS });
  reader = new ReadClient({ ...emulator, requestTimeout: AMPLE_MS });
  const folder = await temporaryFolder();
  environment = {
    TABLE_NAME: tableName(manifest),
    DATASET_MANIFEST: path.join(folder, 'manifest.json'),
    BLOCK: path.join(folder, 'block.json'),
    DYNAMODB_ENDPOINT: emulator.endpoint,
  };
  await writeFile(environment.DATASET_MANIFEST as string, JSON.stringify(manifest));
  await writeFile(environment.BLOCK as string, JSON.stringify(declared));
});
afterAll(async () => {
  client?.destroy();
  reader?.destroy();
  await emulator?.stop();
  await cleanUp();
});
async function deleteTable(): Promise<void> {
  const TableName = tableName(manifest);
  await client.send(new DeleteTableCommand({ TableName })).catch(() => {});
  await waitUntilTableNotExists({ client, maxWaitTime: 60, minDelay: 0.05 }, { TableName });
}

beforeEach(async () => {
  await deleteTable();
  await seedTable(client, dataset);
});

const rowItems = [...datasetItems(dataset)];
const itemAt = (position: number) => rowItems[position] as Item;
const keyOf = (position: number) => ({
  [SHARD]: itemAt(position)[SHARD] as { S: string },
  [ID]: { S: idOf(position) },
});

/** A new version of the block's function, and its table. */
const NEW: NewVersion = {
  block: 'trees',
  functionName: 'f',
  version: 'arn:aws:lambda:us-east-1:123456789012:function:f:2',
  alias: 'live',
  table: '',
};
const named = (name: string, message = name) => Object.assign(new Error(message), { name });

type Sent = GetAliasCommand | InvokeCommand;
/** A Lambda with this function, whose calls go wrong as `faults` say, in their order. */
function lambdaOf(handler: LambdaHandler, { live = '1', faults = [] as unknown[] } = {}) {
  const calls: string[] = [];
  const send = async (command: Sent) => {
    const { input } = command;
    calls.push(command.constructor.name);
    const fault = faults.shift();
    if (fault instanceof Error) throw fault;
    if (command.constructor.name === 'GetAliasCommand') {
      if (live === '') throw named('ResourceNotFoundException');
      return { FunctionVersion: live };
    }
    const { Payload, FunctionName } = input as InvokeCommand['input'];
    expect(FunctionName).toBe(NEW.version);
    const answered = fault ?? (await handler(JSON.parse(String(Payload))));
    return { Payload: Uint8ArrayBlobAdapter.fromString(JSON.stringify(answered)) };
  };
  return { lambda: { send } as unknown as LambdaClient, calls };
}

async function check(
  cacheBytes: number,
  more: { live?: string; faults?: unknown[]; handler?: LambdaHandler } = {},
) {
  const env = { ...environment, COLUMN_CACHE_BYTES: String(cacheBytes) };
  const { lambda, calls } = lambdaOf(
    more.handler ?? datasetHandler(import.meta.url, env, functionSettings(env)),
    more,
  );
  const waits: number[] = [];
  const wait = async (ms: number) => waits.push(ms);
  const expected = {
    example: firstExample(block),
    answer: await firstAnswer(served),
    manifest,
  };
  await checkVersion(
    { ...NEW, table: tableName(manifest) },
    expected,
    { lambda, dynamodb: reader, wait },
    new AbortController().signal,
  );
  return { calls, waits };
}

describe.each([
  ['in memory', DEFAULT_CACHE_BYTES],
  ['in the table', 0],
])('a new version whose rows are read %s', (_, cacheBytes) => {
  test('passes where all is as it was built', async () => {
    const { calls, waits } = await check(cacheBytes);
    expect(calls).toEqual(['GetAliasCommand', 'InvokeCommand', 'InvokeCommand']);
    expect(waits).toEqual([]);
  });

  test('passes where there is no alias yet', async () => {
    await check(cacheBytes, { live: '' });
  });

  test('fails where a row is missing, and tells both numbers', async () => {
    await client.send(new DeleteItemCommand({ TableName: tableName(manifest), Key: keyOf(3) }));
    await expect(check(cacheBytes)).rejects.toThrow(
      /^The table has 59 rows; the dataset has 60\.$/,
    );
  });

  test('fails where a row is too many', async () => {
    const Item = { ...itemAt(3), [ID]: { S: idOf(999) } };
    await client.send(new PutItemCommand({ TableName: tableName(manifest), Item }));
    await expect(check(cacheBytes)).rejects.toThrow(
      /^The table has 61 rows; the dataset has 60\.$/,
    );
  });

  test('fails where a column is missing', async () => {
    const Key = directoryKey('height');
    await client.send(new DeleteItemCommand({ TableName: tableName(manifest), Key }));
    await expect(check(cacheBytes)).rejects.toThrow(/^The table has no item .*column\/height/);
  });

  test('fails where a column is another', async () => {
    const column = dataset.items.find((item) => item[SHARD]?.S === 'column/height') as Item;
    const B = Buffer.from(column.data?.B as Uint8Array);
    B.writeUInt8(B.readUInt8(3) ^ 1, 3);
    const Item = { ...column, data: { B } };
    await client.send(new PutItemCommand({ TableName: tableName(manifest), Item }));
    await expect(check(cacheBytes)).rejects.toThrow('Chunk 0 of the column height is damaged.');
  });

  test('fails where the head is missing', async () => {
    await client.send(new DeleteItemCommand({ TableName: tableName(manifest), Key: HEAD_KEY }));
    await expect(check(cacheBytes)).rejects.toThrow(/^The table has no head\.$/);
  });

  test.each([
    ['the head', 'head'],
    ['a column with as many rows', 'column/height'],
  ])('fails where %s is of another version', async (_, shard) => {
    const taller = ROWS.map((row) => ({ ...row, height: row.height + 1 }));
    const other = makeDataset(block, taller, SOURCE, { bytesOfShard: 900 });
    const Item = other.items.find((item) => item[SHARD]?.S === shard) as Item;
    await client.send(new PutItemCommand({ TableName: tableName(manifest), Item }));
    await expect(check(cacheBytes)).rejects.toThrow(
      `The item ${shard} ${Item[ID]?.S} is of version ${other.manifest.version}; expected ${manifest.version}.`,
    );
  });

  test('fails where an index lacks a row that the table has', async () => {
    const { 'kind~key': _, ...Item } = itemAt(3);
    await client.send(new PutItemCommand({ TableName: tableName(manifest), Item }));
    await expect(check(cacheBytes)).rejects.toThrow(
      /^The index by-kind has 52 rows; the dataset has 53\.$/,
    );
  });

  test('fails where an answer is another, and shows both', async () => {
    const handler = datasetHandler(import.meta.url, environment, functionSettings(environment));
    const other: LambdaHandler = async (event) => {
      const result = await handler(event);
      return { ...result, body: result.body?.replace('"height":22', '"height":22.5') };
    };
    await expect(check(cacheBytes, { handler: other })).rejects.toThrow(
      /^The first example of trees answers .*22\.5.*; expected .*22/,
    );
  });

  test('fails where there is no table', async () => {
    await deleteTable();
    await expect(check(cacheBytes)).rejects.toThrow('resource not found');
  });
});

const answering = (...answers: readonly (readonly [number, string])[]): LambdaHandler => {
  const rest = [...answers];
  return async (event) => {
    if (event.httpMethod === undefined) return { statusCode: 204, body: '' };
    const [statusCode, body] = rest.shift() ?? [500, 'no answer is left'];
    return { statusCode, body };
  };
};

describe('the check of a new version', () => {
  const LOADING = [503, '{"code":"store-unavailable"}'] as const;
  const well = async () => {
    const { rows = [], isCut } = await firstAnswer(served);
    const params = { results: rows.map((row) => JSON.parse(row)), next: isCut ? 'more' : null };
    return [200, JSON.stringify({ params })] as const;
  };

  test('asks again while the version loads its data, which it does while it is called', async () => {
    const handler = answering(LOADING, LOADING, LOADING, await well());
    const { calls, waits } = await check(0, { handler });
    expect([calls.length, waits.length]).toEqual([6, 3]);
  });

  test('does not ask again where the example is refused', async () => {
    const handler = answering([400, '{"code":"invalid-arguments"}'], await well());
    await expect(check(0, { handler })).rejects.toThrow(
      'The first example of trees is answered 400: {"code":"invalid-arguments"}',
    );
  });

  test('waits for permission, which IAM takes seconds to know of, and for what AWS cannot do just now', async () => {
    const faults = [
      named('AccessDeniedException'),
      named('TooManyRequestsException'),
      named('ResourceConflictException', 'The function is in state Pending'),
      named('TimeoutError'),
    ];
    const { calls, waits } = await check(0, { faults });
    expect([calls.length, waits.length]).toEqual([7, 4]);
  });

  test('does not wait for anything else', async () => {
    const faults = [undefined, named('InvalidRuntimeException', 'broken')];
    await expect(check(0, { faults })).rejects.toThrow('broken');
  });

  test('fails where the function does, with its own words', async () => {
    const handler = async () => ({ statusCode: 204, body: '' });
    const { lambda } = lambdaOf(handler);
    const { send } = lambda as unknown as { send: (command: Sent) => Promise<object> };
    const failing = async (command: Sent) => ({
      ...(await send(command)),
      ...(command.constructor.name === 'InvokeCommand'
        ? {
            FunctionError: 'Unhandled',
            Payload: Uint8ArrayBlobAdapter.fromString('{"errorMessage":"This handler is broken."}'),
          }
        : {}),
    });
    await expect(
      checkVersion(
        NEW,
        { example: {}, answer: {} },
        { lambda: { send: failing } as unknown as LambdaClient, dynamodb: reader },
        new AbortController().signal,
      ),
    ).rejects.toThrow('This handler is broken.');
  });

  test('leaves alone the version that is live: a deployment that is undone comes to it again', async () => {
    await deleteTable();
    const { calls } = await check(0, { live: '2' });
    expect(calls).toEqual(['GetAliasCommand']);
  });
});

describe('counting the rows of a table', () => {
  const table = () => ({ client: reader, name: tableName(manifest), manifest });
  const patience = () => ({
    isPassing: ({ name }: Error) => name === 'ThrottlingException',
    signal: new AbortController().signal,
    wait: async () => {},
  });

  test('finds them all, over several shards', async () => {
    await expect(checkRows(table(), patience())).resolves.toBeUndefined();
  });

  test.each([0, 30, 59])('finds that row %i is missing', async (position) => {
    await client.send(
      new DeleteItemCommand({ TableName: tableName(manifest), Key: keyOf(position) }),
    );
    await expect(checkRows(table(), patience())).rejects.toThrow(
      'The table has 59 rows; the dataset has 60.',
    );
  });

  /** A table of one shard, which answers with these in turn. */
  const paged = (...pages: (object | Error)[]) => {
    const starts: unknown[] = [];
    const query = async (input: QueryCommandInput) => {
      starts.push(input.ExclusiveStartKey);
      const page = pages.shift();
      if (page instanceof Error) throw page;
      return page;
    };
    const counted = {
      client: { query } as unknown as TableReads & TableScans,
      name: 'table',
      manifest: { rows: 3, rowsPerShard: 3 },
    };
    return { counted, starts };
  };

  test('follows a shard that DynamoDB gives in several pages to its end', async () => {
    const [a, b] = [{ a: { S: 'b' } }, { a: { S: 'c' } }];
    const { counted, starts } = paged(
      { Count: 2, LastEvaluatedKey: a },
      { Count: 0, LastEvaluatedKey: b },
      { Count: 1 },
    );
    await checkRows(counted, patience());
    expect(starts).toEqual([undefined, a, b]);
  });

  test('outlasts a table that throttles, and goes on where it was', async () => {
    const throttled = Array.from({ length: 40 }, () => named('ThrottlingException'));
    const LastEvaluatedKey = { a: { S: 'b' } };
    const { counted, starts } = paged({ Count: 2, LastEvaluatedKey }, ...throttled, { Count: 1 });
    await checkRows(counted, patience());
    expect(starts).toEqual([undefined, ...Array(41).fill(LastEvaluatedKey)]);
  });

  test('does not outlast what will not pass', async () => {
    const { counted } = paged(named('ValidationException'), { Count: 3 });
    await expect(checkRows(counted, patience())).rejects.toThrow('ValidationException');
  });
});

describe('a first answer', () => {
  const rows = (some: readonly string[], isCut: boolean) => ({ rows: some, isCut });
  const all = ['{"a":1}', '{"a":2}'];

  test('that is a page which DynamoDB cut is taken for the beginning of what is expected, and nothing else', () => {
    const expected = rows(all, false);
    expect(isAsExpected(rows(all.slice(0, 1), true), expected)).toBe(true);
    expect(isAsExpected(rows([], true), expected)).toBe(true);
    expect(isAsExpected(rows(all.slice(0, 1), false), expected)).toBe(false);
    expect(isAsExpected(rows(['{"a":3}'], true), expected)).toBe(false);
    expect(isAsExpected(rows(all, false), expected)).toBe(true);
    expect(isAsExpected(rows(all, false), rows(all, true))).toBe(false);
  });

  test('is the same when it is run and when it is read in what a POST is answered', async () => {
    const { body } = await lambdaHandler(
      served,
      {},
      SETTINGS,
    )({
      ...eventOf('trees', JSON.stringify(firstExample(block))),
    } as unknown as APIGatewayProxyEvent);
    expect(firstAnswerIn(body)).toEqual(await firstAnswer(served));
  });

  test('of a value is the whole of it', async () => {
    const value = (name: string) =>
      serveValue({ ...block, answers: 'value' }, () => ({ name, distance: 0 }));
    const [red, rot] = await Promise.all(['red', 'rot'].map((name) => firstAnswer(value(name))));
    expect(firstAnswerIn('{"params":{"name":"red","distance":0},"_errors":[]}')).toEqual(red);
    expect(isAsExpected(red as FirstAnswer, red as FirstAnswer)).toBe(true);
    expect(isAsExpected(rot as FirstAnswer, red as FirstAnswer)).toBe(false);
  });
});
