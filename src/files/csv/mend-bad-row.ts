import { numberText } from '../../text/wording.ts';
import type { BadRow, BadRowReason, Cells } from '../source-table.ts';
import { type Cut, type ParsedRecord, RecordParser } from './record-parser.ts';

/** Lines that are looked at for the end of a bad row. */
export const MOST_LINES = 20;

/** The effort left for a file's bad rows, in characters to look at. */
export class MendingEffort {
  #ofFile = MOST_OF_FILE;
  #ofRow = 0;

  beginRow(): void {
    this.#ofRow = MOST_OF_ROW;
  }

  /** Returns false once too much is spent. What is not looked at is not mended. */
  spend(characters: number): boolean {
    this.#ofRow -= characters;
    this.#ofFile -= characters;
    return this.#ofRow >= 0 && this.#ofFile >= 0;
  }
}

/**
 * Characters that are looked at for a bad row, and for all bad rows of a file. Rows beyond that are
 * set aside.
 */
const MOST_OF_ROW = 2 ** 22;
const MOST_OF_FILE = 2 ** 27;

/**
 * Finds how many of the next lines are a bad row, and which rows it may be. `record` is what the
 * parser made of them; `columns` is the cells of the table's rows.
 */
export function badRowOf(
  { cells, fault, lines: spanned = 1 }: ParsedRecord,
  lines: readonly string[],
  columns: number,
  cut: Cut,
  effort = new MendingEffort(),
): { readonly bad: BadRow; readonly lines: number } {
  const shortOrLong = cells.length < columns ? 'too-few-cells' : 'too-many-cells';
  const reason: BadRowReason = fault ?? shortOrLong;
  const badRow = (count: number, ways: BadRow['ways'], more: Partial<BadRow> = {}) => {
    const text = lines.slice(0, count).join('\n');
    return { bad: { text, reason, ways, ...more }, lines: count };
  };
  effort.beginRow();
  const cutLines = [cellsOf(lines[0] as string, cut)];
  // A line that is a row by itself does not belong to a bad row.
  for (let at = 1; at < lines.length; at++) {
    if (!effort.spend((lines[at] as string).length)) break;
    const own = cellsOf(lines[at] as string, cut);
    if (own?.length === columns || (own === undefined && isRowAt(lines, at, columns, cut, effort)))
      break;
    cutLines.push(own);
  }
  const most = cutLines.length;
  // Quotes in the right places do not explain too many cells in a line.
  const mayHaveQuotes = fault !== undefined || spanned > 1 || cells.length < columns;
  for (let count = 1; count <= most && mayHaveQuotes; count++) {
    const ways = quoteWays(lines.slice(0, count).join('\n'), columns, cut, effort);
    if (ways.length > 0) return badRow(count, ways);
  }
  if (fault !== undefined || spanned > most) return badRow(1, []);
  const ways = raggedWays(cells, columns, cut);
  const joined = cells.length > columns ? undefined : joinedLines(cutLines, columns);
  if (joined === undefined) return badRow(spanned, ways);
  // The row is either these lines or the first one alone, so neither is sure.
  return badRow(joined.lines, [[joined.cells]], { waysOfFirst: ways });
}

/** Makes a bad row from cells of another number, if the row's text is no longer at hand. */
export function raggedRow(cells: Cells, columns: number, cut: Cut): BadRow {
  return {
    text: cells.map((cell) => asWritten(cell, cut)).join(cut.delimiter ?? ','),
    reason: cells.length < columns ? 'too-few-cells' : 'too-many-cells',
    ways: raggedWays(cells, columns, cut),
  };
}

/** A cell as a file has it: in quotes if it needs them. */
function asWritten(cell: string, { delimiter = ',', quoteChar = '"', escapeChar }: Cut): string {
  const isPlain = ![delimiter, quoteChar ?? delimiter, '\n'].some((sign) => cell.includes(sign));
  if (isPlain || quoteChar === null) return cell;
  return quoteChar + cell.replaceAll(quoteChar, (escapeChar ?? quoteChar) + quoteChar) + quoteChar;
}

