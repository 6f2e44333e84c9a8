import { numberText, showCell } from '../text/wording.ts';
import { SeedError } from './source-table.ts';

/** The place of a table's header among the first records, and the reason for it. */
type FoundHeader = {
  /** The number of records above the table. */
  readonly titles: number;
  readonly hasHeader: boolean;
  /** The number of records in the header. */
  readonly headerRows: number;
  /** The number of records below the header that are neither header nor rows. */
  readonly aside: number;
  /** Set if the header may have this number of records instead. */
  readonly mayHaveRows?: number;
  /** The place of a record further down that names the columns at least as well. */
  readonly lower?: number;
  /** Whether the header differs in kind from the cells below it in some column. */
  readonly isCertain: boolean;
  readonly why: string;
  /** Set if the other reading is nearly as likely, with the reason. */
  readonly doubt?: string;
};

/** Finds titles above a table, and whether the first record and those after it are the header. */
export function findHeader(
  records: readonly (readonly string[])[],
  { given, titles: above, isMerged }: GivenHeader = {},
): FoundHeader {
  const width = usualWidth(records);
  if (above === undefined && isOfLogger(records)) {
    return { ...findHeader(records.slice(1), { given: given ?? 3, titles: 0 }), titles: 1 };
  }
  if (above === undefined && isMerged === undefined && isLone(records, width)) {
    const below = findHeader(records.slice(1), { given, titles: 0 });
    const isSure = below.hasHeader && below.isCertain;
    if (isSure && areWords(records[1])) return { ...below, titles: 1 };
  }
  const countFrom = (titles: number) =>
    countHeaderRows(records.slice(titles, titles + MOST_LOOKED_FOR), (row, column) =>
      isMerged?.(titles + row, column),
    );
  let titles = above ?? countTitles(records, width);
  // Names of groups of columns leave many cells blank, as titles do.
  while (
    above === undefined &&
    titles > 0 &&
    isGroupRow(records[titles - 1], records[titles]) &&
    countFrom(titles - 1).rows > 1
  ) {
    titles--;
  }
  const found = countFrom(titles);
  const headerRows = given ?? found.rows;
  const below = titles + headerRows;
  const header = joinHeaders(records.slice(titles, below), (row, column) =>
    isMerged?.(titles + row, column),
  );
  const judged = judgeHeader(header, records.slice(below + found.aside), width);
  const { aside, mayHaveRows } = found;
  const isOpen = given === undefined && mayHaveRows !== undefined;
  const isFound = above === undefined && given === undefined && mayHaveRows === undefined;
  const isSure = judged.isCertain && !header.includes('');
  const place =
    isFound && headerRows === 1 && !isSure ? lowerHeader(records.slice(titles), width) : undefined;
  const more = {
    titles,
    headerRows,
    aside,
    mayHaveRows: isOpen ? mayHaveRows : undefined,
    lower: place === undefined ? undefined : titles + place,
  };
  if (headerRows === 1) return { ...more, ...judged };
  return {
    ...more,
    hasHeader: true,
    isCertain: true,
    why: `rows ${titles + 1} to ${below} name the columns`,
  };
}

/** Whether a logger of Campbell writes about itself, then names, units and how values were made. */
function isOfLogger(records: readonly (readonly string[])[]): boolean {
  const [own, , units = [], made = []] = records;
  if (own?.[0] !== 'TOA5' || records.length <= MOST_HEADER_ROWS) return false;
  return [...units, ...made].every((cell) => !['number', 'date'].includes(kindOf(cell)));
}

/** Records with names and values of the whole file that may be above a header. */
const MOST_ABOVE = 4;

/**
 * The place of a record of names above values, where values of other kinds are above it: the lines above
 * may be about the file.
 */
function lowerHeader(records: readonly (readonly string[])[], width: number): number | undefined {
  for (let at = 2; at <= MOST_ABOVE; at++) {
    const [names, below] = [records[at] ?? [], records.slice(at + 1)];
    if (names.length !== width || !areWords(names) || below.length < 2) continue;
    const isOther = names.every((_, column) => {
      const kind = commonKind(valuesIn(below, column));
      return kind === 'words' || kindOf(records[1]?.[column] ?? '') !== kind;
    });
    const { hasHeader, isCertain } = judgeHeader(names, below, width);
    if (isOther && hasHeader && isCertain) return at;
  }
  return undefined;
}

