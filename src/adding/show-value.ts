import type { Value } from '../values/field-type.ts';
import { showCell } from '../values/wording.ts';

/** So many cells of a key are shown: without a key, all of a row stand for it. */
const SHOWN_OF_KEY = 4;

/** A value as lines for a terminal show it. */
export function showValue(value: Value): string {
  if (value === null) return 'blank';
  return typeof value === 'string' ? showCell(value, 24) : String(value);
}

export function showKey(key: readonly Value[]): string {
  return key.slice(0, SHOWN_OF_KEY).map(showValue).join(', ');
}
