import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { createClient, seedTable, tableName } from '../../src/dynamodb/client.ts';
import type { Item } from '../../src/dynamodb/item.ts';
import { type EmbeddedDynamodb, startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { AMPLE_MS } from '../support/ample.ts';
import { datasetItems, type ImportedDataset, makeDataset } from '../support/datasets.ts';

const block = datasetBlock({
  ...{ id: 'tiny', name: 'tiny', title: 'Tiny', description: 'Made by a test.', examples: [] },
  fields: [
    { type: 'text', name: 'street', title: 'Street', indexed: true },
    { type: 'number', name: 'number', title: 'Number' },
  ],
});
const source = { title: 't', publisher: 'p', license: 'l', date: '2026' };

let embedded: EmbeddedDynamodb;
let client: DynamoDBClient;
beforeAll(async () => {
  embedded = await startEmbeddedDynamodb();
  client = createClient({ ...embedded, requestTimeout: AMPLE_MS });
});
afterAll(async () => {
  client.destroy();
  await embedded.stop();
});

let versions = 0;
let dataset: ImportedDataset;
/** Each test has a version of its own: its first street names it. */
beforeEach(() => {
  dataset = version(`v${versions++}`);
});

const ROWS = 100;

function version(street: string): ImportedDataset {
  const rows = Array.from({ length: ROWS }, (_, number) => ({ street, number }));
  return makeDataset(block, rows, source);
}

/** A client that fails at the n-th write of items, as a process that is killed there. */
function dyingAt(n: number): DynamoDBClient {
  let writes = 0;
  return new Proxy(client, {
    get: (target, name) =>
      name === 'send'
        ? (command: never, ...more: never[]) =>
            (command as unknown) instanceof BatchWriteItemCommand && ++writes >= n
              ? Promise.reject(new Error('killed'))
              : target.send(command, ...more)
        : Reflect.get(target, name),
  });
}

/** The items of a table, in one order. */
async function itemsIn({ manifest }: ImportedDataset): Promise<string[]> {
  const { Items } = await client.send(new ScanCommand({ TableName: tableName(manifest) }));
  return (Items ?? []).map((item) => inOneOrder(item)).sort();
}
const inOneOrder = (item: Item) =>
  JSON.stringify(
    Object.entries(item)
      .map(([name, { B, ...value }]) => [name, B ? Buffer.from(B).toString('hex') : value])
      .sort(),
  );
const itemsOf = (of: ImportedDataset) => Array.from(datasetItems(of), inOneOrder).sort();

test('a table has all items of a deployed one, and its indexes, and is written once', async () => {
  expect(await seedTable(client, dataset)).toBe('imported');
  expect(await itemsIn(dataset)).toEqual(itemsOf(dataset));
  const { Count } = await client.send(
    new QueryCommand({
      TableName: tableName(dataset.manifest),
      IndexName: 'by-street',
      KeyConditionExpression: '#key = :key',
      ExpressionAttributeNames: { '#key': 'street~key' },
      ExpressionAttributeValues: { ':key': { S: `v${versions - 1}` } },
    }),
  );
  expect(Count).toBe(ROWS);
  expect(await seedTable(dyingAt(1), dataset)).toBe('already there');
});

test.each([1, 2, 4])('a table is whole after a kill at write %i', async (n) => {
  await expect(seedTable(dyingAt(n), dataset)).rejects.toThrow('killed');
  expect(await seedTable(client, dataset)).toBe('imported');
  expect(await itemsIn(dataset)).toEqual(itemsOf(dataset));
});

test('a table of an earlier blockyard, which has columns alone, gets its rows', async () => {
  await seedTable(client, { ...dataset, rows: [] });
  const seal = { table: { S: tableName(dataset.manifest) }, complete: { BOOL: true } };
  await client.send(new PutItemCommand({ TableName: 'blockyard-seals', Item: seal }));
  expect(await seedTable(client, dataset)).toBe('imported');
  expect(await itemsIn(dataset)).toEqual(itemsOf(dataset));
});

test('a table without our seal is neither written nor deleted', async () => {
  const TableName = tableName(dataset.manifest);
  await seedTable(client, { ...dataset, rows: [] });
  // Its seal is lost: that is how a table of somebody else looks.
  const Key = { table: { S: TableName } };
  await client.send(new DeleteItemCommand({ TableName: 'blockyard-seals', Key }));
  const before = await itemsIn(dataset);
  await expect(seedTable(client, dataset)).rejects.toThrow(
    `blockyard did not make the table ${TableName}, and does not write to it; remove it, or set DYNAMODB_ENDPOINT to another emulator`,
  );
  expect(await itemsIn(dataset)).toEqual(before);
});
