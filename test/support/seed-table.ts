import { BatchGetItemCommand, type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { ChunkEntry } from '../../src/columns/chunk.ts';
import { unpackChunk } from '../../src/columns/decode-chunk.ts';
import { rowReader } from '../../src/columns/memory-rows.ts';
import {
  hasColumns,
  type Seed,
  tableName,
  writeColumns,
  writeItems,
} from '../../src/dynamodb/client.ts';
import { tableColumns } from '../../src/dynamodb/column-items.ts';
import { makeItem } from '../../src/dynamodb/item.ts';
import type { TableReads } from '../../src/dynamodb/read-client.ts';
import { ReadCost } from '../../src/query/row-store.ts';

/**
 * Creates a table and fills it as a deployment does, rows' items included, unless it has its columns.
 * Returns which was the case.
 */
export async function seedTable(
  client: DynamoDBClient,
  seed: Seed,
): Promise<'seeded' | 'already there'> {
  if (await hasColumns(client, tableName(seed.manifest))) return 'already there';
  await writeColumns(client, seed);
  await writeRows(client, seed);
  return 'seeded';
}

async function writeRows(client: DynamoDBClient, { manifest, fields }: Seed): Promise<void> {
  const name = tableName(manifest);
  const { rows, rowsPerChunk, rowsPerShard } = manifest;
  const source = tableColumns({ client: readsOf(client), name, fields, manifest });
  const reads = new ReadCost();
  for (let first = 0; first < rows; first += rowsPerChunk) {
    const chunk = first / rowsPerChunk;
    const chunks = [];
    for (const field of fields) {
      const { directory, beside } = await source.directory(field.name, reads);
      const bytes = beside ?? (await source.chunk(field.name, chunk, directory, reads));
      chunks.push(await unpackChunk(bytes, directory.chunks[chunk] as ChunkEntry));
    }
    const read = rowReader(fields, chunks);
    await writeItems(client, name, Math.min(rowsPerChunk, rows - first), (i) =>
      makeItem(fields, read(i), first + i, rowsPerShard),
    );
  }
}

/** Reads by the client that writes. */
export function readsOf(client: DynamoDBClient): TableReads {
  return {
    query: (asked, abortSignal) => client.send(new QueryCommand(asked), { abortSignal }),
    batchGetItem: (asked, abortSignal) =>
      client.send(new BatchGetItemCommand(asked), { abortSignal }),
  };
}
