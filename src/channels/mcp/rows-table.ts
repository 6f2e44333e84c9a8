import type { AnsweredRow, Citation } from '../../query/answer-in-words.ts';
import { fitting } from '../../text/wording.ts';
import { BAR, bytesOf, cellText } from './data-text.ts';

/** Bytes of a table's head. */
const MOST_HEADER_BYTES = 1500;

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

/** The head of the column of keys. */
export const KEYS = '<row>';

/** Rows as lines of text below a header. */
type TableText = {
  readonly header: string;
  readonly lines: readonly string[];
  readonly columns: readonly string[];
};

/** Rows as a table, with as many columns as a header has room for. */
export function tableOf(rows: readonly AnsweredRow[], citation: Citation | undefined): TableText {
  const columns = fitting(Object.keys(rows[0] ?? {}), bytesOf, MOST_HEADER_BYTES, 1);
  const [, keys] = keysOf(citation);
  const lines = rows.map((row, i) => {
    const cells = columns.map((column) => cellText(row[column]));
    const key = keys === undefined ? [] : [keys[i] ?? ''];
    // A blank line would end the table.
    return [...cells, ...key].join(BAR) || 'null';
  });
  return { header: [...columns, ...(keys === undefined ? [] : [KEYS])].join(BAR), lines, columns };
}
