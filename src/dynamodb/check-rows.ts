import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type Manifest, shardsOf } from '../block/manifest.ts';
import { type Patience, patiently } from '../waiting/patience.ts';
import type { TableReads } from './read-client.ts';
import { datasetIncomplete } from './store-unavailable.ts';
import { SHARD, shardKey } from './table-shape.ts';

export type CountedTable = {
  /** A client without retries: `checkRows` retries itself, longer than a table is throttled. */
  readonly client: TableReads;
  readonly name: string;
  readonly manifest: Pick<Manifest, 'rows' | 'rowsPerShard'>;
};

/**
 * Shards counted in parallel. A page of 1 MB is 128 read units and takes about 100 ms, so this is
 * near the 12,000 units a second that a new table starts with.
 */
const SHARDS_AT_ONCE = 8;

/**
 * Throws a Problem if the table's number of rows is not the dataset's. Reads the whole table, for
 * as long as `patience` allows.
 */
export async function checkRows(table: CountedTable, patience: Patience): Promise<void> {
  const waiting = Array.from({ length: shardsOf(table.manifest) }, (_, shard) => shardKey(shard));
  let found = 0;
  const countNext = async () => {
    for (let shard = waiting.pop(); shard !== undefined; shard = waiting.pop()) {
      const count = await countShard(table, shard, patience);
      // Not `found += await`, which would lose what others add during the wait.
      found += count;
    }
  };
  await Promise.all(Array.from({ length: SHARDS_AT_ONCE }, countNext));
  if (found !== table.manifest.rows) throw datasetIncomplete(table.manifest.rows, found);
}

async function countShard({ client, name }: CountedTable, shard: string, patience: Patience) {
  let count = 0;
  let startKey: Record<string, AttributeValue> | undefined;
  do {
    const query = {
      TableName: name,
      Select: 'COUNT' as const,
      KeyConditionExpression: '#shard = :shard',
      ExpressionAttributeNames: { '#shard': SHARD },
      ExpressionAttributeValues: { ':shard': { S: shard } },
      ExclusiveStartKey: startKey,
    };
    const page = await patiently(() => client.query(query, patience.signal), patience);
    count += page.Count ?? 0;
    startKey = page.LastEvaluatedKey;
  } while (startKey !== undefined);
  return count;
}
