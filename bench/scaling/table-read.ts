import { type Manifest, shardsOf } from '../../src/block/manifest.ts';
import { queryInputs, SHARDS_AHEAD } from '../../src/dynamodb/dynamodb-store.ts';
import {
  type IndexPlan,
  MOST_PAGES,
  PAGE_BYTES,
  type ShardsPlan,
} from '../../src/query/query-plan.ts';
import { ASSUMED, BOUNDS } from './assumptions.ts';

/** What a read of the table does, and how long it would take on AWS. */
export type TableRead = {
  /** Of all Queries that are sent, also of those that an early stop no longer waits for. */
  readonly items: number;
  readonly pages: number;
  readonly capacityUnits: number;
  readonly milliseconds: number;
  /** Nothing is left to read; else the answer has a `next`. */
  readonly ended: boolean;
};

/** How the rows that a plan reads lie. */
export type ReadRows = {
  readonly itemBytes: number;
  /** Under the key that an index plan looks up. */
  readonly ofKey: number;
  /** What DynamoDB's filter lets through. */
  readonly share: number;
  /** CPU for each row that comes over the wire. */
  readonly rowMs: number;
  /** CPU for each Query. */
  readonly queryMs: number;
};

type ReadBounds = { readonly pages: number; readonly beginWithinMs: number };

const OF_A_REQUEST: ReadBounds = { pages: MOST_PAGES, beginWithinMs: BOUNDS.beginWithinMs };

/**
 * Plays through what src/dynamodb does with a plan: the shards (or one key) in order, the first
 * pages of a few of them under way at once, until the limit, the pages or the time are reached.
 */
export function tableRead(
  plan: IndexPlan | ShardsPlan,
  manifest: Manifest,
  rows: ReadRows,
  bounds: ReadBounds = OF_A_REQUEST,
): TableRead {
  const { itemBytes, share, rowMs, queryMs } = rows;
  const partitions = plan.path === 'index' ? [rows.ofKey] : shardRows(manifest);
  const { Limit = Number.POSITIVE_INFINITY } =
    queryInputs({ name: 'model', block: { fields: [] } }, plan)[0] ?? {};
  // DynamoDB ends a page behind the item that fills it.
  const mostRows = Math.min(Limit, Math.ceil(PAGE_BYTES / itemBytes));
  const isFiltered = plan.filter.length > 0;
  const ahead = plan.path === 'shards' && (isFiltered || plan.readsAll) ? SHARDS_AHEAD : 1;
  const sent = { items: 0, pages: 0, capacityUnits: 0 };
  let now = 0;
  let matched = 0;
  const begin = (left: number) => {
    if (sent.pages >= bounds.pages || now > bounds.beginWithinMs) return undefined;
    const count = Math.min(left, mostRows);
    const bytes = count * itemBytes;
    sent.pages++;
    sent.items += count;
    sent.capacityUnits += capacityUnits(bytes);
    return { count, at: now + pageMs(bytes) };
  };
  const result = (ended: boolean) => ({ ...sent, milliseconds: now, ended });
  const begun: ReturnType<typeof begin>[] = [];
  for (const [i, total] of partitions.entries()) {
    while (begun.length < Math.min(partitions.length, i + ahead)) {
      begun.push(begin(partitions[begun.length] as number));
    }
    let left = total;
    for (let page = begun[i]; ; page = begin(left)) {
      if (page === undefined) return result(false);
      now = Math.max(now, page.at) + queryMs + page.count * share * rowMs;
      matched += page.count * share;
      left -= page.count;
      if (!plan.readsAll && matched > plan.query.limit) return result(false);
      if (left <= 0) break;
    }
  }
  return result(true);
}

/** Eventually consistent, as Query is unless asked otherwise: half a unit for each 4 KB begun. */
export function capacityUnits(bytes: number): number {
  return Math.ceil(bytes / 4096) / 2;
}

/** By how full it is, between a few items' time and a whole page's. */
export function pageMs(bytes: number): number {
  const { leastPageMs, fullPageMs } = ASSUMED;
  return leastPageMs + (fullPageMs - leastPageMs) * Math.min(1, bytes / PAGE_BYTES);
}

export function shardRows(manifest: Manifest): number[] {
  const { rows, rowsPerShard } = manifest;
  return Array.from({ length: shardsOf(manifest) }, (_, i) =>
    Math.min(rowsPerShard, rows - i * rowsPerShard),
  );
}
