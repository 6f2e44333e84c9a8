import {
  DeleteItemCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateScan,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import type { Item } from './item.ts';
import { PATIENTLY } from './write-items.ts';

/**
 * A separate table lists the tables, and which of them have all of their columns: a table's seal is
 * put before its first item, and is `complete` behind the last. (Dynalite's ListTables reads every
 * item of the store.)
 */
export const SEALS = 'blockyard-seals';

/** Whether a table has all of its columns. */
export async function hasColumns(client: DynamoDBClient, name: string): Promise<boolean> {
  try {
    const { Item: seal } = await client.send(
      new GetItemCommand({ TableName: SEALS, Key: { table: { S: name } }, ConsistentRead: true }),
      PATIENTLY,
    );
    return seal?.complete?.BOOL === true && (await isActive(client, name));
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}

/** Whether there is such a table. A deletion that was cut short leaves one that is being deleted for ever. */
export async function isActive(client: DynamoDBClient, name: string): Promise<boolean> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }), PATIENTLY);
    return Table?.TableStatus === 'ACTIVE';
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}

/** The names of all tables that were begun. */
export async function sealedTables(client: DynamoDBClient): Promise<string[]> {
  const names: string[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: SEALS })) {
    names.push(...Items.map(({ table }) => table?.S ?? ''));
  }
  return names;
}

/** Puts a seal, which replaces the table's other one. */
export async function putSeal(client: DynamoDBClient, seal: Item): Promise<void> {
  await client.send(new PutItemCommand({ TableName: SEALS, Item: seal }), PATIENTLY);
}

export async function removeSeal(client: DynamoDBClient, name: string): Promise<void> {
  await client.send(
    new DeleteItemCommand({ TableName: SEALS, Key: { table: { S: name } } }),
    PATIENTLY,
  );
}
