import type { TotalsRule } from '../block/declaration.ts';
import { numberText, showCell } from '../text/wording.ts';
import { repeatable, SeedError, type SourceRecord, type SourceTable } from './source-table.ts';

/** What a row of totals is called. */
const TOTAL =
  /^(?:(?:grand|sub|overall|running)?[ -]?totals?(?: general)?|sum|summe|(?:zwischen|teil|gesamt)summe|gesamt(?:ergebnis)?|insgesamt|totaal|totale(?: generale)?|subtotale|(?:sous-)?total général|sous-total|ensemble|suma|soma|razem|celkem|yhteensä|summa|i alt|всего|итого|合計|合计|总计|總計|小計|小计)\s*:?$/iu;

/** A longer cell is no word for a total. */
const MOST_LENGTH = 24;

/** The first characters of such words, which most cells do not begin with. */
const FIRST = new Set(
  [...'gorstzeirycви合总總小'].flatMap((letter) => [letter, letter.toUpperCase()]),
);

/** Whether a cell is a word for a total. */
export function isTotalWord(cell: string): boolean {
  const text = cell.trim();
  return text.length <= MOST_LENGTH && FIRST.has(text.charAt(0)) && TOTAL.test(text);
}

/** The column in which a row is called a total; -1 if it is not, or if it has nothing beside that. */
export function totalColumn(cells: readonly string[]): number {
  const column = cells.findIndex(isTotalWord);
  if (column < 0) return -1;
  return cells.some((cell, i) => i !== column && cell.trim() !== '') ? column : -1;
}

/** The same table without the rows that are totals; how many these are is a note. */
export function withoutTotals(
  table: SourceTable,
  totals: readonly TotalsRule[],
  names: readonly string[],
  file: string,
): SourceTable {
  const wanted = totals.map(({ column, is }) => {
    const header = table.headers.indexOf(column);
    const at = header < 0 ? names.indexOf(column) : header;
    if (at < 0) throw new SeedError(file, 'the header has no such column', { column });
    return { at, is, column };
  });
  const indexOfTotal = (cells: readonly string[]) =>
    wanted.findIndex(({ at, is }) => cells[at]?.trim() === is);
  let notes: string[] = [];
  const { headers, headerLine, counts } = table;
  return {
    headers,
    headerLine,
    counts,
    get notes() {
      return [...table.notes, ...notes];
    },

    records: repeatable(async function* (): AsyncGenerator<SourceRecord> {
      const left = wanted.map(() => 0);
      for await (const record of table.records) {
        const which = record.bad === undefined ? indexOfTotal(record.cells) : -1;
        if (which < 0) yield record;
        else left[which] = (left[which] as number) + 1;
      }
      notes = wanted.map(({ is, column }, i) => leftOutText(left[i] as number, is, column));
    }),
  };
}
/** `2 rows are left out: "Total" in State`. */
export function leftOutText(count: number, is: string, column: string): string {
  const rows = count === 1 ? '1 row is' : `${numberText(count)} rows are`;
  return `${rows} left out: ${showCell(is)} in ${column}`;
}
