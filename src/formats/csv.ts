import { stringify } from 'csv-stringify/sync';

/** A row's values by column; lists and objects are written as JSON text. */
export type Cells = Readonly<Record<string, unknown>>;

/**
 * Rows as CSV (RFC 4180): UTF-8, with lines that end in CR LF, and empty cells for missing values.
 * Without a header, the text continues other rows. A text that a spreadsheet would take for a
 * formula gets an apostrophe before it.
 */
export function csvOf(columns: readonly string[], rows: readonly Cells[], header = true): string {
  return stringify(
    rows.map((row) => columns.map((column) => row[column] ?? null)),
    {
      header,
      columns: columns.map((column) => ({ key: column })),
      record_delimiter: 'windows',
      // With one column, an empty cell would be a blank line, which readers skip.
      quoted_empty: columns.length === 1,
      // Most readers take a lone CR or LF for a line end, so quote those too.
      quoted_match: /[\r\n]/,
      cast: {
        boolean: String,
        string: (text, { header }) => (header ? text : defused(text)),
        object: (value) => JSON.stringify(value),
      },
    },
  );
}

/** The characters that begin a formula in spreadsheets (OWASP, CSV Injection), also full-width. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function defused(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
