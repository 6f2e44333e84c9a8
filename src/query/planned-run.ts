import type { Members } from '../arguments/given.ts';
import type { Budget } from './budget.ts';
import type { Output } from './output.ts';
import type { QueryPlan } from './query-plan.ts';
import { cacheKeyOfRows, type Dataset, planRows, readRows } from './run-dataset.ts';
import { cacheKeyOfValue, computeValue, type RunValue } from './run-value.ts';

/** A planned run that has not started: of a dataset's rows, or of a block's own function. */
export type PlannedRun =
  | { readonly kind: 'rows'; readonly dataset: Dataset; readonly plan: QueryPlan }
  | { readonly kind: 'value'; readonly run: RunValue; readonly values: Members };

/** Plans a run from valid arguments. Throws a Problem if it cannot be answered. */
export function planRun(source: Dataset | RunValue, values: Members, budget: Budget): PlannedRun {
  if (typeof source === 'function') return { kind: 'value', run: source, values };
  return { kind: 'rows', dataset: source, plan: planRows(source, values, budget) };
}

/** Everything that the answer depends on, as text; needed only for ETags. */
export function cacheKeyOf(planned: PlannedRun): string {
  return planned.kind === 'value'
    ? cacheKeyOfValue(planned.values)
    : cacheKeyOfRows(planned.dataset, planned.plan);
}

export async function runPlanned(planned: PlannedRun, budget: Budget): Promise<Output> {
  return planned.kind === 'value'
    ? computeValue(planned.run, planned.values)
    : readRows(planned.dataset, planned.plan, budget);
}
