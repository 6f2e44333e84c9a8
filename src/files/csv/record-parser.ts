import type { Dialect } from '../../block/declaration.ts';

/** Why a record cannot be cut as the dialect says. */
export type RecordFault =
  /** A quote stands in a cell that does not begin with one. */
  | 'quote-in-cell'
  /** A closing quote is followed by something other than a delimiter or a line end. */
  | 'text-behind-quote'
  /** An escape character stands before a character that needs none. */
  | 'needless-escape'
  /** A quote is opened and never closed. */
  | 'open-quote'
  /** It has over MOST_OF_RECORD characters. */
  | 'too-long'
  /** The same, and a quote is open. */
  | 'too-long-quote';

/** A record of a delimited text. */
export type ParsedRecord = {
  /** Without their quotes; if there is a fault, the cells before it. */
  readonly cells: string[];
  /** The line that it begins in, counted from 1. */
  readonly line: number;
  /** How many lines it has, unless there is a fault. */
  readonly lines?: number;
  readonly fault?: RecordFault;
  /** The line of the fault; that of the opening quote if the quote is not closed. */
  readonly faultLine?: number;
};

/** How a text is cut into records and cells. */
export type Cut = Pick<Dialect, 'delimiter' | 'quoteChar' | 'escapeChar' | 'skipInitialSpace'>;

/** A record of a file, in characters. DynamoDB takes items of 400 KB. */
export const MOST_OF_RECORD = 2 ** 20;

/**
 * Cuts a delimited text into records (RFC 4180, with the dialect's signs). The text comes in pieces,
 * with LF at the ends of its lines. Blank lines are no records. At a record that cannot be cut, the
 * parser gives its fault and stays; `skipLines` says how many lines it has.
 */
export class RecordParser {
  readonly #delimiter: number;
  readonly #quote: number;
  readonly #quoteText: string;
  readonly #escape: number;
  readonly #skipsSpace: boolean;
  /** Whether a quote in the wrong place is a character of its cell. */
  keepsStrayQuotes: boolean;
  #text = '';
  #isWhole = false;
  /** Where the next record begins. */
  #at = 0;
  #line = 1;
  #before = 0;
  #lineBefore = 1;
  /** How many cells were quoted as a whole. */
  quotedCells = 0;

  constructor(
    { delimiter = ',', quoteChar = '"', escapeChar, skipInitialSpace }: Cut,
    { keepsStrayQuotes = false, firstLine = 1 } = {},
  ) {
    this.#line = firstLine;
    this.keepsStrayQuotes = keepsStrayQuotes;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#quoteText = quoteChar ?? '';
    this.#quote = quoteChar === null ? NONE : quoteChar.charCodeAt(0);
    this.#escape = escapeChar === undefined ? NONE : escapeChar.charCodeAt(0);
    this.#skipsSpace = skipInitialSpace ?? false;
  }

  /** Adds a piece of the text. */
  add(piece: string): void {
    this.#text = this.#text.slice(this.#at) + piece;
    this.#at = 0;
  }

  /** Says that the text has no further pieces. */
  end(): void {
    this.#isWhole = true;
  }

  /** The next record; undefined if it does not end in the text so far, or if there is none. */
  next(): ParsedRecord | undefined {
    const text = this.#text;
    const { length } = text;
    const delimiter = this.#delimiter;
    const quote = this.#quote;
    const skipsSpace = this.#skipsSpace;
    let at = this.#at;
    while (at < length && text.charCodeAt(at) === NEWLINE) at++;
    this.#line += at - this.#at;
    this.#at = at;
    if (at === length) return undefined;
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
        cells.push(skipsSpace ? cell.replace(/ +$/, '') : cell);
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
    return record;
  }

  /** Goes back to the beginning of the record that was given last. */
  rewind(): void {
    this.#at = this.#before;
    this.#line = this.#lineBefore;
  }

  /** So many lines from where the parser is, or fewer at the text's end; undefined if they are not all there yet. */
  linesAhead(most: number): string[] | undefined {
    const text = this.#text;
    const lines: string[] = [];
    for (let at = this.#at; lines.length < most && at < text.length; ) {
      const end = text.indexOf('\n', at);
      if (end < 0 && !this.#isWhole) return undefined;
      lines.push(text.slice(at, end < 0 ? text.length : end));
      at = end < 0 ? text.length : end + 1;
    }
    return lines.length === most || this.#isWhole ? lines : undefined;
  }

  /** Goes on behind so many lines. */
  skipLines(count: number): void {
    for (let i = 0; i < count; i++) {
      const end = this.#text.indexOf('\n', this.#at);
      this.#at = end < 0 ? this.#text.length : end + 1;
    }
    this.#line += count;
  }

  /**
   * Where the quote is that closes a cell; NO_QUOTE if the text so far has none; if an escape
   * character stands before one that needs none, where that is, negated.
   */
  #closingQuote(start: number): number {
    const text = this.#text;
    const quoteText = this.#quoteText;
    if (this.#escape === NONE) {
      let close = text.indexOf(quoteText, start);
      // Two quotes are one of the cell.
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
   * Where a cell such as `="00123"` ends, by which spreadsheets keep zeros; where it begins if it is
   * another one.
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

  #unescaped(cell: string): string {
    if (this.#escape === NONE) {
      const quote = this.#quoteText;
      return cell.includes(quote) ? cell.replaceAll(quote + quote, quote) : cell;
    }
    return cell.includes('\\') ? cell.replace(/\\(.)/gs, '$1') : cell;
  }

  /** A record that may go on in the next piece, unless it is too long already or there is none. */
  #unfinished(cells: string[], fault: RecordFault, faultLine: number): ParsedRecord | undefined {
    const isTooLong = this.#text.length - this.#at > MOST_OF_RECORD;
    if (isTooLong && fault === 'open-quote') fault = 'too-long-quote';
    return this.#isWhole || isTooLong ? this.#faulty(cells, fault, faultLine) : undefined;
  }

  #faulty(cells: string[], fault: RecordFault, faultLine: number): ParsedRecord {
    return { cells, line: this.#line, fault, faultLine };
  }
}

/** No character has this code. */
const NONE = -1;

/** No place in a text, nor one negated. */
const NO_QUOTE = Number.NEGATIVE_INFINITY;

const NEWLINE = 0x0a;
const EQUALS = 0x3d;
const SPACE = 0x20;

function newlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
