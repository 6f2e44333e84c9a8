import { firstFew, inOneLine, numberText, shorten } from '../text/wording.ts';
import { strictReader } from '../values/spelling.ts';
import {
  addBadRow,
  type BadRows,
  type BadRowsChoice,
  badRowsText,
  fitBy,
  inOrder,
  MOST_SET_ASIDE,
  reasonText,
} from './bad-rows.ts';
import { namelessField } from './evidence/column-decision.ts';
import type { ReadColumns } from './gather-evidence.ts';
import type { Given } from './given.ts';
import type { InferredColumn } from './inferred-column.ts';
import { AddRefusal, answer, type Decide, type Question, withOptions } from './questions.ts';

/** What is given, now with a decision on bad rows, and the bad rows so decided. */
type SettledBadRows = { readonly given: Given; readonly badRows: BadRows };

/**
 * Decides what becomes of rows that cannot be read as they stand. Throws an AddRefusal if the
 * answer is to stop.
 */
export async function settleBadRows(
  file: string,
  { rows, bad, counts }: Pick<ReadColumns, 'rows' | 'bad' | 'counts'>,
  columns: readonly InferredColumn[],
  before: Given,
  decide: Decide,
): Promise<SettledBadRows> {
  if (bad.length === 0) return { given: before, badRows: { mended: [], setAside: [] } };
  const fits = fitBy(
    columns.map(({ decision }, at) => {
      return { at, read: strictReader(namelessField(decision), decision.spelling) };
    }),
  );
  const outcome = (choice: BadRowsChoice) => {
    const found: BadRows = { mended: [], setAside: [] };
    for (const { line, bad: row } of bad) addBadRow(row, line, choice, fits, found);
    return found;
  };
  const mended = outcome('mend');
  if (bad.length > rows) {
    const reason = `${numberText(bad.length)} of ${numberText(rows + bad.length)} rows cannot be read as they stand, so it is no such table`;
    const fix =
      linesHint(bad, rows) ||
      shortHint(bad) ||
      (counts === 'line' && !bad.some(({ bad: row }) => row.reason === 'faulty-record')
        ? 'If another line names the columns: --header-line N; if none does: --header no, with --bad-rows skip if a row of names is left over. --delimiter, --quote and --short-rows say how rows are written.'
        : 'Mend them where the file is made.');
    throw new AddRefusal(`${inOneLine(file)}: ${reason}.\n${fix}\n${listedRows(mended, counts)}`);
  }
  const question = questionOf(file, { rows, counts }, mended, columns.length === 1);
  const given = before.badRows === undefined ? await decide([question], before) : before;
  const { badRows: choice = 'stop' } = given;
  if (choice === 'stop') throw new AddRefusal(`${withOptions(question)}\nNothing was written.`);
  return { given, badRows: choice === 'mend' ? mended : outcome('skip') };
}

/** Names the option that reads rows if all of them are too short. */
function shortHint(bad: ReadColumns['bad']): string {
  if (!bad.every(({ bad: row }) => row.reason === 'too-few-cells')) return '';
  return `${SHORT}; ${CUT}`;
}

const SHORT = 'If the cells that rows lack at their end are blank: --short-rows blank';

const CUT =
  'if another line names the columns: --header-line N; --delimiter and --quote say how rows are written.';

/** Names the first row if all have another number of cells than the header, and it may have names. */
function linesHint([first, ...others]: ReadColumns['bad'], rows: number): string {
  if (first === undefined || rows > 0 || others.length === 0) return '';
  const { line, bad } = first;
  const isWidth = bad.reason === 'too-few-cells' || bad.reason === 'too-many-cells';
  const areAlike = others.every((other) => other.bad.reason === bad.reason);
  if (!isWidth || !areAlike || !NAMES.test(bad.text.slice(0, MOST_LOOKED_AT))) return '';
  return `--header-line ${line} if line ${line} names the columns: the header has another number of cells than every row.`;
}

/** Characters of a row in which names are looked for. */
const MOST_LOOKED_AT = 300;

/** Two cells or more, none of which begins with a digit. */
const NAMES = /^(?!.*[^\p{L}\p{N} _]\s*\d)[^\d\n]*\p{L}.*[,;|\t].*\p{L}/u;

/** Bad rows for which a question suggests --leave-out. More are hardly notes. */
const MOST_NAMED = 5;

function questionOf(
  file: string,
  { rows, counts }: Pick<ReadColumns, 'rows' | 'counts'>,
  found: BadRows,
  isOneColumn: boolean,
): Question {
  const { mended, setAside } = found;
  const bad = mended.length + setAside.length;
  const isMany = setAside.length > MOST_SET_ASIDE * (rows + bad);
  const readingOf = (badRows: 'mend' | 'skip' | 'stop', label: string) =>
    answer(label, 'bad-rows', 'badRows', badRows);
  const stop = readingOf('stop', 'nothing is written');
  const readings = [
    ...(mended.length > 0
      ? [readingOf('mend', badRowsText(mended.length, setAside.length) as string)]
      : []),
    readingOf('skip', badRowsText(0, bad) as string),
  ];
  const short = setAside.filter(({ reason }) => reason === 'too-few-cells').length;
  const hints = [
    ...(isMany ? ['More than 1 % would be set aside; that needs an answer of its own.'] : []),
    ...(isOneColumn && counts === 'line' && short < setAside.length
      ? ['If the file has one column, its cells are not to be cut: --delimiter tab.']
      : []),
    ...(short > 0 ? [`${SHORT}.`] : []),
  ];
  if (bad <= MOST_NAMED && (counts === 'line' || counts === 'row')) {
    const lines = inOrder(found)
      .map(({ line }) => line)
      .join(',');
    const are = bad === 1 ? `${counts} ${lines} is` : `${counts}s ${lines} are`;
    hints.push(`If ${are} no data, such as a note: --leave-out ${lines}`);
  }
  const text = `${inOneLine(file)}: ${numberText(bad)} of ${numberText(rows + bad)} rows cannot be read as they stand.`;
  return {
    text: [text, listedRows(found, counts), ...hints].join('\n'),
    isTold: true,
    readings: isMany ? [stop, ...readings] : [...readings, stop],
  };
}

/** Bad rows that are shown. The others are counted. */
const MOST_SHOWN = 3;

/** Lists the first bad rows as they stand, and as they would be read. */
function listedRows(found: BadRows, counts: ReadColumns['counts']): string {
  const lines = inOrder(found).map(({ line, text, cells, ...why }) =>
    cells === undefined
      ? `  ${counts} ${line}, ${inOneLine(reasonText(why))}: ${shown(text)}`
      : `  ${counts} ${line}: ${shown(text)} is read as ${shown(cells.join(' | '))}`,
  );
  return firstFew(
    lines,
    MOST_SHOWN,
    (more) => `\n  … and ${numberText(more)} more ${more === 1 ? 'row' : 'rows'}`,
    '\n',
  );
}

function shown(text: string): string {
  return inOneLine(shorten(text));
}

/** Says what became of bad rows, to the person who adds the file. */
export function describeBadRows(found: BadRows, counts: ReadColumns['counts']): string[] {
  const text = badRowsText(found.mended.length, found.setAside.length);
  if (text === undefined) return [];
  const rows = listedRows(found, counts)
    .split('\n')
    .map((line) => line.trim());
  return [`${text}: ${rows.join('; ')}`];
}
