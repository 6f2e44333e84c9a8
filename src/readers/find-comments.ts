import { showCell } from '../words/show-cell.ts';
import { filledCells } from './find-header.ts';

/** Records at a file's end that are no data. */
export type FoundComment = {
  /** How many records before the file's end it stands; 0 is the last. */
  readonly fromEnd: number;
  readonly why: string;
};

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
      found.push({ fromEnd, why: `a total, ${showCell(label)}` });
    } else if (isNote(cells, label, filled, width)) {
      found.push({ fromEnd, why: `a note, ${showCell(label)}` });
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
