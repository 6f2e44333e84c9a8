import { showCell } from '../values/wording.ts';
import { filledCells } from './find-header.ts';

/** A record at a file's end that looks like no data. */
type FoundComment = {
  /** How many records before the file's end it stands; 0 is the last. */
  readonly fromEnd: number;
  readonly is: 'total' | 'note';
  readonly label: string;
  readonly cells: readonly string[];
};

/** What becomes of a total that adds up in no column. */
export type TotalsWish = 'keep' | 'drop';

/** What stands below a table. */
type JudgedComments = {
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

/** Sums the numbers of each column, to tell whether a row below them is their total. */
export class ColumnSums {
  readonly #columns: Sums[] = [];

  add(cells: readonly string[]): void {
    for (const [i, cell] of cells.entries()) {
      const read = MARKS.map((mark) => readNumber(cell, mark));
      if (read.every((one) => one === undefined)) continue;
      const sums = this.#columns[i] ?? MARKS.map(() => ({ count: 0, sum: 0, size: 0 }));
      this.#columns[i] = sums;
      for (const [at, one] of read.entries()) {
        const sum = sums[at] as Sums[number];
        sum.count++;
        // A number that this mark cannot have written: the column has the other.
        sum.sum += one?.value ?? Number.NaN;
        sum.size += Math.abs(one?.value ?? 0);
      }
    }
  }

  /** Whether one of a row's numbers is the sum of two or more above it, but for rounding. */
  isTotal(cells: readonly string[]): boolean {
    return cells.some((cell, i) =>
      MARKS.some((mark, at) => {
        const sum = this.#columns[i]?.[at];
        const total = readNumber(cell, mark);
        if (sum === undefined || total === undefined || sum.count < 2) return false;
        // No numbers but 0 add up to 0, whatever the row is.
        if (total.value === 0) return false;
        const rounding = 0.5 * 10 ** -total.decimals + SLACK * sum.size;
        return Math.abs(sum.sum - total.value) <= rounding;
      }),
    );
  }
}

/** By the character before decimals. */
type Sums = { count: number; sum: number; size: number }[];

const MARKS = ['.', ','] as const;

/** Doubles are off by 1e-16 of what is added; a file has less than a million times as many rows. */
const SLACK = 1e-10;

type ReadNumber = { readonly value: number; readonly decimals: number };

/** A cell's number as it would be read with this character before decimals. */
function readNumber(cell: string, mark: (typeof MARKS)[number]): ReadNumber | undefined {
  if (cell.length > MOST_OF_NUMBER) return undefined;
  const [, sign = '', digits = '', decimals = '', exponent = ''] =
    PATTERNS[mark].exec(cell.trim()) ?? [];
  if (digits === '' && decimals === '') return undefined;
  const value = Number(`${digits.replace(/\D/g, '')}.${decimals || '0'}${exponent}`);
  const places = decimals.length - Number(exponent.slice(1));
  return { value: /[-−(]/.test(sign) ? -value : value, decimals: places };
}

const MOST_OF_NUMBER = 60;

/** Numbers with a unit, or none, on one side. */
const PATTERNS = { '.': patternOf('.', ','), ',': patternOf(',', '.') };

function patternOf(mark: string, other: string): RegExp {
  const group = `[ \\u00a0\\u202f'’${other}]`;
  const digits = `\\d{1,3}(?:${group}\\d{2,3})*${group}\\d{3}|\\d+`;
  const unit = '(?:\\p{Sc}|[A-Z]{3})? ?';
  return new RegExp(
    `^(?:${unit})([-+−(]?)${unit}(${digits})?(?:[${mark}](\\d+))?(e[-+]?\\d+)? ?(?:%|\\p{Sc}|\\p{L}{1,4})?\\)?$`,
    'iu',
  );
}
