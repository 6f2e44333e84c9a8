import { shardsOf } from '../../src/block/manifest.ts';
import { AWS_PRICES } from '../../src/dynamodb/aws-prices.ts';
import type { ShardsPlan } from '../../src/query/query-plan.ts';
import { ASSUMED, BOUNDS } from './assumptions.ts';
import { type DatasetShape, statisticsOf } from './dataset-shape.ts';
import { MEASURED_CPU } from './measured-cpu.ts';
import { gbSeconds, onLambda, usdPerMillion } from './path-cost.ts';
import { tableRead } from './table-read.ts';

/** What it takes to hold a dataset in a function's memory, and to answer from there. */
export type ResidentCost = {
  readonly bytes: number;
  /** A request once the rows are there. */
  readonly milliseconds: number;
  readonly usdPerMillion: number;
  /** Once for each function that starts. */
  readonly load: {
    readonly pages: number;
    readonly capacityUnits: number;
    readonly milliseconds: number;
    readonly usd: number;
  };
  readonly heldBytes: number;
  readonly peakBytes: number;
};

export function residentCost(
  shape: DatasetShape,
  rows: number,
  memoryMb: number = ASSUMED.memoryMb,
): ResidentCost {
  const manifest = statisticsOf(shape, rows);
  const plan: ShardsPlan = {
    path: 'shards',
    query: { predicate: [], limit: rows },
    filter: [],
    readsAll: true,
    firstShard: 0,
    shards: shardsOf(manifest),
  };
  const rowMs = onLambda(shape.loadMicroseconds, memoryMb) / 1000;
  const queryMs = onLambda(MEASURED_CPU.queryMicroseconds, memoryMb) / 1000;
  const unbounded = { pages: Number.POSITIVE_INFINITY, beginWithinMs: Number.POSITIVE_INFINITY };
  const reading = { itemBytes: shape.itemBytes, ofKey: 0, share: 1, rowMs, queryMs };
  const { pages, capacityUnits, milliseconds } = tableRead(plan, manifest, reading, unbounded);
  const { requestMicroseconds, residentNanosecondsPerRow } = MEASURED_CPU;
  const cpu = requestMicroseconds + (rows * residentNanosecondsPerRow) / 1000;
  const answer = onLambda(cpu, memoryMb) / 1000;
  return {
    bytes: manifest.bytes,
    milliseconds: answer,
    usdPerMillion: usdPerMillion(0, answer),
    load: {
      pages,
      capacityUnits,
      milliseconds,
      usd:
        (capacityUnits * AWS_PRICES.millionReadUnits) / 1e6 +
        gbSeconds(milliseconds, memoryMb) * AWS_PRICES.gbSecond,
    },
    heldBytes: rows * shape.heldBytes,
    peakBytes: PROCESS_BYTES + rows * shape.peakBytes,
  };
}

/** The function itself, before it holds a row: what a bundle of ours takes in Node. */
const PROCESS_BYTES = 80 * 2 ** 20;

/** The most rows for which something still holds; it must hold for fewer, too. */
export function mostRows(holds: (rows: number) => boolean): number {
  let high = 1;
  while (holds(high)) high *= 2;
  let low = Math.floor(high / 2);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Whether so many rows can be loaded into a function of this memory. */
export function fits(shape: DatasetShape, rows: number, memoryMb: number): boolean {
  const { peakBytes } = residentCost(shape, rows, memoryMb);
  return peakBytes <= memoryMb * 2 ** 20 * ASSUMED.usableMemory;
}

/** Whether the first request still waits for a load, rather than be a 503 first. */
export function loadsWithinARun(shape: DatasetShape, rows: number, memoryMb: number): boolean {
  return residentCost(shape, rows, memoryMb).load.milliseconds <= BOUNDS.runWithinMs;
}

/** Whether a load ends before it counts as failed. */
export function loadsAtAll(shape: DatasetShape, rows: number, memoryMb: number): boolean {
  return residentCost(shape, rows, memoryMb).load.milliseconds <= BOUNDS.loadWithinMs;
}
