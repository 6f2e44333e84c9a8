import type { Dialect } from '../../block/declaration.ts';
import { joinHeaders } from '../find-header.ts';
import { LeftOutRows } from '../left-out-rows.ts';
import { type FoundTable, findTable, noTable } from '../several-tables.ts';
import { listed, repeatable, SeedError, type SourceTable } from '../source-table.ts';
import { openXlsx, type XlsxSheet } from './workbook.ts';
import { type MergedRow, type XlsxRow, XlsxRows } from './xlsx-cells.ts';

/** A sheet's rows, before one is taken for the header. */
export type XlsxRowsTable = {
  readonly sheet: string;
  /** The names of the workbook's other sheets. */
  readonly others: readonly string[];
  /** The number of rows above the requested table. 0 if none was requested. */
  readonly above: number;
  readonly rows: AsyncIterable<XlsxRow>;
  /** Whether a cell is merged with the one to its left. Known once all rows are read. */
  readonly isMerged: (row: number, column: number) => boolean | undefined;
  /** Clauses about what the reader chose or saw. Complete once all rows are read. */
  readonly notes: readonly string[];
};

/**
 * Reads the rows of a sheet, by its name or its number from 1. If none is named, takes the first
 * that is not hidden. `table` is the number of the table in it. Leaves out blank rows.
 */
export async function readXlsxRows(
  path: string,
  file: string,
  sheet?: string,
  table?: number,
): Promise<XlsxRowsTable> {
  const workbook = await openXlsx(path, file);
  const chosen = chosenSheet(workbook.sheets, sheet, file);
  const others = workbook.sheets.filter((each) => each !== chosen).map(shownSheet);
  const chosenNotes = [
    ...(chosen.isHidden ? [`the sheet ${listed([chosen.name])} is hidden`] : []),
    ...(others.length === 0
      ? []
      : [`read the sheet ${listed([chosen.name])}, not ${listed(others)}`]),
  ];
  let seen: readonly string[] = [];
  let merged: readonly MergedRow[] = [];
  const all = repeatable(async function* () {
    const rows = new XlsxRows(workbook);
    for await (const some of workbook.scan(chosen, rows.handler, () => rows.take())) yield* some;
    seen = rows.notes();
    merged = rows.mergedRows;
  });
  const found = table === undefined ? undefined : await findTable(all, table);
  if (table !== undefined && found === undefined) {
    throw noTable(placeOf(file, chosen.name), table, 'row');
  }
  return {
    sheet: chosen.name,
    others,
    above: found === undefined ? 0 : found.from - 1,
    rows: found === undefined ? all : repeatable(() => rowsOf(all, found)),
    isMerged: (row, column) => {
      const mergedInRow = merged.filter((each) => each.row === row);
      if (mergedInRow.length === 0) return undefined;
      return mergedInRow.some(({ from, to }) => from < column && column <= to);
    },
    get notes() {
      return [...chosenNotes, ...seen];
    },
  };
}

function placeOf(file: string, sheet: string): string {
  return `${file}, sheet ${listed([sheet])}`;
}

/** Yields only a table's rows. Reads the others too, for the facts that come after them. */
async function* rowsOf(
  rows: AsyncIterable<XlsxRow>,
  { from, to }: FoundTable,
): AsyncGenerator<XlsxRow> {
  for await (const row of rows) if (from <= row.line && row.line < to) yield row;
}

/**
 * Reads a sheet's table. The header is the first row with a value, or `headerRows`. Leaves out the
 * rows of `commentRows`, and repetitions of a certain header. A column may have values and no
 * header.
 */
export async function readXlsx(
  path: string,
  file: string,
  dialect: Dialect = {},
): Promise<SourceTable> {
  const { sheetName, headerRows, commentRows, header = true } = dialect;
  const table = await readXlsxRows(path, file, sheetName, dialect.table);
  const { above } = table;
  const comments = new Set(commentRows);
  const found: XlsxRow[] = [];
  const lastHeader = header ? (headerRows?.at(-1) ?? 0) : 0;
  let width = 0;
  for await (const row of table.rows) {
    const number = row.line - above;
    if (header && (headerRows?.includes(number) ?? found.length === 0)) found.push(row);
    else if (number > lastHeader && !comments.has(number))
      width = Math.max(width, filledWidth(row.cells));
  }
  const first = found.at(-1)?.line ?? 0;
  if (header ? first === 0 : width === 0) {
    const isSheet = headerRows === undefined || !header;
    const reason = isSheet ? 'the sheet is blank' : `row ${headerRows.join(', ')} is blank`;
    const fix = `write a header at least, or name another sheet by --sheet`;
    throw new SeedError(placeOf(file, table.sheet), [reason, ...table.notes, fix].join('; '));
  }
  const headers = joinHeaders(
    found.map(({ cells }) => cells),
    (at, column) => table.isMerged(found[at]?.line ?? 0, column),
  );
  while (headers.length < width) headers.push('');
  while (headers.length > Math.max(width, 1) && headers.at(-1) === '') headers.pop();
  let notes: readonly string[] = [];
  return {
    headers,
    headerLine: found[0]?.line ?? 1,
    counts: 'row',
    get notes() {
      return [...table.notes, ...notes];
    },
    records: repeatable(async function* () {
      const leftOut = new LeftOutRows(headers, dialect);
      for await (const { line, cells, types } of table.rows) {
        if (line <= first || comments.has(line - above) || leftOut.has(cells)) continue;
        const blanks = headers.length - cells.length;
        const whole = blanks > 0 ? [...cells, ...new Array<string>(blanks).fill('')] : cells;
        // Cells that are missing have no type either.
        yield { cells: blanks < 0 ? cells.slice(0, blanks) : whole, types, line };
      }
      notes = leftOut.notes();
    }),
  };
}

/** The number of a row's cells up to the last one that is not blank. */
function filledWidth(cells: readonly string[]): number {
  let width = cells.length;
  while (width > 0 && cells[width - 1]?.trim() === '') width--;
  return width;
}

function chosenSheet(
  sheets: readonly XlsxSheet[],
  asked: string | undefined,
  file: string,
): XlsxSheet {
  const named = (name: string) => sheets.find((sheet) => sheet.name.toLowerCase() === name);
  const chosen =
    asked === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : (named(asked.toLowerCase()) ??
        (/^\d{1,4}$/.test(asked) ? sheets[Number(asked) - 1] : undefined));
  if (chosen === undefined) {
    const has = sheets.length === 0 ? 'no sheets of cells' : listed(sheets.map(shownSheet));
    throw new SeedError(
      file,
      asked === undefined
        ? `it has ${has}; save the table as .xlsx or CSV`
        : `no sheet ${listed([asked])}; it has ${has}; --sheet names one (in block.json, the dialect's sheetName)`,
    );
  }
  return chosen;
}

function shownSheet({ name, isHidden }: XlsxSheet): string {
  return isHidden ? `${name} (hidden)` : name;
}
