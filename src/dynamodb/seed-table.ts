import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateScan,
  ResourceInUseException,
  ResourceNotFoundException,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import type { Manifest } from '../block/manifest.ts';
import type { Field } from '../fields/field.ts';
import type { Item } from './item.ts';
import { tableShape } from './table-shape.ts';

/** The content of a table. */
export type Seed = {
  readonly manifest: Manifest;
  readonly fields: readonly Field[];
  readonly items: readonly Item[];
};

/**
 * A separate table lists the tables and which of them are complete: a seal without `rows` is
 * written before the first item, one with `rows` after the last. So a table whose seeding was
 * interrupted is recognised and made again. (Dynalite's ListTables reads every item of the store.)
 */
const SEALS = 'blockyard-seals';

/** The name of a dataset's table; each version of the data has its own. */
export function tableName({ block, version }: Manifest): string {
  return `${block}-${version}`;
}

/** Creates and fills the table unless it exists and is complete. Returns which was the case. */
export async function seedTable(
  client: DynamoDBClient,
  seed: Seed,
): Promise<'seeded' | 'already there'> {
  const name = tableName(seed.manifest);
  await createTable(client, SEALS, {
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'table', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'table', KeyType: 'HASH' }],
  });
  if (await isWhole(client, name)) return 'already there';
  await putSeal(client, { table: { S: name } });
  await deleteTable(client, name);
  await createTable(client, name, tableShape(seed.fields));
  await writeItems(client, name, seed.items);
  await putSeal(client, { table: { S: name }, rows: { N: String(seed.items.length) } });
  return 'seeded';
}

/** Deletes the tables of other versions of a dataset; for a store that nothing else reads. */
export async function deleteOtherVersions(client: DynamoDBClient, manifest: Manifest) {
  const ofBlock = new RegExp(`^${manifest.block}-[0-9a-f]{20}$`);
  for (const name of await sealedTables(client)) {
    if (!ofBlock.test(name) || name === tableName(manifest)) continue;
    await deleteTable(client, name);
    await client.send(
      new DeleteItemCommand({ TableName: SEALS, Key: { table: { S: name } } }),
      PATIENTLY,
    );
  }
}

async function isWhole(client: DynamoDBClient, name: string): Promise<boolean> {
  const { Item: seal } = await client.send(
    new GetItemCommand({ TableName: SEALS, Key: { table: { S: name } }, ConsistentRead: true }),
    PATIENTLY,
  );
  return seal?.rows !== undefined && (await hasTable(client, name));
}

async function hasTable(client: DynamoDBClient, name: string): Promise<boolean> {
  try {
    await client.send(new DescribeTableCommand({ TableName: name }), PATIENTLY);
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}

async function sealedTables(client: DynamoDBClient): Promise<string[]> {
  const names: string[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: SEALS })) {
    names.push(...Items.map(({ table }) => table?.S ?? ''));
  }
  return names;
}

async function putSeal(client: DynamoDBClient, seal: Item): Promise<void> {
  await client.send(new PutItemCommand({ TableName: SEALS, Item: seal }), PATIENTLY);
}

async function createTable(
  client: DynamoDBClient,
  name: string,
  shape: ReturnType<typeof tableShape>,
): Promise<void> {
  try {
    await client.send(new CreateTableCommand({ TableName: name, ...shape }), PATIENTLY);
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists({ client, ...PATIENCE }, { TableName: name });
}

export async function deleteTable(client: DynamoDBClient, name: string): Promise<void> {
  try {
    await client.send(new DeleteTableCommand({ TableName: name }), PATIENTLY);
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return;
    throw error;
  }
  await waitUntilTableNotExists({ client, ...PATIENCE }, { TableName: name });
}

/** No caller waits during seeding, and dynalite takes a while to delete a large table. */
const PATIENTLY = { requestTimeout: 60_000 };

/** In seconds. */
const PATIENCE = { maxWaitTime: 60, minDelay: 0.05, maxDelay: 2 };

/** BatchWriteItem takes at most 25 items. */
const BATCH = 25;
const BATCHES_AT_ONCE = 4;

async function writeItems(client: DynamoDBClient, table: string, items: readonly Item[]) {
  let from = 0;
  const worker = async () => {
    while (from < items.length) {
      const batch = items.slice(from, from + BATCH);
      from += BATCH;
      await writeBatch(client, table, batch);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, worker));
}

async function writeBatch(client: DynamoDBClient, table: string, items: readonly Item[]) {
  let waiting = items.map((Item) => ({ PutRequest: { Item } }));
  for (let attempt = 0; waiting.length > 0; attempt++) {
    if (attempt > 0) await sleep(Math.random() * Math.min(2000, 50 * 2 ** attempt));
    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [table]: waiting } }),
      PATIENTLY,
    );
    waiting = (UnprocessedItems?.[table] ?? []) as typeof waiting;
  }
}
