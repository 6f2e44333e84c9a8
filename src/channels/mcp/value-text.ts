import type { Members } from '../../arguments/given.ts';
import type { Block } from '../../block/block.ts';
import type { Warning } from '../../problem/errors.ts';
import { numberText } from '../../text/wording.ts';
import { cellText, fitEntries, markedAsData } from './data-text.ts';
import { addressLine, citeLine, notesOf } from './receipt.ts';

/** A value's members as text for a model, one a line, as many as fit; lists are JSON. */
export function valueText(
  block: Block,
  sent: Members,
  params: Members,
  warnings: readonly Warning[],
  root: string,
): readonly string[] {
  const members = Object.entries(params).map(([name, value]) => `${name}: ${cellText(value)}`);
  const behind = [
    ...notesOf(warnings),
    addressLine(block.name, sent, root),
    citeLine(block, undefined),
  ];
  const { lines } = fitEntries(members.length, (shown) => [
    ...markedAsData(members.slice(0, shown)),
    ...(shown === members.length
      ? []
      : [`${numberText(members.length - shown)} more are left out; the address has all.`]),
    ...behind,
  ]);
  return lines;
}
