import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Manifest } from '../../src/block/manifest.ts';
import { createClient } from '../../src/dynamodb/client.ts';
import { queryInputs } from '../../src/dynamodb/dynamodb-store.ts';
import { loadRows } from '../../src/dynamodb/load-rows.ts';
import { tableName } from '../../src/dynamodb/seed-table.ts';
import { Budget } from '../../src/query/budget.ts';
import { planRows, readRows } from '../../src/query/run-dataset.ts';
import { residentStore } from '../../src/resident/resident-store.ts';
import { median } from '../report/ratios.ts';
import { countQueries } from './counting-client.ts';
import { type Kind, SHAPES } from './dataset-shape.ts';
import type { MeasuredLoad } from './measured-case.ts';

/**
 * Loads a table as a function does, in a process of its own, and says what that took:
 * `resident-process.ts <endpoint> <census|directory> <manifest>`.
 */
const [endpoint, kind, factsText] = process.argv.slice(2) as [string, Kind, string];
const manifest = JSON.parse(factsText) as Manifest;
const { block } = SHAPES[kind];

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const client = createClient({ endpoint });
const table = { client, name: tableName(manifest), block, manifest };
const counter = countQueries(client);
// What the SDK reads of its own at its first request is not the rows'.
await client.send(new QueryCommand(firstRow()));
await counter.take();
const base = liveBytes();
const baseSet = process.memoryUsage.rss();
const ending = new AbortController();
const { store, milliseconds, cpuMicroseconds, peak } = await load();
const residentSetBytes = process.resourceUsage().maxRSS * 1024 - baseSet;
const { pages, capacityUnits } = await counter.take();
// What the load's signal keeps alive goes with it; in a function that is a minute later.
ending.abort();
await setImmediate();
const held = liveBytes();

/** Two conditions each, the narrower one a small part of the rows. */
const queries = {
  census: [
    { total_population_min: 10_021, persons_per_acre_min: 25, _limit: 100 },
    { under_5_min: 500, under_5_max: 600, households_min: 3000, _limit: 100 },
  ],
  directory: [
    { type_of_business: 'Garage', category: 'Retail', _limit: 100 },
    { category: 'Retail', parsed_address_min: 100, parsed_address_max: 300, _limit: 100 },
  ],
};
const dataset = { block, manifest, residentBytes: Number.POSITIVE_INFINITY, store };
const times: number[] = [];
for (let i = 0; i < 300; i++) {
  for (const values of queries[kind]) {
    const from = performance.now();
    const budget = new Budget();
    await readRows(dataset, planRows(dataset, values, budget), budget);
    if (i >= 50) times.push(performance.now() - from);
  }
}

const measured: MeasuredLoad = {
  kind,
  rows: manifest.rows,
  pages,
  capacityUnits,
  milliseconds,
  cpuMicrosecondsPerRow: cpuMicroseconds / manifest.rows,
  heldBytesPerRow: (held - base) / manifest.rows,
  peakBytesPerRow: (peak - base) / manifest.rows,
  residentSetBytes,
  queryMilliseconds: median(times),
};
process.send?.(measured);

/** As src/dynamodb/dataset-store.ts does; at its end the rows stand beside their columns. */
async function load() {
  const began = performance.now();
  const cpu = process.cpuUsage();
  const rows = await loadRows(table, ending.signal);
  const store = residentStore(block.fields, rows);
  const milliseconds = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  const peak = rows.length === manifest.rows ? liveBytes() : Number.NaN;
  return { store, milliseconds, cpuMicroseconds: user + system, peak, rows: rows.length };
}

function firstRow(): QueryCommandInput {
  const query = { predicate: [], limit: 0 };
  const plan = {
    path: 'shards',
    query,
    filter: [],
    readsAll: false,
    firstShard: 0,
    shards: 1,
  } as const;
  return queryInputs(table, plan)[0] as QueryCommandInput;
}

function liveBytes(): number {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
