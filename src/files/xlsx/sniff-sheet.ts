import type { Dialect } from '../../block/declaration.ts';
import { numberText } from '../../text/wording.ts';
import type { GivenWriting, Sniffed } from '../file-format.ts';
import { findHeader, type IsMerged, lowerHeaderText, noHeaderLine } from '../find-header.ts';
import { judgeBelow, RECORDS_KEPT } from '../find-notes.ts';
import { LeaveOut } from '../leave-out.ts';
import { besideText, choicesOf, TableFinder, tableOf, tableText } from '../several-tables.ts';
import { listed, SeedError } from '../source-table.ts';
import { readXlsxRows, type XlsxRowsTable } from './read-xlsx.ts';
import type { XlsxRow } from './xlsx-cells.ts';

/** Finds titles above a sheet's table, and notes and totals below it, as in CSV. */
export async function sniffSheet(
  path: string,
  file: string,
  given: GivenWriting = {},
): Promise<Sniffed> {
  const number = tableOf(given);
  const table = await readXlsxRows(path, file, given.sheet, number);
  const { rows, sheet, others } = table;
  const finder = new TableFinder();
  const head: XlsxRow[] = [];
  const last: XlsxRow[] = [];
  const leaveOut = given.leaveOut && new LeaveOut(given.leaveOut, file, 'row');
  for await (const row of rows) {
    leaveOut?.add(row.line, row.line);
    finder.add(row);
    if (head.length < ROWS_OF_HEAD && row.line >= (given.headerLine ?? 0)) head.push(row);
    last.push(row);
    if (last.length > RECORDS_KEPT) last.shift();
  }
  finder.end();
  const { headerLine } = given;
  if (headerLine !== undefined && head[0]?.line !== headerLine) {
    throw noHeaderLine(file, headerLine, 'row');
  }
  const width = widthOf(head.map(({ cells }) => cells));
  const { titles, aside, mayHaveRows, isCertain, ...heading } = findSheetHeader(
    table,
    head,
    width,
    given,
  );
  const isSaid = given.header !== undefined || headerLine !== undefined;
  // A first row is a header, unless its cells are values like those below and none is a name.
  const hasHeader = given.header ?? (isSaid || heading.hasHeader || heading.doubt !== undefined);
  const headerRows = hasHeader ? heading.headerRows : 0;
  const numbersOf = (from: number, count: number) =>
    head.slice(from, from + count).map(({ line }) => line);
  // A sheet without a table is a cover, and its author meant another sheet.
  const isCover = width < 2 || (last.length <= titles + headerRows && head.length === last.length);
  if (isCover && given.sheet === undefined && others.length > 0) {
    const reason = `the sheet ${listed([sheet])} has no table of two columns and a row; --sheet says which is meant, it or ${listed(others)}`;
    throw new SeedError(file, reason);
  }
  const headerNumbers = numbersOf(titles, headerRows);
  const asideNumbers = hasHeader ? numbersOf(titles + headerRows, aside) : numbersOf(0, titles);
  const header = headerNumbers.at(-1) ?? 0;
  const lower = heading.lower === undefined ? undefined : head[heading.lower]?.line;

  let isApart = false;
  const ends = last.map((row, i) => {
    const isBelowBlank = row.line > (last[i - 1]?.line ?? row.line) + 1;
    isApart = row.cells.length === 1 && (isApart || isBelowBlank);
    // Prose in a first cell may be a row without other values, unless a blank row separates it.
    return isApart || row.cells.length > width ? row.cells : fitted(row.cells, width);
  });
  const below = judgeBelow(ends, {
    width,
    header,
    leftOut: leaveOut?.numbers() ?? [],
    ranges: given.leaveOut,
    counts: 'row',
    numberOf: (fromEnd) => last.at(-1 - fromEnd)?.line as number,
  });
  const { numbers, clauses } = below;
  const isOpen = hasHeader && !isSaid && !isCertain && width > 1;
  const beside = besideText(head.slice(titles).map(({ cells }) => fitted(cells, width)));
  const inTable = (row: number) => row - table.above;
  const dialect: Dialect = {
    sheetName: given.sheet === undefined ? undefined : sheet,
    table: number,
    header: hasHeader ? undefined : false,
    headerRows:
      hasHeader && (titles + headerRows > 1 || headerLine !== undefined)
        ? headerNumbers.map(inTable)
        : undefined,
    commentRows:
      asideNumbers.length + numbers.length > 0
        ? [...asideNumbers, ...numbers].map(inTable)
        : undefined,
    keepsRepeatedHeaders: isOpen ? true : undefined,
  };
  const isOne = headerRows === 1;
  const where = `${isOne ? 'row' : 'rows'} ${headerNumbers.join(' and ')} of the sheet ${sheet}`;
  const belowIt = hasHeader ? 'below it ' : '';
  const above = [
    ...(number === undefined ? [] : [tableText(number, `row ${numberText(head[0]?.line ?? 1)}`)]),
    ...(hasHeader && (titles > 0 || !isOne || headerLine !== undefined)
      ? [`the header is in ${where}${isOne ? '' : ', joined'}`]
      : []),
    ...(hasHeader || given.header !== undefined ? [] : [`no header: ${heading.why}`]),
    ...(asideNumbers.length > 0
      ? [`rows ${asideNumbers.join(' and ')} ${belowIt}are left out`]
      : []),
    ...(beside === undefined ? [] : [beside]),
    ...(lower === undefined || isSaid ? [] : [lowerHeaderText(lower, 'row')]),
  ];
  const withHeads = finder.tables.map(({ head: rows, ...one }) => {
    const columns = widthOf(rows);
    return { ...one, head: rows.map((cells) => fitted(cells, columns)) };
  });
  const tables = given.table === undefined ? choicesOf(withHeads, titles, table.isMerged) : [];
  return {
    dialect,
    reasons: [...above, ...clauses],
    leftOut: clauses,
    totalsBelow: below.totals,
    alternatives: [],
    mayHaveRows: hasHeader ? mayHaveRows : undefined,
    tables: tables.length > 1 ? tables : undefined,
  };
}

