import type { Field, Row } from '../fields/field.ts';
import { typedCell } from './cells.ts';
import type { CsvRow } from './read-csv.ts';

/** How a block's rows are made from a file in `seed-data/`. */
export type DatasetSource = {
  /** The CSV file; `<file without .csv>.source.json` says where it comes from. */
  readonly file: string;
  /** Makes the rows, in the dataset's order; without it, a column for each field. */
  readonly toRows?: (rows: readonly CsvRow[], file: string) => ToRows;
  /** A GeoJSON file of the regions' shapes, and the property that names each region. */
  readonly boundaries?: { readonly file: string; readonly property: string };
};

export type ToRows = {
  readonly rows: readonly Row[];
  /** What the one who imports should know: cells that were left out, and why. */
  readonly notes: readonly string[];
};

/** A row for each of the file's, a cell for each field. */
export function rowsByColumn(
  fields: readonly Field[],
  rows: readonly CsvRow[],
  file: string,
): ToRows {
  return {
    rows: rows.map((row) =>
      Object.fromEntries(fields.map((field) => [field.name, typedCell(row, field, file)])),
    ),
    notes: [],
  };
}
