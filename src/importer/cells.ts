import type { Field, Value } from '../fields/field.ts';
import { typeOf } from '../fields/field-types.ts';
import { parseDecimal } from '../text/decimal.ts';
import { shorten } from '../words/shorten.ts';
import type { CsvRow } from './read-csv.ts';
import { SeedError } from './seed-error.ts';

/** The text of a cell; null if it is blank. Throws if the file has no such column. */
export function textCell({ cells }: CsvRow, column: string, file: string): string | null {
  const cell = Object.hasOwn(cells, column) ? cells[column] : undefined;
  if (cell === undefined) {
    throw new SeedError(
      file,
      `the header has no such column; it has ${Object.keys(cells).join(', ')}`,
      {
        line: 1,
        column,
      },
    );
  }
  return cell === '' ? null : cell;
}

/** The value in a field's cell; null if it is blank. Throws if it is not of the field's type. */
export function typedCell(row: CsvRow, field: Field, file: string): Value {
  const { name: column } = field;
  const text = textCell(row, column, file);
  if (text === null) return null;
  const value = typeOf(field).readCell(text, field);
  if (value !== undefined) return value;
  const { line } = row;
  const shown = JSON.stringify(shorten(text));
  throw new SeedError(file, `${shown} is not ${typeOf(field).noun}`, { line, column });
}

/** The number in a cell; null if it is blank. Throws if it is not a decimal number. */
export function numberCell(row: CsvRow, column: string, file: string): number | null {
  const text = textCell(row, column, file);
  if (text === null) return null;
  const value = parseDecimal(text);
  if (value !== undefined) return value;
  const { line } = row;
  throw new SeedError(file, `${JSON.stringify(shorten(text))} is not a number`, {
    line,
    column,
  });
}
