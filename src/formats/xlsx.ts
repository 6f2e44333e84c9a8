import type { OutputFormat } from './format.ts';
import { jsonBytes } from './ndjson.ts';
import { MOST_SHEET_ROWS, xlsxPieces } from './xlsx-writer.ts';

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
  rowBytes: (columns) => jsonBytes(columns) * SHARE_OF_JSON,
  writer: (asked) => (batches, budget) => xlsxPieces(asked, batches, budget),
};

/**
 * The bytes of a workbook, as a share of those of its rows as JSON; on the side of the answer: rows
 * of the shipped datasets take a fifth to a third.
 */
const SHARE_OF_JSON = 1 / 8;
