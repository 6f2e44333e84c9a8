import type { ColumnBytes, OutputFormat } from './format.ts';

/** Rows of a sheet below its head. More are refused, before the answer begins: 400. */
const MOST_SHEET_ROWS = 1_048_575;

/** A workbook of Office Open XML (ECMA-376), for people who work in Excel. */
export const xlsx: OutputFormat = {
  title: 'Excel',
  contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  accepted: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  extension: 'xlsx',
  isBinary: true,
  // One value is no table with types.
  isOf: ({ isRows }) => isRows,
  mostRows: MOST_SHEET_ROWS,
  rowBytes: packedBytes,
  headBytes: () => HEAD_BYTES,
  writer: async (asked) => {
    const { xlsxPieces } = await loadXlsx();
    return (batches, budget) => xlsxPieces(asked, batches, budget);
  },
};

/**
 * Loads the code that writes workbooks at the first request for one. A function has it in a separate
 * file (`src/build/bundle-handler.ts`).
 */
export const loadXlsx = () => import('./xlsx-writer.ts');

/** The parts of a workbook beside its rows. */
const HEAD_BYTES = 4000;

/**
 * About how many bytes a row has, packed: what is around a cell, and of its value the share that
 * remains of texts that differ. Texts that repeat take less.
 */
function packedBytes(columns: readonly ColumnBytes[]): number {
  const cells = columns.map(({ filled, bytes }) => filled * 3 + bytes * 0.3);
  return cells.reduce((sum, cell) => sum + cell, 4);
}
