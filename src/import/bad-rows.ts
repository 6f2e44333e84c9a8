import { type BadRow, type BadRowReason, sureCells } from '../files/bad-row.ts';
import type { SourceRecord } from '../files/source-table.ts';
import { quotedCell } from '../formats/csv.ts';
import { numberText } from '../text/wording.ts';
import type { CellReader } from '../values/spelling.ts';

/** What becomes of bad rows: those with one sure way are mended and others set aside, or all are set aside. */
export type BadRowsChoice = 'mend' | 'skip';

/** The bad rows of a file, once it is read. */
export type BadRows = { readonly mended: MendedRow[]; readonly setAside: SetAsideRow[] };

export type MendedRow = SetAsideRow & { readonly cells: readonly string[] };
export type SetAsideRow = Lines & { readonly reason: BadRowReason };

/** Lines of a file as they stand, and the number of the first. */
type Lines = { readonly line: number; readonly text: string };

/** Gives the rows of a table, with bad ones mended or left out; adds what became of these to `found`. */
export async function* mendedRecords(
  records: AsyncIterable<SourceRecord>,
  choice: BadRowsChoice,
  fits: (cells: readonly string[]) => boolean,
  found: BadRows,
): AsyncGenerator<SourceRecord> {
  for await (const record of records) {
    const { bad, line } = record;
    if (bad === undefined) {
      yield record;
      continue;
    }
    const cells = addBadRow(bad, line, choice, fits, found);
    if (cells !== undefined) yield { cells, line };
  }
}

/** Decides on one bad row. Returns its cells if it is mended. */
export function addBadRow(
  bad: BadRow,
  line: number,
  choice: BadRowsChoice,
  fits: (cells: readonly string[]) => boolean,
  found: BadRows,
): readonly string[] | undefined {
  const { text, reason } = bad;
  const cells = choice === 'mend' ? sureCells(bad, fits) : undefined;
  if (cells === undefined) found.setAside.push({ line, text, reason });
  else found.mended.push({ line, text, reason, cells });
  return cells;
}

/**
 * Tells whether a row's cells are all of their columns' types, by a reader for each column that is
 * read. The readers are its own: some take what they expect from the first cells that they read.
 */
export function fitBy(
  readers: readonly { readonly at: number; readonly read: CellReader }[],
): (cells: readonly string[]) => boolean {
  return (cells) => readers.every(({ at, read }) => read(cells[at] as string) !== undefined);
}

/** If a greater share of a file's rows would be set aside, a person must say that they may be. */
export const MOST_SET_ASIDE = 0.01;

/** A CSV file of bad rows: their lines, what became of them and why, and their texts as they stand. */
export function badRowsFile({ mended, setAside }: BadRows): string {
  const rows = [
    ...setAside.map(({ line, text, reason }) => ({
      line,
      is: 'set aside',
      reason,
      text,
      cells: [],
    })),
    ...mended.map((row) => ({ ...row, is: 'mended' })),
  ].sort((a, b) => a.line - b.line);
  const lines = rows.map(({ line, is, reason, text, cells }) => {
    const read = is === 'mended' ? JSON.stringify(cells) : '';
    return [line, is, ...[REASONS[reason], text, read].map(quotedCell)].join(',');
  });
  return `line,outcome,reason,text,read as\n${lines.map((line) => `${line}\n`).join('')}`;
}

/** Why a row is bad, a clause each. */
export const REASONS: Readonly<Record<BadRowReason, string>> = {
  'quote-in-cell': 'a quote in a cell that does not begin with one',
  'text-behind-quote': 'text behind a closing quote',
  'needless-escape': 'a backslash before a character that needs none',
  'open-quote': 'a quote that nothing closes',
  'too-long-quote': 'a quote that nothing closes',
  'too-long': 'too many characters',
  'too-few-cells': 'fewer cells than the header',
  'too-many-cells': 'more cells than the header',
};

/** `2 rows are mended and 1 is set aside`; undefined if no row is bad. */
export function badRowsText(mended: number, setAside: number): string | undefined {
  const said = [
    ...(mended === 0 ? [] : [`${rowsText(mended)} mended`]),
    ...(setAside === 0 ? [] : [`${rowsText(setAside)} set aside`]),
  ];
  return said.length === 0 ? undefined : said.join(', ');
}

function rowsText(count: number): string {
  return count === 1 ? '1 row is' : `${numberText(count)} rows are`;
}
