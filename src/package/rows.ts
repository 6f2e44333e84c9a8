/** `blockyard/rows`: what a `rows.ts` needs to make rows from a file's. */
export { numberCell, textCell } from '../importer/cells.ts';
export type { MadeRows, ToRows } from '../importer/dataset-source.ts';
export type { CsvRow } from '../readers/read-csv.ts';
export { SeedError } from '../readers/seed-error.ts';
