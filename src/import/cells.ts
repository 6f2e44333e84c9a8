import type { CsvRow } from '../files/csv/named-rows.ts';
import { noColumn, SeedError } from '../files/source-table.ts';
import { parseDecimal } from '../text/decimal.ts';
import { showCell } from '../text/wording.ts';

/** Returns a cell's text, or null if it is blank. Throws if the file has no such column. */
export function textCell({ cells }: CsvRow, column: string, file: string): string | null {
  const cell = Object.hasOwn(cells, column) ? cells[column] : undefined;
  if (cell === undefined) throw noColumn(column, Object.keys(cells), file);
  return cell === '' ? null : cell;
}

/** Returns a cell's number, or null if it is blank. Throws if it is not a decimal number. */
export function numberCell(row: CsvRow, column: string, file: string): number | null {
  const text = textCell(row, column, file);
  if (text === null) return null;
  const value = parseDecimal(text);
  if (value !== undefined) return value;
  const { line } = row;
  throw new SeedError(file, `${showCell(text)} is not a number`, {
    line,
    column,
  });
}
