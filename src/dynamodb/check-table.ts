import type { ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import type { Manifest } from '../block/manifest.ts';
import { columnsBeside } from '../columns/chunk.ts';
import type { ColumnSource } from '../columns/column-store.ts';
import { unpackChunk } from '../columns/decode-chunk.ts';
import { ReadCost } from '../query/row-store.ts';
import { numberText } from '../text/wording.ts';
import { fewAtOnce, type Patience, retry } from '../work/waiting.ts';
import { checkItemVersion, HEAD_KEY } from './column-items.ts';
import { indexName, SHARD, shardKey } from './item.ts';
import { ItemReader } from './item-reader.ts';
import type { TableReads, TableScans } from './read-client.ts';
import { tableColumns } from './read-columns.ts';

/**
 * Throws unless a table is complete: it must have the dataset's head, all of its rows and columns,
 * and in each index as many rows as have a key there. An import may leave out items and still
 * report success.
 */
export async function checkTable(
  table: TableToCheck & { readonly manifest: Manifest },
  patience: Patience,
): Promise<void> {
  const { client, name, manifest } = table;
  const reader = new ItemReader(client, name);
  const head = await retry(() => reader.read({ key: HEAD_KEY, bytes: HEAD_BYTES }), patience);
  if (head === undefined) throw new Error('The table has no head.');
  checkItemVersion(head, manifest);
  await checkRows(table, patience);
  const source = tableColumns({ ...table, fields: [] });
  const fields = Object.keys(manifest.fields);
  const keyed = await checkColumns({ source, fields, rows: manifest.rows }, patience);
  for (const [field, { mostBytesOfKey }] of Object.entries(manifest.fields)) {
    // Only indexed fields have this number.
    if (mostBytesOfKey === undefined) continue;
    await checkIndex(table, field, keyed.get(field) as number, patience);
  }
}

/** A head has at most this many bytes. */
const HEAD_BYTES = 4096;

type CheckedColumns = {
  readonly source: ColumnSource;
  readonly fields: readonly string[];
  readonly rows: number;
};

/**
 * Reads every column of a table, and returns for each how many rows have a key in it. Throws if an
 * item is missing, if a chunk is not the one that its directory describes, or if a column has too
 * few or too many rows.
 */
export async function checkColumns(
  { source, fields, rows }: CheckedColumns,
  patience: Patience,
): Promise<ReadonlyMap<string, number>> {
  const reads = new ReadCost();
  const keyed = new Map<string, number>();
  const asked = fields.map((name) => ({ name, rows }));
  for (const { name: field, rows: expected } of asked) {
    const { directory, beside } = await retry(() => source.directory(field, reads), patience);
    asked.push(...columnsBeside(field, directory, rows));
    let [found, nulls] = [0, 0];
    for (const [chunk, entry] of directory.chunks.entries()) {
      const bytes =
        beside ?? (await retry(() => source.chunk(field, chunk, directory, reads), patience));
      await unpackChunk(bytes, entry).catch((cause) => {
        throw new Error(`Chunk ${chunk} of the column ${field} is damaged.`, { cause });
      });
      found += entry.rows;
      nulls += entry.nulls;
    }
    if (found !== expected) {
      throw new Error(`The column ${field} has ${found} rows; the dataset has ${expected}.`);
    }
    keyed.set(field, found - nulls);
  }
  return keyed;
}

type TableToCheck = {
  /**
   * A client without retries. These checks retry by themselves, for longer than a table is
   * throttled.
   */
  readonly client: TableReads & TableScans;
  readonly name: string;
  readonly manifest: Pick<Manifest, 'rows' | 'rowsPerShard'>;
};

/**
 * Parts of a table or an index that a check counts at once. A refused page is tried again within 20
 * s, as long as the check has time.
 *
 * A page of 1 MB takes 128 read units and about 100 ms, so this is near the 12,000 units a second
 * that a new table starts with.
 */
const PARTS_AT_ONCE = 8;

/**
 * Throws if the table does not have as many rows as the dataset. Reads the whole table, for as long
 * as `patience` allows.
 */
export async function checkRows(table: TableToCheck, patience: Patience): Promise<void> {
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
    return retry(() => client.query(query, patience.signal), patience);
  });
  if (found === manifest.rows) return;
  throw new Error(
    `The table has ${numberText(found)} rows; the dataset has ${numberText(manifest.rows)}.`,
  );
}

/**
 * Throws if the index of a field does not have as many rows as have a key in that field. Reads the
 * whole index.
 */
async function checkIndex(
  { client, name }: TableToCheck,
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
    return retry(() => client.scan(scan, patience.signal), patience);
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
  let found = 0;
  await fewAtOnce([...Array(parts).keys()], PARTS_AT_ONCE, async (part) => {
    let startKey: Key;
    do {
      const page = await read(part, startKey);
      found += page.Count ?? 0;
      startKey = page.LastEvaluatedKey;
    } while (startKey !== undefined);
  });
  return found;
}

function shardsOf({ rows, rowsPerShard }: Pick<Manifest, 'rows' | 'rowsPerShard'>): number {
  return Math.ceil(rows / rowsPerShard);
}
