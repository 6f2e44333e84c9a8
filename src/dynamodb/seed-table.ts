import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import type { DatasetFacts } from '../core/dataset-facts.ts';
import type { Field } from '../core/field.ts';
import type { Item } from './item.ts';
import { tableShape } from './table-shape.ts';

/** What a table is filled with. */
export type Seed = {
  readonly facts: DatasetFacts;
  readonly fields: readonly Field[];
  readonly items: readonly Item[];
};

/**
 * A table of its own says which tables are whole: a seal is put there behind the last item, so
 * that a table whose seeding was cut short is known, and made anew.
 */
const SEALS = 'blockyard-seals';

/** A dataset's table: a new version of the data is another table. */
export function tableName({ block, version }: DatasetFacts): string {
  return `${block}-${version}`;
}

/** Makes the table and fills it, unless it is there and whole. Says whether it had to. */
export async function seedTable(
  client: DynamoDBClient,
  seed: Seed,
): Promise<'seeded' | 'already there'> {
  const name = tableName(seed.facts);
  await createTable(client, SEALS, {
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'table', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'table', KeyType: 'HASH' }],
  });
  if (await isSealed(client, name)) return 'already there';
  await deleteTable(client, name);
  await createTable(client, name, tableShape(seed.fields));
  await writeItems(client, name, seed.items);
  await client.send(
    new PutItemCommand({
      TableName: SEALS,
      Item: { table: { S: name }, rows: { N: String(seed.items.length) } },
    }),
  );
  return 'seeded';
}

/** Deletes the tables of other versions of a dataset; for a store that nothing else reads. */
export async function deleteOtherVersions(client: DynamoDBClient, facts: DatasetFacts) {
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const ofBlock = new RegExp(`^${facts.block}-[0-9a-f]{20}$`);
  for (const name of TableNames) {
    if (ofBlock.test(name) && name !== tableName(facts)) await deleteTable(client, name);
  }
}

async function isSealed(client: DynamoDBClient, name: string): Promise<boolean> {
  const { Item: seal } = await client.send(
    new GetItemCommand({ TableName: SEALS, Key: { table: { S: name } }, ConsistentRead: true }),
  );
  if (seal === undefined) return false;
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  return TableNames.includes(name);
}

async function createTable(
  client: DynamoDBClient,
  name: string,
  shape: ReturnType<typeof tableShape>,
): Promise<void> {
  try {
    await client.send(new CreateTableCommand({ TableName: name, ...shape }));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists({ client, ...PATIENCE }, { TableName: name });
}

async function deleteTable(client: DynamoDBClient, name: string): Promise<void> {
  try {
    await client.send(new DeleteTableCommand({ TableName: name }));
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return;
    throw error;
  }
  await waitUntilTableNotExists({ client, ...PATIENCE }, { TableName: name });
}

/** Seconds. */
const PATIENCE = { maxWaitTime: 60, minDelay: 0.05, maxDelay: 2 };

/** BatchWriteItem takes 25 items. */
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
    );
    waiting = (UnprocessedItems?.[table] ?? []) as typeof waiting;
  }
}