function valuesIn(records: readonly (readonly string[])[], column: number): string[] {
  return records.map((cells) => (cells[column] ?? '').trim()).filter((cell) => cell !== '');
}

/** Whether the first record alone has another width than all others, and values as no header has. */
function isLone([first, ...others]: readonly (readonly string[])[], width: number): boolean {
  const isOther = first !== undefined && first.length !== width && others.length > 1;
  return isOther && !areWords(first) && others.every(({ length }) => length === width);
}

/** Whether all cells may be names of columns. */
function areWords(cells: readonly string[] = []): boolean {
  return cells.every((cell) => ['words', 'other'].includes(kindOf(cell)));
}

/** What is given about a header. */
type GivenHeader = {
  /** The number of its records. */
  readonly given?: number | undefined;
  /** The number of records above it. */
  readonly titles?: number | undefined;
  /** Whether a cell of a sheet is merged with the one to its left. */
  readonly isMerged?: IsMerged;
};

/** Whether a row names columns that the row below does not. A title has no such cell. */
function isGroupRow(cells: readonly string[] = [], below: readonly string[] = []): boolean {
  const isName = (cell: string, column: number) =>
    cell.trim() !== '' && below[column]?.trim() === '';
  return filledCells(cells) > 1 && cells.some(isName);
}

/** The most records of a header. */
export const MOST_HEADER_ROWS = 3;

/** Records that are looked at for the number of rows in the header. */
const MOST_LOOKED_FOR = 100;

/** Whether a blank cell of a header belongs to the cell to its left. Undefined if unknown. */
export type IsMerged = (row: number, column: number) => boolean | undefined;

/**
 * Joins the names of columns whose header has several rows. A blank cell above a name takes the
 * cell to its left, unless `isMerged` denies it.
 */
export function joinHeaders(
  rows: readonly (readonly string[])[],
  isMerged: IsMerged = () => undefined,
): string[] {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const at = (row: number, column: number) => rows[row]?.[column]?.trim() ?? '';
  const carried = rows.map(() => '');
  return Array.from({ length: width }, (_, column) => {
    const parts: string[] = [];
    for (let row = 0; row < rows.length; row++) {
      const cell = at(row, column);
      // A new name ends the names below it. A name without one below it is for its column alone.
      const isNew = rows.slice(0, row).some((_, upper) => at(upper, column) !== '');
      const isAbove = rows.some((_, lower) => lower > row && at(lower, column) !== '');
      if (cell !== '' || isNew || isMerged(row, column) === false) {
        carried[row] = isAbove ? cell : '';
      }
      const part = isAbove ? (carried[row] as string) : cell;
      if (part !== '' && part !== parts.at(-1)) parts.push(part);
    }
    return parts.join(' ');
  });
}

type HeaderRows = { readonly rows: number; readonly aside: number; readonly mayHaveRows?: number };

