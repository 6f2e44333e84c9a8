import type { TotalsRule } from '../block/declaration.ts';
import { numberText, showCell } from '../text/wording.ts';
import { repeatable, SeedError, type SourceRecord, type SourceTable } from './source-table.ts';

/** What a row of totals is called, in the languages in which they are known. */
const WORDS =
  '(?:grand|sub|overall|running)?[ -]?totals?(?: general)?|sum|summe|(?:zwischen|teil|gesamt)summe|gesamt(?:ergebnis)?|insgesamt|totaal|totale(?: generale)?|subtotale|(?:sous-)?total général|sous-total|ensemble|suma|soma|razem|celkem|yhteensä|summa|i alt|всего|итого|合計|合计|总计|總計|小計|小计';
const TOTAL = new RegExp(`^(?:${WORDS})\\s*:?$`, 'iu');

/** The total of a group that is named beside it: `Total North`, `North: total`. */
const TOTAL_BEFORE = new RegExp(`^((?:${WORDS})[ :–-]+)\\S`, 'iu');
const TOTAL_BEHIND = new RegExp(`\\S([ :–-]+(?:${WORDS}))$`, 'iu');

/** A longer cell is no word for a total. */
const MOST_LENGTH = 24;
const MOST_LENGTH_OF_NAMED = 80;

/** The first characters of such words, which most cells do not begin with, and the last. */
const FIRST = new Set(
  [...'gorstzeirycви合总總小'].flatMap((letter) => [letter, letter.toUpperCase()]),
);
const LAST = new Set([...'lsmetanoаkäо計计'].flatMap((letter) => [letter, letter.toUpperCase()]));

/** Whether a cell is a word for a total. */
export function isTotalWord(cell: string): boolean {
  const text = cell.trim();
  return text.length <= MOST_LENGTH && FIRST.has(text.charAt(0)) && TOTAL.test(text);
}

/**
 * What the total of a group is called that its cell names, with `*` for the name: `Total *`, `* total`.
 * Undefined for other cells.
 */
export function namedTotal(cell: string): string | undefined {
  const text = cell.trim();
  if (text.length > MOST_LENGTH_OF_NAMED) return undefined;
  const before = FIRST.has(text.charAt(0)) ? TOTAL_BEFORE.exec(text)?.[1] : undefined;
  if (before !== undefined) return `${before}*`;
  const behind = LAST.has(text.charAt(text.length - 1)) ? TOTAL_BEHIND.exec(text)?.[1] : undefined;
  return behind === undefined ? undefined : `*${behind}`;
}

/** Makes a test of cells that are called so; `*` at one end stands for a name. */
function calledSo(is: string): (cell: string) => boolean {
  if (is.length > 1 && is.endsWith('*')) {
    return (cell) => cell.length >= is.length && cell.startsWith(is.slice(0, -1));
  }
  if (is.length > 1 && is.startsWith('*')) {
    return (cell) => cell.length >= is.length && cell.endsWith(is.slice(1));
  }
  return (cell) => cell === is;
}

/** Makes a test of rows by a rule, given the column that it names. */
export function totalTest(
  { is }: TotalsRule,
  column: number,
): (cells: readonly string[]) => boolean {
  const isSo = calledSo(is);
  return (cells) => isSo((cells[column] ?? '').trim());
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
    return { is, column, isOne: totalTest({ column, is }, at) };
  });
  const indexOfTotal = (cells: readonly string[]) => wanted.findIndex(({ isOne }) => isOne(cells));
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
