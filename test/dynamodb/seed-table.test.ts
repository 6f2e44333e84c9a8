import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  paginateScan,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createClient } from '../../src/dynamodb/client.ts';
import type { Item } from '../../src/dynamodb/item.ts';
import { writtenRows } from '../../src/dynamodb/seals.ts';
import { deleteOtherVersions, tableName, writeRows } from '../../src/dynamodb/seed-table.ts';
import { type ImportedDataset, itemsOf, makeDataset } from '../../src/importer/import-dataset.ts';
import { type EmbeddedDynamodb, startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { readsOf, seedTable } from '../support/seed-table.ts';
import { tinyBlock } from '../support/tiny-block.ts';

const { fields } = tinyBlock;
const source = { title: 't', publisher: 'p', license: 'l', date: '2026' };

let embedded: EmbeddedDynamodb;
let client: DynamoDBClient;
beforeAll(async () => {
  embedded = await startEmbeddedDynamodb();
  client = createClient({ endpoint: embedded.endpoint });
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

/** A client that fails at the `nth` batch, as a process that is killed there. */
function dyingAt(nth: number): DynamoDBClient {
  let batches = 0;
  return new Proxy(client, {
    get: (target, name) =>
      name === 'send'
        ? (command: never, ...more: never[]) => {
            if ((command as unknown) instanceof BatchWriteItemCommand && ++batches >= nth) {
              return Promise.reject(new Error('killed'));
            }
            return target.send(command, ...more);
          }
        : Reflect.get(target, name),
  });
}

const seedOf = ({ manifest, items }: ImportedDataset) => ({ manifest, fields, items });

async function countOf({ manifest }: ImportedDataset): Promise<number | undefined> {
  return (await client.send(new ScanCommand({ TableName: tableName(manifest), Select: 'COUNT' })))
    .Count;
}

test('a table is seeded once', async () => {
  expect(await seedTable(client, seedOf(dataset))).toBe('seeded');
  expect(await seedTable(client, seedOf(dataset))).toBe('already there');
  expect(await countOf(dataset)).toBe(103);
});

test('a table whose columns were cut short is made anew', async () => {
  await expect(seedTable(dyingAt(1), seedOf(dataset))).rejects.toThrow('killed');
  expect(await writtenRows(client, tableName(dataset.manifest))).toBeUndefined();
  expect(await seedTable(client, seedOf(dataset))).toBe('seeded');
  expect(await countOf(dataset)).toBe(103);
});

test('a table whose rows were cut short keeps its columns, and gets the other rows', async () => {
  await expect(seedTable(dyingAt(3), seedOf(dataset))).rejects.toThrow('killed');
  expect(await writtenRows(client, tableName(dataset.manifest))).toBe(0);
  expect(await countOf(dataset)).toBeLessThan(100);
  expect(await seedTable(client, { ...seedOf(dataset), items: [] })).toBe('seeded');
  expect(await countOf(dataset)).toBe(103);
});

test('rows are written from the last that is known to be there, and none twice', async () => {
  const rows = Array.from({ length: 2500 }, (_, number) => ({ street: 'long', number }));
  const long = makeDataset(tinyBlock, rows, source, { rowsPerChunk: 1100 });
  // A chunk is sealed after 1,000 rows, and at its end.
  await expect(seedTable(dyingAt(1 + 44 + 20), seedOf(long))).rejects.toThrow('killed');
  const written = await writtenRows(client, tableName(long.manifest));
  expect(written).toBe(1100);
  const told: number[] = [];
  const onWritten = (row: number) => told.push(row);
  const { manifest } = long;
  const name = tableName(manifest);
  const table = { client, reader: readsOf(client), name, fields, manifest };
  await writeRows(table, written as number, { onWritten });
  expect(told).toEqual([2100, 2200, 2500]);
  const found = [];
  for await (const { Items = [] } of paginateScan(
    { client },
    { TableName: table.name, FilterExpression: 'attribute_exists(street)' },
  )) {
    found.push(...Items);
  }
  const expected = [...itemsOf(long)].slice(0, 2500);
  const byId = (a: Item, b: Item) => ((a['~id']?.S ?? '') < (b['~id']?.S ?? '') ? -1 : 1);
  expect(found.sort(byId)).toEqual(expected);
});

test('so is one whose version was whole before it was replaced and came back', async () => {
  const other = version('another');
  await seedTable(client, seedOf(dataset));
  await seedTable(client, seedOf(other));
  await deleteOtherVersions(client, other.manifest);
  await expect(countOf(dataset)).rejects.toThrow('not found');
  await expect(seedTable(dyingAt(3), seedOf(dataset))).rejects.toThrow('killed');
  expect(await seedTable(client, seedOf(dataset))).toBe('seeded');
  expect(await countOf(dataset)).toBe(103);
});

test('versions that were cut short go too once another is there', async () => {
  await expect(seedTable(dyingAt(3), seedOf(dataset))).rejects.toThrow('killed');
  const other = version('yet another');
  await seedTable(client, seedOf(other));
  await deleteOtherVersions(client, other.manifest);
  await expect(countOf(dataset)).rejects.toThrow('not found');
  expect(await countOf(other)).toBe(103);
});

test("other blocks' tables stay", async () => {
  const ofAnother = { ...dataset, manifest: { ...dataset.manifest, block: 'tiny-2' } };
  await seedTable(client, seedOf(ofAnother));
  await seedTable(client, seedOf(dataset));
  await deleteOtherVersions(client, dataset.manifest);
  expect(await countOf(ofAnother)).toBe(103);
});
