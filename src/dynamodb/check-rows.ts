import type { ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { type Manifest, shardsOf } from '../block/manifest.ts';
import { numberText } from '../values/wording.ts';
import { type Patience, patiently } from '../work/waiting.ts';
import type { TableReads, TableScans } from './read-client.ts';
import { indexName, SHARD, shardKey } from './table-shape.ts';

export type SourceTable = {
  /** A client without retries: these checks retry themselves, longer than a table is throttled. */
  readonly client: TableReads & TableScans;
  readonly name: string;
  readonly manifest: Pick<Manifest, 'rows' | 'rowsPerShard'>;
};

/**
 * Parts counted in parallel. A page of 1 MB is 128 read units and takes about 100 ms, so this is
 * near the 12,000 units a second that a new table starts with.
 */
const PARTS_AT_ONCE = 8;

/**
 * Throws if the table's number of rows is not the dataset's. Reads the whole table, for as long as
 * `patience` allows.
 */
export async function checkRows(table: SourceTable, patience: Patience): Promise<void> {
  const { client, name, manifest } = table;
  const found = await countParts(shardsOf(manifest), (shard, startKey) => {
    const query = {
      TableName: name,
      Select: 'COUNT' as const,
      KeyConditionExpression: '#shard = :shard',
      ExpressionAttributeNames: { '#shard': SHARD },
      ExpressionAttributeValues: { ':shard': { S: shardKey(shard) } },
      ExclusiveStartKey: startKey,
    };
    return patiently(() => client.query(query, patience.signal), patience);
  });
  if (found === manifest.rows) return;
  throw new Error(
    `The table has ${numberText(found)} rows; the dataset has ${numberText(manifest.rows)}.`,
  );
}

/** Throws if a field's index has not as many rows as have a key in that field. Reads all of it. */
export async function checkIndex(
  { client, name }: SourceTable,
  field: string,
  rows: number,
  patience: Patience,
): Promise<void> {
  const found = await countParts(PARTS_AT_ONCE, (segment, startKey) => {
    const scan = {
      TableName: name,
      IndexName: indexName(field),
      Select: 'COUNT' as const,
      Segment: segment,
      TotalSegments: PARTS_AT_ONCE,
      ExclusiveStartKey: startKey,
    };
    return patiently(() => client.scan(scan, patience.signal), patience);
  });
  if (found === rows) return;
  throw new Error(
    `The index ${indexName(field)} has ${numberText(found)} rows; the dataset has ${numberText(rows)}.`,
  );
}

type CountedPage = Pick<ScanCommandOutput, 'Count' | 'LastEvaluatedKey'>;
type Key = CountedPage['LastEvaluatedKey'];

/** Adds up the counts of all pages of some parts. */
async function countParts(
  parts: number,
  read: (part: number, startKey: Key) => Promise<CountedPage>,
): Promise<number> {
  let [next, found] = [0, 0];
  const countNext = async () => {
    while (next < parts) {
      const part = next++;
      let startKey: Key;
      do {
        const page = await read(part, startKey);
        found += page.Count ?? 0;
        startKey = page.LastEvaluatedKey;
      } while (startKey !== undefined);
    }
  };
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, countNext));
  return found;
}
