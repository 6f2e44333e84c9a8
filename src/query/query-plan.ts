import type { DatasetBlock } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import { isIndexed } from '../fields/field-types.ts';
import { isWildcard } from './pattern.ts';
import type { FieldCondition, Predicate } from './predicate.ts';
import type { Query } from './query.ts';

/**
 * How a query may be answered; plain data, decided before anything is read. The columns answer every
 * query. Where few rows have the texts that it asks for, an index finds them without the columns.
 */
export type QueryPlan = { readonly query: Query; readonly lookup?: IndexLookup };

/** Reads all rows with some keys of an indexed text field. */
export type IndexLookup = {
  readonly field: string;
  readonly keys: readonly string[];
  /** What the index has not checked. */
  readonly others: Predicate;
};

/** The most bytes of rows that a lookup reads: four of DynamoDB's pages. */
const MOST_LOOKUP_BYTES = 4 * 2 ** 20;

/** With more keys than this, the columns take fewer reads. */
const MOST_LOOKUP_KEYS = 8;

/** DynamoDB's limit on a partition key, also an index's, in bytes. */
export const MOST_KEY_BYTES = 2048;

/** Plans a query. Columns of a single chunk are read as soon as an index is. */
export function planQuery(query: Query, block: DatasetBlock, manifest: Manifest): QueryPlan {
  const lookup =
    manifest.rows > manifest.rowsPerChunk && query.grouping === undefined
      ? lookupOf(query, block, manifest)
      : undefined;
  return { query, ...(lookup === undefined ? {} : { lookup }) };
}

/** The lookup that reads least. */
function lookupOf(
  { predicate, near }: Query,
  block: DatasetBlock,
  manifest: Manifest,
): IndexLookup | undefined {
  // Distances are told from the columns.
  if (near !== undefined) return undefined;
  const [best] = predicate
    .flatMap((condition) => {
      if (!('field' in condition)) return [];
      const keys = keysOf(condition, block);
      if (keys === undefined) return [];
      const ofKey = manifest.fields[condition.field]?.mostBytesOfKey ?? manifest.bytes;
      return [{ condition, keys, bytes: ofKey * keys.length }];
    })
    .filter(({ bytes }) => bytes <= MOST_LOOKUP_BYTES)
    .sort((a, b) => a.bytes - b.bytes);
  if (best === undefined) return undefined;
  const { condition, keys } = best;
  const others = predicate.filter((other) => other !== condition);
  return { field: condition.field, keys, others };
}

/** The keys to look up if a condition is equality with one or a few texts of an indexed field. */
function keysOf(condition: FieldCondition, block: DatasetBlock): string[] | undefined {
  if (condition.test !== 'patterns' || condition.not) return undefined;
  if (condition.anyOf.length > MOST_LOOKUP_KEYS) return undefined;
  const field = block.fields.find(({ name }) => name === condition.field);
  if (field === undefined || !isIndexed(field)) return undefined;
  const keys = condition.anyOf.map((pattern) => pattern[0] as string);
  if (condition.anyOf.some(isWildcard)) return undefined;
  return keys.every((key) => key !== '' && Buffer.byteLength(key) <= MOST_KEY_BYTES)
    ? keys
    : undefined;
}
