import { setMaxListeners } from 'node:events';
import type {
  AttributeValue,
  QueryCommandInput,
  QueryCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { KeyedRow } from '../query/predicate.ts';
import type { Reads } from '../query/row-store.ts';
import type { Field } from '../values/field-types.ts';
import { withinSignal } from '../work/waiting.ts';
import { AWS_PRICES } from './aws-prices.ts';
import { type Item, readItem } from './item.ts';
import type { TableReads } from './read-client.ts';
import { storeUnavailable } from './store-unavailable.ts';

export type PositionedRow = KeyedRow & { readonly position: number };

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
