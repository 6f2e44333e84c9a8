import { createClient } from '../../src/dynamodb/client.ts';
import { dynamodbStore } from '../../src/dynamodb/dynamodb-store.ts';
import { seedTable, tableName } from '../../src/dynamodb/seed-table.ts';
import { makeDataset } from '../../src/importer/import-dataset.ts';
import { startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { Budget, RUN_STEPS } from '../../src/query/budget.ts';
import { planRows, readRows } from '../../src/query/run-dataset.ts';
import { GENERATED_SOURCE } from '../data/generated-source.ts';
import { startProcess } from '../load/start-process.ts';
import { median } from '../report/ratios.ts';
import { ACCESS_CASES } from './access-case.ts';
import { countQueries } from './counting-client.ts';
import { type Kind, SHAPES } from './dataset-shape.ts';
import type { Measured, MeasuredCase, MeasuredLoad } from './measured-case.ts';
import { repeatedRows } from './repeated-rows.ts';

export type MeasuredSize = Pick<Measured, 'cases' | 'loads'>;

/** So many rows in an embedded DynamoDB: each case's requests, then a load into memory. */
export async function measureSize(kind: Kind, rows: number): Promise<MeasuredSize> {
  const { block } = SHAPES[kind];
  const { manifest, items } = makeDataset(block, await repeatedRows(kind, rows), GENERATED_SOURCE);
  const dynamodb = await startEmbeddedDynamodb();
  const client = createClient({ endpoint: dynamodb.endpoint });
  try {
    await seedTable(client, { manifest, fields: block.fields, items });
    const counter = countQueries(client);
    const store = dynamodbStore({ client, name: tableName(manifest), block, manifest });
    const dataset = { block, manifest, residentBytes: 0, store };
    const cases: MeasuredCase[] = [];
    for (const { name, values } of ACCESS_CASES.filter((access) => access.kind === kind)) {
      const run = () => {
        const budget = new Budget(RUN_STEPS, PATIENCE_MS);
        return readRows(dataset, planRows(dataset, values, budget), budget);
      };
      await run();
      await counter.take();
      const times: number[] = [];
      const cpu = process.cpuUsage();
      await timed(run, times);
      const counted = await counter.take();
      const { user, system } = process.cpuUsage(cpu);
      for (let i = 1; i < ROUNDS; i++) {
        await timed(run, times);
        await counter.take();
      }
      const milliseconds = median(times);
      const cpuMilliseconds = (user + system) / 1000;
      cases.push({ name, rows, ...counted, milliseconds, cpuMilliseconds });
    }
    const loader = await startProcess<MeasuredLoad>(
      new URL('resident-process.ts', import.meta.url),
      [dynamodb.endpoint, kind, JSON.stringify(manifest)],
    );
    await loader.stop();
    return { cases, loads: [loader.hello] };
  } finally {
    client.destroy();
    await dynamodb.stop();
  }
}

const ROUNDS = 7;
/** Slower than AWS or not, a read here is to end by its own bounds. */
const PATIENCE_MS = 60_000;

async function timed<T>(run: () => Promise<T>, times: number[]): Promise<T> {
  const began = performance.now();
  const result = await run();
  times.push(performance.now() - began);
  return result;
}
