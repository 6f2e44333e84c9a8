import type { DynamoDBClient, QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { DatasetBlock } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import type { Budget } from '../query/budget.ts';
import { matches, type Predicate, stepsOfMatching } from '../query/predicate.ts';
import { type IndexPlan, MOST_PAGES, type ShardsPlan } from '../query/query-plan.ts';
import type { Page, RowStore } from '../query/row-store.ts';
import { MOST_ANSWER_BYTES, rowText } from '../query/row-text.ts';
import { sortRows } from '../query/sort-rows.ts';
import { filterExpression } from './filter-expression.ts';
import { type Batch, inSequence, merged, PageReader, type PositionedRow } from './page-reader.ts';
import { datasetIncomplete, rowMissing, storeUnavailable } from './store-unavailable.ts';
import { ID, idOf, indexName, keyAttribute, SHARD, shardKey } from './table-shape.ts';

/** A table that holds a dataset's rows. */
export type Table = {
  readonly client: DynamoDBClient;
  readonly name: string;
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
};

/** No page is started after this long, so that a read ends well within its caller's time limit. */
const BEGIN_WITHIN_MS = 2000;

/** Shards read in parallel. */
export const SHARDS_AHEAD = 4;

type TablePlan = IndexPlan | ShardsPlan;

/** Answers from the table itself, through its indexes or its shards. */
export function dynamodbStore(table: Table): RowStore {
  return {
    read: async (plan, budget) => {
      if (plan.path === 'resident') throw new Error('A resident plan is not for the table.');
      const reader = new PageReader(table.client, table.block.fields, budget.signal, {
        mostPages: MOST_PAGES,
        until: performance.now() + BEGIN_WITHIN_MS,
      });
      const sources = queryInputs(table, plan).map((input) => reader.pages(input));
      const batches =
        plan.path === 'index'
          ? merged(sources)
          : inSequence(
              sources,
              plan.filter.length === 0 && !plan.readsAll ? 1 : SHARDS_AHEAD,
              (source) => (plan.firstShard + source + 1) * table.manifest.rowsPerShard - 1,
            );
      const found = await collect(table.manifest, plan, batches, budget);
      const { rows: expected } = table.manifest;
      // Every shard was read to its end, so every row of the table was seen.
      if (
        plan.path === 'shards' &&
        plan.readsAll &&
        found.ended &&
        reader.usage.itemsRead !== expected
      ) {
        throw datasetIncomplete(expected, reader.usage.itemsRead);
      }
      return pageOf(table, plan, found, reader);
    },
  };
}

/** The Queries that answer a plan: one for each key or each shard. Pure. */
export function queryInputs(
  { name, block }: { readonly name: string; readonly block: Pick<DatasetBlock, 'fields'> },
  plan: TablePlan,
): QueryCommandInput[] {
  const { query, readsAll } = plan;
  const after = readsAll ? undefined : query.after;
  const filter = filterExpression(plan.filter, block.fields);
  const filtered = {
    TableName: name,
    ...(filter === undefined ? {} : { FilterExpression: filter.expression }),
    // Without a filter, every row read is returned; one extra row shows whether more follow.
    ...(plan.filter.length > 0 || readsAll ? {} : { Limit: query.limit + 1 }),
  };
  const partitions =
    plan.path === 'index'
      ? plan.keys
      : Array.from({ length: plan.shards - plan.firstShard }, (_, i) =>
          shardKey(plan.firstShard + i),
        );
  return partitions.map((partition, i) => {
    // Only the first shard read can have rows from before the cursor; any key of an index can.
    const skips = after !== undefined && (plan.path === 'index' || i === 0);
    return {
      ...filtered,
      ...(plan.path === 'index' ? { IndexName: indexName(plan.field) } : {}),
      KeyConditionExpression: `#partition = :partition${skips ? ' AND #id > :after' : ''}`,
      ExpressionAttributeNames: {
        ...filter?.names,
        '#partition': plan.path === 'index' ? keyAttribute(plan.field) : SHARD,
        ...(skips ? { '#id': ID } : {}),
      },
      ExpressionAttributeValues: {
        ...filter?.values,
        ':partition': { S: partition },
        ...(skips ? { ':after': { S: idOf(after) } } : {}),
      },
    };
  });
}

type Found = {
  /** Matches in the dataset's order; without a sort, only those after the cursor. */
  readonly rows: readonly PositionedRow[];
  readonly matched: number;
  /** Whether nothing is left to read. */
  readonly ended: boolean;
  readonly completeUpTo: number;
};

async function collect(
  manifest: Manifest,
  plan: TablePlan,
  batches: AsyncIterable<Batch | undefined>,
  budget: Budget,
): Promise<Found> {
  const { query, readsAll } = plan;
  const { predicate, sort, limit } = query;
  const after = query.after ?? -1;
  // Positions must then be consecutive, which reveals a missing row at once.
  const isConsecutive = isOfAllRows(plan) && !readsAll;
  const rows: PositionedRow[] = [];
  let matched = 0;
  let completeUpTo = after;
  for await (const batch of batches) {
    if (batch === undefined) return { rows, matched, ended: false, completeUpTo };
    const stepsPerRow = payForBatch(predicate, batch.rows, budget) / batch.rows.length;
    for (const [i, row] of batch.rows.entries()) {
      if (i % ROWS_AT_ONCE === 0) await budget.turn(stepsPerRow * ROWS_AT_ONCE);
      const next = after + 1 + matched;
      if (isConsecutive && row.position !== next) throw rowMissing(next);
      if (!matches(predicate, row)) continue;
      matched++;
      if (sort !== undefined || (row.position > after && rows.length <= limit)) rows.push(row);
    }
    if (!readsAll && rows.length > limit) return { rows, matched, ended: false, completeUpTo };
    completeUpTo = Math.max(completeUpTo, batch.completeUpTo);
  }
  const next = after + 1 + matched;
  if (isConsecutive && next !== manifest.rows) throw rowMissing(next);
  return { rows, matched, ended: true, completeUpTo: Number.POSITIVE_INFINITY };
}

/** Rows examined without a pause. */
const ROWS_AT_ONCE = 64;

/** Spends the steps for examining these rows, and returns their number. */
function payForBatch(predicate: Predicate, rows: readonly PositionedRow[], budget: Budget): number {
  let all = 0;
  for (const condition of predicate) {
    const characters = rows.reduce((sum, { keys }) => {
      const key = keys[condition.field];
      return sum + (typeof key === 'string' ? key.length : 0);
    }, 0);
    const steps = stepsOfMatching(condition, rows.length, characters);
    budget.spend(steps, condition.parameters[0]);
    all += steps;
  }
  return all;
}

/** Whether the query matches every row of the table, so that the total is known beforehand. */
function isOfAllRows({ path, query }: TablePlan): boolean {
  return path === 'shards' && query.predicate.length === 0;
}

function pageOf({ manifest }: Table, plan: TablePlan, found: Found, reader: PageReader): Page {
  const { sort, after, limit, fields } = plan.query;
  if (sort !== undefined && !found.ended) {
    throw storeUnavailable(new Error('The rows to sort could not all be read in time.'));
  }
  const rows = sort === undefined ? found.rows : sortRows(found.rows, sort, after);
  const texts: string[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, limit)) {
    const text = rowText(row.values, fields);
    bytes += Buffer.byteLength(text);
    if (bytes > MOST_ANSWER_BYTES) break;
    texts.push(text);
  }
  const whole = texts.length === rows.length;
  const last = whole ? found.completeUpTo : (rows[texts.length - 1] as PositionedRow).position;
  // A page before the last must advance: returning the cursor received would loop forever.
  if (sort === undefined && !(whole && found.ended) && last <= (after ?? -1)) {
    throw storeUnavailable(new Error('No page could be read in time.'));
  }
  const counted = found.ended && (plan.readsAll || after === undefined);
  return {
    rows: texts,
    total: isOfAllRows(plan) ? manifest.rows : counted ? found.matched : null,
    ...(whole && found.ended ? {} : { last }),
    usage: reader.usage,
  };
}
