import { stringify } from 'csv-stringify/sync';

/** What one row has in a column: of what is neither text nor number, its JSON text is written. */
export type Cells = Readonly<Record<string, unknown>>;

/**
 * Rows as CSV (RFC 4180) with a header: UTF-8, lines that end in CR LF, nothing where there is no
 * value; without the header, what goes on behind other rows. A text that a spreadsheet would take for a formula gets an apostrophe before it.
 */
export function csvOf(columns: readonly string[], rows: readonly Cells[], header = true): string {
  return stringify(
    rows.map((row) => columns.map((column) => row[column] ?? null)),
    {
      header,
      columns: columns.map((column) => ({ key: column })),
      record_delimiter: 'windows',
      // Of one column, nothing would be a blank line, which readers pass over.
      quoted_empty: columns.length === 1,
      // Half a line end is one to most readers.
      quoted_match: /[\r\n]/,
      cast: {
        boolean: String,
        string: (text, { header }) => (header ? text : defused(text)),
        object: (value) => JSON.stringify(value),
      },
    },
  );
}

/** What spreadsheets begin a formula with (OWASP, CSV Injection), in full width too. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function defused(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
