import type { BoundariesFile, DataFile, FileField, TableFile } from '../block/block-file.ts';
import type { CsvRow } from '../readers/read-csv.ts';
import type { Row } from '../values/field-type.ts';

/** How to make a block's rows from files in `seed-data/`. */
export type DatasetSource = DataFile &
  TableFile & {
    /** How the file writes the fields' values. */
    readonly fields?: readonly FileField[];
    readonly missingValues?: readonly string[];
    /** Set if the rows are not the file's own. */
    readonly toRows?: ToRows;
    readonly boundaries?: BoundariesFile;
  };

/** What a folder's `rows.ts` exports: makes the rows, in the dataset's order, from the file's. */
export type ToRows = (rows: readonly CsvRow[], file: string) => MadeRows;

export type MadeRows = {
  readonly rows: readonly Row[];
  /** Notes for whoever imports the file: cells that were left out, and why. */
  readonly notes: readonly string[];
};