/** Counts how many of a table's first records are its header. */
function countHeaderRows(records: readonly (readonly string[])[], isMerged: IsMerged): HeaderRows {
  // Qualtrics writes the questions below the names, and then where these are from.
  const isImportId = (cell: string) => /^\{"ImportId":/.test(cell);
  if (records[2]?.every((cell) => cell === '' || isImportId(cell)) && records[2].some(isImportId)) {
    return { rows: 1, aside: 2 };
  }
  // Markdown rules off the header: `| --- | ---: |`.
  if (records[1] !== undefined && isRule(records[1])) return { rows: 1, aside: 1 };
  const tags = records.slice(1, MOST_HEADER_ROWS + 1).findIndex(isHxl);
  if (tags >= 0) return { rows: tags + 1, aside: 1 };
  let rows = 1;
  let sure: number | undefined;
  for (; rows < MOST_HEADER_ROWS; rows++) {
    const next = records[rows];
    const rest = records
      .slice(records.length > MOST_HEADER_ROWS ? MOST_HEADER_ROWS : rows + 1)
      // The others are notes.
      .filter((cells) => 3 * filledCells(cells) > (next?.length ?? 0));
    if (next === undefined || rest.length === 0) break;
    const verdict = judgeHeaderRow(records.slice(0, rows), next, rest, (column) =>
      isMerged(rows - 1, column),
    );
    if (verdict === 'row') break;
    if (verdict === 'unsure') sure ??= rows;
  }
  return sure === undefined ? { rows, aside: 0 } : { rows: sure, aside: 0, mayHaveRows: rows };
}

/** Whether a record is only a line below the header. Two signs alone may stand for no value. */
function isRule(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return filled.length > 0 && filled.every((cell) => /^(?:-{3,}|:-+:?|-+:)$/.test(cell));
}

/** Whether a record has tags of the Humanitarian Exchange Language alone: `#affected+f`. */
function isHxl(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return filled.length > 1 && filled.every((cell) => HXL_TAG.test(cell));
}

const HXL_TAG = /^#[a-z]\w*(?:\s*\+\s*[a-z]\w*)*$/i;

/**
 * Whether a record below a header belongs to it, because its cells are not values of their columns.
 */
function judgeHeaderRow(
  above: readonly (readonly string[])[],
  next: readonly string[],
  rest: readonly (readonly string[])[],
  isMerged: (column: number) => boolean | undefined,
): 'header' | 'unsure' | 'row' {
  const upper = above.at(-1) as readonly string[];
  const isBlank = (cells: readonly string[], column: number) => (cells[column] ?? '').trim() === '';
  const named = next.flatMap((cell, column) => (cell.trim() === '' ? [] : [column]));
  // In these columns every row has a value, so a row cannot lack one.
  const columns = next.map((_, column) => {
    const cells = rest.map((row) => (row[column] ?? '').trim()).filter((cell) => cell !== '');
    return { cells, kind: commonKind(cells), isFilled: cells.length >= 0.9 * rest.length };
  });
  const valued = [...columns.keys()].filter((column) => {
    const { kind, isFilled } = columns[column] as (typeof columns)[number];
    return kind !== 'words' && isFilled;
  });
  const isValue = (column: number) => {
    const cell = (next[column] as string).trim();
    const { cells, kind } = columns[column] as (typeof columns)[number];
    // A figure may look like a year. In a column of years, most rows have one.
    if (YEAR.test(cell))
      return cells.filter((other) => YEAR.test(other)).length * 2 >= cells.length;
    return cell !== '' && (kindOf(cell) === kind || NOTHING.test(cell));
  };
  const isBelowMerged = named.some((column) => isBlank(upper, column) && isMerged(column) === true);
  if (valued.some(isValue)) return 'row';
  if (isBelowMerged) return 'header';
  const mayBeLabels = next.length >= upper.length && areLabels(next, columns);
  if (valued.length === 0) return mayBeLabels ? 'unsure' : 'row';
  const isBelowGroup = named.some(
    (column) => isBlank(upper, column) && upper.slice(0, column).some((cell) => cell.trim() !== ''),
  );
  const namedValues = valued.filter((column) => named.includes(column));
  if (isBelowGroup) return namedValues.length > 0 || valued.length > 1 ? 'header' : 'row';
  // The rows above name groups, and this one names a column outside them.
  const fillsGap = named.some((column) => above.every((cells) => isBlank(cells, column)));
  if (above.length > 1 && fillsGap && namedValues.length > 0) return 'header';
  const isUnits = named.every((column) => UNIT.test((next[column] as string).trim()));
  if (isUnits && namedValues.length > 0) return 'header';
  const words = namedValues.filter((column) => kindOf(next[column] as string) === 'words');
  const areMany = words.length > 1 && 2 * words.length >= valued.length;
  return areMany || mayBeLabels ? 'unsure' : 'row';
}

/** Whether a record has words in all cells, most above cells that have digits or no letters. */
function areLabels(
  next: readonly string[],
  columns: readonly { readonly cells: readonly string[]; readonly isFilled: boolean }[],
): boolean {
  const isWord = (cell: string) => /\p{L}/u.test(cell) && !/\d/.test(cell);
  if (!next.every((cell) => cell.trim() !== '')) return false;
  const figures = columns.flatMap(({ cells, isFilled }, column) =>
    isFilled && !cells.some(isWord) ? [column] : [],
  );
  const words = figures.filter((column) => {
    const cell = (next[column] as string).trim();
    return isWord(cell) && !NOTHING.test(cell);
  });
  return words.length > 1 && 2 * words.length >= figures.length;
}

/** Texts of cells where there is no value. */
const NOTHING =
  /^(?:#?n\/?a|n\.a\.|n\.d\.|k\. ?a\.|null|none|nil|nan|unknown|missing|[-\u2013\u2014.?/*]+)$/i;

/** Units below the names of numbers, in brackets or not, and the word for units. */
const UNIT =
  /^(?:\(.{1,20}\)|\[.{1,20}\]|units?|einheit(?:en)?|unit\u00e9s?|[munk\u00b5\u03bc]?(?:m|g|l|s)[23\u00b2\u00b3]?|cm[23\u00b2\u00b3]?|km[23\u00b2\u00b3]?|ha|t|kg|mg|ml|lbs?|oz|ft|in|mi|yd|mph|km\/h|m\/s|[kmg]?wh?|[kmh]?pa|k?hz|min|sec|hrs?|h|years?|days?|degrees?|deg|pct|percent|ppm|ppb|usd|eur|gbp|chf|yyyy-mm-dd|dd\/mm\/yyyy|mm\/dd\/yyyy|.{0,12}[%\u2030\u00b0\p{Sc}].{0,12}|[a-z\u00b5\u03bc]{1,4}\/[a-z]{1,3}[23\u00b2\u00b3]?)$/iu;

/** The number of cells that most records have. The greater one of a tie. */
export function usualWidth(records: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || b - a)[0]?.[0] ?? 0;
}

/** How many cells of a record have a value. */
export function filledCells(cells: readonly string[]): number {
  let filled = 0;
  for (const cell of cells) if (isFilled(cell)) filled++;
  return filled;
}

/** Most cells begin with a letter or a digit, which shows it. */
function isFilled(cell: string): boolean {
  const first = cell.charCodeAt(0);
  return (first > 0x20 && first < 0x80) || cell.trim() !== '';
}

/** Counts titles: these have far fewer cells than a row, or only the first one filled. */
function countTitles(records: readonly (readonly string[])[], width: number): number {
  const isTitle = (cells: readonly string[]) => {
    // Excel's line that states the delimiter.
    if (/^sep=/i.test(cells[0] ?? '')) return true;
    const filled = filledCells(cells);
    if (cells.length < width) return filled <= width / 2;
    return filled === 0 || (width >= 3 && filled <= width / 3 && cells[0]?.trim() !== '');
  };
  const first = records.slice(0, MOST_TITLES);
  // More records than a header has may stand above the names, and begin with a blank cell.
  const names = first.findIndex((cells) => cells[0]?.trim() !== '');
  if (names >= MOST_HEADER_ROWS && filledCells(first[names] ?? []) === width) {
    const below = records.slice(names + 1);
    const { hasHeader, isCertain } = judgeHeader(first[names] as readonly string[], below, width);
    if (hasHeader && isCertain) return names;
  }
  const titles = first.findIndex((cells) => !isTitle(cells));
  return Math.max(titles, 0);
}

/** Records above a header that may be titles and notes. */
const MOST_TITLES = 30;

type Judged = Pick<FoundHeader, 'hasHeader' | 'isCertain' | 'why' | 'doubt'>;

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
  if (isCount(heads, whole)) {
    return { hasHeader: true, isCertain: true, why: 'it counts the columns from 0' };
  }
  const value = heads.find(
    (head) => /^(?:number|date|link)$/.test(kindOf(head)) && !YEAR.test(head),
  );
  if (rows.length === 0 && value !== undefined) {
    const doubt = 'nothing stands below it';
    return { hasHeader: false, isCertain: false, why: `${showCell(value)} is a value`, doubt };
  }
  if (isFor.strength + isAgainst.strength === 0) {
    return {
      hasHeader: true,
      isCertain: false,
      why: 'nothing tells its first row from the others, and most files have a header',
    };
  }
  // A row of values may have a word instead of a number or date in one column, but not in two.
  const sure = votes.filter(({ isPure }) => isPure);
  if (sure.length > 1) return { hasHeader: true, isCertain: true, why: isFor.why };
  const hasHeader = isFor.strength > isAgainst.strength;
  const [stronger, weaker] = hasHeader ? [isFor, isAgainst] : [isAgainst, isFor];
  const isDoubtful = weaker.strength >= stronger.strength / 4;
  const isCertain = hasHeader && votes.some(({ weight }) => weight === OF_KIND);
  return { hasHeader, isCertain, why: stronger.why, doubt: isDoubtful ? weaker.why : undefined };
}

