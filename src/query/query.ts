import { hash } from 'node:crypto';
import { decodeCursor } from '../arguments/cursor.ts';
import type { Members } from '../arguments/given.ts';
import type { DatasetBlock } from '../block/block.ts';
import {
  type Dimension,
  dimensionsOf,
  type Grouping,
  groupingOf,
  textsOf,
} from '../block/grouping.ts';
import type { Manifest } from '../block/manifest.ts';
import { DEFAULT_LIMIT } from '../block/options.ts';
import { isWildcard } from '../text/pattern.ts';
import { isIndexed } from '../values/field-types.ts';
import type { Near } from '../values/places.ts';
import type { Budget } from '../work/budget.ts';
import {
  type Condition,
  type FieldCondition,
  nearOf,
  type Predicate,
  predicateOf,
} from './predicate.ts';

export type Sort = { readonly field: string; readonly descending: boolean };

/** A query of a dataset: which rows, in which order, after which position, and how many. */
export type Query = {
  readonly predicate: Predicate;
  readonly sort?: Sort;
  readonly limit: number;
  /** The position of the previous page's last row. */
  readonly after?: number;
  /** The place to tell distances from; unless sorted, the nearest rows come first. */
  readonly near?: Near;
  /** The fields to answer with; all if absent. */
  readonly fields?: readonly string[];
  /** If it asks for groups of rows: these are what is sorted, paged and answered with. */
  readonly grouping?: Grouping;
  /** What to count the values of, beside the rows. */
  readonly facets?: readonly Dimension[];
};

/** The query of valid arguments. Throws a Problem for a cursor that does not belong to it. */
export function queryOf(
  block: DatasetBlock,
  manifest: Manifest,
  values: Members,
  budget: Budget,
  grouping = groupingOf(block, values),
): Query {
  const predicate = predicateOf(block, values, budget);
  const sort = sortOf(values._sort as string | undefined);
  const cursor = values._cursor as string | undefined;
  const fields = values._fields as readonly string[] | undefined;
  // Groups are no places: what is asked near one only filters their rows.
  const near = grouping === undefined ? nearOf(block, values) : undefined;
  const facets = dimensionsOf(block.fields, values._facets);
  return {
    predicate,
    ...(sort === undefined ? {} : { sort }),
    ...(near === undefined ? {} : { near }),
    limit: (values._limit as number | undefined) ?? DEFAULT_LIMIT,
    ...(cursor === undefined
      ? {}
      : {
          after: decodeCursor(
            cursor,
            fingerprintOf(block, { predicate, sort, near, grouping }),
            manifest,
          ),
        }),
    ...(fields === undefined ? {} : { fields: [...new Set(fields)] }),
    ...(grouping === undefined ? {} : { grouping }),
    ...(facets.length === 0 ? {} : { facets }),
  };
}

type Sorted = {
  readonly near?: Near | undefined;
  readonly sort?: Sort | undefined;
  readonly grouping?: Grouping | undefined;
};

function sortOf(text: string | undefined): Sort | undefined {
  if (text === undefined) return undefined;
  return text.startsWith('-')
    ? { field: text.slice(1), descending: true }
    : { field: text, descending: false };
}

/**
 * Identifies block, predicate, order and groups, so that a cursor is accepted only for its own query.
 */
export function fingerprintOf(
  { id }: Pick<DatasetBlock, 'id'>,
  { predicate, sort, near, grouping }: Pick<Query, 'predicate'> & Sorted,
): string {
  const more = [
    ...(near === undefined ? [] : [near]),
    ...(grouping === undefined ? [] : [textsOf(grouping)]),
  ];
  const text = JSON.stringify([id, predicate.map(withoutNumbers), sort ?? null, ...more]);
  return hash('sha256', text, 'base64url').slice(0, 16);
}

/** The numbers of alternatives, and so their order, make no difference to the rows. */
function withoutNumbers(condition: Condition): unknown {
  if (condition.test !== 'any') return condition;
  const alternatives = condition.alternatives
    .map((alternative) => JSON.stringify(alternative.map(({ parameters: _, ...test }) => test)))
    .sort();
  return { test: 'any', alternatives };
}

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
