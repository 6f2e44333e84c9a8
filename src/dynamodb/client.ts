import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import type { Manifest } from '../block/manifest.ts';
import { backOff } from '../work/waiting.ts';
import { datasetItems, type HeldDataset } from './column-items.ts';
import { type Item, tableShape } from './item.ts';
import {
  ANY_KEYS,
  CONNECT_WITHIN_MS,
  type Emulator,
  MOST_ATTEMPTS,
  REQUEST_WITHIN_MS,
  retryDelayMs,
} from './read-client.ts';

/**
 * Makes a client of an emulator, which writes the emulator's tables. Calls that take longer than a
 * second set their own limit. Deployed tables are written by DynamoDB's import, and all tables are
 * read by `ReadClient`.
 */
export function createClient({
  endpoint,
  requestTimeout = REQUEST_WITHIN_MS,
}: Pick<Emulator, 'endpoint'> & { readonly requestTimeout?: number }): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    retryStrategy: new ConfiguredRetryStrategy(MOST_ATTEMPTS, retryDelayMs),
    requestHandler: {
      connectionTimeout: Math.max(CONNECT_WITHIN_MS, requestTimeout / 2),
      requestTimeout,
      throwOnRequestTimeout: true,
    },
    // An emulator requires a region but does not use it.
    region: 'local',
    credentials: ANY_KEYS,
  });
}

/** The name of a dataset's table; each version of the data has its own. */
export function tableName({ block, version }: Manifest): string {
  return `${block}-${version}`;
}

/**
 * Writes the table of a dataset as a deployment has it, with rows, indexes and columns, unless it is
 * there. Throws if a table of this name is not ours.
 */
export async function seedTable(
  client: DynamoDBClient,
  dataset: HeldDataset,
): Promise<'imported' | 'already there'> {
  const { block, manifest } = dataset;
  const name = tableName(manifest);
  const [seal, status] = [await sealOf(client, name), await statusOf(client, name)];
  if (seal?.whole?.BOOL === true && status === 'ACTIVE') return 'already there';
  if (seal === undefined && status !== undefined) {
    throw new Error(
      `blockyard did not make the table ${name}, and does not write to it; remove it, or set DYNAMODB_ENDPOINT to another emulator`,
    );
  }
  await putFirstSeal(client, name);
  await createTable(client, name, tableShape(block.fields));
  await writeItems(client, name, datasetItems(dataset));
  await putSeal(client, { table: { S: name }, whole: { BOOL: true } });
  return 'imported';
}

/** Puts a table's first seal. It may be the first seal of all. */
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

/** In seconds. */
const PATIENCE = { maxWaitTime: 60, minDelay: 0.05, maxDelay: 2 };

/**
 * This table has a seal for each table that we made. A table's seal is put before the table is made,
 * and becomes `whole` after its last item. No table without a seal is written, and none is deleted.
 */
const SEALS = 'blockyard-seals';

async function sealOf(client: DynamoDBClient, name: string): Promise<Item | undefined> {
  const asked = { TableName: SEALS, Key: { table: { S: name } }, ConsistentRead: true };
  const found = await unlessMissing(client.send(new GetItemCommand(asked), PATIENTLY));
  return found?.Item;
}

/** The state of a table. Undefined if there is none. */
async function statusOf(client: DynamoDBClient, name: string): Promise<string | undefined> {
  const asked = new DescribeTableCommand({ TableName: name });
  return (await unlessMissing(client.send(asked, PATIENTLY)))?.Table?.TableStatus;
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** Puts a seal. It replaces an earlier seal of the same table. */
async function putSeal(client: DynamoDBClient, seal: Item): Promise<void> {
  await client.send(new PutItemCommand({ TableName: SEALS, Item: seal }), PATIENTLY);
}

/** No caller waits while tables are filled. */
const PATIENTLY = { requestTimeout: 60_000 };

/** BatchWriteItem takes at most 25 items. */
const BATCH = 25;

/**
 * Dynalite works on one thread: more batches at once would be no faster, and reads would wait
 * behind them.
 */
const BATCHES_AT_ONCE = 2;

/** Writes items. Each item is made only when it is written. */
async function writeItems(
  client: DynamoDBClient,
  table: string,
  items: Iterator<Item>,
): Promise<void> {
  const next = () => {
    const batch: Item[] = [];
    while (batch.length < BATCH) {
      const { done, value } = items.next();
      if (done) break;
      batch.push(value);
    }
    return batch;
  };
  const writeAll = async () => {
    for (let batch = next(); batch.length > 0; batch = next()) {
      await writeBatch(client, table, batch);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, writeAll));
}

/** How long to wait before writing again the items that a busy store did not accept. */
const delayOfUnprocessed = backOff(100, 2000);

async function writeBatch(
  client: DynamoDBClient,
  table: string,
  items: readonly Item[],
): Promise<void> {
  let waiting = items.map((Item) => ({ PutRequest: { Item } }));
  for (let attempt = 0; waiting.length > 0; attempt++) {
    if (attempt > 0) await sleep(delayOfUnprocessed(attempt));
    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [table]: waiting } }),
      PATIENTLY,
    );
    waiting = (UnprocessedItems?.[table] ?? []) as typeof waiting;
  }
}

/**
 * The first answer of `DYNAMODB_ENDPOINT`. Then the start ends.
 *
 * An emulator may have just been started, so it gets some seconds to answer.
 */
const ANSWERS_WITHIN_S = 10;

/**
 * Throws unless a DynamoDB answers at the endpoint within some seconds. The message has the address
 * and says what to do.
 */
export async function checkEndpoint(client: DynamoDBClient, endpoint: string): Promise<void> {
  const reason = await reasonAgainst(client);
  if (reason === undefined) return;
  throw new Error(
    `no DynamoDB answers at ${endpoint} (${reason}); start one, or set DYNAMODB_ENDPOINT to its address.`,
  );
}

async function reasonAgainst(client: DynamoDBClient): Promise<string | undefined> {
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_S * 1000);
  const settings = { requestTimeout: ANSWERS_WITHIN_S * 1000, abortSignal: signal };
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: SEALS }), settings);
    return Table?.TableName === SEALS ? undefined : 'what answers there is none';
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    if (signal.aborted) return `no answer within ${ANSWERS_WITHIN_S} s`;
    return (error as Error).message.split('\n', 1)[0];
  }
}
