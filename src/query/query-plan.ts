import type { DatasetBlock } from '../block/block.ts';
import { type Manifest, shardsOf } from '../block/manifest.ts';
import { isIndexed } from '../fields/field-types.ts';
import { Problem } from '../problem/errors.ts';
import { isWildcard } from './pattern.ts';
import type { Condition, Predicate } from './predicate.ts';
import type { Query } from './query.ts';

/** How a query will be answered; plain data, decided before anything is read. */
export type QueryPlan = ResidentPlan | IndexPlan | ShardsPlan;

/** Reads the rows held in memory. */
export type ResidentPlan = { readonly path: 'resident'; readonly query: Query };

/** Reads a text field's index: one DynamoDB Query for each key. */
export type IndexPlan = TablePlan & {
  readonly path: 'index';
  readonly field: string;
  readonly keys: readonly string[];
};

/** Reads the shards in order, from `firstShard` on. */
export type ShardsPlan = TablePlan & {
  readonly path: 'shards';
  readonly firstShard: number;
  readonly shards: number;
};

type TablePlan = {
  readonly query: Query;
  /** The filter for DynamoDB to apply; rows are checked again afterwards. */
  readonly filter: Predicate;
  /** Whether to read all matching rows, which the total and sorting need. */
  readonly readsAll: boolean;
};

/** Datasets of up to this many bytes of items are held in memory instead of queried. */
export const DEFAULT_RESIDENT_BYTES = 64 * 2 ** 20;

/** DynamoDB reads at most 1 MB a page. */
export const PAGE_BYTES = 2 ** 20;

/** The most pages that one request may read; at 10 to 40 ms each, they fit in its time. */
export const MOST_PAGES = 24;

/** With more keys than this, reading the shards takes fewer Queries. */
const MOST_INDEX_KEYS = 8;

/** DynamoDB's limit on a partition key, also an index's, in bytes. */
export const MOST_KEY_BYTES = 2048;

/** Plans a query. Throws a Problem if a sort would need more reads than a request may make. */
export function planQuery(
  query: Query,
  block: DatasetBlock,
  manifest: Manifest,
  residentBytes: number,
): QueryPlan {
  if (manifest.bytes <= residentBytes) return { path: 'resident', query };
  const plan = indexPlan(query, block, manifest) ?? shardsPlan(query, manifest);
  if (query.sort !== undefined && !plan.readsAll) {
    const detail =
      '_sort is not available here: too many rows would have to be read. Leave it out, or filter by equality on an indexed field.';
    throw new Problem('invalid-arguments', detail, {
      faults: [{ code: 'sort-not-available', detail, parameter: '_sort' }],
    });
  }
  return plan;
}

function indexPlan(query: Query, block: DatasetBlock, manifest: Manifest): IndexPlan | undefined {
  const candidates = query.predicate
    .flatMap((condition) => {
      const keys = indexKeys(condition, block);
      if (keys === undefined) return [];
      const bytes =
        (manifest.fields[condition.field]?.mostBytesOfKey ?? manifest.bytes) * keys.length;
      return [{ condition, keys, bytes }];
    })
    .sort((a, b) => a.bytes - b.bytes);
  const [best] = candidates;
  if (best === undefined) return undefined;
  const { condition, keys, bytes } = best;
  return {
    path: 'index',
    query,
    field: condition.field,
    keys,
    filter: query.predicate.filter((condition) => condition !== best.condition),
    readsAll: pages(bytes) + keys.length <= MOST_PAGES,
  };
}

/** The keys to look up if a condition is equality with one or a few texts of an indexed field. */
function indexKeys(condition: Condition, block: DatasetBlock): string[] | undefined {
  if (condition.test !== 'patterns' || condition.not) return undefined;
  if (condition.anyOf.length > MOST_INDEX_KEYS) return undefined;
  const field = block.fields.find(({ name }) => name === condition.field);
  if (field === undefined || !isIndexed(field)) return undefined;
  const keys = condition.anyOf.map((pattern) => pattern[0] as string);
  if (condition.anyOf.some(isWildcard)) return undefined;
  return keys.every((key) => key !== '' && Buffer.byteLength(key) <= MOST_KEY_BYTES)
    ? keys
    : undefined;
}

function shardsPlan(query: Query, manifest: Manifest): ShardsPlan {
  const shards = shardsOf(manifest);
  const { after, predicate, sort } = query;
  // Without a filter and a sort, the total is known and a page is simply the next rows.
  const needsAll = predicate.length > 0 || sort !== undefined;
  // Each shard needs its own Query, whose last page may be partly full.
  const readsAll = needsAll && pages(manifest.bytes) + shards <= MOST_PAGES;
  const firstShard =
    readsAll || after === undefined ? 0 : Math.floor((after + 1) / manifest.rowsPerShard);
  return { path: 'shards', query, filter: predicate, readsAll, firstShard, shards };
}

function pages(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES);
}
