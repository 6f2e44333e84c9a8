import type { Row } from '../fields/field.ts';
import type { CsvRow } from './read-csv.ts';

/** How to make a block's rows from a file in `seed-data/`. */
export type DatasetSource = {
  /** The CSV file; `<file without .csv>.source.json` states its origin. */
  readonly file: string;
  /** Makes the rows in the dataset's order; if absent, each field has a column. */
  readonly toRows?: (rows: readonly CsvRow[], file: string) => ToRows;
  /** A GeoJSON file of the regions' shapes, and the property that names each region. */
  readonly boundaries?: { readonly file: string; readonly property: string };
};

export type ToRows = {
  readonly rows: readonly Row[];
  /** Notes for whoever imports the file: cells that were left out, and why. */
  readonly notes: readonly string[];
};
