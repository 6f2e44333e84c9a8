import type { AnsweredRow, Citation } from '../../query/answer-in-words.ts';
import { firstFew, fitting, shorten } from '../../text/wording.ts';
import { firstWhere } from '../../values/comparison.ts';
import { BAR, bytesOf, cellText, shortenToBytes } from './data-text.ts';

/** Bytes of a table's head. */
const MOST_HEADER_BYTES = 1500;

export function shownName(name: string): string {
  return shorten(name, MOST_OF_A_NAME);
}

/** Characters of a field's name where some are listed. */
const MOST_OF_A_NAME = 60;

/** The rows' addresses as their common beginning, of a folder or a version in it, and their ends. */
export function keysOf(citation: Citation | undefined): [folder?: string, keys?: string[]] {
  const { version, addresses = [] } = citation ?? {};
  const [first] = addresses;
  if (first === undefined) return [];
  const folder = first.slice(0, first.lastIndexOf('/') + 1);
  if (folder.length > MOST_OF_A_FOLDER) return [];
  const ofVersion = `${folder}${version}-`;
  const common = addresses.every((address) => address.startsWith(ofVersion)) ? ofVersion : folder;
  return [common, addresses.map((address) => address.slice(common.length))];
}

/** Characters of what the addresses of rows begin with. A longer one is left out, with all keys. */
const MOST_OF_A_FOLDER = 400;

/** Characters of a row's key. A longer one is left out of the table: cut, it would be another's. */
const MOST_OF_A_KEY = 120;

/** The head of the column of keys. */
export const KEYS = '<row>';

/** Rows as lines of text, and what is to be said of them. */
type TableText = {
  readonly lines: readonly string[];
  readonly columns: readonly string[];
  readonly shown: number;
  readonly notes: readonly string[];
};

/** The first rows as a table that fits into `room` bytes. A first row that is longer is shortened. */
export function tableText(
  rows: readonly AnsweredRow[],
  citation: Citation | undefined,
  room: number,
): TableText {
  const [first] = rows;
  if (first === undefined) return { lines: [], columns: [], shown: 0, notes: [] };
  const most = Math.min(MOST_HEADER_BYTES, room / 2);
  const columns = fitting(Object.keys(first), (name) => bytesOf(name), most, 1);
  const [, keys] = keysOf(citation);
  const header = [...columns, ...(keys === undefined ? [] : [KEYS])].join(BAR);
  let left = room - bytesOf(header);
  const shown: string[] = [];
  for (const [i, row] of rows.entries()) {
    const cells = columns.map((column) => cellText(row[column]));
    const line = lineOf(cells, keys?.[i]);
    left -= bytesOf(line);
    if (left < 0) break;
    shown.push(line);
  }
  if (shown.length > 0) {
    return { lines: [header, ...shown], columns, shown: shown.length, notes: [] };
  }
  const { line, cut } = shortenedRow(first, columns, keys?.[0], room - bytesOf(header));
  const address = citation?.addresses?.[0];
  const whole = address === undefined || address.length > MOST_OF_AN_ADDRESS ? '' : `: ${address}`;
  return {
    lines: [header, line],
    columns,
    shown: 1,
    notes: [
      `The row is shortened: ${firstFew(cut.map(shownName), 5)} end${cut.length === 1 ? 's' : ''} at …. Its address has all of it${whole}`,
    ],
  };
}

/** Characters of the address of a row that is shortened. A longer one would leave it no room. */
const MOST_OF_AN_ADDRESS = 700;

function lineOf(cells: readonly string[], key?: string): string {
  const ends = key === undefined ? [] : [key.length <= MOST_OF_A_KEY ? key : ''];
  // A blank line would end the table.
  return [...cells, ...ends].join(BAR) || 'null';
}

/** A row whose longest cells are cut, and the names of their columns. */
function shortenedRow(
  row: AnsweredRow,
  columns: readonly string[],
  key: string | undefined,
  room: number,
): { line: string; cut: string[] } {
  const cells = columns.map((column) => ({ column, text: cellText(row[column]) }));
  const written = (most: number) =>
    cells.map(({ column, text }) => {
      const value = row[column];
      if (bytesOf(text) <= most) return text;
      return cellText(shortenToBytes(typeof value === 'string' ? value : text, most));
    });
  const isOver = (most: number) => bytesOf(lineOf(written(most), key)) > room;
  const fits = firstWhere(isOver, LEAST_OF_A_CELL + 1, Math.max(room, LEAST_OF_A_CELL + 1)) - 1;
  return {
    line: lineOf(written(fits), key),
    cut: cells.filter(({ text }) => bytesOf(text) > fits).map(({ column }) => column),
  };
}

/** Room for a few characters and the mark of the cut. */
const LEAST_OF_A_CELL = 12;
