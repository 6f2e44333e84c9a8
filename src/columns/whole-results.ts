import type { Query, Sort } from '../query/row-store.ts';
import type { Work } from '../work/work.ts';
import type { ColumnStore, ReadContext } from './column-store.ts';
import type { Shortcuts } from './row-search.ts';
import { Scan } from './scan.ts';
import { AllSelected } from './selection.ts';
import {
  compareRows,
  cursorRow,
  fieldsOfSort,
  findRows,
  orderOfPart,
  rowsInOrder,
  type SortedRow,
} from './sorted-page.ts';

/** A download finds at most this many rows at once. */
const ROWS_AT_ONCE = 2 ** 15;

/** The nearest rows are found in one pass if they are no more than this. They take 12 bytes each. */
const NEAREST_AT_ONCE = 2 ** 20;

/**
 * Finds all rows of a query, a few at a time, in its order. It goes through the chunks once, unless
 * memory does not keep the columns of a sort.
 */
export async function* allRows(
  store: ColumnStore,
  query: Query,
  context: ReadContext,
  shortcuts: Shortcuts,
): AsyncGenerator<Uint32Array> {
  const { sort, near } = query;
  if (sort !== undefined) yield* sortedRows(store, { ...query, sort }, context, shortcuts);
  else if (near !== undefined) yield* byPages(store, query, NEAREST_AT_ONCE, context, shortcuts);
  else yield* unsortedRows(store, query, context, shortcuts);
}

async function* unsortedRows(
  store: ColumnStore,
  { predicate, after }: Query,
  context: ReadContext,
  shortcuts: Shortcuts,
): AsyncGenerator<Uint32Array> {
  const from = after === undefined ? 0 : after + 1;
  const scan = await Scan.begin(store, { predicate, isDownload: true }, context, shortcuts);
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
  shortcuts: Shortcuts,
): AsyncGenerator<Uint32Array> {
  for (let page: Query | undefined = { ...query, limit }; page !== undefined; ) {
    const { positions, hasMore } = await findRows(store, page, context, shortcuts);
    for (let from = 0; from < positions.length; from += ROWS_AT_ONCE) {
      yield positions.subarray(from, from + ROWS_AT_ONCE);
    }
    page = hasMore ? { ...page, after: positions.at(-1) as number } : undefined;
  }
}

/** The rows of a chunk that are still to come, and the next of them. */
type Run = { readonly rows: Iterator<SortedRow>; next: SortedRow };

/** Sorts each chunk, then merges all of them. */
async function* sortedRows(
  store: ColumnStore,
  query: Query & { readonly sort: Sort },
  context: ReadContext,
  shortcuts: Shortcuts,
): AsyncGenerator<Uint32Array> {
  const { predicate, sort, after } = query;
  const asked = { predicate, fields: fieldsOfSort(sort) };
  const scan = await Scan.begin(store, asked, context, shortcuts);
  if (!scan.isKept) return yield* byPages(store, query, ROWS_AT_ONCE, context, shortcuts);
  const cursor = after === undefined ? undefined : await scan.run(cursorRow(scan, after));
  const runs: Run[] = [];
  for await (const part of scan.parts()) {
    const rows = rowsInOrder(part, orderOfPart(store, part, sort), sort, cursor);
    const first = rows.next();
    if (first.done !== true) runs.push({ rows, next: first.value });
    await context.budget.checkpoint(scan.rowsIn(part.chunk) / 2);
  }
  // A sorted list is a heap.
  runs.sort((a, b) => compareRuns(a, b, sort));
  while (runs.length > 0) yield await scan.run(taken(runs, sort));
}

function compareRuns({ next: a }: Run, { next: b }: Run, sort: Sort): number {
  return compareRows(a, b, sort) || a.position - b.position;
}

/** The cost of taking a row from the runs, in steps, and how many are taken without a pause. */
const STEPS_PER_ROW = 40;
const TAKEN_AT_ONCE = 1024;

/** Takes the first rows of all runs. They are a binary heap, with the first row on top. */
function* taken(runs: Run[], sort: Sort): Work<Uint32Array> {
  const positions = new Uint32Array(ROWS_AT_ONCE);
  let length = 0;
  for (let top = runs[0]; top !== undefined && length < ROWS_AT_ONCE; top = runs[0]) {
    positions[length++] = top.next.position;
    const next = top.rows.next();
    if (next.done !== true) top.next = next.value;
    else {
      const last = runs.pop() as Run;
      if (runs.length > 0) runs[0] = last;
    }
    sink(runs, sort);
    if (length % TAKEN_AT_ONCE === 0) yield TAKEN_AT_ONCE * STEPS_PER_ROW;
  }
  return positions.subarray(0, length);
}

/** Moves the top of a heap down to where it belongs. */
function sink(runs: Run[], sort: Sort): void {
  for (let at = 0; ; ) {
    let child = 2 * at + 1;
    const [left, right] = [runs[child], runs[child + 1]];
    if (left === undefined) return;
    if (right !== undefined && compareRuns(right, left, sort) < 0) child++;
    const [above, below] = [runs[at] as Run, runs[child] as Run];
    if (compareRuns(above, below, sort) <= 0) return;
    runs[at] = below;
    runs[child] = above;
    at = child;
  }
}
