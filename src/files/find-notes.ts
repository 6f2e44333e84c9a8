import { showCell } from '../text/wording.ts';
import { filledCells, kindOf } from './find-header.ts';
import { leftOutTexts, type RowRange } from './leave-out.ts';
import { calledTotal, isSummary } from './totals.ts';

/** A record at a file's end that looks like a note. */
type FoundNote = {
  /** The number of records after it. */
  readonly fromEnd: number;
  readonly label: string;
};

/** Finds notes at a file's end, and the records between and above them that are called totals. */
function findBelow(
  last: readonly (readonly string[])[],
  width: number,
): {
  readonly notes: readonly FoundNote[];
  readonly totals: readonly number[];
  /** Records that may be notes. They are kept and reported. */
  readonly perhaps: readonly FoundNote[];
} {
  const notes: FoundNote[] = [];
  const perhaps: FoundNote[] = [];
  const totals: number[] = [];
  const upwards = last.toReversed();
  const lines = width < 3 ? 0 : upwards.findIndex((cells) => !isLine(cells));
  const areNotes = upwards.slice(0, lines).some(([cell = '']) => isNote([cell], cell, 1, width));
  const firstNote = width < 3 ? -1 : firstOfNotes(upwards);
  for (const [fromEnd, cells] of upwards.entries()) {
    const filled = filledCells(cells);
    const whole = cells.find((cell) => cell.trim() !== '') ?? '';
    const label = whole.trim().slice(0, MOST_OF_LABEL);
    if (calledTotal(cells) !== undefined) totals.push(fromEnd);
    else if (
      (areNotes && fromEnd < lines) ||
      (filled > 0 && fromEnd <= firstNote) ||
      isNote(cells, label, filled, width)
    )
      notes.push({ fromEnd, label });
    else if (width > 1 && filled === 1 && isProse(cells[0] ?? '')) perhaps.push({ fromEnd, label });
    else if (filled > 0 && !isSummary(cells)) return { notes, totals, perhaps };
  }
  // All of them look like notes, so they are the table.
  return { notes: [], totals: [], perhaps: [] };
}

/**
 * The place, from the end, of the first line of notes: one with a label or without a letter, where
 * all lines below fill their first cell alone. Without one it is -1.
 */
function firstOfNotes(upwards: readonly (readonly string[])[]): number {
  const end = upwards.findIndex(([_, ...others]) => others.some((cell) => cell.trim() !== ''));
  const alone = end < 0 ? upwards : upwards.slice(0, end);
  return alone.findLastIndex(([cell = '']) => LABELLED.test(cell.trim()) || RULE.test(cell.trim()));
}

/** A label and a colon: `Caveats:`, `Dataset: causes of death`. */
const LABELLED = /^\p{L}[\p{L} ]{0,30}:(?:\s|$)/u;

/** A line of signs alone. */
const RULE = /^[-–—_=*#~.]{3,}$/;

/** How many of the last records are kept. Totals and notes at a file's end are fewer. */
export const RECORDS_KEPT = 100;

/** Notes that are listed one by one. */
const MOST_LISTED = 3;

/** Facts about a table whose last records are judged. */
type TableEnd = {
  readonly width: number;
  /** Turns a record's place, counted from the file's end, into its number. */
  readonly numberOf: (fromEnd: number) => number;
  /** The number of the header's last record. No record above it is a note. */
  readonly header: number;
  /** What a person left out: the given ranges, and the numbers of the records. */
  readonly ranges: readonly RowRange[] | undefined;
  readonly leftOut: readonly number[];
  readonly counts: 'record' | 'row';
};

/**
 * Finds the records at a file's end that are not data, and those that are called totals, by their
 * numbers.
 */
export function judgeBelow(
  last: readonly (readonly string[])[],
  { width, numberOf, header, ranges, leftOut, counts }: TableEnd,
): {
  readonly numbers: readonly number[];
  readonly totals: readonly number[];
  /** A clause for each note, and for what a person left out. */
  readonly clauses: readonly string[];
} {
  const { notes, totals, perhaps } = findBelow(last, width);
  const found = notes
    .map((note) => ({ ...note, number: numberOf(note.fromEnd) }))
    .filter(({ number }) => number > header && !leftOut.includes(number))
    .reverse();
  return {
    numbers: [...leftOut, ...found.map(({ number }) => number)].sort((a, b) => a - b),
    totals: totals.map(numberOf),
    clauses: [
      ...leftOutTexts(ranges, leftOut.length),
      ...(found.length > MOST_LISTED
        ? [
            `${found.length} ${counts}s from ${found[0]?.number} on are left out: notes, first ${showCell(found[0]?.label ?? '')}`,
          ]
        : found.map(
            ({ number, label }) => `${counts} ${number} is left out: a note, ${showCell(label)}`,
          )),
      // Whoever leaves out rows has looked at the others.
      ...(leftOut.length > 0 ? [] : perhaps).map(({ fromEnd, label }) => {
        const place = fromEnd === 0 ? 'last' : `last but ${fromEnd}`;
        return `the ${counts} that is ${place} fills its first cell alone, ${showCell(label)}; if it is a note: --leave-out -${fromEnd + 1}`;
      }),
    ],
  };
}

/** Whether a text has three words or more, or a few letters and their meaning. */
function isProse(text: string): boolean {
  return hasWords(text, 3) || /\S = \S/.test(text);
}

/** Whether a text has letters, and letters again as many words on. One pattern would take time by the cube. */
function hasWords(text: string, least: number): boolean {
  const first = text.search(/\p{L}/u);
  if (first < 0) return false;
  const words = text.slice(first).split(/\s+/);
  return words.slice(least - 1).some((word) => /\p{L}/u.test(word));
}

/**
 * Whether a record is prose with too few cells for a row. A row that was cut off, or lacks a cell,
 * must be refused instead.
 */
function isNote(cells: readonly string[], label: string, filled: number, width: number): boolean {
  if (width < 2 || filled !== 1 || cells[0]?.trim() === '') return false;
  return NOTE.test(label) || (cells.length < width && hasWords(label, 2));
}

/** Whether a record is a single cell that is no value: a word, or a line of signs. */
function isLine(cells: readonly string[]): boolean {
  const [cell = ''] = cells;
  const isValue = /\d/.test(cell) && !/\p{L}/u.test(cell);
  return cells.length === 1 && !isValue && kindOf(cell) !== 'link';
}

/** Characters of a note that are looked at. */
const MOST_OF_LABEL = 200;

const NOTE =
  /^(?:(?:source|note|notes|quelle|hinweis|anmerkung|stand|fuente|nota|fonte|bron|källa|kilde|źródło|источник|generated|exported|last updated|data (?:as of|from|by|source|provided))\b|[*©†]|\S{1,12} = \S)/iu;
