import { BatchGetItemCommand, type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { TableReads } from '../../src/dynamodb/read-client.ts';
import { type Seed, seedColumns, tableName, writeRows } from '../../src/dynamodb/seed-table.ts';

/** Creates and fills a table unless it exists and is complete. Returns which was the case. */
export async function seedTable(
  client: DynamoDBClient,
  seed: Seed,
): Promise<'seeded' | 'already there'> {
  const { manifest, fields } = seed;
  const written = await seedColumns(client, seed);
  if (written === manifest.rows) return 'already there';
  const reader = readsOf(client);
  await writeRows({ client, reader, name: tableName(manifest), fields, manifest }, written);
  return 'seeded';
}

/** Reads by the client that writes. */
export function readsOf(client: DynamoDBClient): TableReads {
  return {
    query: (asked, abortSignal) => client.send(new QueryCommand(asked), { abortSignal }),
    batchGetItem: (asked, abortSignal) =>
      client.send(new BatchGetItemCommand(asked), { abortSignal }),
  };
}
