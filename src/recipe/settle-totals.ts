import type { TotalsRule } from '../block/declaration.ts';
import { calledText, isFigure, isNamed, leftOutText } from '../files/totals.ts';
import { inOneLine, numberText } from '../text/wording.ts';
import { type FoundTotals, judgeTotals } from './find-totals.ts';
import { addRows, type ReadColumns } from './gather-evidence.ts';
import type { Given } from './given.ts';
import { answer, type Decide, type Question } from './questions.ts';
import { readTable } from './read.ts';
import type { TableFile } from './recipe.ts';

/** A table, and the folder of its file. */
type TableIn = { readonly folder: string; readonly table: TableFile };

/** The decision on the rows that are called totals. */
type SettledTotals = {
  readonly given: Given;
  /** The rules that leave some of them out. */
  readonly totals: readonly TotalsRule[];
  /** How many of them are ordinary rows. */
  readonly kept: number;
  /** The names of columns whose labels stand once a group. */
  readonly filledDown: readonly string[];
  readonly notes: readonly string[];
};

/**
 * Decides what becomes of the rows that are called totals. Leaves out those at the end that add up,
 * asks a person about others that may be totals, and adds the rest to the columns.
 */
export async function settleTotals(
  { folder, table }: TableIn,
  read: ReadColumns,
  before: Given,
  decide: Decide,
): Promise<SettledTotals> {
  const { totals: rows, columns, counts } = read;
  const headers = columns.map(({ header }) => header);
  const judged = await judgeTotals(rows, headers, () => readTable(table, folder));
  const names = judged.filter(isName);
  const found = judged.filter((one) => !isName(one));
  const nameOf = ({ column }: FoundTotals) => columns[column]?.name ?? '';
  const isOpen = before.totals === undefined && found.some(needsAnswer);
  const given = isOpen
    ? await decide([questionOf(table.file, found, nameOf, counts)], before)
    : before;
  const isGone = (one: FoundTotals) => isLeftOut(one, given.totals);
  const kept = found.filter((one) => !isGone(one));
  const once = found.filter(({ lacksLabels }) => lacksLabels > 0);
  const none = '--totals is given, and no row is called a total';
  return {
    given,
    totals: found.filter(isGone).map((one) => ({ column: nameOf(one), is: one.is })),
    kept: [...names, ...kept].reduce((sum, one) => sum + addRows(read, one.rows), 0),
    filledDown: once.map(nameOf),
    notes: [
      ...once.map((one) => filledNote(one, nameOf(one))),
      ...inOne(kept.map((one) => keptNote(one, nameOf(one), counts))).map(
        (said) => `${said}; --totals drop leaves ${kept.length === 1 ? 'it' : 'them'} out`,
      ),
      ...inOne(found.filter(isGone).map((one) => leftOutNote(one, nameOf(one), counts))),
      ...(found.length === 0 && before.totals !== undefined ? [none] : []),
    ],
  };
}

/** Joins clauses of one kind. */
function inOne(clauses: readonly string[]): string[] {
  return clauses.length === 0 ? [] : [clauses.join('; ')];
}

/** Whether rows only have a word for a total in a name, Total Wine, or none and are no sum. */
export function isName(found: FoundTotals): boolean {
  const { is, stands, addsUp } = found;
  const mayBeName = isNamed(found) || is === '' || (stands !== 'end' && ALSO_NAMES.test(is));
  return mayBeName && addsUp === 'none';
}

/**
 * Whether a person should decide: about a total between rows that adds up, or one at the end that
 * does not, unless its word is a name elsewhere.
 */
function needsAnswer({ stands, addsUp, is }: FoundTotals): boolean {
  if (stands === 'level' || (addsUp === 'none' && ALSO_NAMES.test(is))) return false;
  return stands === 'end' ? addsUp !== 'all' : addsUp !== 'none';
}

/** Whether rows are left out: as somebody has decided, or else those at the end that add up. */
export function isLeftOut(found: FoundTotals, given?: Given['totals']): boolean {
  if (given === 'keep' || given === 'drop') return given === 'drop';
  return found.stands === 'end' && found.addsUp === 'all';
}

