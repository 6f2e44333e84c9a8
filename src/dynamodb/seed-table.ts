import {
  CreateTableCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  ResourceNotFoundException,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import type { Manifest } from '../block/manifest.ts';
import type { Field } from '../values/field-types.ts';
import type { Item } from './item.ts';
import { isActive, putSeal, removeSeal, SEALS, sealedTables } from './seals.ts';
import { tableShape } from './table-shape.ts';
import { PATIENTLY, writeItems } from './write-items.ts';

/** The content of a table: `items` are those of the head and the columns, which tell the rows. */
export type Seed = {
  readonly manifest: Manifest;
  readonly fields: readonly Field[];
  readonly items: readonly Item[];
};

/** The name of a dataset's table; each version of the data has its own. */
export function tableName({ block, version }: Manifest): string {
  return `${block}-${version}`;
}

/**
 * Writes a table's head and columns, which answer every query, over those that it may have. What
 * else it has does no harm: a version's items have the same keys whenever they are made.
 */
export async function writeColumns(
  client: DynamoDBClient,
  { manifest, fields, items }: Seed,
): Promise<void> {
  const name = tableName(manifest);
  await putFirstSeal(client, name);
  if (!(await isActive(client, name))) {
    await deleteTable(client, name);
    await createTable(client, name, tableShape(fields));
  }
  await writeItems(client, name, items.length, (i) => items[i] as Item);
  await putSeal(client, { table: { S: name }, complete: { BOOL: true } });
}

/** Puts a table's first seal, which may be the first of all. */
async function putFirstSeal(client: DynamoDBClient, name: string): Promise<void> {
  const seal = { table: { S: name } };
  try {
    await putSeal(client, seal);
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    await createTable(client, SEALS, {
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'table', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'table', KeyType: 'HASH' }],
    });
    await putSeal(client, seal);
  }
}

/** Deletes the tables of other versions of a dataset; for a store that nothing else reads. */
export async function deleteOtherVersions(
  client: DynamoDBClient,
  manifest: Manifest,
  signal?: AbortSignal,
): Promise<void> {
  const ofBlock = new RegExp(`^${manifest.block}-[0-9a-f]{20}$`);
  for (const name of await sealedTables(client)) {
    if (!ofBlock.test(name) || name === tableName(manifest)) continue;
    await deleteTable(client, name, signal);
    await removeSeal(client, name);
  }
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

export async function deleteTable(
  client: DynamoDBClient,
  name: string,
  signal?: AbortSignal,
): Promise<void> {
  const aborted = signal === undefined ? {} : { abortSignal: signal };
  try {
    await client.send(new DeleteTableCommand({ TableName: name }), { ...PATIENTLY, ...aborted });
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return;
    throw error;
  }
  await waitUntilTableNotExists({ client, ...PATIENCE, ...aborted }, { TableName: name });
}

/** In seconds. */
const PATIENCE = { maxWaitTime: 60, minDelay: 0.05, maxDelay: 2 };
