import { showCell } from '../values/wording.ts';
import type { ColumnSums } from './column-sums.ts';
import { filledCells } from './find-header.ts';

/** A record at a file's end that looks like no data. */
export type FoundComment = {
  /** How many records before the file's end it stands; 0 is the last. */
  readonly fromEnd: number;
  readonly is: 'total' | 'note';
  readonly label: string;
  readonly cells: readonly string[];
};

/** What becomes of a total that adds up in no column. */
export type TotalsWish = 'keep' | 'drop';

/** What stands below a table. */
export type JudgedComments = {
  /** The numbers of the records that are no data. */
  readonly numbers: readonly number[];
  /** A clause for each record that is none, or that may be none. */
  readonly told: readonly string[];
  /** The records that may be totals or rows: a person must decide. */
  readonly unsure: readonly string[];
};

/** Leaves out notes, and totals that add up; others as a person wishes. They are rows by default. */
export function judgeComments(
  comments: readonly (FoundComment & { readonly number: number })[],
  sums: ColumnSums | undefined,
  totals: TotalsWish | undefined,
  counts: 'record' | 'row',
): JudgedComments {
  const numbers: number[] = [];
  const told: string[] = [];
  const unsure: string[] = [];
  for (const { number, is, label, cells } of comments) {
    const place = `${counts} ${number}`;
    const shown = showCell(label);
    const isUnsure = is === 'total' && sums?.isTotal(cells) === false;
    if (isUnsure && totals === undefined) unsure.push(`${place}, ${shown}`);
    if (isUnsure && totals !== 'drop') {
      told.push(`${place} is a row: ${shown} adds up in no column`);
    } else {
      numbers.push(number);
      const but = isUnsure ? ', that adds up in no column' : '';
      told.push(`${place} is left out: a ${is}, ${shown}${but}`);
    }
  }
  return { numbers, told, unsure };
}

/** Finds notes and totals among a file's last records. */
export function findComments(
  last: readonly (readonly string[])[],
  width: number,
): readonly FoundComment[] {
  const found: FoundComment[] = [];
  for (const [fromEnd, cells] of last.toReversed().entries()) {
    const filled = filledCells(cells);
    const whole = cells.find((cell) => cell.trim() !== '') ?? '';
    const label = whole.trim().slice(0, MOST_OF_LABEL);
    if (TOTAL.test(label) && filled > 1) {
      found.push({ fromEnd, is: 'total', label, cells });
    } else if (isNote(cells, label, filled, width)) {
      found.push({ fromEnd, is: 'note', label, cells });
    } else if (filled > 0) return found;
  }
  // All of them look like notes: this is the table.
  return [];
}

/** Too few cells for a row, and prose: one that was cut off, or lacks a cell, must be refused. */
function isNote(cells: readonly string[], label: string, filled: number, width: number): boolean {
  if (width < 2 || filled !== 1 || cells[0]?.trim() === '') return false;
  return NOTE.test(label) || (cells.length < width && /\p{L}.*\s.*\p{L}/u.test(label));
}

/** A note may be long; as much of it is looked at. */
const MOST_OF_LABEL = 200;

const TOTAL =
  /^(?:(?:grand |sub)?totals?|sum|summe|gesamt(?:summe)?|insgesamt|totaal|totale|total général|ensemble|suma|soma|razem|celkem|yhteensä|summa|i alt|всего|итого|合計|合计|总计|總計)\s*:?$/iu;

const NOTE =
  /^(?:(?:source|note|notes|quelle|hinweis|anmerkung|stand|fuente|nota|fonte|bron|källa|kilde|źródło|источник|generated|exported|last updated)\b|[*©†])/iu;
