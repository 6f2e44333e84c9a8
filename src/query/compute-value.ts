import type { Members } from '../arguments/given.ts';
import { rowText } from '../values/row-texts.ts';
import { NOTHING_READ } from './row-store.ts';
import type { Output, PlanRun } from './run.ts';

/** Computes a block's value from valid arguments. */
export type RunValue = (values: Members) => Readonly<Record<string, unknown>>;

/** Makes a block's `RunValue`, which reads files below the folder `seedData`. */
export type CreateRun = (seedData: string) => RunValue;

/** Plans the calls of a block's own function, which reads no table. */
export function callsOf(run: RunValue): PlanRun {
  return (values) => ({
    cacheKey: () => JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))),
    run: async () => computeValue(run, values),
  });
}

/** arguments → output. */
function computeValue(run: RunValue, values: Members): Output {
  return {
    kind: 'value',
    value: withFields(run(values), values._fields as readonly string[] | undefined),
    warnings: [],
    explain: { path: 'computed', ...NOTHING_READ },
  };
}

function withFields(value: ReturnType<RunValue>, fields: readonly string[] | undefined) {
  return fields === undefined ? value : JSON.parse(rowText(value as never, fields));
}
