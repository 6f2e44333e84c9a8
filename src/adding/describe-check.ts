import type { Differences } from '../importer/compare-deliveries.ts';
import { listed } from '../importer/listed.ts';
import { showCell } from '../words/show-cell.ts';
import { type Check, shownKey } from './check-delivery.ts';

/** What a file would change in a block, as lines for a terminal. */
export function describeCheck(
  { differences, columnsNew, columnsGone }: Check,
  hasKey: boolean,
): string[] {
  return [
    ...(differences === undefined ? [] : describeRows(differences, hasKey)),
    ...(columnsNew.length === 0
      ? []
      : [`New, and no field reads it: ${listed(columnsNew)}; add anew, or edit block.json`]),
    ...(columnsGone.length === 0 ? [] : [`Gone, and no field read it: ${listed(columnsGone)}`]),
  ];
}

function describeRows(
  { rows, firstAdded, firstGone, columnsChanged }: Differences,
  hasKey: boolean,
): string[] {
  const changed = hasKey
    ? `, ${count(rows.changed)} changed`
    : ' (no primary key: rows as a whole)';
  return [
    `${count(rows.after)} rows, ${count(rows.before)} before: ${count(rows.added)} added, ${count(rows.gone)} gone${changed}`,
    ...(firstAdded === undefined
      ? []
      : [`  first added: ${shownKey(firstAdded.key)} in line ${firstAdded.line}`]),
    ...(firstGone === undefined
      ? []
      : [`  first gone: ${shownKey(firstGone.key)}, was in line ${firstGone.line}`]),
    ...columnsChanged.map(
      ({ column, cells, key, before, after }) =>
        `  ${column}: ${count(cells)} changed, first ${shown(before.value)} to ${shown(after.value)} in line ${after.line} (${shownKey(key)})`,
    ),
  ];
}

function shown(value: Differences['columnsChanged'][number]['before']['value']): string {
  return value === null ? 'blank' : showCell(String(value), 24);
}

function count(number: number): string {
  return number.toLocaleString('en');
}
