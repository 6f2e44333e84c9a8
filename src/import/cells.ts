import type { CsvRow } from '../files/read-csv.ts';
import { SeedError, type SourceRecord, type SourceTable } from '../files/source-table.ts';
import { parseDecimal } from '../text/decimal.ts';
import { numberText, shorten, showCell } from '../text/wording.ts';
import type { Value } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import { cellReader, mostOdd, strictReader } from '../values/spelling.ts';
import { fitBy, largeRows, type RowTest } from './bad-rows.ts';
import type { FileField } from './block-file.ts';
import { nameColumns } from './column-names.ts';
import type { Storage } from './storage.ts';

/** The text of a cell; null if it is blank. Throws if the file has no such column. */
export function textCell({ cells }: CsvRow, column: string, file: string): string | null {
  const cell = Object.hasOwn(cells, column) ? cells[column] : undefined;
  if (cell === undefined) throw noColumn(column, Object.keys(cells), file);
  return cell === '' ? null : cell;
}

/** Odd cells of a file that are blank, by field: how many, and the first. */
export class OddTally {
  readonly #odd = new Map<string, { cell: string; line: number; count: number }>();

  add({ name }: FileField, cell: string, line: number): void {
    const known = this.#odd.get(name);
    if (known === undefined) this.#odd.set(name, { cell, line, count: 1 });
    else known.count++;
  }

  /** A clause for each field; the numbers of places count lines, or what the file has. */
  notes(counts: SourceTable['counts']): string[] {
    return [...this.#odd].map(
      ([name, { cell, line, count }]) =>
        `${name}: ${count === 1 ? '1 cell is' : `${numberText(count)} cells are`} blank for not being of its type, first ${showCell(cell)} in ${counts} ${line}`,
    );
  }
}

/** Why a cell is refused. */
export function whyNot(cell: string, field: FileField, noun = typeOf(field).noun): string {
  const { oddCells } = field;
  const said = `${showCell(cell)} is not ${noun}`;
  if (oddCells === undefined) return said;
  return `${said}, nor are ${mostOdd(oddCells)} cells before it; oddCells in block.json allows no more`;
}

/**
 * Reads a record's values, a cell for each field, as the file spells them. Throws if a column is
 * missing or may be another one, or a value bad.
 */
export function valueReader(
  fields: readonly FileField[],
  { headers, headerLine, counts }: Pick<SourceTable, 'headers' | 'headerLine' | 'counts'>,
  file: string,
  odd = new OddTally(),
): ValueReader {
  const columns = nameColumns(headers);
  const names = columns.map(({ name }) => name);
  const where = headerLine === 0 ? {} : { line: headerLine };
  const cells = fields.map((field) => {
    const { name, header } = field;
    const at = placeOf(field, names, headers);
    if (at < 0) throw noColumn(header ?? name, header === undefined ? names : headers, file, where);
    const tellOdd = (cell: string) => odd.add(field, cell, line);
    return { at, field, read: cellReader(field, field, tellOdd) };
  });
  let line = 0;
  const read = new Set(cells.map(({ at }) => at));
  for (const { at } of cells) {
    const twin = headers.findIndex((header, i) => header === headers[at] && !read.has(i));
    if (twin < 0) continue;
    const reason = `two columns have the header ${showCell(headers[at] as string)}; make ${names[twin]} a field too, or take one out of the file`;
    throw new SeedError(file, reason, where);
  }
  const readValues = (record: SourceRecord) => {
    line = record.line;
    const values: Value[] = [];
    for (const { at, field, read } of cells) {
      const cell = record.cells[at] as string;
      const value = read(cell);
      if (value === undefined) {
        throw new SeedError(file, whyNot(cell, field), { line, counts, column: field.name });
      }
      values.push(value);
    }
    return values;
  };
  const rowTest = (storage: Storage) => ({
    fits: fitBy(cells.map(({ at, field }) => ({ at, read: strictReader(field, field) }))),
    tooLarge: largeRows(
      cells.map(({ at, field: { name } }) => ({ at, name })),
      storage,
    ),
  });
  return Object.assign(readValues, { rowTest });
}

/** Reads a record's values. `rowTest` tells of cells whether they are a row. */
export type ValueReader = ((record: SourceRecord) => Value[]) & {
  readonly rowTest: (storage: Storage) => RowTest;
};

/** Which column of a header is a field's; -1 if none is. `names` are those made of the headers. */
export function placeOf(
  { name, header }: Pick<FileField, 'name' | 'header'>,
  names: readonly string[],
  headers: readonly string[],
): number {
  const named = names.indexOf(name);
  // A long header is a field's name too, though none would be made of it.
  return header === undefined && named >= 0 ? named : headers.indexOf(header ?? name);
}

function noColumn(
  column: string,
  columns: readonly string[],
  file: string,
  where: { readonly line?: number } = { line: 1 },
): SeedError {
  const reason = `the header has no such column; it has ${shorten(columns.join(', '), 1000)}`;
  return new SeedError(file, reason, { ...where, column });
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
