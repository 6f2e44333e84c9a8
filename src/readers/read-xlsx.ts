import { listed } from './listed.ts';
import { SeedError } from './seed-error.ts';
import { repeatable, type SourceTable } from './source-table.ts';
import { cellName, type XlsxRow, XlsxRows } from './xlsx-rows.ts';
import { openXlsx, type XlsxSheet } from './xlsx-workbook.ts';

/** How a workbook is to be read; rows are named by their numbers in the sheet. */
export type XlsxReading = {
  readonly sheet?: string;
  readonly headerRow?: number;
  readonly commentRows?: readonly number[];
};

/** A sheet's rows, before any of them is taken for a header. */
export type XlsxRowsTable = {
  readonly sheet: string;
  readonly rows: AsyncIterable<XlsxRow>;
  /** What the reader chose or saw; complete once all rows were read. */
  readonly notes: readonly string[];
};

/**
 * Reads the rows of a sheet, by its name or its number from 1; of the first that is not hidden, if
 * none is named. Blank rows are left out.
 */
export async function readXlsxRows(
  path: string,
  file: string,
  sheet?: string,
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
  return {
    sheet: chosen.name,
    rows: repeatable(async function* () {
      const rows = new XlsxRows(workbook);
      for await (const some of workbook.scan(chosen, rows.handler, () => rows.take())) yield* some;
      seen = rows.notes();
    }),
    get notes() {
      return [...chosenNotes, ...seen];
    },
  };
}

/**
 * Reads a sheet's table; its header is the first row that holds anything, or `headerRow`. The rows
 * of `commentRows` are left out.
 */
export async function readXlsx(
  path: string,
  file: string,
  { sheet, headerRow, commentRows }: XlsxReading = {},
): Promise<SourceTable & { readonly sheet: string }> {
  const table = await readXlsxRows(path, file, sheet);
  const place = `${file}, sheet ${listed([table.sheet])}`;
  const isHeader = ({ row }: XlsxRow) => headerRow === undefined || row === headerRow;
  let headers: readonly string[] = [];
  let first = 0;
  const comments = new Set(commentRows);
  for await (const row of table.rows) {
    if (!isHeader(row)) continue;
    headers = row.cells;
    first = row.row;
    break;
  }
  if (first === 0) {
    const reason = headerRow === undefined ? 'the sheet is blank' : `row ${headerRow} is blank`;
    throw new SeedError(place, reason);
  }
  return {
    sheet: table.sheet,
    headers,
    headerLine: first,
    counts: 'row',
    get notes() {
      return table.notes;
    },
    records: repeatable(async function* () {
      for await (const { row, cells } of table.rows) {
        if (row <= first || comments.has(row)) continue;
        if (cells.length > headers.length) {
          const cell = cellName(cells.length - 1, row);
          const reason = `cell ${cell} has a value, but row ${first} has no header above it`;
          throw new SeedError(place, reason);
        }
        const blanks = headers.length - cells.length;
        yield {
          cells: blanks === 0 ? cells : [...cells, ...new Array<string>(blanks).fill('')],
          line: () => row,
        };
      }
    }),
  };
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
      asked === undefined ? `it has ${has}` : `no sheet ${listed([asked])}; it has ${has}`,
    );
  }
  return chosen;
}

function shownSheet({ name, isHidden }: XlsxSheet): string {
  return isHidden ? `${name} (hidden)` : name;
}
