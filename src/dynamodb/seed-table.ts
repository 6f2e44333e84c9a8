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
import type { Chunk } from '../columns/chunk.ts';
import type { ChunkEntry } from '../columns/column-directory.ts';
import type { ColumnSource } from '../columns/column-source.ts';
import { rowReader } from '../columns/row-reader.ts';
import { unpackChunk } from '../columns/unpack-chunk.ts';
import type { Field } from '../fields/field.ts';
import { Reads } from '../query/row-store.ts';
import { type Item, makeItem } from './item.ts';
import type { TableReads } from './read-client.ts';
import { putSeal, removeSeal, SEALS, sealedTables, sealRows, writtenRows } from './seals.ts';
import { tableColumns } from './table-columns.ts';
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
 * Creates a table with its head and columns, which answer every query, unless it has them. Returns
 * how many rows' items it has.
 */
export async function seedColumns(client: DynamoDBClient, seed: Seed): Promise<number> {
  const name = tableName(seed.manifest);
  const written = await writtenRows(client, name);
  if (written !== undefined) return written;
  await putFirstSeal(client, name);
  await deleteTable(client, name);
  await createTable(client, name, tableShape(seed.fields));
  const { items } = seed;
  await writeItems(client, name, items.length, (i) => items[i] as Item);
  await sealRows(client, name, 0);
  return 0;
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

/**
 * Writes rows' items from a position on, made from the table's columns. Writing a row again does no
 * harm, so that another call can go on from the last position that was sealed.
 */
export async function writeRows(
  table: SeededTable,
  from: number,
  { signal, onWritten }: { signal?: AbortSignal; onWritten?: (rows: number) => void } = {},
): Promise<void> {
  const { client, reader, name, fields, manifest } = table;
  const { rows, rowsPerChunk, rowsPerShard } = manifest;
  const source = tableColumns({ ...table, client: reader });
  for (let at = from; at < rows; ) {
    const chunk = Math.floor(at / rowsPerChunk);
    const first = chunk * rowsPerChunk;
    const read = rowReader(fields, await readChunks(source, fields, chunk));
    const end = Math.min(rows, first + rowsPerChunk);
    while (at < end) {
      const start = at;
      const count = Math.min(ROWS_A_SEAL, end - start);
      const rowItem = (i: number) =>
        makeItem(fields, read(start + i - first), start + i, rowsPerShard);
      await writeItems(client, name, count, rowItem, signal);
      at += count;
      await sealRows(client, name, at);
      onWritten?.(at);
    }
  }
}

export type SeededTable = {
  readonly client: DynamoDBClient;
  readonly reader: TableReads;
  readonly name: string;
  readonly fields: readonly Field[];
  readonly manifest: Manifest;
};

/** As many rows are written again, at most, if the process is killed. */
const ROWS_A_SEAL = 1000;

async function readChunks(
  source: ColumnSource,
  fields: readonly Field[],
  chunk: number,
): Promise<Chunk[]> {
  const reads = new Reads();
  const chunks: Chunk[] = [];
  for (const { name } of fields) {
    const { directory, beside } = await source.directory(name, reads);
    const bytes = beside ?? (await source.chunk(name, chunk, directory, reads));
    chunks.push(await unpackChunk(bytes, directory.chunks[chunk] as ChunkEntry));
  }
  return chunks;
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
