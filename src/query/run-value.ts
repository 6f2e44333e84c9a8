import type { Members } from '../arguments/given.ts';
import type { Output } from './output.ts';
import { NOTHING_READ } from './row-store.ts';
import { rowText } from './row-text.ts';

/** Computes a block's value from valid arguments. */
export type RunValue = (values: Members) => Readonly<Record<string, unknown>>;

/** Makes a block's `RunValue`, which reads files below the folder `seedData`. */
export type CreateRun = (seedData: string) => RunValue;

/** arguments → output, for a block that computes one value and reads no table. */
export function computeValue(run: RunValue, values: Members): Output {
  return {
    kind: 'value',
    value: withFields(run(values), values._fields as readonly string[] | undefined),
    warnings: [],
    explain: { path: 'computed', ...NOTHING_READ },
  };
}

/** Everything that the value depends on, as text. */
export function cacheKeyOfValue(values: Members): string {
  return JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withFields(value: ReturnType<RunValue>, fields: readonly string[] | undefined) {
  return fields === undefined ? value : JSON.parse(rowText(value as never, fields));
}
