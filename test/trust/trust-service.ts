import { ColumnCache, DEFAULT_CACHE_BYTES } from '../../src/columns/column-cache.ts';
import { ColumnRows } from '../../src/columns/column-rows.ts';
import { ALL_SHORTCUTS, ColumnStore } from '../../src/columns/column-store.ts';
import { datasetStore } from '../../src/dynamodb/dataset-store.ts';
import { ReadClient, storeUnavailable } from '../../src/dynamodb/read-client.ts';
import { tableColumns } from '../../src/dynamodb/read-columns.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import type { ServedBlock } from '../../src/http/served-block.ts';
import { serviceOf } from '../../src/http/service.ts';
import type { RowStore } from '../../src/query/row-store.ts';
import { plansOf } from '../../src/query/run.ts';
import { Budget, RUN_STEPS } from '../../src/work/budget.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { SETTINGS } from '../support/ample.ts';
import { requestOf } from '../support/request-of.ts';
import { type FaultPlan, noFaults } from './fault-plan.ts';
import { type ModelTable, modelHandler } from './model-dynamodb.ts';
import type { TrustSet } from './trust-set.ts';

/** One for all that ask, as in a service. */
const scheduler = new Scheduler();

/** An answer without what differs from run to run. */
export type Answer = {
  readonly status: number;
  readonly text: string;
  /** Status, headers and body: equal answers have equal bytes. */
  readonly bytes: string;
  readonly retryAfter: string | null;
  /** The cursor of the next page. */
  readonly next: string | undefined;
  readonly ms: number;
};

export type Values = Readonly<Record<string, unknown>>;

/** Asks the service of a dataset, whose store is another for each call, as is the time of its reads. */
export type Ask = (store: RowStore, values: Values, withinMs?: number) => Promise<Answer>;

/** A run's reads have more time than usual, so that a busy machine makes no refusals. */
const AMPLE_MS = 60_000;

/** Time stands still but for a run's reads, so that a slow machine makes no other refusals. */
const standing = () => 0;
const budgetOf = (withinMs: number, steps = RUN_STEPS) =>
  new Budget(scheduler, steps, withinMs, {}, standing);

/** The argument checks are made once for all stores, since that takes longer than a request. */
export function askOf({ block, manifest }: TrustSet): Ask {
  let served: ServedBlock | undefined;
  const requestTo = (store: RowStore, withinMs: number) => {
    const timed: RowStore = {
      read: (query) => store.read(query, budgetOf(withinMs)),
      group: (predicate, groupings, _, reads, use) =>
        store.group(predicate, groupings, budgetOf(withinMs), reads, use),
      lookUp: (asked, _, reads) =>
        (store.lookUp as NonNullable<RowStore['lookUp']>)(asked, budgetOf(withinMs), reads),
      rest: (query, _, reads) =>
        store.rest(query, budgetOf(withinMs, Number.POSITIVE_INFINITY), reads),
    };
    const source = { block, manifest, store: timed };
    served ??= serveDataset(source);
    const routes = blockRoutes({ ...served, plan: plansOf(source) });
    const service = serviceOf(routes, { ...SETTINGS, runWithinMs: withinMs, now: standing });
    return requestOf(service, { runId: '00000000-0000-4000-8000-000000000000' });
  };
  return async (store, values, withinMs = AMPLE_MS) => {
    const request = requestTo(store, withinMs);
    const began = performance.now();
    const response = await request(`/api_v2/blocks/${block.name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(values),
    });
    const text = await response.text();
    const ms = performance.now() - began;
    const headers = [...response.headers].filter(([name]) => name !== 'server-timing');
    const cursor = /_cursor=([\w-]+)/.exec(response.headers.get('link') ?? '')?.[1];
    return {
      status: response.status,
      text,
      bytes: JSON.stringify([response.status, headers, text]),
      retryAfter: response.headers.get('retry-after'),
      next: cursor,
      ms,
    };
  };
}

/** What differs between the ways to the same answer. */
export type Way = {
  readonly bounds?: boolean;
  readonly orders?: boolean;
  readonly cacheBytes?: number;
  readonly indexes?: boolean;
};

/** Each part of the work that may change its cost, switched off. */
export function waysOf({ manifest }: TrustSet): readonly (readonly [name: string, way: Way])[] {
  return [
    ['all', {}],
    ['no bounds', { bounds: false, indexes: false }],
    ['no orders', { orders: false, indexes: false }],
    ['no indexes', { indexes: false, cacheBytes: manifest.rows * 24 }],
    ['no cache', { cacheBytes: 0 }],
  ];
}

/** A store over the model, and the model's count of requests. */
export function storeOf(
  set: TrustSet,
  { bounds = true, orders = true, cacheBytes = DEFAULT_CACHE_BYTES, indexes = true }: Way,
  plan: FaultPlan = noFaults(),
  other: ModelTable = set.table,
): { readonly store: RowStore; readonly handler: ReturnType<typeof modelHandler> } {
  const { block, manifest } = set;
  const handler = modelHandler({ table: set.table, other, plan });
  const client = new ReadClient({ requestHandler: handler as never });
  const table = { client, name: set.table.name, block, manifest };
  const cache = new ColumnCache(cacheBytes);
  if (indexes) return { handler, store: datasetStore(table, cache) };
  const columns = new ColumnStore({
    rows: manifest.rows,
    rowsPerChunk: manifest.rowsPerChunk,
    rowBytes: manifest.bytes / manifest.rows,
    source: tableColumns({ ...table, fields: block.fields }),
    cache,
    unavailable: storeUnavailable,
  });
  const shortcuts = { ...ALL_SHORTCUTS, bounds, orders };
  return { handler, store: new ColumnRows(columns, block.fields, shortcuts) };
}
