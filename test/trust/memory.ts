import { mkdtemp, open, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { directoryRows } from '../../bench/data/directory-rows.ts';
import { GENERATED_SOURCE } from '../../bench/data/generated-source.ts';
import { seededRandom } from '../../bench/data/seeded-random.ts';
import { BLOCKS } from '../../bench/scaling/measured.ts';
import { bytesInMemory } from '../../src/columns/chunk.ts';
import { ColumnCache } from '../../src/columns/column-cache.ts';
import { ColumnRows } from '../../src/columns/column-rows.ts';
import { ColumnStore, ReadContext } from '../../src/columns/column-store.ts';
import type { PackedColumns } from '../../src/columns/encode-chunk.ts';
import { memorySource } from '../../src/columns/memory-rows.ts';
import { csvOf } from '../../src/formats/csv.ts';
import { queryOf, runQuery } from '../../src/query/run.ts';
import type { Row } from '../../src/values/field-type.ts';
import { Budget, RUN_STEPS } from '../../src/work/budget.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { importDataset, makeDataset } from '../support/datasets.ts';
import { asRead } from '../support/naive.ts';
import { randomArguments } from '../support/random-arguments.ts';
import type { Counts } from './checks.ts';
import type { Size } from './trust-set.ts';

const { directory: block } = BLOCKS;
const MIB = 2 ** 20;
const AMPLE_MS = 600_000;
const scheduler = new Scheduler();

/** What columns in memory take, in hundredths of their packed widths. */
const MOST_OF_WIDTHS = 130;

/** What a process may have beside the columns that it holds. */
const MOST_BESIDE = 150 * MIB;

/** What is alive beside them once no query runs: code, and what is known of each chunk. */
const MOST_ALIVE_BESIDE = 6 * MIB;

/**
 * What the importer may have on its heap; all rows as objects are several times as much. The process
 * that imports gets no more, and ends if it needs it.
 */
export const IMPORT_HEAP_MIB = 128;

export type MemorySection = Size & { readonly seed: number };

/** Loads all columns, and compares what they take with their packed widths. */
export async function heldColumns({ rows, rowsPerChunk, seed }: MemorySection): Promise<Counts> {
  const { columns } = makeDataset(block, generated(rows, seed), GENERATED_SOURCE, { rowsPerChunk });
  const store = storeOf(columns, Number.POSITIVE_INFINITY);
  const run = new ReadContext(new Budget(scheduler, RUN_STEPS, AMPLE_MS));
  const before = await liveBytes();
  let widths = 0;
  for (const { name } of block.fields) {
    const directory = await store.directory(name, run);
    for (const [chunk, entry] of directory.chunks.entries()) {
      await store.chunk(name, chunk, directory, true, run);
      widths += bytesInMemory(entry);
    }
  }
  const held = (await liveBytes()) - before;
  atMost('columns held', held, (widths * MOST_OF_WIDTHS) / 100);
  if (!store.holds(block.fields.map(({ name }) => name))) throw new Error('Not all is held.');
  return { 'KiB of columns held': kib(held), 'KiB of their widths': kib(widths) };
}

/** Answers random queries with memory for a fourth of the columns. */
export async function servedQueries(
  { rows, rowsPerChunk, seed }: MemorySection,
  count: number,
): Promise<Counts> {
  const { columns, manifest } = makeDataset(block, generated(rows, seed), GENERATED_SOURCE, {
    rowsPerChunk,
  });
  const entries = [...columns.columns.values()].flatMap(({ directory }) => directory.chunks);
  const cacheBytes = entries.reduce((sum, entry) => sum + bytesInMemory(entry), 0) / 4;
  const store = new ColumnRows(storeOf(columns, cacheBytes), block.fields);
  const sampled = directoryRows(100, seededRandom(seed));
  const queries = fc.sample(randomArguments(block, sampled), { seed, numRuns: count });
  const liveBefore = await liveBytes();
  const before = process.memoryUsage().rss;
  let [mostLive, most] = [0, 0];
  for (const [i, values] of queries.entries()) {
    const budget = new Budget(scheduler, Number.POSITIVE_INFINITY, AMPLE_MS);
    const dataset = { block, manifest, store };
    // Some ask at once, as callers do.
    const query = queryOf(dataset, asRead(values), budget);
    await Promise.all([runQuery(dataset, query, budget), runQuery(dataset, query, budget)]);
    most = Math.max(most, process.memoryUsage().rss - before);
    if (i % 20 === 0) mostLive = Math.max(mostLive, (await liveBytes()) - liveBefore);
  }
  atMost('the process', most, cacheBytes + MOST_BESIDE);
  atMost('what is alive', mostLive, cacheBytes + MOST_ALIVE_BESIDE);
  return {
    queries: count,
    'KiB of memory for columns': kib(cacheBytes),
    'KiB alive, most': kib(mostLive),
    'KiB that the process grew': kib(most),
  };
}

/** Imports a file, in a process whose heap is bounded. */
export async function importedFile({ rows, rowsPerChunk, seed }: MemorySection): Promise<Counts> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'blockyard-'));
  const file = 'rows.csv';
  try {
    const csv = await open(path.join(folder, file), 'w');
    const names = block.fields.map(({ name }) => name);
    await csv.write(csvOf(names, []));
    for (const row of generated(rows, seed))
      await csv.write(csvOf(names, [row], { header: false }));
    await csv.close();
    const { manifest } = await importDataset(
      block,
      { file, sources: [GENERATED_SOURCE] },
      folder,
      rowsPerChunk,
    );
    if (manifest.rows !== rows) throw new Error(`${manifest.rows} rows are imported.`);
  } finally {
    await rm(folder, { recursive: true });
  }
  return { rows, 'KiB of heap, at most': IMPORT_HEAP_MIB * 1024 };
}

/** Rows made one after another, so that memory holds none of them. */
function* generated(rows: number, seed: number): Generator<Row> {
  const random = seededRandom(seed);
  for (let row = 0; row < rows; row++) yield* directoryRows(1, random);
}

function storeOf(columns: PackedColumns, cacheBytes: number): ColumnStore {
  // Rows are read from columns, since this source would hold them all.
  const { rows: _, ...source } = memorySource(block.fields, columns);
  return new ColumnStore({
    rows: columns.rows,
    rowsPerChunk: columns.rowsPerChunk,
    rowBytes: 500,
    source,
    cache: new ColumnCache(cacheBytes),
    unavailable: (cause) => cause,
  });
}

/** Collections until all is freed that can be: some of it only by the next one. */
const COLLECTIONS = 4;

/** A collection that frees less than this has freed nothing. */
const SLIGHT_BYTES = 1024;

/** What is alive on the heap and beside it. */
async function liveBytes(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error('Run node with --expose-gc.');
  let least = Number.POSITIVE_INFINITY;
  for (let idle = 0; idle < COLLECTIONS; idle++) {
    globalThis.gc();
    await nextTurn();
    const { heapUsed, external } = process.memoryUsage();
    // Some of what nobody holds is freed by a later collection.
    if (heapUsed + external < least - SLIGHT_BYTES) idle = 0;
    least = Math.min(least, heapUsed + external);
  }
  return least;
}

function kib(bytes: number): number {
  return Math.round(bytes / 1024);
}

function atMost(what: string, bytes: number, most: number): void {
  if (bytes <= most) return;
  throw new Error(`${what}: ${kib(bytes)} KiB; expected at most ${kib(most)} KiB.`);
}
