import path from 'node:path';
import { DEFAULT_FILE_FORMAT, FILE_FORMATS } from '../files/formats.ts';
import { bytesOf } from '../files/read-bytes.ts';
import { noColumn, SeedError, type SourceRecord, type SourceTable } from '../files/source-table.ts';
import { withoutTotals } from '../files/totals.ts';
import { numberText, showCell } from '../text/wording.ts';
import type { Value } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import { type CellReader, cellReader, mostOdd, strictReader } from '../values/spelling.ts';
import { type BadRows, fitBy, largeRows, mendedRecords } from './bad-rows.ts';
import { nameColumns } from './column-names.ts';
import type { FileField, Recipe, TableFile } from './recipe.ts';
import type { Storage } from './storage.ts';

/** Opens a file's table as it is said to be written. Throws a SeedError if it is not. */
export async function readTable(source: TableFile, folder: string): Promise<SourceTable> {
  const { format = DEFAULT_FILE_FORMAT, file, dialect = {} } = source;
  const table = await FILE_FORMATS[format].read(source, {
    path: path.join(folder, file),
    readBytes: () => bytesOf(folder, file),
  });
  if (dialect.totals === undefined) return table;
  const names = nameColumns(table.headers).map(({ name }) => name);
  return withoutTotals(table, dialect, names, file);
}

/** A field that a file has a column for. */
export type FoundField = {
  readonly name: string;
  /** The place of its column. */
  readonly at: number;
  readonly field: FileField;
  readonly read: CellReader;
};

/** A file as a recipe reads it, whether or not it fits. */
export type RecipeRows = {
  readonly table: SourceTable;
  /** The columns' names, as those of fields are made. */
  readonly names: readonly string[];
  readonly found: readonly FoundField[];
  /** The fields that the file has no column for. */
  readonly gone: readonly FileField[];
  /** Its records, once: bad ones are mended or left out, as the recipe says, and listed in `badRows`. */
  readonly records: AsyncIterable<SourceRecord>;
  readonly badRows: BadRows;
  /** The cells that were taken for blank, though they are of another type. */
  readonly odd: OddTally;
};

/**
 * Opens a file as a recipe reads it. Throws a SeedError if its head cannot be read; what does not fit
 * otherwise is for the caller to refuse.
 */
export async function readRows(
  recipe: Recipe,
  folder: string,
  storage: Storage,
): Promise<RecipeRows> {
  const { file, missingValues, dialect } = recipe;
  const table = await readTable(recipe, folder);
  const names = nameColumns(table.headers).map(({ name }) => name);
  const odd = new OddTally();
  let line = 0;
  const fields = recipe.fields.map((own) => {
    const field = missingValues === undefined ? own : { missingValues, ...own };
    const read = cellReader(field, field, (cell) => odd.add(field, cell, line));
    return { name: field.name, at: placeOf(field, names, table.headers), field, read };
  });
  const found = fields.filter(({ at }) => at >= 0);
  const badRows: BadRows = { mended: [], setAside: [] };
  async function* records() {
    const choice = dialect?.badRows;
    const rowTest = {
      fits: fitBy(found.map(({ at, field }) => ({ at, read: strictReader(field, field) }))),
      tooLarge: largeRows(found, storage),
    };
    const all =
      choice === undefined
        ? table.records
        : mendedRecords({ records: table.records, file }, choice, rowTest, badRows);
    for await (const record of all) {
      line = record.line;
      yield record;
    }
  }
  const gone = fields.filter(({ at }) => at < 0).map(({ field }) => field);
  return { table, names, found, gone, records: records(), badRows, odd };
}

/**
 * Throws a SeedError if a field has no column, or if another column with the same header, which no
 * field reads, may be meant.
 */
export function refuseOtherColumns(
  { table: { headers, headerLine }, names, found, gone: [gone] }: RecipeRows,
  file: string,
): void {
  const where = headerLine === 0 ? {} : { line: headerLine };
  if (gone !== undefined) {
    const { name, header } = gone;
    throw noColumn(header ?? name, header === undefined ? names : headers, file, where);
  }
  const read = new Set(found.map(({ at }) => at));
  for (const { at } of found) {
    const twin = headers.findIndex((header, i) => header === headers[at] && !read.has(i));
    if (twin < 0) continue;
    const reason = `two columns have the header ${showCell(headers[at] as string)}; make ${names[twin]} a field too, or take one out of the file`;
    throw new SeedError(file, reason, where);
  }
}

/** A record's values. Throws a SeedError if a cell is not of its field's type. */
export function valuesOf(
  { cells, line }: SourceRecord,
  { found, table: { counts } }: RecipeRows,
  file: string,
): Value[] {
  const values: Value[] = [];
  for (const { at, field, read } of found) {
    const cell = cells[at] as string;
    const value = read(cell);
    if (value === undefined) {
      throw new SeedError(file, whyNot(cell, field), { line, counts, column: field.name });
    }
    values.push(value);
  }
  return values;
}

/** Counts the odd cells of a file that are blank, by field, and keeps the first of each. */
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

/** Which column of a header is a field's; -1 if none is. `names` are those made of the headers. */
function placeOf(
  { name, header }: Pick<FileField, 'name' | 'header'>,
  names: readonly string[],
  headers: readonly string[],
): number {
  const named = names.indexOf(name);
  // A long header is a field's name too, though none would be made of it.
  return header === undefined && named >= 0 ? named : headers.indexOf(header ?? name);
}
