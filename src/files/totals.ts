import type { Dialect, TotalsRule } from '../block/declaration.ts';
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
function namedTotal(cell: string): string | undefined {
  const text = cell.trim();
  if (text.length > MOST_LENGTH_OF_NAMED) return undefined;
  const before = FIRST.has(text.charAt(0)) ? TOTAL_BEFORE.exec(text)?.[1] : undefined;
  if (before !== undefined) return `${before}*`;
  const behind = LAST.has(text.charAt(text.length - 1)) ? TOTAL_BEHIND.exec(text)?.[1] : undefined;
  return behind === undefined ? undefined : `*${behind}`;
}

/** In which column a row is called a total, and what. */
export type CalledTotal = { readonly column: number; readonly is: string };

/**
 * What a row is called in the first cell that is a word for a total, or else in the first that names a
 * group with one. Undefined if none is, or if nothing stands beside it: then it is no total.
 */
export function calledTotal(cells: readonly string[]): CalledTotal | undefined {
  let column = cells.findIndex(isTotalWord);
  let is = (cells[column] ?? '').trim();
  for (let at = 0; column < 0 && at < cells.length; at++) {
    const named = namedTotal(cells[at] as string);
    if (named !== undefined) [column, is] = [at, named];
  }
  const hasMore = cells.some((cell, at) => at !== column && cell.trim() !== '');
  return column < 0 || !hasMore ? undefined : { column, is };
}

/** Whether what a row is called has the name of a group in it. */
export function isNamed({ is }: Pick<CalledTotal, 'is'>): boolean {
  return is.includes('*');
}

/** Which of some rules a row is a total by; -1 if by none. `names` are those made of the headers. */
export function ruleTest(
  rules: readonly TotalsRule[],
  names: readonly string[],
): (cells: readonly string[]) => number {
  const columns = rules.map(({ column }) => names.indexOf(column));
  return (cells) => {
    const called = calledTotal(cells);
    if (called === undefined) return -1;
    return rules.findIndex(({ is }, i) => called.is === is && called.column === columns[i]);
  };
}

/**
 * The same table without the rows that are totals, of which a note tells. Throws a SeedError if a
 * column is gone, or at a row that is too short and none of them.
 */
export function withoutTotals(
  table: SourceTable,
  { totals: rules = [], badRows }: Pick<Dialect, 'totals' | 'badRows'>,
  names: readonly string[],
  file: string,
): SourceTable {
  const gone = rules.find(({ column }) => !names.includes(column));
  if (gone !== undefined) {
    const { column } = gone;
    throw new SeedError(file, 'the header has no such column, and totals stand in it', { column });
  }
  const ruleOf = ruleTest(rules, names);
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
      const left = rules.map(() => 0);
      for await (const record of table.records) {
        const which = ruleOf(record.cells);
        if (which < 0) {
          if (record.bad !== undefined && badRows === undefined) {
            const reason = `the header has ${numberText(headers.length)} columns, this row fewer`;
            throw new SeedError(file, reason, { line: record.line, counts });
          }
          yield record;
        } else left[which] = (left[which] as number) + 1;
      }
      notes = rules.map(({ is, column }, i) => leftOutText(left[i] as number, is, column));
    }),
  };
}

/** `2 rows are left out: "Total" in state`. */
export function leftOutText(count: number, is: string, column: string): string {
  const rows = count === 1 ? '1 row is' : `${numberText(count)} rows are`;
  return `${rows} left out: ${showCell(is)} in ${column}`;
}
