import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  type QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { datasetBlock } from '../../src/core/block.ts';
import { Refusal } from '../../src/core/errors.ts';
import { DEFAULT_RESIDENT_BYTES } from '../../src/core/query-plan.ts';
import { checkRows } from '../../src/dynamodb/check-rows.ts';
import { createClient } from '../../src/dynamodb/client.ts';
import { deleteTable, seedTable, tableName } from '../../src/dynamodb/seed-table.ts';
import { ID, idOf, SHARD } from '../../src/dynamodb/table-shape.ts';
import { serveDataset, serveValue } from '../../src/http/serve-block.ts';
import { makeDataset } from '../../src/importer/import-dataset.ts';
import { datasetHandler } from '../../src/lambda/dataset-handler.ts';
import { firstAnswer, selfCheck, withSelfCheck } from '../../src/lambda/self-check.ts';
import { type EmbeddedDynamodb, startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { residentStore } from '../../src/resident/resident-store.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';

const block = datasetBlock({
  id: 'trees-id',
  name: 'trees',
  title: 'Trees',
  description: 'Made by a test.',
  fields: [
    { kind: 'text', name: 'kind', title: 'Kind', indexed: true },
    { kind: 'range', name: 'height', title: 'Height' },
  ],
  examples: [{ title: 'Tall ones', arguments: { height_min: 20 } }],
});
const ROWS = Array.from({ length: 60 }, (_, i) => ({ kind: `kind ${i % 7}`, height: i }));
const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };
// Several shards, so that a count has several to add up.
const dataset = makeDataset(block, ROWS, SOURCE, { shardBytes: 900 });
const { facts, items, rows } = dataset;
const served = serveDataset({
  block,
  facts,
  residentBytes: Number.POSITIVE_INFINITY,
  store: residentStore(block.fields, rows),
});

let embedded: EmbeddedDynamodb;
let client: DynamoDBClient;
let environment: Record<string, string>;
beforeAll(async () => {
  embedded = await startEmbeddedDynamodb();
  client = createClient({ endpoint: embedded.endpoint });
  const folder = await temporaryFolder();
  environment = {
    TABLE_NAME: tableName(facts),
    DATASET_FACTS: path.join(folder, 'facts.json'),
    FIRST_ANSWER: path.join(folder, 'first-answer.json'),
    DYNAMODB_ENDPOINT: embedded.endpoint,
  };
  await writeFile(environment.DATASET_FACTS as string, JSON.stringify(facts));
  const expected = await firstAnswer(served);
  await writeFile(environment.FIRST_ANSWER as string, JSON.stringify(expected));
});
afterAll(async () => {
  client?.destroy();
  await embedded?.stop();
  await cleanUp();
});
beforeEach(async () => {
  await deleteTable(client, tableName(facts));
  await seedTable(client, { facts, fields: block.fields, items });
});

const itemAt = (position: number) => items[position] as (typeof items)[number];
const keyOf = (position: number) => ({
  [SHARD]: itemAt(position)[SHARD] as { S: string },
  [ID]: { S: idOf(position) },
});

/** What a deployment does with a new version: it calls it, with no event. */
const check = (residentBytes: number) =>
  datasetHandler(block, { ...environment, RESIDENT_BYTES: String(residentBytes) })(
    {} as APIGatewayProxyEvent,
  );

describe.each([
  ['in memory', DEFAULT_RESIDENT_BYTES],
  ['in the table', 0],
])('a new version whose rows are read %s', (_, residentBytes) => {
  test('passes where all is as it was built', async () => {
    await expect(check(residentBytes)).resolves.toMatchObject({ statusCode: 204 });
  });

  test('fails where a row is missing, and tells both numbers', async () => {
    await client.send(new DeleteItemCommand({ TableName: tableName(facts), Key: keyOf(3) }));
    await expect(check(residentBytes)).rejects.toThrow(
      /^The table has (?:\d+ rows; the dataset has 60|no row \d+)\.$/,
    );
  });

  test('fails where a row is too many', async () => {
    const Item = { ...itemAt(3), [ID]: { S: idOf(999) } };
    await client.send(new PutItemCommand({ TableName: tableName(facts), Item }));
    await expect(check(residentBytes)).rejects.toThrow(
      /^The table has (?:\d+ rows; the dataset has 60|no row \d+)\.$/,
    );
  });

  test('fails where a value is another, and shows both answers', async () => {
    const Item = { ...itemAt(22), height: { N: '22.5' } };
    await client.send(new PutItemCommand({ TableName: tableName(facts), Item }));
    await expect(check(residentBytes)).rejects.toThrow(
      /^The first example of trees answers .*22\.5.*; expected .*22/,
    );
  });

  test('fails where there is no table', async () => {
    await deleteTable(client, tableName(facts));
    await expect(check(residentBytes)).rejects.toThrow('resource not found');
  });
});

