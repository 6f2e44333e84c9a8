import type { Members } from '../../arguments/given.ts';
import type { Block } from '../../block/block.ts';
import type { Warning } from '../../problem/errors.ts';
import { fitting, numberText } from '../../text/wording.ts';
import {
  bytesOf,
  bytesOfLines,
  cellText,
  fittingLines,
  MOST_TEXT_BYTES,
  markedAsData,
  safeJson,
  shortenToBytes,
} from './data-text.ts';
import { addressLine, citeLine, notesOf } from './receipt.ts';

/** A value's members as text for a model, one a line; lists are JSON. */
export function valueText(
  block: Block,
  sent: Members,
  params: Members,
  warnings: readonly Warning[],
  root: string,
): string[] {
  const behind = [
    ...notesOf(warnings),
    addressLine(block.name, sent, root),
    citeLine(block, undefined),
  ];
  const room = MOST_TEXT_BYTES - bytesOfLines([...markedAsData(['']), ...behind]) - BYTES_OF_A_CUT;
  const entries = Object.entries(params);
  const whole = entries.map(([name, value]) => `${name}: ${cellText(value)}`);
  const lines =
    bytesOfLines(whole) <= room
      ? whole
      : entries.flatMap(([name, value]) => memberLines(name, value, roomOfEach(entries, room)));
  const more = (left: number) =>
    `${numberText(left)} more lines are left out; the address has all.`;
  return [...markedAsData(fittingLines(lines, room, more)), ...behind];
}

/** The bytes of each member where not all fit as they are. */
function roomOfEach({ length }: readonly unknown[], room: number): number {
  return Math.max(LEAST_OF_A_MEMBER, Math.floor(room / Math.max(1, length)) - BYTES_OF_A_CUT);
}

/** Room to say what is cut. */
const BYTES_OF_A_CUT = 100;

/** Bytes of a member of a value with very many. */
const LEAST_OF_A_MEMBER = 60;

function memberLines(name: string, value: unknown, most: number): string[] {
  const line = `${name}: ${cellText(value)}`;
  if (bytesOf(line) <= most) return [line];
  if (!Array.isArray(value))
    return [`${shortenToBytes(line, most)} (shortened; the address has all)`];
  const members = value.map(safeJson);
  const shown = fitting(members, (text) => bytesOf(text) + 1, most - bytesOf(`${name}: []`));
  const more = members.length - shown.length;
  return [
    `${name}: [${shown.join(',')}]`,
    `${numberText(more)} more of ${name} are left out; the address has all.`,
  ];
}
