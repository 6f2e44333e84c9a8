/** `blockyard/rows`: what a `rows.ts` needs to make rows from a file's. */

export type { CsvRow } from '../files/csv/named-rows.ts';
export { SeedError } from '../files/source-table.ts';
export { numberCell, textCell } from '../import/cells.ts';
export type { MadeRows, ToRows } from '../import/seed-files.ts';