/** Columns that a header counts at least. */
const LEAST_COUNTED = 4;

/**
 * Whether a header counts the columns from 0, as pandas does where these have no names. A column of
 * an index may be before them, and names after them. What is below must go further than the count.
 */
function isCount(heads: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const from = heads[0] === '' ? 1 : 0;
  const end = heads.findIndex((head, i) => i >= from && head !== String(i - from));
  const counted = heads.slice(from, end < 0 ? undefined : end).length;
  if (counted < LEAST_COUNTED || rows.length === 0) return false;
  const isInCount = (cell = '') => /^\d+$/.test(cell.trim()) && Number(cell) < counted;
  return rows.every((cells) => !cells.slice(from, from + counted).every(isInCount));
}

/** The weight of a header that differs in kind from the cells below it. */
const OF_KIND = 1;

type Vote = {
  readonly weight: number;
  readonly why: string;
  /** Set if a name is above cells that are all of another kind. */
  readonly isPure?: boolean;
};

/** Votes on whether a column's first cell is its header, judging by the cells below. */
function voteOf(head: string, below: readonly string[]): Vote {
  const none = { weight: 0, why: '' };
  if (head === '' || below.length === 0) return none;
  const shown = showCell(head);
  const isRepeated = below.includes(head);
  const kind = commonKind(below);
  if (kind !== 'words') {
    const own = kindOf(head);
    if (isRepeated && own !== kind) return none;
    // A column of figures may have its year as a header.
    if (YEAR.test(head) && !below.every((cell) => YEAR.test(cell))) {
      return { weight: 0.5, why: `${shown} is a year above ${kind}s` };
    }
    if (own === kind) return { weight: -1, why: `${shown} is a ${kind} like those below it` };
    if (own === 'words') {
      const isPure = !NOTHING.test(head) && below.every((cell) => kindOf(cell) === kind);
      return { weight: OF_KIND, why: `${shown} stands above ${kind}s`, isPure };
    }
    return none;
  }
  if (isRepeated) return { weight: -0.5, why: `${shown} occurs below again` };
  const isCategory = below.length >= 4 && new Set(below).size <= below.length / 2;
  return isCategory
    ? { weight: 0.5, why: `what is below ${shown} occurs again, and ${shown} does not` }
    : none;
}

