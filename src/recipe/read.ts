import { DEFAULT_FILE_FORMAT, FILE_FORMATS } from '../files/file-formats.ts';
import { filledDown } from '../files/fill-down.ts';
import { fileAt } from '../files/read-bytes.ts';
import { noColumn, SeedError, type SourceRecord, type SourceTable } from '../files/source-table.ts';
import { withoutTotals } from '../files/totals.ts';
import { numberText, showCell } from '../text/wording.ts';
import type { Value } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import {
  type CellReader,
  cellReader,
  mostOdd,
  type PlainKeyReader,
  plainKeyReader,
  readsTextsAsTheyAre,
  strictReader,
} from '../values/spelling.ts';
import { type BadRows, fitBy, largeRows, mendedRecords } from './bad-rows.ts';
import { nameColumns } from './column-names.ts';
import type { FileField, Recipe, TableFile } from './recipe.ts';

/** Opens a file's table as the source says that it is written. Throws a SeedError if it is not. */
export async function readTable(source: TableFile, folder: string): Promise<SourceTable> {
  const { format = DEFAULT_FILE_FORMAT, file, dialect = {} } = source;
  const table = await FILE_FORMATS[format].read(source, fileAt({ folder, file }));
  const { totals, filledDown: columns } = dialect;
  if ((totals ?? columns) === undefined) return table;
  const names = nameColumns(table.headers).map(({ name }) => name);
  const rows = totals === undefined ? table : withoutTotals(table, dialect, names, file);
  return columns === undefined ? rows : filledDown(rows, columns, names, file);
}

/** A field with its column in a file. */
export type FoundField = {
  readonly name: string;
  /** The index of the column. */
  readonly at: number;
  readonly field: FileField;
  readonly read: CellReader;
  readonly plainKey: PlainKeyReader | undefined;
  readonly isPlainText: boolean;
};

/** A file as a recipe reads it. It need not fit. */
export type RecipeRows = {
  readonly table: SourceTable;
  /** The names that fields get from the columns' headers. */
  readonly names: readonly string[];
  readonly found: readonly FoundField[];
  /** The fields without a column in the file. */
  readonly gone: readonly FileField[];
  /**
   * The records, which can be read once. Bad ones are mended or left out as the recipe says, and
   * listed in `badRows`.
   */
  readonly records: AsyncIterable<SourceRecord>;
  readonly badRows: BadRows;
  /** The odd cells that were read as blank. */
  readonly odd: OddTally;
};

/**
 * Opens a file as a recipe reads it. Throws a SeedError if the file's head cannot be read. The
 * caller must refuse any other misfit.
 */
export async function readRows(recipe: Recipe, folder: string): Promise<RecipeRows> {
  const { file, missingValues, dialect } = recipe;
  const table = await readTable(recipe, folder);
  const names = nameColumns(table.headers).map(({ name }) => name);
  const odd = new OddTally();
  let line = 0;
  const fields = recipe.fields.map((own) => {
    const field = { ...own, missingValues: own.missingValues ?? missingValues };
    const read = cellReader(field, field, (cell) => odd.add(field, cell, line));
    const at = placeOf(field, names, table.headers);
    const isPlainText = readsTextsAsTheyAre(field, field);
    const plainKey = plainKeyReader(field, field);
    return { name: field.name, at, field, read, plainKey, isPlainText };
  });
  const found = fields.filter(({ at }) => at >= 0);
  const badRows: BadRows = { mended: [], setAside: [] };
  let { records } = table;
  if (dialect?.badRows !== undefined) {
    const rowTest = {
      fits: fitBy(found.map(({ at, field }) => ({ at, read: strictReader(field, field) }))),
      tooLarge: largeRows(found),
    };
    records = mendedRecords({ records, file }, dialect.badRows, rowTest, badRows);
  }
  async function* withLines(all: AsyncIterable<SourceRecord>) {
    for await (const record of all) {
      line = record.line;
      yield record;
    }
  }
  if (found.some(({ field }) => field.oddCells !== undefined)) records = withLines(records);
  const gone = fields.filter(({ at }) => at < 0).map(({ field }) => field);
  return { table, names, found, gone, records, badRows, odd };
}

/**
 * Throws a SeedError if a field has no column, or if the field may mean a second column with the
 * same header.
 */
export function refuseOtherColumns(
  { table: { headers, headerLine }, names, found, gone: [gone] }: RecipeRows,
  file: string,
): void {
  const where = { line: headerLine === 0 ? undefined : headerLine };
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

/** Reads a record's values. Throws a SeedError if a cell is not of its field's type. */
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

/** Counts a file's odd cells that are blank, by field, and keeps the first of each. */
export class OddTally {
  readonly #odd = new Map<string, { cell: string; line: number; count: number }>();

  add({ name }: FileField, cell: string, line: number): void {
    const known = this.#odd.get(name);
    if (known === undefined) this.#odd.set(name, { cell, line, count: 1 });
    else known.count++;
  }

  /** A clause for each field. `counts` is what the numbers of places count. */
  notes(counts: SourceTable['counts']): string[] {
    return [...this.#odd].map(
      ([name, { cell, line, count }]) =>
        `${name}: ${count === 1 ? '1 cell is' : `${numberText(count)} cells are`} blank for not being of its type, first ${showCell(cell)} in ${counts} ${line}`,
    );
  }
}

/** Says why a cell is refused. */
export function whyNot(cell: string, field: FileField, noun = typeOf(field).noun): string {
  const { oddCells } = field;
  const said = `${showCell(cell)} is not ${noun}`;
  if (oddCells === undefined) return said;
  return `${said}, nor are ${mostOdd(oddCells)} cells before it; oddCells in block.json allows no more`;
}

/** The index of a field's column, or -1 if there is none. `names` are made from the headers. */
function placeOf(
  { name, header }: Pick<FileField, 'name' | 'header'>,
  names: readonly string[],
  headers: readonly string[],
): number {
  const named = names.indexOf(name);
  // A field may be named like a long header, although no such name would be made from it.
  return header === undefined && named >= 0 ? named : headers.indexOf(header ?? name);
}
