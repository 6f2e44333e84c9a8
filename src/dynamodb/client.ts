import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateScan,
  ResourceInUseException,
  ResourceNotFoundException,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import type { Manifest } from '../block/manifest.ts';
import type { Field } from '../values/field-types.ts';
import { backOff, fewAtOnce } from '../work/waiting.ts';
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
  credentials = ANY_KEYS,
  requestTimeout = REQUEST_WITHIN_MS,
}: Emulator & { readonly requestTimeout?: number }): DynamoDBClient {
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
    credentials,
  });
}

/**
 * The content of a table. `items` are the items of the head and the columns. The rows can be made
 * from the columns.
 */
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
 * Writes a table's head and columns, which answer every query, over any that the table has already.
 * Other items in the table do no harm: the items of a version have the same keys whenever they are
 * made.
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

/**
 * Deletes the tables of other versions of a dataset. Use it only for a store that nothing else
 * reads.
 */
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

/**
 * This table lists all tables, and tells which of them have all of their columns. A table's seal is
 * put before the table's first item, and becomes `complete` after the last. (Dynalite's ListTables
 * reads every item of the store.)
 */
const SEALS = 'blockyard-seals';

/** Tells whether a table has all of its columns. */
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

/**
 * Tells whether the table exists. If a deletion was interrupted, its table stays in the state of
 * being deleted for ever.
 */
async function isActive(client: DynamoDBClient, name: string): Promise<boolean> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }), PATIENTLY);
    return Table?.TableStatus === 'ACTIVE';
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}

/** The names of all tables whose writing has begun. */
async function sealedTables(client: DynamoDBClient): Promise<string[]> {
  const names: string[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: SEALS })) {
    names.push(...Items.map(({ table }) => table?.S ?? ''));
  }
  return names;
}

/** Puts a seal. It replaces an earlier seal of the same table. */
async function putSeal(client: DynamoDBClient, seal: Item): Promise<void> {
  await client.send(new PutItemCommand({ TableName: SEALS, Item: seal }), PATIENTLY);
}

async function removeSeal(client: DynamoDBClient, name: string): Promise<void> {
  await client.send(
    new DeleteItemCommand({ TableName: SEALS, Key: { table: { S: name } } }),
    PATIENTLY,
  );
}

/** No caller waits while tables are filled, and dynalite takes a while to delete a large table. */
const PATIENTLY = { requestTimeout: 60_000 };

/** BatchWriteItem takes at most 25 items. */
const BATCH = 25;

/**
 * Dynalite works on one thread: more batches at once would be no faster, and reads would wait
 * behind them.
 */
const BATCHES_AT_ONCE = 2;

/** Writes items. Each item is made only when it is written. */
export async function writeItems(
  client: DynamoDBClient,
  table: string,
  count: number,
  itemAt: (index: number) => Item,
): Promise<void> {
  const starts = Array.from({ length: Math.ceil(count / BATCH) }, (_, batch) => batch * BATCH);
  await fewAtOnce(starts, BATCHES_AT_ONCE, (start) => {
    const length = Math.min(BATCH, count - start);
    const batch = Array.from({ length }, (_, i) => itemAt(start + i));
    return writeBatch(client, table, batch);
  });
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
