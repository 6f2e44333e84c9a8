import type { Dialect } from '../../block/declaration.ts';
import type { PlainRows } from '../plain-rows.ts';
import type { RecordFault } from '../source-table.ts';

/** A record of a delimited text. */
export type ParsedRecord = {
  /** The cells without their quotes. If there is a fault, only those before it. */
  readonly cells: string[];
  /** The line in which it begins, from 1. */
  readonly line: number;
  /** The number of its lines, unless there is a fault. */
  readonly lines?: number;
  readonly fault?: RecordFault;
  /** The line of the fault. If a quote is not closed, that of the opening quote. */
  readonly faultLine?: number;
};

/** How to cut a text into records and cells. */
export type Cut = Pick<Dialect, 'delimiter' | 'quoteChar' | 'escapeChar' | 'skipInitialSpace'>;

/** A text, the codes of its characters, and where the next record begins in it. */
export type TextAhead = {
  readonly text: string;
  readonly codes: Uint16Array;
  readonly at: number;
  readonly line: number;
};

/** A record of a file, in characters. DynamoDB takes items of 400 KB. */
export const MOST_OF_RECORD = 2 ** 20;

/**
 * Cuts a delimited text into records (RFC 4180, with the dialect's signs). The text comes in pieces
 * with LF as line ends. Skips blank lines. If a record cannot be cut, the parser returns its fault
 * and stays there: the caller passes its lines to `skipLines`.
 */
export class RecordParser {
  readonly #delimiter: number;
  /** The delimiter if it is two characters. The parser has one character in its place. */
  readonly #pair: string | undefined;
  /** The first character of a pair, if a piece ends with it. */
  #half = '';
  readonly #quote: number;
  readonly #quoteText: string;
  readonly #escape: number;
  readonly #skipsSpace: boolean;
  /** Whether a misplaced quote is a character of its cell. */
  keepsStrayQuotes: boolean;
  #text = '';
  /** The codes of the text, once they are needed, and the memory that they take. */
  #codes: Uint16Array | undefined;
  #memory = new ArrayBuffer(0);
  #isWhole = false;
  /**
   * Characters without which the next record is not tried again. It did not end in half of them, and
   * to try it at each piece would take time by the square of its length.
   */
  #least = 0;
  /** The index of the next record. */
  #at = 0;
  #line = 1;
  #before = 0;
  #lineBefore = 1;
  /** The number of cells that were quoted as a whole. */
  quotedCells = 0;

  constructor(
    { delimiter = ',', quoteChar = '"', escapeChar, skipInitialSpace }: Cut,
    { keepsStrayQuotes = false, firstLine = 1 } = {},
  ) {
    this.#line = firstLine;
    this.keepsStrayQuotes = keepsStrayQuotes;
    this.#pair = delimiter.length === 2 ? delimiter : undefined;
    this.#delimiter = (this.#pair === undefined ? delimiter : FOR_PAIR).charCodeAt(0);
    this.#quoteText = quoteChar ?? '';
    this.#quote = quoteChar === null ? NONE : quoteChar.charCodeAt(0);
    this.#escape = escapeChar === undefined ? NONE : escapeChar.charCodeAt(0);
    this.#skipsSpace = skipInitialSpace ?? false;
  }

  /** Adds a piece of the text. */
  add(piece: string): void {
    this.#text = this.#text.slice(this.#at) + (this.#pair === undefined ? piece : this.#cut(piece));
    this.#codes = undefined;
    this.#at = 0;
  }

