import { setTimeout as sleep } from 'node:timers/promises';
import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from './item.ts';

/** No caller waits during seeding, and dynalite takes a while to delete a large table. */
export const PATIENTLY = { requestTimeout: 60_000 };

/** BatchWriteItem takes at most 25 items. */
const BATCH = 25;

/** Dynalite works on one thread: more are no faster, and reads would wait behind them. */
const BATCHES_AT_ONCE = 2;

/** Writes some items, each of which is made when it is due. */
export async function writeItems(
  client: DynamoDBClient,
  table: string,
  count: number,
  itemAt: (index: number) => Item,
): Promise<void> {
  let from = 0;
  const worker = async () => {
    while (from < count) {
      const length = Math.min(BATCH, count - from);
      const start = from;
      from += length;
      const batch = Array.from({ length }, (_, i) => itemAt(start + i));
      await writeBatch(client, table, batch);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, worker));
}

async function writeBatch(
  client: DynamoDBClient,
  table: string,
  items: readonly Item[],
): Promise<void> {
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
