import { hash } from 'node:crypto';
import { decodeCursor } from '../arguments/cursor.ts';
import type { Members } from '../arguments/given.ts';
import type { DatasetBlock } from '../block/block.ts';
import {
  type Dimension,
  type Grouping,
  groupingOf,
  groupingTexts,
  readDimensions,
} from '../block/grouping.ts';
import type { Manifest } from '../block/manifest.ts';
import { DEFAULT_LIMIT } from '../block/options.ts';
import type { Near } from '../values/places.ts';
import type { Budget } from '../work/budget.ts';
import { type Condition, nearOf, type Predicate, predicateOf } from './predicate.ts';

export type Sort = { readonly field: string; readonly descending: boolean };

/** A query of a dataset: which rows, in which order, after which position, and how many. */
export type Query = {
  readonly predicate: Predicate;
  readonly sort?: Sort;
  readonly limit: number;
  /** The position of the previous page's last row. */
  readonly after?: number;
  /** The place to measure distances from. Unless the query sorts, the nearest rows come first. */
  readonly near?: Near;
  /** The fields that the answer has. All if absent. */
  readonly fields?: readonly string[];
  /** If present, the answer has groups: they are sorted, paged and returned instead of rows. */
  readonly grouping?: Grouping;
  /** The dimensions whose values are counted, in addition to the rows. */
  readonly facets?: readonly Dimension[];
};

/** Makes the query of valid arguments. Throws a Problem if the cursor belongs to another query. */
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
  // Groups have no place. If groups are wanted, `_near` only filters their rows.
  const near = grouping === undefined ? nearOf(block, values) : undefined;
  const facets = readDimensions(block.fields, values._facets);
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
 * Identifies the block, the predicate, the order and the grouping. A cursor is accepted only by a
 * query with the same fingerprint.
 */
export function fingerprintOf(
  { id }: Pick<DatasetBlock, 'id'>,
  { predicate, sort, near, grouping }: Pick<Query, 'predicate'> & Sorted,
): string {
  const more = [
    ...(near === undefined ? [] : [near]),
    ...(grouping === undefined ? [] : [groupingTexts(grouping)]),
  ];
  const text = JSON.stringify([id, predicate.map(withoutNumbers), sort ?? null, ...more]);
  return hash('sha256', text, 'base64url').slice(0, 16);
}

/**
 * Drops the numbers of alternatives, and with them their order, because they make no difference to
 * the rows.
 */
function withoutNumbers(condition: Condition): unknown {
  if (condition.test !== 'any') return condition;
  const alternatives = condition.alternatives
    .map((alternative) => JSON.stringify(alternative.map(({ parameters: _, ...test }) => test)))
    .sort();
  return { test: 'any', alternatives };
}
