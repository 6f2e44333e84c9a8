import { fork } from 'node:child_process';
import { ColumnCache, DEFAULT_CACHE_BYTES } from '../../src/columns/column-cache.ts';
import { createClient, seedTable, tableName } from '../../src/dynamodb/client.ts';
import { datasetStore } from '../../src/dynamodb/dataset-store.ts';
import { ReadClient, type TableReads } from '../../src/dynamodb/read-client.ts';
import { queryOf, runQuery } from '../../src/query/run.ts';
import { Budget, RUN_STEPS } from '../../src/work/budget.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { makeDataset } from '../../test/support/datasets.ts';
import { generatedSet } from '../data/generated-set.ts';
import { GENERATED_SOURCE } from '../data/generated-source.ts';
import { median } from '../report/ratios.ts';
import type { Kind, MeasuredRequest } from './measured.ts';
import { CASE_NAMES, KNOWN_PHONE, REQUEST_CASES } from './request-case.ts';

/** Slower than AWS or not, a read here is to end. */
const PATIENCE_MS = 60_000;
const scheduler = new Scheduler();

/** How often a request is sent to be timed, with nothing in memory, and then with all that it needs. */
type Rounds = { readonly cold: number; readonly warm: number };

/** Sends each case's request, over so many rows in an embedded DynamoDB. */
export async function measureRequests(
  kind: Kind,
  rows: number,
  rounds: Rounds,
): Promise<MeasuredRequest[]> {
  const set = generatedSet({ kind, size: rows });
  const hasPhone = kind === 'directory';
  const values = set.rows.map((row, i) =>
    i === 0 && hasPhone ? { ...row, phone_number: KNOWN_PHONE } : row,
  );
  const dataset = makeDataset(set.block, values, GENERATED_SOURCE);
  const { manifest, block } = dataset;
  const emulator = fork(new URL('emulator-process.ts', import.meta.url));
  const endpoint = await new Promise<string>((resolve, reject) => {
    emulator.once('message', (sent) => resolve(String(sent)));
    emulator.once('exit', () => reject(new Error('The emulator did not start.')));
  });
  const client = createClient({ endpoint });
  try {
    // Only lookups read rows' items, and dynalite takes minutes to write them.
    await seedTable(client, kind === 'directory' ? dataset : { ...dataset, rows: [] });
    const { reads, take } = counting(new ReadClient({ endpoint }));
    const table = { client: reads, name: tableName(manifest), block, manifest };
    const emptyStore = () => datasetStore(table, new ColumnCache(DEFAULT_CACHE_BYTES));
    const found: MeasuredRequest[] = [];
    for (const name of CASE_NAMES) {
      if (REQUEST_CASES[name].kind !== kind) continue;
      const run = async (store = emptyStore()) => {
        const budget = new Budget(scheduler, RUN_STEPS, PATIENCE_MS);
        const dataset = { block, manifest, store };
        return runQuery(dataset, queryOf(dataset, REQUEST_CASES[name].values, budget), budget);
      };
      take();
      const { explain } = await run();
      const counted = take();
      const coldCpuMs = await cpuMs(() => run(), rounds.cold);
      const store = emptyStore();
      const warmCpuMs = await cpuMs(() => run(store), rounds.warm);
      const said = { path: String(explain?.path), explainedUnits: Number(explain?.capacityUnits) };
      found.push({ name, rows, ...counted, ...said, coldCpuMs, warmCpuMs });
    }
    return found;
  } finally {
    client.destroy();
    emulator.disconnect();
  }
}

/** The CPU time of this process that some work takes, on all threads: the median of some. */
async function cpuMs(work: () => Promise<unknown>, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return median(times);
}

/** Counts what a client reads, as DynamoDB bills it; `take` gives the counts, and starts anew. */
function counting(client: TableReads) {
  let counted = { items: 0, units: 0 };
  const reads: TableReads = {
    query: async (asked, signal) => {
      const page = await client.query({ ...asked, ReturnConsumedCapacity: 'TOTAL' }, signal);
      counted.items += page.ScannedCount ?? 0;
      counted.units += page.ConsumedCapacity?.CapacityUnits ?? 0;
      return page;
    },
    batchGetItem: async (asked, signal) => {
      const batch = await client.batchGetItem(
        { ...asked, ReturnConsumedCapacity: 'TOTAL' },
        signal,
      );
      counted.items += Object.values(batch.Responses ?? {}).flat().length;
      for (const used of batch.ConsumedCapacity ?? []) counted.units += used.CapacityUnits ?? 0;
      // Dynalite cuts answers at 1.4 MB, not at 16, and counts a unit for each key that it leaves.
      for (const { Keys } of Object.values(batch.UnprocessedKeys ?? {}))
        counted.units -= Keys?.length ?? 0;
      return batch;
    },
  };
  const take = () => {
    const taken = counted;
    counted = { items: 0, units: 0 };
    return taken;
  };
  return { reads, take };
}
