import type { Manifest } from '../block/manifest.ts';
import type { ColumnCache } from '../columns/column-cache.ts';
import { ColumnRows } from '../columns/column-rows.ts';
import { type ColumnSource, ColumnStore } from '../columns/column-store.ts';
import { fieldsOf } from '../query/predicate.ts';
import type { IndexLookup, QueryPlan } from '../query/query.ts';
import { type Page, Reads, type RowStore } from '../query/row-store.ts';
import { rowText, textsThatFit } from '../query/row-texts.ts';
import type { Budget } from '../work/budget.ts';
import { tableColumns } from './column-items.ts';
import { findByIndex, type Table } from './index-rows.ts';
import { storeUnavailable } from './read-client.ts';

/**
 * A table's rows: by its columns, in memory as far as the cache has room; or by an index, where that
 * finds them and the columns would have to be read. A source without rows is of a table without
 * their items: then columns answer everything.
 */
export function datasetStore(
  table: Table,
  cache: ColumnCache,
  source: ColumnSource = tableColumns({ ...table, fields: table.block.fields }),
): RowStore {
  const { block, manifest } = table;
  const store = new ColumnStore({
    rows: manifest.rows,
    rowsPerChunk: manifest.rowsPerChunk,
    rowBytes: manifest.bytes / manifest.rows,
    source,
    cache,
    unavailable: storeUnavailable,
  });
  const columns = new ColumnRows(store, block.fields);
  const ofColumns = manifest.bytes * SHARE_OF_COLUMNS;
  const haveRoom = ofColumns <= cache.mostBytes / 2;
  let lookedUp = 0;
  return {
    read: async (plan, budget) => {
      const { query, lookup } = plan;
      const isHeld = () => store.holds(fieldsOf(query.predicate));
      if (lookup === undefined || source.rows === undefined || isHeld()) {
        return columns.read(plan, budget);
      }
      const isLarge = mostBytesOf(lookup, manifest) > LARGE_LOOKUP;
      if (isLarge && haveRoom && lookedUp > ofColumns) return columns.read(plan, budget);
      const page = await pageByIndex(table, plan, budget);
      if (isLarge) lookedUp += page.usage.capacityUnits * BYTES_PER_UNIT;
      return page.total === 0
        ? { ...page, help: await columns.help(query.predicate, budget) }
        : page;
    },
    group: (...asked) => columns.group(...asked),
    rest: (query, budget, reads) => columns.rest(query, budget, reads),
  };
}

/** About what columns take, of the bytes of the rows' items. */
const SHARE_OF_COLUMNS = 0.1;

/**
 * Lookups that may read more bytes than this go by the columns once they have read as many as all
 * columns have: from then on these are in memory.
 */
const LARGE_LOOKUP = 2 ** 17;

/** What a read unit reads, eventually consistent. */
const BYTES_PER_UNIT = 8192;

function mostBytesOf({ field, keys }: IndexLookup, { fields }: Manifest): number {
  return (fields[field]?.mostBytesOfKey ?? 0) * keys.length;
}

async function pageByIndex(table: Table, plan: QueryPlan, budget: Budget): Promise<Page> {
  const { query, lookup } = plan as Required<QueryPlan>;
  const reads = new Reads();
  const { rows, total } = await findByIndex(table, lookup, query, budget, reads);
  const page = rows.slice(0, query.limit).map((row) => rowText(row.values, query.fields));
  const texts = await textsThatFit([page]);
  const last = rows[texts.length - 1]?.position;
  return {
    rows: texts,
    positions: rows.slice(0, texts.length).map(({ position }) => position),
    total,
    ...(texts.length === rows.length || last === undefined ? {} : { last }),
    path: `index:${lookup.field}`,
    usage: reads,
  };
}
