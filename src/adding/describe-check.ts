import type { Differences } from '../importer/compare-deliveries.ts';
import { listed } from '../readers/listed.ts';
import { numberText as count } from '../values/wording.ts';
import type { Check } from './check-delivery.ts';
import { showKey, showValue } from './show-value.ts';

/** What a file would change in a block, as lines for a terminal. */
export function describeCheck(
  { leftOut, differences, counts, columnsNew, columnsGone }: Check,
  hasKey: boolean,
): string[] {
  return [
    ...(differences === undefined ? [] : describeRows(differences, counts, hasKey)),
    ...leftOut,
    ...(columnsNew.length === 0
      ? []
      : [`New, and no field reads it: ${listed(columnsNew)}; add anew, or edit block.json`]),
    ...(columnsGone.length === 0 ? [] : [`Gone, and no field read it: ${listed(columnsGone)}`]),
  ];
}

function describeRows(
  { rows, firstAdded, firstGone, columnsChanged }: Differences,
  counts: Check['counts'],
  hasKey: boolean,
): string[] {
  const changed = hasKey
    ? `, ${count(rows.changed)} changed`
    : ' (no primary key: rows as a whole)';
  return [
    `${count(rows.after)} rows, ${count(rows.before)} before: ${count(rows.added)} added, ${count(rows.gone)} gone${changed}`,
    ...(firstAdded === undefined
      ? []
      : [`  first added: ${showKey(firstAdded.key)} in ${counts} ${firstAdded.line}`]),
    ...(firstGone === undefined
      ? []
      : [`  first gone: ${showKey(firstGone.key)}, was in ${counts} ${firstGone.line}`]),
    ...columnsChanged.map(
      ({ column, cells, key, before, after }) =>
        `  ${column}: ${count(cells)} changed, first ${showValue(before.value)} to ${showValue(after.value)} in ${counts} ${after.line} (${showKey(key)})`,
    ),
  ];
}
