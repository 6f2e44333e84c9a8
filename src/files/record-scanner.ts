import type { Dialect } from '../block/declaration.ts';
import { numberText } from '../values/wording.ts';
import { SeedError } from './source-table.ts';

/**
 * Goes through a delimited text that comes in pieces: counts its records, keeps the last of them and
 * tells how quotes are used, many times faster than cells can be read.
 */
export class RecordScanner {
  readonly #file: string;
  readonly #delimiter: number;
  readonly #quote: number;
  readonly #escape: number;
  readonly #skipsSpace: boolean;
  #place = BEGINS;
  /** The record being read, as far as earlier pieces had it. */
  #begun = '';
  #line = 1;
  #lineOfRecord = 1;
  /** How many records were read; blank lines are none. */
  records = 0;
  /** The last records, as written. */
  readonly last: string[] = [];
  /** The line of the last quote that was opened. */
  lineOfOpening = 1;
  /** Whether a cell is quoted as a whole. */
  hasQuotedCell = false;
  /** The line of the first quote that neither opens nor closes a cell, or escape that escapes none. */
  lineOfFault: number | undefined;

  constructor(file: string, dialect: Dialect) {
    const { delimiter = ',', quoteChar = '"', escapeChar, skipInitialSpace } = dialect;
    this.#file = file;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#quote = quoteChar === null ? Number.NaN : quoteChar.charCodeAt(0);
    this.#escape = escapeChar === undefined ? Number.NaN : escapeChar.charCodeAt(0);
    this.#skipsSpace = skipInitialSpace ?? false;
  }

  /** Whether a quote is open: at the file's end, one that nothing closes. */
  get isOpen(): boolean {
    return this.#place === QUOTED || this.#place === ESCAPED;
  }

  /** Throws a SeedError if a record is too large. */
  add(text: string): void {
    let place = this.#place;
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (place === ESCAPED) {
        // csv-parse would drop the escape before any character.
        if (code !== this.#quote && code !== this.#escape) this.lineOfFault ??= this.#line;
        if (code === NEWLINE) this.#line++;
        place = QUOTED;
      } else if (code === this.#quote) {
        place = this.#placeBehindQuote(place);
      } else if (place === QUOTED) {
        if (code === NEWLINE) this.#line++;
        else if (code === this.#escape) place = ESCAPED;
      } else if (code === this.#delimiter || code === NEWLINE) {
        if (place === CLOSED) this.hasQuotedCell = true;
        place = BEGINS;
        if (code === this.#delimiter) continue;
        this.#line++;
        this.#endRecord(text.slice(start, at));
        start = at + 1;
      } else if (place !== PLAIN && !(this.#skipsSpace && code === SPACE)) {
        if (place === CLOSED) this.lineOfFault ??= this.#line;
        place = PLAIN;
      }
    }
    this.#place = place;
    this.#begun += text.slice(start);
    this.#checkLength(this.#begun);
  }

  /** Called at the file's end. */
  end(): void {
    if (this.#place === CLOSED) this.hasQuotedCell = true;
    this.#endRecord('');
  }

  #placeBehindQuote(place: Place): Place {
    if (place === QUOTED) return CLOSED;
    // Behind a closing quote, a second one makes it a quote in the cell.
    if (place === CLOSED && Number.isNaN(this.#escape)) return QUOTED;
    if (place === BEGINS) {
      this.lineOfOpening = this.#line;
      return QUOTED;
    }
    this.lineOfFault ??= this.#line;
    return PLAIN;
  }

  #endRecord(text: string): void {
    const record = this.#begun + text;
    this.#begun = '';
    this.#checkLength(record);
    this.#lineOfRecord = this.#line;
    if (record === '') return;
    this.records++;
    this.last.push(record);
    if (this.last.length > KEPT) this.last.shift();
  }

  #checkLength(record: string): void {
    if (record.length <= MOST_OF_RECORD) return;
    const [reason, line] = this.isOpen
      ? ['a quote is opened here and not closed', this.lineOfOpening]
      : ['a record begins here that does not end', this.#lineOfRecord];
    throw new SeedError(this.#file, `${reason} within ${numberText(MOST_OF_RECORD)} characters`, {
      line,
    });
  }
}

/** Where the scanner is: before a cell's first character, in it, or behind its closing quote. */
const BEGINS = 0;
const PLAIN = 1;
const QUOTED = 2;
const CLOSED = 3;
const ESCAPED = 4;
type Place = number;

const NEWLINE = 0x0a;
const SPACE = 0x20;

/** So many records are kept: totals and notes at a file's end are fewer. */
export const KEPT = 20;

/** The most characters of a record: DynamoDB takes items of 400 KB. */
export const MOST_OF_RECORD = 2 ** 20;