/** Words for a total that are names of places, people or things too: Soma is a city. */
const ALSO_NAMES = /^(?:soma|suma|summa|sum|razem|ensemble)$/i;

const ADDS_UP = {
  all: 'adds up',
  some: 'adds up in some columns and in others not',
  none: 'adds up in no column',
};

/**
 * Asks one question about all of them, because one option answers for all: where they stand, and
 * what may become of them.
 */
function questionOf(
  file: string,
  found: readonly FoundTotals[],
  nameOf: (one: FoundTotals) => string,
  counts: ReadColumns['counts'],
): Question {
  const said = found.map(
    (one) =>
      `${calledText(one.is, nameOf(one))}${one.is === '' ? ',' : ''} ${whatIsIt(one, counts)}`,
  );
  const readingOf = (totals: 'end' | 'keep' | 'drop', label: string) =>
    answer(label, 'totals', 'totals', totals);
  const areCalled = found.every((one) => one.is !== '' && !isFigure(one));
  const are = areCalled ? 'are called totals' : 'may sum up the others';
  const hasEnd = found.some((one) => isLeftOut(one));
  return {
    text: `${inOneLine(file)} has rows that ${are}: ${said.join('; ')}.`,
    isTold: true,
    readings: [
      ...(hasEnd
        ? [readingOf('end', 'only what adds up at the end is left out; the others are rows')]
        : []),
      readingOf('keep', hasEnd ? 'all of them are rows' : 'a row like the others'),
      readingOf('drop', hasEnd || found.length > 1 ? 'all of them are left out' : 'left out'),
    ],
  };
}

function whatIsIt(found: FoundTotals, counts: ReadColumns['counts']): string {
  const { stands, addsUp } = found;
  const is =
    stands === 'level'
      ? 'is a value, once for each group of the other columns'
      : isFigure(found)
        ? 'may be a figure of the other rows'
        : ADDS_UP[addsUp];
  return `${is}: ${placesOf(found, counts)}`;
}

/** `line 5`, `lines 5, 9, 13`, or for many `56 rows, first in line 5`. */
function placesOf({ rows }: FoundTotals, counts: ReadColumns['counts']): string {
  const lines = rows.map(({ line }) => line);
  if (lines.length === 1) return `${counts} ${lines[0]}`;
  if (lines.length <= MOST_PLACES) return `${counts}s ${lines.join(', ')}`;
  return `${numberText(rows.length)} rows, first in ${counts} ${lines[0]}`;
}

/** Places of totals that are listed one by one. */
const MOST_PLACES = 12;

/** A clause about labels that are filled down. */
function filledNote({ lacksLabels: count }: FoundTotals, column: string): string {
  const cells = count === 1 ? '1 blank cell has' : `${numberText(count)} blank cells have`;
  return `${cells} the label above in ${column}, as in a pivot table; take it out of "filledDown" in block.json to leave them blank`;
}

/** A clause about totals that are left out. */
export function leftOutNote(
  found: FoundTotals,
  column: string,
  counts: ReadColumns['counts'],
): string {
  const { rows, is, addsUp, stands } = found;
  const said = leftOutText(rows.length, is, column);
  if (isFigure(found)) return `${said}, a figure of the other rows, ${placesOf(found, counts)}`;
  const but = addsUp === 'all' || stands === 'level' ? '' : `, which ${ADDS_UP[addsUp]}`;
  const option = is === '' ? '; --totals keep makes it a row' : '';
  return `${said}, a total${but}, ${placesOf(found, counts)}${option}`;
}

/** A clause about rows that are called totals and kept. */
export function keptNote(
  found: FoundTotals,
  column: string,
  counts: ReadColumns['counts'],
): string {
  const { is, stands } = found;
  const kept = stands === 'level' ? '' : 'is kept, and it ';
  return `${calledText(is, column)}${is === '' ? ',' : ''} ${kept}${whatIsIt(found, counts)}`;
}
