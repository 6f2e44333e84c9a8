import { showCell } from '../text/wording.ts';

/** Where a table's header is among its first records, and what tells so. */
type FoundHeader = {
  /** How many records stand above the table. */
  readonly titles: number;
  readonly hasHeader: boolean;
  /** Whether there is a header that differs in kind from the cells below it in some column. */
  readonly isCertain: boolean;
  readonly why: string;
  /** Set if the other reading is nearly as likely: why. */
  readonly doubt?: string;
};

/** Finds titles above a table, and whether its first record is a header. */
export function findHeader(records: readonly (readonly string[])[]): FoundHeader {
  const width = usualWidth(records);
  const titles = countTitles(records, width);
  const [first = [], ...rows] = records.slice(titles);
  return { titles, ...judgeHeader(first, rows, width) };
}

/** The number of cells that most records have; the greater one of two. */
export function usualWidth(records: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || b - a)[0]?.[0] ?? 0;
}

/** How many cells of a record have a value. */
function filledCells(cells: readonly string[]): number {
  return cells.filter((cell) => cell.trim() !== '').length;
}

/** A title has far fewer cells than a row, or only the first of them filled. */
function countTitles(records: readonly (readonly string[])[], width: number): number {
  const isTitle = (cells: readonly string[]) => {
    // Excel's line that states the delimiter.
    if (/^sep=/i.test(cells[0] ?? '')) return true;
    const filled = filledCells(cells);
    if (cells.length < width) return filled <= width / 2;
    return filled === 0 || (width >= 3 && filled <= width / 3 && cells[0]?.trim() !== '');
  };
  const titles = records.slice(0, MOST_TITLES).findIndex((cells) => !isTitle(cells));
  return Math.max(titles, 0);
}

const MOST_TITLES = 30;

type Judged = Omit<FoundHeader, 'titles'>;

function judgeHeader(
  first: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): Judged {
  const heads = first.map((cell) => cell.trim());
  const isHeaderAgain = (cells: readonly string[]) =>
    cells.every((cell, i) => cell.trim() === heads[i]);
  const whole = rows.filter((cells) => cells.length === width && !isHeaderAgain(cells));
  const votes = heads.map((head, i) =>
    voteOf(
      head,
      whole.map((cells) => (cells[i] ?? '').trim()).filter((cell) => cell !== ''),
    ),
  );
  const side = (sign: 1 | -1) => {
    const own = votes.filter(({ weight }) => weight * sign > 0);
    const strength = own.reduce((sum, { weight }) => sum + weight * sign, 0);
    return { strength, why: own.sort((a, b) => (b.weight - a.weight) * sign)[0]?.why ?? '' };
  };
  const [isFor, isAgainst] = [side(1), side(-1)];
  if (isFor.strength + isAgainst.strength === 0) {
    return {
      hasHeader: true,
      isCertain: false,
      why: 'nothing tells its first row from the others, and most files have a header',
    };
  }
  const hasHeader = isFor.strength > isAgainst.strength;
  const [stronger, weaker] = hasHeader ? [isFor, isAgainst] : [isAgainst, isFor];
  const isDoubtful = weaker.strength >= stronger.strength / 4;
  const isCertain = hasHeader && votes.some(({ weight }) => weight === OF_KIND);
  return { hasHeader, isCertain, why: stronger.why, ...(isDoubtful ? { doubt: weaker.why } : {}) };
}

/** The weight of a header that is of another kind than the cells below it. */
const OF_KIND = 1;

type Vote = { readonly weight: number; readonly why: string };

/** Whether a column's first cell looks like its header, beside the cells below. */
function voteOf(head: string, below: readonly string[]): Vote {
  const none = { weight: 0, why: '' };
  if (head === '' || below.length === 0) return none;
  const shown = showCell(head);
  const isRepeated = below.includes(head);
  const kind = commonKind(below);
  if (kind !== 'words') {
    const own = kindOf(head);
    if (isRepeated && own !== kind) return none;
    // A column of figures may be headed by its year.
    if (YEAR.test(head) && !below.every((cell) => YEAR.test(cell))) {
      return { weight: 0.5, why: `${shown} is a year above ${kind}s` };
    }
    if (own === kind) return { weight: -1, why: `${shown} is a ${kind} like those below it` };
    if (own === 'words') return { weight: OF_KIND, why: `${shown} stands above ${kind}s` };
    return none;
  }
  if (isRepeated) return { weight: -0.5, why: `${shown} occurs below again` };
  const isCategory = below.length >= 4 && new Set(below).size <= below.length / 2;
  return isCategory ? { weight: 0.5, why: `what is below ${shown} recurs, and it does not` } : none;
}

/** The kind of nearly all cells; words if there is none. */
function commonKind(cells: readonly string[]): CellKind {
  const kinds = cells.map(kindOf);
  const isCommon = (kind: CellKind) =>
    kinds.filter((one) => one === kind).length >= 0.9 * kinds.length;
  return (['number', 'date', 'link'] as const).find(isCommon) ?? 'words';
}

const YEAR = /^(?:19|20)\d\d$/;

/** What a cell looks like, before its column's type is known. */
type CellKind = 'blank' | 'number' | 'date' | 'link' | 'words' | 'other';

/** Tells what a cell looks like: enough to see where tables begin and which delimiter cuts them. */
export function kindOf(cell: string): CellKind {
  const text = cell.trim();
  if (text === '') return 'blank';
  // Longer cells are prose; the patterns look at a bounded text.
  if (text.length > MOST_LOOKED_AT) return 'other';
  return CELL_KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}

const MOST_LOOKED_AT = 200;

const CELL_KINDS: readonly (readonly [CellKind, RegExp])[] = [
  [
    'number',
    /^[-+(]?\p{Sc}? ?\d+(?:[ \u00a0\u202f,.'’]\d{3})*(?:[.,]\d+)?(?:e[-+]?\d+)?(?: ?[%\p{Sc}])?\)?$/iu,
  ],
  [
    'date',
    /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d\d.*)?$|^\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[ap]m)?$/i,
  ],
  ['link', /^(?:https?:\/\/|www\.)\S+$|^[\w.+-]+@[\w-]+\.[\w.-]+$/],
  // No delimiter is in it: a cell that still holds one is likely two.
  ['words', /^[\p{L}\p{N}_.#(][\p{L}\p{M}\p{N}\s_.'’()&/#:-]*$/u],
];

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

/** What a row of totals is called. */
export const TOTAL =
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
    SUM_PATTERNS[mark].exec(cell.trim()) ?? [];
  if (digits === '' && decimals === '') return undefined;
  const value = Number(`${digits.replace(/\D/g, '')}.${decimals || '0'}${exponent}`);
  const places = decimals.length - Number(exponent.slice(1));
  return { value: /[-−(]/.test(sign) ? -value : value, decimals: places };
}

const MOST_OF_NUMBER = 60;

/** Numbers with a unit, or none, on one side. */
const SUM_PATTERNS = { '.': patternOf('.', ','), ',': patternOf(',', '.') };

function patternOf(mark: string, other: string): RegExp {
  const group = `[ \\u00a0\\u202f'’${other}]`;
  const digits = `\\d{1,3}(?:${group}\\d{2,3})*${group}\\d{3}|\\d+`;
  const unit = '(?:\\p{Sc}|[A-Z]{3})? ?';
  return new RegExp(
    `^(?:${unit})([-+−(]?)${unit}(${digits})?(?:[${mark}](\\d+))?(e[-+]?\\d+)? ?(?:%|\\p{Sc}|\\p{L}{1,4})?\\)?$`,
    'iu',
  );
}
