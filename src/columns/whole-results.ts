import type { Query, Sort } from '../query/row-store.ts';
import type { ColumnStore, ReadContext } from './column-store.ts';
import { Scan } from './scan.ts';
import { AllSelected } from './selection.ts';
import {
  cursorRow,
  fieldsOfSort,
  findRows,
  merge,
  rowsInOrder,
  runsOf,
  type SortedRun,
} from './sorted-page.ts';

/** Rows whose positions a download keeps while its caller takes a piece. */
const ROWS_AT_ONCE = 2 ** 15;

/**
 * The nearest rows whose order a download has in memory at a time, with 12 bytes each. More are
 * found in several passes.
 */
const NEAREST_AT_ONCE = 2 ** 20;

/**
 * Finds all rows of a query, a few at a time, in its order. It goes through the chunks once, unless
 * memory does not keep the columns of a sort.
 */
export async function* allRows(
  store: ColumnStore,
  query: Query,
  context: ReadContext,
): AsyncGenerator<Uint32Array> {
  const { sort, near } = query;
  if (sort !== undefined) yield* sortedRows(store, { ...query, sort }, context);
  else if (near !== undefined) yield* byPages(store, query, NEAREST_AT_ONCE, context);
  else yield* unsortedRows(store, query, context);
}

async function* unsortedRows(
  store: ColumnStore,
  { predicate, after }: Query,
  context: ReadContext,
): AsyncGenerator<Uint32Array> {
  const from = after === undefined ? 0 : after + 1;
  const scan = await Scan.begin(store, { predicate, isDownload: true }, context);
  let [positions, length] = [new Uint32Array(ROWS_AT_ONCE), 0];
  for await (const part of scan.parts(Math.floor(from / store.rowsPerChunk))) {
    const { first, count } = part;
    const match = part.match ?? new AllSelected(count);
    const rows = match.rows(Math.max(0, from - first), count);
    for (let i = 0; i < rows.length; i++) {
      positions[length++] = first + (rows[i] as number);
      if (length < ROWS_AT_ONCE) continue;
      yield positions;
      [positions, length] = [new Uint32Array(ROWS_AT_ONCE), 0];
    }
  }
  if (length > 0) yield positions.subarray(0, length);
}

/** Finds the rows page by page. Each page goes through all chunks again. */
async function* byPages(
  store: ColumnStore,
  query: Query,
  limit: number,
  context: ReadContext,
): AsyncGenerator<Uint32Array> {
  for (let page: Query | undefined = { ...query, limit }; page !== undefined; ) {
    const { positions, hasMore } = await findRows(store, page, context);
    for (let from = 0; from < positions.length; from += ROWS_AT_ONCE) {
      yield positions.slice(from, from + ROWS_AT_ONCE);
    }
    page = hasMore ? { ...page, after: positions.at(-1) as number } : undefined;
  }
}

/** Sorts each chunk, then merges all of them. */
async function* sortedRows(
  store: ColumnStore,
  query: Query & { readonly sort: Sort },
  context: ReadContext,
): AsyncGenerator<Uint32Array> {
  const { predicate, sort, after } = query;
  const asked = { predicate, fields: fieldsOfSort(sort) };
  const scan = await Scan.begin(store, asked, context);
  if (!scan.isKept) return yield* byPages(store, query, ROWS_AT_ONCE, context);
  const cursor = after === undefined ? undefined : await scan.run(cursorRow(scan, after));
  const runs: SortedRun[] = [];
  for await (const part of scan.parts()) {
    // The first row of a run is found at once, for which the chunk is put in order.
    runs.push(...runsOf([rowsInOrder(store, part, sort, cursor)]));
    await context.budget.checkpoint((scan.rowsIn(part.chunk) / 2) * asked.fields.length);
  }
  while (runs.length > 0) {
    const rows = await scan.run(merge(runs, sort, ROWS_AT_ONCE));
    yield Uint32Array.from(rows, ({ position }) => position);
  }
}
