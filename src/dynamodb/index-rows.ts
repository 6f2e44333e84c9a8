import { setMaxListeners } from 'node:events';
import type {
  AttributeValue,
  QueryCommandInput,
  QueryCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { DatasetBlock } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import {
  fieldsOf,
  type KeyedRow,
  matches,
  type Predicate,
  stepsOfMatching,
} from '../query/predicate.ts';
import type { IndexLookup, Query } from '../query/query.ts';
import type { Reads } from '../query/row-store.ts';
import { sortRows } from '../query/sort-rows.ts';
import type { Field } from '../values/field-types.ts';
import type { Budget } from '../work/budget.ts';
import { withinSignal } from '../work/waiting.ts';
import { type Item, indexName, keyAttribute, readItem } from './item.ts';
import { AWS_PRICES } from './limits.ts';
import { storeUnavailable, type TableReads } from './read-client.ts';

/** A table that holds a dataset. */
export type Table = {
  readonly client: TableReads;
  readonly name: string;
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
};

/** All rows that a query finds, in its order; those up to the cursor are left out. */
type FoundRows = { readonly rows: readonly PositionedRow[]; readonly total: number };

/** Rows examined without a pause. */
const ROWS_AT_ONCE = 64;

/** Finds a query's rows by an index: reads all rows of a few keys, and checks the rest of it. */
export async function findByIndex(
  table: Table,
  { field, keys, others }: IndexLookup,
  { sort, after }: Query,
  budget: Budget,
  reads: Reads,
): Promise<FoundRows> {
  const { client, block, name, manifest } = table;
  const rowsOfKey = async (key: string) => {
    const asked = queryOfKey(name, field, key);
    const rows = await readPages(client, asked, block.fields, budget.signal, reads);
    const isAsked = ({ keys, position }: PositionedRow) =>
      keys[field] === key && position < manifest.rows;
    if (rows.every(isAsked)) return rows;
    throw storeUnavailable(new Error(`${indexName(field)} has items that were not asked for.`));
  };
  const read = await Promise.all(keys.map(rowsOfKey));
  const rows = read.flat().sort((a, b) => a.position - b.position);
  const found = await matchingRows(rows, others, budget);
  if (sort !== undefined) return { rows: sortRows(found, sort, after), total: found.length };
  const isAfter = ({ position }: PositionedRow) => after === undefined || position > after;
  return { rows: found.filter(isAfter), total: found.length };
}

function queryOfKey(table: string, field: string, key: string): QueryCommandInput {
  return {
    TableName: table,
    IndexName: indexName(field),
    KeyConditionExpression: '#key = :key',
    ExpressionAttributeNames: { '#key': keyAttribute(field) },
    ExpressionAttributeValues: { ':key': { S: key } },
  };
}

async function matchingRows(
  rows: readonly PositionedRow[],
  predicate: Predicate,
  budget: Budget,
): Promise<PositionedRow[]> {
  const found: PositionedRow[] = [];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE);
    let steps = 0;
    for (const condition of predicate) {
      const asked = fieldsOf([condition]);
      const characters = some.reduce(
        (sum, { keys }) =>
          asked.reduce((its, field) => {
            const key = keys[field];
            return its + (typeof key === 'string' ? key.length : 0);
          }, sum),
        0,
      );
      const its = stepsOfMatching(condition, some.length, characters);
      budget.spend(its, condition.parameters[0]);
      steps += its;
    }
    found.push(...some.filter((row) => matches(predicate, row)));
    await budget.turn(steps);
  }
  return found;
}

type PositionedRow = KeyedRow & { readonly position: number };

/**
 * The rows of all pages of a Query, including those after an empty page. Throws a Problem if the
 * signal aborts, or DynamoDB does not answer, or with what cannot be these rows in their order.
 */
export async function readPages(
  client: TableReads,
  input: QueryCommandInput,
  fields: readonly Field[],
  signal: AbortSignal,
  reads: Reads,
): Promise<PositionedRow[]> {
  // Every request adds a listener; the number of requests is bounded by the plan.
  setMaxListeners(0, signal);
  const rows: PositionedRow[] = [];
  let startKey: Record<string, AttributeValue> | undefined;
  do {
    const asked: QueryCommandInput = {
      ...input,
      ExclusiveStartKey: startKey,
      ReturnConsumedCapacity: 'TOTAL',
    };
    try {
      // A request may hang whatever the signal says; a read must not outlive it.
      const page = await withinSignal(client.query(asked, signal), signal);
      const units = page.ConsumedCapacity?.CapacityUnits ?? 0;
      const found = itemsOf(page);
      reads.itemsRead += found.length;
      reads.capacityUnits += units;
      reads.usd += (units * AWS_PRICES.millionReadUnits) / 1e6;
      for (const item of found) {
        const row = readItem(fields, item);
        if (!(row.position > (rows.at(-1)?.position ?? -1))) throw new Error(OUT_OF_ORDER);
        rows.push(row);
      }
      startKey = page.LastEvaluatedKey;
    } catch (cause) {
      throw storeUnavailable(cause);
    }
  } while (startKey !== undefined);
  return rows;
}

const OUT_OF_ORDER = 'The items of a page are not in the order of their positions.';

/** A page's items. No query has a filter expression, so that all that are counted are there. */
function itemsOf({ Items, Count }: Pick<QueryCommandOutput, 'Items' | 'Count'>): readonly Item[] {
  if (Array.isArray(Items) && Items.length === Count) return Items;
  throw new Error('A page has other items than it counts.');
}
