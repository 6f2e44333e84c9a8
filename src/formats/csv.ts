import { type OutputFormat, textPieces } from './format.ts';

/** RFC 4180 and RFC 7111. */
export const csv: OutputFormat = {
  title: 'CSV',
  contentType: 'text/csv; charset=utf-8; header=present',
  accepted: ['text/csv'],
  extension: 'csv',
  ownOptions: ['_raw', '_bom'],
  // A comma or the line's end comes after each cell.
  rowBytes: (columns) => columns.reduce((sum, { bytes }) => sum + bytes + 1, 1),
  headBytes: (columns) => columns.reduce((sum, { name }) => sum + Buffer.byteLength(name) + 1, 1),
  writer: ({ columns, raw, bom }) =>
    textPieces({
      before: (bom ? BYTE_ORDER_MARK : '') + csvOf(columns, []),
      rows: (texts) => {
        const rows = texts.map((text) => JSON.parse(text));
        return csvOf(columns, rows, { header: false, raw });
      },
      behind: '',
    }),
};

/** Excel takes a CSV for UTF-8 only if it begins with this. */
const BYTE_ORDER_MARK = '\ufeff';

/** A row's values by column; lists and objects are written as JSON text. */
export type Cells = Readonly<Record<string, unknown>>;

/**
 * Rows as CSV (RFC 4180): UTF-8, with lines that end in CR LF, and empty cells for missing values.
 * Without a header, the text continues other rows. Unless it is raw, a text that a spreadsheet would
 * take for a formula gets an apostrophe before it.
 */
export function csvOf(
  columns: readonly string[],
  rows: readonly Cells[],
  { header = true, raw = false } = {},
): string {
  // With one column, an empty cell would be a blank line, which readers skip.
  const empty = columns.length === 1 ? '""' : '';
  const lines = rows.map((row) =>
    columns.map((column) => quotedCell(cellText(row[column], raw)) || empty).join(','),
  );
  if (header) lines.unshift(columns.map(quotedCell).join(','));
  return lines.map((line) => `${line}\r\n`).join('');
}

function cellText(value: unknown, raw: boolean): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return raw ? value : defused(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Most readers take a lone CR or LF for a line end, so quotes those too. */
export function quotedCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The characters that begin a formula in spreadsheets (OWASP, CSV Injection), also full-width. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

export function defused(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
