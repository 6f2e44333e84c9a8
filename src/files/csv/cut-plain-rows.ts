import { KnownTexts, PlainRows, roomForTexts } from '../plain-rows.ts';
import { FILLED, isPlainRow, plainTraitsIn, traitsOf } from '../totals.ts';
import type { Cut, TextAhead } from './record-parser.ts';

/** Cells that are cut before they are read. */
const MOST_CELLS = 2 ** 16;

/** Characters of a plain row. DynamoDB takes rows of this length whatever is in them. */
const MOST_OF_ROW = 2 ** 12;

/** Columns of plain rows. Rows with more are cut one by one. */
const MOST_COLUMNS = 2 ** 8;

/** Whether rows that are written so can be plain. */
export function mayBePlain(
  { delimiter = ',', escapeChar, skipInitialSpace }: Cut,
  columns: number,
): boolean {
  const isUsual = delimiter.length === 1 && escapeChar === undefined && !skipInitialSpace;
  return isUsual && columns > 1 && columns <= MOST_COLUMNS;
}

/**
 * Cuts rows that are on a line each, have as many cells as the table has columns, and have nothing
 * that may need a second look: a quote within a cell, a word for a total, a repeated header.
 */
export class PlainCutter {
  readonly #delimiter: number;
  readonly #quote: number;
  /** The first header. Undefined if the table has none. */
  readonly #header: string | undefined;
  readonly #most: number;
  readonly #known: readonly KnownTexts[];
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #ids: Int32Array;

  constructor(
    { delimiter = ',', quoteChar = '"' }: Cut,
    columns: number,
    header: string | undefined,
  ) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#quote = quoteChar === null ? -1 : quoteChar.charCodeAt(0);
    this.#header = header;
    this.#most = Math.floor(MOST_CELLS / columns);
    const room = roomForTexts();
    this.#known = Array.from({ length: columns }, () => new KnownTexts(room));
    const cells = this.#most * columns;
    this.#starts = new Int32Array(cells);
    this.#ends = new Int32Array(cells);
    this.#ids = new Int32Array(cells);
  }

  /** The plain rows from here on, at most `most`. Undefined if there are none. */
  cut({ text, codes, at, line }: TextAhead, most: number): PlainRows | undefined {
    const rows = Math.min(most, this.#most);
    let [length, to] = [0, at];
    for (; length < rows; length++) {
      const next = this.#cutRow(text, codes, to, length);
      if (next < 0) break;
      to = next;
    }
    if (length === 0) return undefined;
    const cells = { starts: this.#starts, ends: this.#ends, ids: this.#ids };
    return new PlainRows({ text, codes, to, firstLine: line, length, known: this.#known }, cells);
  }

  /** Cuts a row. Returns where the next one begins, or -1 if the row is not plain. */
  #cutRow(text: string, codes: Uint16Array, from: number, row: number): number {
    const { length } = codes;
    const [delimiter, quote, known] = [this.#delimiter, this.#quote, this.#known];
    const [starts, ends, ids] = [this.#starts, this.#ends, this.#ids];
    const columns = known.length;
    let at = from;
    let [all, filled] = [0, 0];
    for (let column = 0, place = row * columns; column < columns; column++, place++) {
      let start = at;
      let end = at;
      if (codes[at] === quote) {
        start = ++at;
        while (at < length && codes[at] !== quote && codes[at] !== NEWLINE) at++;
        if (codes[at] !== quote) return -1;
        end = at++;
      } else {
        for (; at < length; at++) {
          const code = codes[at] as number;
          if (code === delimiter || code === NEWLINE) break;
          if (code === quote) return -1;
        }
        end = at;
      }
      // Not plain either if the text ends here, where it may go on.
      if (at >= length || codes[at] !== (column === columns - 1 ? NEWLINE : delimiter)) return -1;
      at++;
      const texts = known[column] as KnownTexts;
      const id = texts.isOver ? -1 : texts.idOf(codes, start, end);
      const traits =
        id >= 0
          ? texts.traitsOf(id)
          : plainTraitsIn(codes, start, end) || traitsOf(text.slice(start, end));
      all |= traits;
      if ((traits & FILLED) !== 0) filled++;
      starts[place] = start;
      ends[place] = end;
      ids[place] = id;
    }
    const isPlain = filled > 1 && at - from <= MOST_OF_ROW && isPlainRow(all);
    return isPlain && !this.#isHeaderAgain(text, row * columns) ? at : -1;
  }

  /** Whether the row may be the header again, as far as its first cell shows. */
  #isHeaderAgain(text: string, place: number): boolean {
    const header = this.#header;
    if (header === undefined) return false;
    const [start, end] = [this.#starts[place] as number, this.#ends[place] as number];
    const first = text.charCodeAt(start);
    if (end > start && first > 0x20 && first < 0x80 && first !== header.charCodeAt(0)) return false;
    return text.slice(start, end).trim() === header;
  }
}

const NEWLINE = 0x0a;