/** The rows that too few or too many cells may be. */
function raggedWays(cells: Cells, columns: number, cut: Cut): BadRow['ways'] {
  if (cells.length < columns) return filledAtEnd(cells, columns);
  return [...cutAtEnd(cells, columns), ...proseWays(cells, columns, cut)];
}

/**
 * Counts quoted cells whose lines would be rows by themselves. Two stray quotes may have joined
 * these rows, which no other rule notices.
 */
export class RowsInCells {
  #count = 0;
  #first = 0;

  add({ cells, line, lines = 1 }: ParsedRecord, columns: number, cut: Cut): void {
    if (lines < 3 || columns < 2) return;
    for (const cell of cells) {
      const within = cell.split('\n').slice(1, -1);
      const isRow = (one: string) => cellsOf(one, cut)?.length === columns;
      if (within.length === 0 || !within.every(isRow)) continue;
      if (this.#count++ === 0) this.#first = line;
    }
  }

  /** A clause about the counted cells. */
  notes(): string[] {
    if (this.#count === 0) return [];
    const hold = this.#count === 1 ? 'cell in quotes holds' : 'cells in quotes hold';
    const first = `${this.#count === 1 ? 'in' : 'first in'} line ${this.#first}`;
    const count = numberText(this.#count);
    return [
      `${count} ${hold} lines that would be rows by themselves, ${first}: is a quote missing or too many there? --quote none reads quotes as signs like others`,
    ];
  }
}

/** Cuts a line into cells. Undefined unless it is one record without a fault. */
function cellsOf(line: string, cut: Cut): Cells | undefined {
  const parser = new RecordParser(cut);
  parser.add(line);
  parser.end();
  const record = parser.next();
  if (record === undefined || record.fault !== undefined) return undefined;
  return parser.next() === undefined ? record.cells : undefined;
}

/** Whether a row of several lines begins here. */
function isRowAt(
  lines: readonly string[],
  at: number,
  columns: number,
  cut: Cut,
  effort: MendingEffort,
): boolean {
  const text = `${lines.slice(at).join('\n')}\n`;
  if (!effort.spend(text.length)) return false;
  const parser = new RecordParser(cut);
  parser.add(text);
  const record = parser.next();
  return record !== undefined && record.fault === undefined && record.cells.length === columns;
}

/**
 * Joins lines to a row that unquoted line ends have cut into pieces, if they have its number of
 * cells.
 */
function joinedLines(
  lines: readonly (Cells | undefined)[],
  columns: number,
): { readonly cells: Cells; readonly lines: number } | undefined {
  let cells: string[] = [];
  for (const [i, line] of lines.entries()) {
    if (line === undefined) return undefined;
    const whole = i === 0 ? [...line] : [...cells, ...line.slice(1)];
    if (i > 0) whole[cells.length - 1] = `${cells.at(-1)}\n${line[0]}`;
    cells = whole;
    if (cells.length === columns) return i === 0 ? undefined : { cells, lines: i + 1 };
    if (cells.length > columns) return undefined;
  }
  return undefined;
}

/** Fills a short row at its end, if at least half of it is there. */
function filledAtEnd(cells: Cells, columns: number): BadRow['ways'] {
  if (2 * cells.length < columns) return [];
  return [[[...cells, ...Array<string>(columns - cells.length).fill('')]]];
}

/** Cuts a long row if its further cells are blank. */
function cutAtEnd(cells: Cells, columns: number): BadRow['ways'] {
  return cells.slice(columns).every((cell) => cell.trim() === '')
    ? [[cells.slice(0, columns)]]
    : [];
}

/**
 * Joins cells at commas before a space, as in prose. No cell of such a row begins with a space
 * otherwise.
 */
function proseWays(cells: Cells, columns: number, { delimiter = ',' }: Cut): BadRow['ways'] {
  const joins = cells.slice(1).filter((cell) => /^ \S/.test(cell)).length;
  if (delimiter !== ',' || cells.length - joins !== columns) return [];
  const whole: string[] = [];
  for (const cell of cells) {
    if (/^ \S/.test(cell) && whole.length > 0) whole.push(`${whole.pop()}${delimiter}${cell}`);
    else whole.push(cell);
  }
  return [[whole]];
}

/** Changed texts that are tried for a bad row. At most two cells have their quotes mended. */
const MOST_TRIED = 2_000;

/** A bad row whose quotes are mended. Longer ones have too many quotes. */
const MOST_CHARACTERS = 2 ** 16;

/** The rows that a text may be with the quotes of one cell mended, or else of two. */
function quoteWays(text: string, columns: number, cut: Cut, effort: MendingEffort): BadRow['ways'] {
  const { quoteChar = '"' } = cut;
  if (quoteChar === null || !text.includes(quoteChar) || text.length > MOST_CHARACTERS) return [];
  let tried = 0;
  let texts: readonly string[] = [text];
  for (let cells = 1; cells <= 2; cells++) {
    const ways = new Map<string, Cells[]>();
    const next: string[] = [];
    for (const from of texts) {
      for (const mended of mendedCells(from, cut, effort)) {
        if (mended === undefined || tried++ === MOST_TRIED) return [];
        if (!effort.spend(mended.length)) return [];
        next.push(mended);
        const found = cellsOf(mended, cut);
        if (found?.length !== columns) continue;
        const key = JSON.stringify(found.map((cell) => cell.replaceAll(quoteChar, '')));
        const way = ways.get(key) ?? [];
        ways.set(key, way);
        if (!way.some((other) => String(other) === String(found))) way.push(found);
      }
    }
    if (ways.size > 0) return [...ways.values()];
    texts = next;
  }
  return [];
}

/** Yields the texts with one cell properly quoted, and undefined once too much effort is spent. */
function* mendedCells(
  text: string,
  cut: Cut,
  effort: MendingEffort,
): Generator<string | undefined> {
  const { delimiter = ',', escapeChar } = cut;
  const quote = cut.quoteChar ?? '"';
  const escaped = (escapeChar ?? quote) + quote;
  const starts = [0];
  const ends: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== delimiter && text[at] !== '\n') continue;
    ends.push(at);
    starts.push(at + 1);
  }
  ends.push(text.length);
  const withCell = (start: number, end: number, cell: string) => {
    const written = quote + cell.replaceAll(quote, escaped) + quote;
    return text.slice(0, start) + written + text.slice(end);
  };
  for (const [i, start] of starts.entries()) {
    const isOpened = text[start] === quote;
    for (let last = i; last < ends.length; last++) {
      const end = ends[last] as number;
      if (!effort.spend(end - start + 1)) {
        yield undefined;
        return;
      }
      const cell = text.slice(start, end);
      if (!cell.includes(quote)) continue;
      const isShort = end === ends[i];
      const isClosed = cell.length > 1 && cell.endsWith(quote);
      const inner = cell.slice(isOpened ? 1 : 0, isClosed ? -1 : undefined);
      const plain = inner.replaceAll(escaped, quote);
      const isBare = !inner.replaceAll(escaped, '').includes(quote);
      // A quote after a digit means inches.
      const isInches = isShort && /\d.$/.test(cell) && isClosed && !isOpened;
      if (isInches) yield withCell(start, end, cell);
      // The closing or the opening quote is missing.
      if (isOpened !== isClosed && isBare) yield withCell(start, end, plain);
      // The quotes in the cell are not doubled.
      if (isOpened && isClosed && !isBare) yield withCell(start, end, plain);
      // There is text after the closing quote.
      const close = isOpened && !isClosed ? closingQuote(cell, quote, escaped) : -1;
      if (close > 0) {
        const within = cell.slice(1, close).replaceAll(escaped, quote);
        const behind = cell.slice(close + 1);
        if (!behind.includes(quote) && !behind.includes(delimiter)) {
          yield withCell(start, end, within + (behind.trim() === '' ? '' : behind));
        }
      }
      // The cell has quotes but is not quoted.
      if (isShort && !(isOpened && isClosed && isBare)) yield withCell(start, end, cell);
    }
  }
}

/** The index of the quote that closes a cell which begins with one. -1 if there is none. */
function closingQuote(cell: string, quote: string, escaped: string): number {
  let at = 1;
  while (at < cell.length) {
    if (cell.startsWith(escaped, at)) at += escaped.length;
    else if (cell[at] === quote) return at;
    else at++;
  }
  return -1;
}