describe('counting the rows of a table', () => {
  const table = () => ({ client, name: tableName(facts), block, facts });
  const count = () => checkRows(table(), AbortSignal.timeout(5000));

  test('finds them all, over several shards', async () => {
    await expect(count()).resolves.toBeUndefined();
  });

  test.each([0, 30, 59])('finds that row %i is missing', async (position) => {
    await client.send(new DeleteItemCommand({ TableName: tableName(facts), Key: keyOf(position) }));
    const { cause } = (await count().catch((error) => error)) as Refusal;
    expect(cause).toEqual(new Error('The table has 59 rows; the dataset has 60.'));
  });
});

test('a shard that DynamoDB gives in several pages is counted to its end', async () => {
  const pages = [
    { Count: 2, LastEvaluatedKey: { a: { S: 'b' } } },
    { Count: 0, LastEvaluatedKey: { a: { S: 'c' } } },
    { Count: 1 },
  ];
  const starts: unknown[] = [];
  const paged = {
    send: async ({ input }: QueryCommand) => {
      starts.push(input.ExclusiveStartKey);
      return pages.shift();
    },
  } as unknown as DynamoDBClient;
  const one = { ...facts, rows: 3, rowsPerShard: 3 };
  await checkRows({ client: paged, name: 'table', block, facts: one }, AbortSignal.timeout(1000));
  expect(starts).toEqual([undefined, { a: { S: 'b' } }, { a: { S: 'c' } }]);
});

describe('the check', () => {
  const denied = Object.assign(new Error('not yet'), { name: 'AccessDeniedException' });
  const refusal = new Refusal('store-unavailable', 'Try again.', { cause: denied });

  test('waits for leave to read the table, which IAM takes seconds to know of', async () => {
    const outcomes = [refusal, denied];
    const checkData = async () => {
      const outcome = outcomes.shift();
      if (outcome !== undefined) throw outcome;
    };
    const expected = await firstAnswer(served);
    await selfCheck({ served, expected, checkData })();
    expect(outcomes).toEqual([]);
  });

  test('does not wait for anything else', async () => {
    let calls = 0;
    const checkData = async () => {
      calls++;
      throw new Error('broken');
    };
    const checking = selfCheck({ served, expected: await firstAnswer(served), checkData });
    await expect(checking()).rejects.toThrow('broken');
    expect(calls).toBe(1);
  });

  test('takes a page that DynamoDB cut for the beginning of what is expected, and nothing else', async () => {
    const expected = await firstAnswer(served);
    const row = (expected.rows ?? [])[0] as string;
    const answers = (page: string[], next: string | null) =>
      selfCheck({
        expected,
        served: {
          ...served,
          prepare: () => ({
            identity: () => '',
            run: async () => ({
              kind: 'rows',
              rows: page,
              total: null,
              next,
              warnings: [],
              explain: { path: 'shards', itemsRead: 0, capacityUnits: 0 },
            }),
          }),
        },
      })();
    await expect(answers([row], 'more')).resolves.toBeUndefined();
    await expect(answers([], 'more')).resolves.toBeUndefined();
    await expect(answers([row], null)).rejects.toThrow('expected');
    await expect(answers([`${row} `], 'more')).rejects.toThrow('expected');
    await expect(answers([...(expected.rows ?? [])], null)).rejects.toThrow('expected');
    await expect(answers([...(expected.rows ?? [])], 'more')).resolves.toBeUndefined();
  });

  test('fails where a file that pages need cannot be read', async () => {
    const expected = await firstAnswer(served);
    const missing = () => {
      throw new Error('no such file');
    };
    for (const lacking of [{ profile: missing }, { boundaries: missing }]) {
      await expect(selfCheck({ served: { ...served, ...lacking }, expected })()).rejects.toThrow(
        'no such file',
      );
    }
  });

  test('of a value compares the whole of it', async () => {
    const value = (name: string) =>
      serveValue({ ...block, answers: 'value' }, () => ({ name, distance: 0 }));
    const expected = await firstAnswer(value('red'));
    await expect(selfCheck({ served: value('red'), expected })()).resolves.toBeUndefined();
    await expect(selfCheck({ served: value('rot'), expected })()).rejects.toThrow('expected');
  });

  test('is not run by a request', async () => {
    const handler = withSelfCheck(
      async () => ({ statusCode: 200, body: 'answered' }),
      async () => {
        throw new Error('checked');
      },
    );
    const request = { httpMethod: 'GET' } as APIGatewayProxyEvent;
    await expect(handler(request)).resolves.toMatchObject({ body: 'answered' });
    for (const event of [{}, null, undefined]) {
      await expect(handler(event as unknown as APIGatewayProxyEvent)).rejects.toThrow('checked');
    }
  });
});
