import { showCell } from '../values/wording.ts';

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
export function filledCells(cells: readonly string[]): number {
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
  return PATTERNS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}

const MOST_LOOKED_AT = 200;

const PATTERNS: readonly (readonly [CellKind, RegExp])[] = [
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
