import type { TotalsRule } from '../block/declaration.ts';
import { leftOutText } from '../files/totals.ts';
import { type FoundTotals, judgeTotals } from '../import/find-totals.ts';
import { readTable } from '../import/seed-files.ts';
import { inOneLine, numberText, showCell } from '../text/wording.ts';
import type { OpenedFile } from './open-file.ts';
import type { AddChoices } from './options.ts';
import { addRows, type ReadColumns } from './read-columns.ts';
import type { Decide, Question } from './terminal.ts';

/** What became of the rows that are called totals. */
type SettledTotals = {
  readonly wishes: AddChoices;
  /** The rules by which some of them are left out. */
  readonly totals: readonly TotalsRule[];
  /** How many of them are rows like the others. */
  readonly kept: number;
  readonly notes: readonly string[];
};

/**
 * Decides what becomes of the rows that are called totals: those at the end that add up are left out,
 * and a person decides of others that may be. Adds the others to the columns.
 */
export async function settleTotals(
  { folder, table, wishes: before }: OpenedFile,
  read: ReadColumns,
  decide: Decide,
): Promise<SettledTotals> {
  const { totals: rows, columns, counts } = read;
  if (rows.length === 0) {
    const none = '--totals is given, and no row is called a total';
    return {
      wishes: before,
      totals: [],
      kept: 0,
      notes: before.totals === undefined ? [] : [none],
    };
  }
  const headers = columns.map(({ header }) => header);
  const judged = await judgeTotals(rows, headers, (await readTable(table, folder)).records);
  const names = judged.filter(isName);
  const found = judged.filter((one) => !isName(one));
  const open = found.filter(isOpen);
  const asked = open.length > 0 && before.totals === undefined;
  const wishes = asked ? await decide([questionOf(table.file, open, counts)], before) : before;
  const settled = found.map((one) => ({ ...one, isLeftOut: isLeftOut(one, wishes.totals) }));
  const kept = settled.filter((one) => !one.isLeftOut);
  const nameOf = (column: number) => headers[column] || (columns[column]?.name ?? '');
  return {
    wishes,
    totals: settled.flatMap(({ isLeftOut, column, is }) => {
      return isLeftOut ? [{ column: nameOf(column), is }] : [];
    }),
    kept: [...names, ...kept].reduce((sum, one) => sum + addRows(read, one.rows), 0),
    notes: settled.map((one) => {
      return one.isLeftOut
        ? leftOutNote(one, nameOf(one.column), counts)
        : keptNote(one, nameOf(one.column), counts);
    }),
  };
}

/** Whether rows have a name with a word for a total in it, and are none: Total Wine. */
export function isName({ is, addsUp }: FoundTotals): boolean {
  return is.includes('*') && addsUp === 'none';
}

/** Whether a person should decide: a total between rows that adds up, or one at the end that does not. */
function isOpen({ stands, addsUp }: FoundTotals): boolean {
  if (stands === 'level') return false;
  return stands === 'end' ? addsUp !== 'all' : addsUp !== 'none';
}

/** Whether rows are left out: those at the end that add up, unless somebody has said what becomes of totals. */
export function isLeftOut(found: FoundTotals, wished?: AddChoices['totals']): boolean {
  if (wished !== undefined) return wished === 'drop';
  return found.stands === 'end' && found.addsUp === 'all';
}

const ADDS_UP = {
  all: 'adds up',
  some: 'adds up in some columns and in others not',
  none: 'adds up in no column',
};

function questionOf(
  file: string,
  open: readonly FoundTotals[],
  counts: ReadColumns['counts'],
): Question {
  const said = open.map((one) => {
    return `${placesOf(one, counts)}, ${showCell(one.is)}: called a total, and it ${ADDS_UP[one.addsUp]}`;
  });
  const readingOf = (totals: 'keep' | 'drop', label: string) => ({
    label,
    option: `--totals ${totals}`,
    wish: (wishes: AddChoices) => ({ ...wishes, totals }),
  });
  return {
    text: `${inOneLine(file)}, ${said.join('; ')}.`,
    readings: [readingOf('keep', 'a row like the others'), readingOf('drop', 'left out')],
  };
}

/** `line 5`, `lines 5, 9, 13`, or of many `56 rows, first in line 5`. */
function placesOf({ rows }: FoundTotals, counts: ReadColumns['counts']): string {
  const lines = rows.map(({ line }) => line);
  if (lines.length === 1) return `${counts} ${lines[0]}`;
  if (lines.length <= MOST_PLACES) return `${counts}s ${lines.join(', ')}`;
  return `${numberText(rows.length)} rows, first in ${counts} ${lines[0]}`;
}

/** Places of totals that are named one by one. */
const MOST_PLACES = 12;

/** A clause that tells of totals that are left out. */
export function leftOutNote(
  found: FoundTotals,
  column: string,
  counts: ReadColumns['counts'],
): string {
  const { rows, is, addsUp } = found;
  const but = addsUp === 'all' ? '' : `, which ${ADDS_UP[addsUp]}`;
  return `${leftOutText(rows.length, is, column)}, a total${but}, ${placesOf(found, counts)}`;
}

/** A clause that tells of rows that are called totals and are kept. */
export function keptNote(
  found: FoundTotals,
  column: string,
  counts: ReadColumns['counts'],
): string {
  const { is, stands, addsUp } = found;
  const why =
    stands === 'level'
      ? 'a value, once for each group of the other columns'
      : `kept, and it ${ADDS_UP[addsUp]}`;
  return `${showCell(is)} in ${column} is ${why}: ${placesOf(found, counts)}; --totals drop leaves it out`;
}
