import type { Manifest } from '../../src/block/manifest.ts';
import { CHUNK_ROWS } from '../../src/columns/chunk.ts';
import { DEFAULT_CACHE_BYTES } from '../../src/columns/column-cache.ts';
import { lookupOf } from '../../src/dynamodb/dataset-store.ts';
import { fieldsInPredicate } from '../../src/query/predicate.ts';
import type { Query } from '../../src/query/row-store.ts';
import { queryOf } from '../../src/query/run.ts';
import { Budget, RUN_WITHIN_MS } from '../../src/work/budget.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import {
  chunksOf,
  columnItemSizes,
  heldBytes,
  type Reads,
  readsOf,
  readUnits,
} from './column-model.ts';
import { BLOCKS, type ColumnSizes, type Measured } from './measured.ts';
import { type CaseName, REQUEST_CASES, type RequestCase } from './request-case.ts';
import { speedsOf } from './speeds.ts';

/** What no run here can tell; nothing of it was measured on AWS. */
export const ASSUMED = {
  /** A function's memory, in MB; so many have one vCPU (AWS, "Lambda quotas"). */
  memoryMb: 1024,
  mbPerVcpu: 1769,
  /** A round of requests to DynamoDB, beside their bytes: "single-digit millisecond". */
  roundMs: 8,
  /** What a new on-demand table gives (AWS, "DynamoDB warm throughput"). */
  unitsPerSecond: 12_000,
  /** A request's own work, in ms of a core here (../RESULTS.md, one connection). */
  requestMs: 0.15,
} as const;

/** A search reads one chunk and eight ahead of it (src/columns/row-search.ts). */
const CHUNKS_AT_ONCE = 9;

export type RequestCost = Reads & {
  readonly path: string;
  /** With nothing in memory, on AWS; and once more. */
  readonly coldMs: number;
  readonly warmMs: number;
  /** Whether what it reads stays in memory; else it is read again. */
  readonly stays: boolean;
  /** Else the run is a 503. */
  readonly inTime: boolean;
};

export function requestCost(name: CaseName, rows: number, measured: Measured): RequestCost {
  const request: RequestCase = REQUEST_CASES[name];
  const block = BLOCKS[request.kind];
  const { item } = measured.datasets[request.kind];
  const found = Math.max(1, request.share * rows);
  const known = { mostBytesOfKey: item * found };
  const fields = Object.fromEntries(block.fields.map(({ name }) => [name, known]));
  // As far as a plan depends on it.
  const manifest = { rows, rowsPerChunk: CHUNK_ROWS, fields } as unknown as Manifest;
  const query = queryOf({ block, manifest }, request.values, new Budget(new Scheduler()));
  const lookup = lookupOf(query, block, manifest);
  if (lookup === undefined) return byColumns(query, request, rows, measured);
  const bytes = found * item;
  const cpuMs = ASSUMED.requestMs + (found * speedsOf(measured).lookupUs) / 1000;
  // Pages of 1 MB, one after another.
  const coldMs = Math.ceil(bytes / 2 ** 20) * ASSUMED.roundMs + onLambda(cpuMs);
  const reads = { items: Math.round(found), bytes, units: readUnits(bytes) };
  const times = { coldMs, warmMs: coldMs, inTime: coldMs <= RUN_WITHIN_MS };
  return { path: `index:${lookup.field}`, ...reads, ...times, stays: false };
}

/**
 * What src/columns reads: the searched columns whole; of the shown ones, the page's chunks if they fit
 * in memory, else their directories and the page's rows.
 */
function byColumns(
  { predicate, sort, limit, fields }: Query,
  { kind, share }: RequestCase,
  rows: number,
  measured: Measured,
): RequestCost {
  const { columns, item } = measured.datasets[kind];
  const sizesOf = (names: readonly string[]) => names.map((name) => columns[name] as ColumnSizes);
  const isKept = (names: readonly string[]) =>
    heldBytes(sizesOf(names), rows) <= DEFAULT_CACHE_BYTES / 2;
  const searched = fieldsInPredicate(predicate);
  const sorted = sort === undefined ? [] : [sort.field];
  const whole = [...searched, ...sorted];
  const kept = [searched, sorted].filter(isKept).flat();
  const shown = fields ?? Object.keys(columns);
  const more = shown.filter((name) => !kept.includes(name));
  const chunks = chunksOf(rows);
  const density = Math.max(share, 1 / rows);
  const page = Math.min(limit, density * rows);
  const pageChunks =
    sort === undefined
      ? Math.min(chunks, Math.ceil(page), Math.ceil(page / (density * CHUNK_ROWS)))
      : Math.ceil(chunks * (1 - (1 - 1 / chunks) ** page));
  const itemsOf = (names: readonly string[], some: number) =>
    names.flatMap((name) => columnItemSizes(name, columns[name] as ColumnSizes, rows, some));
  const fits = isKept(shown);
  const reads = readsOf([
    ...itemsOf(whole, chunks),
    ...itemsOf(more, fits ? pageChunks : 0),
    ...(fits ? [] : Array.from({ length: Math.round(page) }, () => item)),
  ]);
  // A round for directories; then chunks: those of a search ahead, others one after another.
  const rounds =
    (searched.length > 0 ? 1 + Math.ceil(chunks / CHUNKS_AT_ONCE) : 0) +
    (sorted.length > 0 ? 1 + chunks : 0) +
    (more.length > 0 ? 1 + (fits ? pageChunks : 1) : 0);
  const { itemMs, mibMs, searchNs, orderNs } = speedsOf(measured);
  const searchMs = ASSUMED.requestMs + (rows * searched.length * searchNs) / 1e6;
  const orderMs = (rows * sorted.length * orderNs) / 1e6;
  const cpuMs = searchMs + orderMs + reads.items * itemMs + (reads.bytes / 2 ** 20) * mibMs;
  const transferMs = (reads.units / ASSUMED.unitsPerSecond) * 1000;
  const coldMs = rounds * ASSUMED.roundMs + Math.max(transferMs, onLambda(cpuMs));
  const pageRows = fits ? Math.min(rows, pageChunks * CHUNK_ROWS) : 0;
  // A searched or sorted column has an order beside it, of 2 bytes a row, once that pays.
  const orders = 2 * rows * kept.length;
  const held = heldBytes(sizesOf(kept), rows) + orders + heldBytes(sizesOf(more), pageRows);
  const stays = kept.length === whole.length && held <= DEFAULT_CACHE_BYTES;
  const warmMs = stays ? onLambda(searchMs) : coldMs;
  return { path: 'columns', ...reads, coldMs, warmMs, stays, inTime: coldMs <= RUN_WITHIN_MS };
}

/** CPU time of a core here as time on Lambda. */
function onLambda(milliseconds: number): number {
  return milliseconds * (ASSUMED.mbPerVcpu / ASSUMED.memoryMb);
}
