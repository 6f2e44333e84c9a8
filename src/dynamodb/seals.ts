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
 * A separate table lists the tables, and what of them is written: a seal without `rows` is put before
 * the first item; one with `rows` once all columns are there. From then on `rows` is the number of
 * rows whose items are there, all of them from the first. (Dynalite's ListTables reads every item of
 * the store.)
 */
export const SEALS = 'blockyard-seals';

/**
 * How many rows' items a table has, if all of its columns are there; undefined if it is to be made.
 */
export async function writtenRows(
  client: DynamoDBClient,
  name: string,
): Promise<number | undefined> {
  try {
    const { Item: seal } = await client.send(
      new GetItemCommand({ TableName: SEALS, Key: { table: { S: name } }, ConsistentRead: true }),
      PATIENTLY,
    );
    if (seal?.rows?.N === undefined) return undefined;
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }), PATIENTLY);
    // A deletion that was cut short leaves a table that is being deleted for ever, and its seal.
    return Table?.TableStatus === 'ACTIVE' ? Number(seal.rows.N) : undefined;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
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

/** Seals a table that has its columns, and the items of its first rows. */
export async function sealRows(client: DynamoDBClient, name: string, rows: number): Promise<void> {
  await putSeal(client, { table: { S: name }, rows: { N: String(rows) } });
}

export async function removeSeal(client: DynamoDBClient, name: string): Promise<void> {
  await client.send(
    new DeleteItemCommand({ TableName: SEALS, Key: { table: { S: name } } }),
    PATIENTLY,
  );
}