/** Rows of a sheet that are searched for titles above its header. */
const ROWS_OF_HEAD = 100;

/**
 * The number of columns in a sheet's table: up to the last column with two values, or the longest
 * row without a blank. A single value far to the right is a remark.
 */
function widthOf(rows: readonly (readonly string[])[]): number {
  const isFilled = (cell: string) => cell.trim() !== '';
  const counts: number[] = [];
  let width = 0;
  for (const cells of rows) {
    if (cells.every(isFilled)) width = Math.max(width, cells.length);
    for (const [column, cell] of cells.entries()) {
      if (isFilled(cell)) counts[column] = (counts[column] ?? 0) + 1;
    }
  }
  const last = counts.findLastIndex((count = 0) => count > 1);
  return Math.max(width, last + 1) || Math.max(0, ...rows.map(({ length }) => length));
}

function fitted(cells: readonly string[], width: number): readonly string[] {
  return Array.from({ length: width }, (_, column) => cells[column] ?? '');
}

function findSheetHeader(
  { isMerged }: XlsxRowsTable,
  head: readonly XlsxRow[],
  width: number,
  { headerRows: given, headerLine }: GivenWriting,
) {
  const above = headerLine === undefined ? undefined : 0;
  const headerFrom = (first: number) => {
    const merged: IsMerged = (record, column) => isMerged(rowOf(first + record), column);
    const records = head.slice(first).map(({ cells }) => fitted(cells, width));
    const found = findHeader(records, { given, titles: above, isMerged: merged });
    return { ...found, titles: first + found.titles };
  };
  const rowOf = (record: number) => head[record]?.line ?? 0;
  let found = headerFrom(0);
  for (
    let at = found.titles;
    given === undefined && above === undefined && at < found.titles + found.headerRows - 1;
    at++
  ) {
    // A row that a blank row separates from names below is a title, unless it is merged over them.
    const isApart = rowOf(at + 1) > rowOf(at) + 1;
    if (isApart && isMerged(rowOf(at), 0) === undefined) found = headerFrom(at + 1);
  }
  if (found.titles > 0 || width !== 2 || above !== undefined) return found;
  // A single cell is a title rather than the header of a first column beside one without a header.
  const bare = findHeader(
    head.map(({ cells }) => cells),
    { given },
  );
  return bare.titles > 0 ? bare : found;
}
