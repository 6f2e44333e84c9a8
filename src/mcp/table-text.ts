import { shorten } from '../values/wording.ts';

const MOST_ROWS = 20;
const MOST_CHARACTERS = 2000;
const MOST_OF_A_CELL = 80;

/** A longer end of an address is left out of the text, since cut it would be another's. */
const MOST_OF_A_KEY = 120;

/** Rows as lines of text; `shown` is their number, at most what a model should read. */
export type TableText = { readonly lines: readonly string[]; readonly shown: number };

/** Rows as a table, with the ends of their addresses as the last column, if there are any. */
export function tableText(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
  keys?: readonly string[],
): TableText {
  const lines = [[...columns, ...(keys === undefined ? [] : [KEYS])].join(' | ')];
  let characters = 0;
  for (const [i, row] of rows.slice(0, MOST_ROWS).entries()) {
    const cells = columns.map((column) => cellText(row[column]));
    if (keys !== undefined) {
      const key = keys[i] ?? '';
      cells.push(key.length <= MOST_OF_A_KEY ? key : cellText(null));
    }
    const line = cells.join(' | ');
    characters += line.length;
    if (characters > MOST_CHARACTERS && lines.length > 1) break;
    lines.push(line);
  }
  return { lines, shown: lines.length - 1 };
}

/** The head of the column of keys. */
export const KEYS = '<row>';

/** A value on one line; bars and line ends become spaces, since they end cells and rows. */
function cellText(value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '-');
  return shorten(text.replace(/[\s|]+/g, ' '), MOST_OF_A_CELL);
}

/** A value's members, one per line; a list of objects becomes a table. */
export function valueText(params: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(params).flatMap(([name, value]) => {
    if (!Array.isArray(value)) return [`${name}: ${cellText(value)}`];
    if (value.length === 0) return [`${name}: none`];
    if (typeof value[0] !== 'object') return [`${name}: ${cellText(value)}`];
    return [`${name}:`, ...tableText(Object.keys(value[0]), value).lines];
  });
}
