import type { Dialect } from '../block/declaration.ts';
import { ColumnSums } from './column-sums.ts';
import { findComments, judgeComments, type TotalsWish } from './find-comments.ts';
import { findHeader } from './find-header.ts';
import { readXlsxRows } from './read-xlsx.ts';
import { KEPT } from './record-scanner.ts';
import type { SniffedDialect } from './sniff-dialect.ts';
import type { XlsxRow } from './xlsx-rows.ts';

/** Finds titles above a sheet's table, and notes and totals below it, as those of CSV are found. */
export async function sniffSheet(
  path: string,
  file: string,
  given: { readonly sheet?: string; readonly totals?: TotalsWish } = {},
): Promise<Omit<SniffedDialect, 'alternatives'>> {
  const { rows, sheet } = await readXlsxRows(path, file, given.sheet);
  const head: XlsxRow[] = [];
  const last: XlsxRow[] = [];
  for await (const row of rows) {
    if (head.length < ROWS_OF_HEAD) head.push(row);
    last.push(row);
    if (last.length > KEPT) last.shift();
  }
  const width = Math.max(0, ...head.map(({ cells }) => cells.length));
  const padded = ({ cells }: XlsxRow) => [...cells, ...Array(width - cells.length).fill('')];
  const titles = countTitles(head, width, padded);
  const header = head[titles]?.row ?? 1;

  let isApart = false;
  const ends = last.map((row, i) => {
    const isBelowBlank = row.row > (last[i - 1]?.row ?? row.row) + 1;
    isApart = row.cells.length === 1 && (isApart || isBelowBlank);
    // Prose in a first cell may be a row without other values, unless a blank row parts it from them.
    return isApart || row.cells.length > width ? row.cells : padded(row);
  });
  const found = findComments(ends, width)
    .map((comment) => ({ ...comment, number: last.at(-1 - comment.fromEnd)?.row as number }))
    .filter(({ number }) => number > header)
    .reverse();
  let sums: ColumnSums | undefined;
  if (found.some(({ is }) => is === 'total')) {
    sums = new ColumnSums();
    const left = new Set(found.map(({ number }) => number));
    for await (const { row, cells } of rows) if (row > header && !left.has(row)) sums.add(cells);
  }
  const { numbers, told, unsure } = judgeComments(found, sums, given.totals, 'row');
  const dialect: Dialect = {
    ...(given.sheet === undefined ? {} : { sheetName: sheet }),
    ...(titles > 0 ? { headerRows: [header] } : {}),
    ...(numbers.length > 0 ? { commentRows: numbers } : {}),
  };
  const above = titles > 0 ? [`the header is in row ${header} of the sheet ${sheet}`] : [];
  return { dialect, reasons: [...above, ...told], leftOut: told, unsureTotals: unsure };
}

/** So many rows of a sheet are looked at for titles above its header. */
const ROWS_OF_HEAD = 100;

function countTitles(
  head: readonly XlsxRow[],
  width: number,
  padded: (row: XlsxRow) => readonly string[],
): number {
  const { titles } = findHeader(head.map(padded));
  if (titles > 0 || width !== 2) return titles;
  // A single cell may be a title, or the header of a first column beside one without.
  const found = findHeader(head.map(({ cells }) => cells));
  return found.isCertain ? found.titles : 0;
}
