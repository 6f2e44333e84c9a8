import { AWS_PRICES } from '../../src/dynamodb/aws-prices.ts';
import { Budget } from '../../src/query/budget.ts';
import { queryOf } from '../../src/query/query.ts';
import { type IndexPlan, planQuery, type ShardsPlan } from '../../src/query/query-plan.ts';
import type { AccessCase } from './access-case.ts';
import { ASSUMED, BOUNDS } from './assumptions.ts';
import { SHAPES, statisticsOf } from './dataset-shape.ts';
import { MEASURED_CPU } from './measured-cpu.ts';
import { type TableRead, tableRead } from './table-read.ts';

/** What one request costs by one access path. */
export type PathCost = TableRead & {
  readonly usdPerMillion: number;
  /** Whether the answer counts all that match; and may be sorted, where that is asked. */
  readonly hasTotal: boolean;
  readonly canSort: boolean;
  /** Else the run is a 503. */
  readonly inTime: boolean;
};

/** The real planner's plan for this case over so many rows, played through. */
export function pathCost(access: AccessCase, rows: number): PathCost {
  const shape = SHAPES[access.kind];
  const manifest = statisticsOf(shape, rows);
  const query = queryOf(shape.block, manifest, access.values, new Budget());
  const plan = planQuery(query, shape.block, manifest, 0) as IndexPlan | ShardsPlan;
  const key = plan.path === 'index' ? shape.commonest[plan.field] : undefined;
  const ofKey = key === undefined ? 1 : Math.round(rows * key.rows);
  const read = tableRead(plan, manifest, {
    itemBytes: shape.itemBytes * (key === undefined ? 1 : key.bytes / key.rows),
    ofKey,
    share: access.share,
    rowMs: onLambda(shape.rowMicroseconds) / 1000,
    queryMs: onLambda(MEASURED_CPU.queryMicroseconds) / 1000,
  });
  const milliseconds = read.milliseconds + onLambda(MEASURED_CPU.requestMicroseconds) / 1000;
  const inTime = milliseconds <= BOUNDS.runWithinMs;
  return {
    ...read,
    milliseconds,
    usdPerMillion: usdPerMillion(read.capacityUnits, milliseconds),
    hasTotal: read.ended,
    canSort: plan.readsAll && read.ended && inTime,
    inTime,
  };
}

/** DynamoDB's read units, Lambda's invocation and its time, which is billed by the millisecond. */
export function usdPerMillion(units: number, milliseconds: number): number {
  return (
    units * AWS_PRICES.millionReadUnits +
    AWS_PRICES.millionInvocations +
    gbSeconds(milliseconds) * AWS_PRICES.gbSecond * 1e6
  );
}

export function gbSeconds(milliseconds: number, memoryMb: number = ASSUMED.memoryMb): number {
  return (Math.ceil(milliseconds) / 1000) * (memoryMb / 1024);
}

/** CPU time of one core here as time on Lambda; one thread has one vCPU at most. */
export function onLambda(time: number, memoryMb: number = ASSUMED.memoryMb): number {
  return time / Math.min(1, memoryMb / ASSUMED.mbPerVcpu);
}
