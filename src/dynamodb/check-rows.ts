import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import { shardsOf } from '../core/dataset-facts.ts';
import type { Table } from './dynamodb-store.ts';
import { datasetIncomplete } from './store-unavailable.ts';
import { SHARD, shardKey } from './table-shape.ts';

/** Shards that are counted at the same time. */
const SHARDS_AT_ONCE = 16;

/** Throws a Refusal where the table holds another number of rows than the dataset. Reads it whole. */
export async function checkRows(table: Table, signal: AbortSignal): Promise<void> {
  const waiting = Array.from({ length: shardsOf(table.facts) }, (_, shard) => shardKey(shard));
  let found = 0;
  const countNext = async () => {
    for (let shard = waiting.pop(); shard !== undefined; shard = waiting.pop()) {
      const count = await countShard(table, shard, signal);
      // Added after the wait: others have added theirs meanwhile.
      found += count;
    }
  };
  await Promise.all(Array.from({ length: SHARDS_AT_ONCE }, countNext));
  if (found !== table.facts.rows) throw datasetIncomplete(table.facts.rows, found);
}

async function countShard({ client, name }: Table, shard: string, abortSignal: AbortSignal) {
  let count = 0;
  let startKey: Record<string, AttributeValue> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: name,
        Select: 'COUNT',
        KeyConditionExpression: '#shard = :shard',
        ExpressionAttributeNames: { '#shard': SHARD },
        ExpressionAttributeValues: { ':shard': { S: shard } },
        ExclusiveStartKey: startKey,
      }),
      { abortSignal },
    );
    count += page.Count ?? 0;
    startKey = page.LastEvaluatedKey;
  } while (startKey !== undefined);
  return count;
}
