import type { Field, Value } from '../fields/field.ts';
import { typeOf } from '../fields/field-types.ts';
import { parseDecimal } from '../text/decimal.ts';
import { showCell } from '../words/show-cell.ts';
import type { CsvRow } from './read-csv.ts';
import { SeedError } from './seed-error.ts';
import type { SourceRecord } from './source-table.ts';

/** The text of a cell; null if it is blank. Throws if the file has no such column. */
export function textCell({ cells }: CsvRow, column: string, file: string): string | null {
  const cell = Object.hasOwn(cells, column) ? cells[column] : undefined;
  if (cell === undefined) throw noColumn(column, Object.keys(cells), file);
  return cell === '' ? null : cell;
}

/** Reads a record's values, a cell for each field. Throws if a column is missing, or a value bad. */
export function valueReader(
  fields: readonly Field[],
  columns: readonly string[],
  file: string,
): (record: SourceRecord) => Value[] {
  const cells = fields.map((field) => {
    const at = columns.indexOf(field.name);
    if (at < 0) throw noColumn(field.name, columns, file);
    return { at, field, type: typeOf(field) };
  });
  return (record) =>
    cells.map(({ at, field, type }) => {
      const text = (record.cells[at] as string).trim();
      if (text === '') return null;
      const value = type.readCell(text, field);
      if (value !== undefined) return value;
      const where = { line: record.line(), column: field.name };
      throw new SeedError(file, `${showCell(text)} is not ${type.noun}`, where);
    });
}

function noColumn(column: string, columns: readonly string[], file: string): SeedError {
  const reason = `the header has no such column; it has ${columns.join(', ')}`;
  return new SeedError(file, reason, { line: 1, column });
}

/** The number in a cell; null if it is blank. Throws if it is not a decimal number. */
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