  /** Puts one character in the place of each pair. */
  #cut(piece: string): string {
    const text = (this.#half + piece).replaceAll(this.#pair as string, FOR_PAIR);
    const isHalf = text.endsWith((this.#pair as string)[0] as string);
    this.#half = isHalf ? text.slice(-1) : '';
    return isHalf ? text.slice(0, -1) : text;
  }

  #asWritten(text: string): string {
    return this.#pair === undefined ? text : text.replaceAll(FOR_PAIR, this.#pair);
  }

  /** Ends the text: there are no further pieces. */
  end(): void {
    this.#text += this.#half;
    this.#half = '';
    this.#isWhole = true;
  }

  /**
   * Returns the next record. Undefined if it does not end in the text so far, or if there is none.
   */
  next(): ParsedRecord | undefined {
    if (this.#isWaiting()) return undefined;
    const text = this.#text;
    const delimiter = this.#delimiter;
    const quote = this.#quote;
    const skipsSpace = this.#skipsSpace;
    let at = this.#at;
    while (text.charCodeAt(at) === NEWLINE) at++;
    this.#line += at - this.#at;
    this.#at = at;
    if (at === text.length) return undefined;
    // Beyond this a record is too long, however it goes on.
    const length = Math.min(text.length, at + MOST_OF_RECORD + 1);
    const cells: string[] = [];
    let line = this.#line;
    for (;;) {
      if (skipsSpace) while (text.charCodeAt(at) === SPACE) at++;
      let code = text.charCodeAt(at);
      if (code === quote) {
        const lineOfOpening = line;
        const start = at + 1;
        const close = this.#closingQuote(start);
        if (close === NO_QUOTE) return this.#unfinished(cells, 'open-quote', lineOfOpening);
        if (close < 0) {
          return this.#faulty(cells, 'needless-escape', line + newlines(text.slice(start, -close)));
        }
        const cell = text.slice(start, close);
        line += newlines(cell);
        at = close + 1;
        if (skipsSpace) while (text.charCodeAt(at) === SPACE) at++;
        if (at === length && !this.#isWhole) {
          return this.#unfinished(cells, 'open-quote', lineOfOpening);
        }
        code = text.charCodeAt(at);
        if (code === delimiter || code === NEWLINE || at >= length) {
          this.quotedCells++;
          cells.push(this.#unescaped(cell));
        } else {
          if (!this.keepsStrayQuotes) return this.#faulty(cells, 'text-behind-quote', line);
          while (code !== delimiter && code !== NEWLINE && at < length)
            code = text.charCodeAt(++at);
          cells.push(text.slice(start - 1, at));
        }
      } else {
        const start = at;
        if (code === EQUALS && text.charCodeAt(at + 1) === quote) {
          at = this.#endOfTextFormula(at);
          code = text.charCodeAt(at);
        }
        while (code !== delimiter && code !== NEWLINE && at < length) {
          if (code === quote && !this.keepsStrayQuotes) {
            return this.#faulty(cells, 'quote-in-cell', line);
          }
          code = text.charCodeAt(++at);
        }
        const cell = text.slice(start, at);
        cells.push(skipsSpace ? cell.replace(/(?<! ) +$/, '') : cell);
      }
      if (at >= length) {
        if (!this.#isWhole) return this.#unfinished(cells, 'too-long', line);
        break;
      }
      at++;
      if (code === NEWLINE) {
        line++;
        break;
      }
    }
    if (at - this.#at > MOST_OF_RECORD) return this.#faulty(cells, 'too-long', this.#line);
    const record = { cells, line: this.#line, lines: Math.max(line - this.#line, 1) };
    this.#before = this.#at;
    this.#lineBefore = this.#line;
    this.#at = at;
    this.#line = line;
    this.#least = 0;
    return record;
  }

  /** Takes the plain rows that `cut` finds from the next record on. Undefined if there are none. */
  plainRows(cut: (ahead: TextAhead) => PlainRows | undefined): PlainRows | undefined {
    if (this.#isWaiting()) return undefined;
    this.#codes ??= this.#codesOfText();
    const ahead = { text: this.#text, codes: this.#codes, at: this.#at, line: this.#line };
    const rows = cut(ahead);
    if (rows === undefined) return undefined;
    this.#at = rows.to;
    this.#line += rows.length;
    return rows;
  }

  #codesOfText(): Uint16Array {
    const { length } = this.#text;
    if (this.#memory.byteLength < 2 * length) this.#memory = new ArrayBuffer(4 * length);
    Buffer.from(this.#memory).write(this.#text, 'utf16le');
    return new Uint16Array(this.#memory, 0, length);
  }

  /** Yields the records in the text so far. After one that cannot be cut, goes on with the next line. */
  *records(): Generator<ParsedRecord> {
    for (let record = this.next(); record !== undefined; record = this.next()) {
      if (record.fault !== undefined) this.skipLines(1);
      yield record;
    }
  }

  /** Goes back to the beginning of the last record. */
  rewind(): void {
    this.#at = this.#before;
    this.#line = this.#lineBefore;
  }

  /** Returns the next lines, fewer at the end of the text. Undefined if some may still come. */
  linesAhead(most: number): string[] | undefined {
    const text = this.#text;
    const lines: string[] = [];
    for (let at = this.#at; lines.length < most && at < text.length; ) {
      const end = text.indexOf('\n', at);
      if (end < 0 && !this.#isWhole) return this.#wait();
      lines.push(this.#asWritten(text.slice(at, end < 0 ? text.length : end)));
      at = end < 0 ? text.length : end + 1;
    }
    return lines.length === most || this.#isWhole ? lines : this.#wait();
  }

  /** Characters of the text so far from the next record on. */
  get held(): number {
    return this.#text.length - this.#at;
  }

  /** Waits for twice as much text, or for as much more as a record may have. */
  #wait(): undefined {
    this.#least = this.held + Math.min(this.held, MOST_OF_RECORD);
  }

  #isWaiting(): boolean {
    return !this.#isWhole && this.held < this.#least;
  }

  /** Skips this many lines, or all there is of a line that does not end in the text so far. */
  skipLines(count: number): void {
    for (let i = 0; i < count; i++) {
      const end = this.#text.indexOf('\n', this.#at);
      this.#at = end < 0 ? this.#text.length : end + 1;
      if (end >= 0) this.#line++;
    }
    this.#least = 0;
  }

  /**
   * The index of the quote that closes a cell. NO_QUOTE if the text so far has none. If an escape
   * character precedes a character that needs none, the negated index of the latter.
   */
  #closingQuote(start: number): number {
    const text = this.#text;
    const quoteText = this.#quoteText;
    if (this.#escape === NONE) {
      let close = text.indexOf(quoteText, start);
      // Two quotes stand for one in the cell.
      while (close >= 0 && text.charCodeAt(close + 1) === this.#quote) {
        close = text.indexOf(quoteText, close + 2);
      }
      return close < 0 ? NO_QUOTE : close;
    }
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === this.#quote) return at;
      if (code !== this.#escape) continue;
      at++;
      if (at === text.length) break;
      const escaped = text.charCodeAt(at);
      if (escaped !== this.#quote && escaped !== this.#escape) return -at;
    }
    return NO_QUOTE;
  }

  /**
   * The end of a cell such as `="00123"`, by which spreadsheets keep zeros. `start` for any other
   * cell.
   */
  #endOfTextFormula(start: number): number {
    const text = this.#text;
    for (let at = start + 2; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === this.#delimiter || code === NEWLINE) return start;
      if (code !== this.#quote) continue;
      const next = text.charCodeAt(at + 1);
      if (at + 1 === text.length) return this.#isWhole ? at + 1 : text.length;
      return next === this.#delimiter || next === NEWLINE ? at + 1 : start;
    }
    return this.#isWhole ? start : text.length;
  }

  #unescaped(quoted: string): string {
    const cell = this.#asWritten(quoted);
    if (this.#escape === NONE) {
      const quote = this.#quoteText;
      return cell.includes(quote) ? cell.replaceAll(quote + quote, quote) : cell;
    }
    return cell.includes('\\') ? cell.replace(/\\(.)/gs, '$1') : cell;
  }

  /**
   * A record that may continue in the next piece. Returns a fault if it is too long or no piece
   * follows.
   */
  #unfinished(cells: string[], fault: RecordFault, faultLine: number): ParsedRecord | undefined {
    const isTooLong = this.#text.length - this.#at > MOST_OF_RECORD;
    if (isTooLong && fault === 'open-quote') fault = 'too-long-quote';
    return this.#isWhole || isTooLong ? this.#faulty(cells, fault, faultLine) : this.#wait();
  }

  #faulty(cells: string[], fault: RecordFault, faultLine: number): ParsedRecord {
    return { cells, line: this.#line, fault, faultLine };
  }
}

/** The code of no character. */
const NONE = -1;

/** No index, negated or not. */
const NO_QUOTE = Number.NEGATIVE_INFINITY;

/** The unit separator of ASCII, which stands for a delimiter of two characters. */
const FOR_PAIR = '\u001f';

const NEWLINE = 0x0a;
const EQUALS = 0x3d;
const SPACE = 0x20;

function newlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
