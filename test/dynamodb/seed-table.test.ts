import { BatchWriteItemCommand, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  createClient,
  deleteOtherVersions,
  hasColumns,
  tableName,
  writeColumns,
} from '../../src/dynamodb/client.ts';
import { type EmbeddedDynamodb, startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { AMPLE_MS } from '../support/ample.ts';
import { type ImportedDataset, makeDataset } from '../support/datasets.ts';
import { tinyBlock } from '../support/tiny-block.ts';

const { fields } = tinyBlock;
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

/** Of 100 rows, a head and two columns. */
function version(street: string): ImportedDataset {
  const rows = Array.from({ length: 100 }, (_, number) => ({ street, number }));
  return makeDataset(tinyBlock, rows, source);
}

/** A client that fails when it writes items, as a process that is killed there. */
function dying(): DynamoDBClient {
  return new Proxy(client, {
    get: (target, name) =>
      name === 'send'
        ? (command: never, ...more: never[]) =>
            (command as unknown) instanceof BatchWriteItemCommand
              ? Promise.reject(new Error('killed'))
              : target.send(command, ...more)
        : Reflect.get(target, name),
  });
}

const seedOf = ({ manifest, items }: ImportedDataset) => ({ manifest, fields, items });

async function countOf({ manifest }: ImportedDataset): Promise<number | undefined> {
  return (await client.send(new ScanCommand({ TableName: tableName(manifest), Select: 'COUNT' })))
    .Count;
}

test('a table has its head and columns once they are written, and again if they are written again', async () => {
  expect(await hasColumns(client, tableName(dataset.manifest))).toBe(false);
  for (const _ of ['once', 'again']) {
    await writeColumns(client, seedOf(dataset));
    expect(await hasColumns(client, tableName(dataset.manifest))).toBe(true);
    expect(await countOf(dataset)).toBe(3);
  }
});

test('a table whose columns were cut short is made anew', async () => {
  await expect(writeColumns(dying(), seedOf(dataset))).rejects.toThrow('killed');
  expect(await hasColumns(client, tableName(dataset.manifest))).toBe(false);
  await writeColumns(client, seedOf(dataset));
  expect(await countOf(dataset)).toBe(3);
});

test('so is one whose version was whole before, was replaced and came back', async () => {
  const other = version('another');
  await writeColumns(client, seedOf(dataset));
  await writeColumns(client, seedOf(other));
  await deleteOtherVersions(client, other.manifest);
  await expect(countOf(dataset)).rejects.toThrow('not found');
  await expect(writeColumns(dying(), seedOf(dataset))).rejects.toThrow('killed');
  await writeColumns(client, seedOf(dataset));
  expect(await countOf(dataset)).toBe(3);
});

test('versions that were cut short go too once another is there', async () => {
  await expect(writeColumns(dying(), seedOf(dataset))).rejects.toThrow('killed');
  const other = version('yet another');
  await writeColumns(client, seedOf(other));
  await deleteOtherVersions(client, other.manifest);
  await expect(countOf(dataset)).rejects.toThrow('not found');
  expect(await countOf(other)).toBe(3);
});

test("other blocks' tables stay", async () => {
  const ofAnother = { ...dataset, manifest: { ...dataset.manifest, block: 'tiny-2' } };
  await writeColumns(client, seedOf(ofAnother));
  await writeColumns(client, seedOf(dataset));
  await deleteOtherVersions(client, dataset.manifest);
  expect(await countOf(ofAnother)).toBe(3);
});
