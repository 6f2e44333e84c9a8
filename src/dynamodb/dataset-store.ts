import { setMaxListeners } from 'node:events';
import type {
  AttributeValue,
  QueryCommandInput,
  QueryCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { DatasetBlock } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import type { ColumnCache } from '../columns/column-cache.ts';
import { ColumnRows } from '../columns/column-rows.ts';
import { ColumnStore } from '../columns/column-store.ts';
import { storeUnavailable } from '../problem/errors.ts';
import {
  type Condition,
  type FieldCondition,
  fieldsInPredicate,
  type KeyedRow,
  matches,
  type Predicate,
  stepsOfMatching,
} from '../query/predicate.ts';
import { type Page, type Query, ReadCost, type RowStore } from '../query/row-store.ts';
import { sortRows } from '../query/sort-rows.ts';
import { isWildcard } from '../text/pattern.ts';
import { LONG_LIST } from '../values/field-type.ts';
import { type Field, isIndexed } from '../values/field-types.ts';
import { rowText, textsThatFit } from '../values/row-texts.ts';
import type { Budget } from '../work/budget.ts';
import { withinSignal } from '../work/waiting.ts';
import { type Item, indexName, keyAttribute, readItem } from './item.ts';
import { LIMITS, USD_OF_MILLION_READ_UNITS } from './limits.ts';
import type { TableReads } from './read-client.ts';
import { tableColumns } from './read-columns.ts';

/**
 * Reads the rows of a table. It uses the columns, which stay in memory as far as the cache has
 * room. It uses an index if one finds the rows and the columns would have to be read first.
 */
export function datasetStore(table: Table, cache: ColumnCache): RowStore {
  const { block, manifest } = table;
  const store = new ColumnStore({
    rows: manifest.rows,
    rowsPerChunk: manifest.rowsPerChunk,
    rowBytes: manifest.bytes / manifest.rows,
    source: tableColumns({ ...table, fields: block.fields }),
    cache,
    unavailable: storeUnavailable,
  });
  const columns = new ColumnRows(store, block.fields);
  const ofColumns = manifest.bytes * SHARE_OF_COLUMNS;
  const haveRoom = ofColumns <= cache.mostBytes / 2;
  let lookedUp = 0;
  return {
    read: async (query, budget) => {
      const lookup = lookupOf(query, block, manifest);
      const isHeld = () => store.holds(fieldsInPredicate(query.predicate));
      if (lookup === undefined || isHeld()) return columns.read(query, budget);
      const isLarge = mostBytesOf(lookup, manifest) > LARGE_LOOKUP;
      if (isLarge && haveRoom && lookedUp > ofColumns) return columns.read(query, budget);
      const page = await pageByIndex(table, query, lookup, budget);
      if (isLarge) lookedUp += page.usage.capacityUnits * BYTES_PER_UNIT;
      return page.total === 0
        ? { ...page, help: await columns.help(query.predicate, budget) }
        : page;
    },
    before: (...asked) => columns.before(...asked),
    group: (...asked) => columns.group(...asked),
    groupWithoutEach: (...asked) => columns.groupWithoutEach(...asked),
    lookUp: (...asked) => columns.lookUp(...asked),
    placeOf: (...asked) => columns.placeOf(...asked),
    rest: (query, budget, reads) => columns.rest(query, budget, reads),
    restOfValues: (query, budget, reads) => columns.restOfValues(query, budget, reads),
  };
}

/** The approximate size of the columns, as a share of the bytes of the rows' items. */
const SHARE_OF_COLUMNS = 0.1;

/**
 * A lookup is large if it may read more bytes than this. Once large lookups have read as many bytes
 * as all columns have, columns answer such queries: then these are read once and stay in memory.
 */
const LARGE_LOOKUP = 2 ** 17;

/** An eventually consistent read unit reads this many bytes. */
const BYTES_PER_UNIT = 8192;

/** A read of all rows with some keys of an indexed text field. */
type IndexLookup = {
  readonly field: string;
  readonly keys: readonly string[];
  /** The conditions that the index does not check. */
  readonly unchecked: Predicate;
};

/**
 * Rows that a lookup in an index reads, by the importer's count. These are four of DynamoDB's
 * pages.
 */
const MOST_LOOKUP_BYTES = 4 * 2 ** 20;

/** For more keys than this, reading the columns takes fewer reads. */
const MOST_LOOKUP_KEYS = 8;

/**
 * Chooses the lookup that reads least, if an index may be faster than the columns, which can answer
 * every query. That is so if few rows have the texts that the query looks for. It is decided before
 * anything is read.
 */
export function lookupOf(
  { predicate, near, grouping }: Query,
  block: DatasetBlock,
  manifest: Manifest,
): IndexLookup | undefined {
  // Reading columns that have a single chunk takes no longer than reading an index.
  if (manifest.rows <= manifest.rowsPerChunk || grouping !== undefined) return undefined;
  // Distances are computed from the columns.
  if (near !== undefined) return undefined;
  // Columns look a long list up once; rows would be compared with all of it.
  if (predicate.some(hasLongList)) return undefined;
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
  const unchecked = predicate.filter((one) => one !== condition);
  return { field: condition.field, keys, unchecked };
}

function hasLongList(condition: Condition): boolean {
  if (condition.test === 'any') return condition.alternatives.flat().some(hasLongList);
  return 'anyOf' in condition && condition.anyOf.length > LONG_LIST;
}

/** The keys to look up, if a condition is equality with a few texts of an indexed field. */
function keysOf(condition: FieldCondition, block: DatasetBlock): string[] | undefined {
  if (condition.test !== 'patterns' || condition.not) return undefined;
  if (condition.anyOf.length > MOST_LOOKUP_KEYS) return undefined;
  const field = block.fields.find(({ name }) => name === condition.field);
  if (field === undefined || !isIndexed(field)) return undefined;
  const keys = condition.anyOf.map((pattern) => pattern[0] as string);
  if (condition.anyOf.some(isWildcard)) return undefined;
  return keys.every((key) => key !== '' && Buffer.byteLength(key) <= LIMITS.partitionKeyBytes)
    ? keys
    : undefined;
}

function mostBytesOf({ field, keys }: IndexLookup, { fields }: Manifest): number {
  return (fields[field]?.mostBytesOfKey ?? 0) * keys.length;
}

async function pageByIndex(
  table: Table,
  query: Query,
  lookup: IndexLookup,
  budget: Budget,
): Promise<Page> {
  const reads = new ReadCost();
  const { rows, total } = await findByIndex(table, lookup, query, budget, reads);
  const page = rows.slice(0, query.limit).map((row) => rowText(row.values, query.fields));
  const texts = await textsThatFit([page]);
  const last = rows[texts.length - 1]?.position;
  return {
    rows: texts,
    positions: rows.slice(0, texts.length).map(({ position }) => position),
    total,
    last: texts.length === rows.length ? undefined : last,
    path: `index:${lookup.field}`,
    usage: reads,
  };
}

/** A table that holds a dataset. */
export type Table = {
  readonly client: TableReads;
  readonly name: string;
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
};

/** All rows that a query finds, in its order, without those up to the cursor. */
type FoundRows = { readonly rows: readonly PositionedRow[]; readonly total: number };

/** How many rows are examined without a pause. */
const ROWS_AT_ONCE = 64;

/**
 * Finds a query's rows by an index: reads all rows with a few keys, and tests them with the other
 * conditions.
 */
async function findByIndex(
  table: Table,
  { field, keys, unchecked }: IndexLookup,
  { sort, after }: Query,
  budget: Budget,
  reads: ReadCost,
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
  const found = await matchingRows(rows, unchecked, budget);
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
      const asked = fieldsInPredicate([condition]);
      const characters = some.reduce(
        (sum, { keys }) =>
          asked.reduce((length, field) => {
            const key = keys[field];
            return length + (typeof key === 'string' ? key.length : 0);
          }, sum),
        0,
      );
      const stepsOfOne = stepsOfMatching(condition, some.length, characters);
      budget.spend(stepsOfOne, condition.parameters[0]);
      steps += stepsOfOne;
    }
    found.push(...some.filter((row) => matches(predicate, row)));
    await budget.checkpoint(steps);
  }
  return found;
}

type PositionedRow = KeyedRow & { readonly position: number };

/**
 * Reads the rows of all pages of a Query; pages may follow an empty one. Throws a Problem if the
 * signal aborts, if DynamoDB does not answer, or if the answer cannot be these rows in their order.
 */
export async function readPages(
  client: TableReads,
  input: QueryCommandInput,
  fields: readonly Field[],
  signal: AbortSignal,
  reads: ReadCost,
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
      // A request may hang in spite of the signal, but a read must not last longer than it.
      const page = await withinSignal(client.query(asked, signal), signal);
      const units = page.ConsumedCapacity?.CapacityUnits ?? 0;
      const found = itemsOf(page);
      reads.itemsRead += found.length;
      reads.capacityUnits += units;
      reads.usd += (units * USD_OF_MILLION_READ_UNITS) / 1e6;
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

/**
 * The items of a page. No query has a filter expression, so a page must contain all items that it
 * counts.
 */
function itemsOf({ Items, Count }: Pick<QueryCommandOutput, 'Items' | 'Count'>): readonly Item[] {
  if (Array.isArray(Items) && Items.length === Count) return Items;
  throw new Error('A page has other items than it counts.');
}