/** The kind of nearly all cells. Words if there is none. */
function commonKind(cells: readonly string[]): CellKind {
  const kinds = cells.map(kindOf);
  const isCommon = (kind: CellKind) =>
    kinds.filter((one) => one === kind).length >= 0.9 * kinds.length;
  return (['number', 'date', 'link'] as const).find(isCommon) ?? 'words';
}

const YEAR = /^(?:19|20)\d\d$/;

/** How a cell looks, before its column's type is known. */
type CellKind = 'blank' | 'number' | 'date' | 'link' | 'words' | 'other';

/** Returns how a cell looks: enough to see where tables begin and which delimiter cuts them. */
export function kindOf(cell: string): CellKind {
  const text = cell.trim();
  if (text === '') return 'blank';
  // Longer cells are prose. The patterns test only short texts.
  if (text.length > MOST_LOOKED_AT) return 'other';
  return CELL_KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}

/** A longer cell is prose. */
const MOST_LOOKED_AT = 200;

const CELL_KINDS: readonly (readonly [CellKind, RegExp])[] = [
  [
    'number',
    /^'?[-+(]?(?:\p{Sc}|(?:USD|EUR|GBP|CHF) )? ?[-+(]?\d+(?:[ \u00a0\u202f,.'’]\d{3})*(?:[.,]\d+)?(?:e[-+]?\d+|d[-+]\d\d)?(?: ?[%\p{Sc}]| (?:USD|EUR|GBP|CHF))?[-)]?$/iu,
  ],
  [
    'date',
    /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d\d.*)?$|^(?:19|20)\d\d-(?:0[1-9]|1[0-2])$|^\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[ap]m)?$/i,
  ],
  ['link', /^(?:https?:\/\/|www\.)\S+$|^[\w.+-]+@[\w-]+\.[\w.-]+$/],
  // Excludes delimiters: a cell that still has one is probably two.
  ['words', /^[\p{L}\p{N}_.#(][\p{L}\p{M}\p{N}\s_.'’()&/#:-]*$/u],
];

export function noHeaderLine(file: string, headerLine: number, counts: 'line' | 'row'): SeedError {
  const reason = `in ${counts} ${numberText(headerLine)} begins no row of cells; --header-line says in which the header begins`;
  return new SeedError(file, reason);
}

export function lowerHeaderText(line: number, counts: 'line' | 'row'): string {
  return `${counts} ${line} may name the columns, and what is above be about the file: --header-line ${line}`;
}
