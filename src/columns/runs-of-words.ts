import type { TextRun } from '../text/text-run.ts';
import { CHUNK_ROWS, type Chunk, countCodes } from './chunk.ts';
import { rowOrder } from './selection.ts';

/** The texts of a chunk whose words are looked for, and for each row the code of its text. */
export type SearchedTexts = Pick<Chunk, 'codes'> & { readonly texts: TextRun };

/** The words of some texts: of text `code` those up to `ends[code]`. */
export type IdsOfTexts = { readonly ids: Uint32Array; readonly ends: Uint32Array };

/** The runs of rows of one chunk, word by word. */
export type RunsOfChunk = {
  /** The position of the chunk's first row. */
  readonly first: number;
  /** The words that the chunk has; the runs of the word at `index` are from `bounds[index]` on. */
  readonly words: Uint32Array;
  readonly bounds: Uint32Array;
  /** The first and the last row of each run. */
  readonly starts: Uint16Array;
  readonly lasts: Uint16Array;
};

/** The rows of a column's texts: those of text `code` are from `bounds[code]` on. */
type RowsOfTexts = { readonly rows: Uint16Array; readonly bounds: Uint32Array };

export function rowsOfTexts({ codes, texts }: SearchedTexts): RowsOfTexts {
  return {
    rows: rowOrder(codes, texts.ends.length),
    bounds: boundsOf(countCodes(codes, texts.ends.length)),
  };
}

/** The sum of the counts before each, and then of all. */
function boundsOf(counts: Uint32Array): Uint32Array {
  const bounds = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) {
    bounds[i + 1] = (bounds[i] as number) + (counts[i] as number);
  }
  return bounds;
}

/** With more rows than this, a word's rows are marked as bits rather than sorted. */
const FEW_ROWS = 16;

/** Finds the runs of rows of a chunk with each word. */
export class RunsOfWords {
  readonly #first: number;
  readonly #columns: readonly (IdsOfTexts & RowsOfTexts)[];
  /** The texts that have each word, by column and code: those of a word from `#bounds[word]` on. */
  readonly #columnOf: Uint16Array;
  readonly #codes: Uint32Array;
  readonly #bounds: Uint32Array;
  readonly #bits = new Uint32Array(CHUNK_ROWS / 32);
  readonly #few = new Uint16Array(FEW_ROWS);
  #starts = new Uint16Array(CHUNK_ROWS);
  #lasts = new Uint16Array(CHUNK_ROWS);
  count = 0;

  constructor(first: number, columns: readonly (IdsOfTexts & RowsOfTexts)[], words: number) {
    this.#first = first;
    this.#columns = columns;
    const counts = new Uint32Array(words);
    for (const { ids } of columns) {
      for (let i = 0; i < ids.length; i++) {
        const word = ids[i] as number;
        counts[word] = (counts[word] as number) + 1;
      }
    }
    this.#bounds = boundsOf(counts);
    const count = this.#bounds[words] as number;
    this.#columnOf = new Uint16Array(count);
    this.#codes = new Uint32Array(count);
    // The texts of a word are written from the last one back.
    const next = this.#bounds.slice(1);
    for (const [column, { ids, ends: endsOfTexts }] of columns.entries()) {
      for (let code = 0, i = 0; code < endsOfTexts.length; code++) {
        for (; i < (endsOfTexts[code] as number); i++) {
          const at = (next[ids[i] as number] as number) - 1;
          next[ids[i] as number] = at;
          this.#columnOf[at] = column;
          this.#codes[at] = code;
        }
      }
    }
  }

  runs(): RunsOfChunk {
    const all = this.#bounds;
    const [words, bounds] = [new Uint32Array(all.length), new Uint32Array(all.length)];
    let found = 0;
    for (let word = 0; word < all.length - 1; word++) {
      const [from, to] = [all[word] as number, all[word + 1] as number];
      if (to > from) this.#addWord(from, to);
      if (this.count === bounds[found]) continue;
      words[found++] = word;
      bounds[found] = this.count;
    }
    return {
      first: this.#first,
      words: words.slice(0, found),
      bounds: bounds.slice(0, found + 1),
      starts: this.#starts.slice(0, this.count),
      lasts: this.#lasts.slice(0, this.count),
    };
  }

  #addWord(from: number, to: number): void {
    const rows = this.#rowsOf(from, to);
    this.#reserve(Math.min(rows, CHUNK_ROWS));
    if (rows <= FEW_ROWS) this.#addFew(from, to);
    else this.#addMany(from, to);
  }

  /** The rows of some texts. A row with two of them counts twice. */
  #rowsOf(from: number, to: number): number {
    let rows = 0;
    for (let at = from; at < to; at++) {
      const { bounds } = this.#columns[this.#columnOf[at] as number] as RowsOfTexts;
      const code = this.#codes[at] as number;
      rows += (bounds[code + 1] as number) - (bounds[code] as number);
    }
    return rows;
  }

  #addFew(from: number, to: number): void {
    let found = 0;
    for (let at = from; at < to; at++) {
      const { rows, bounds } = this.#columns[this.#columnOf[at] as number] as RowsOfTexts;
      const code = this.#codes[at] as number;
      const end = bounds[code + 1] as number;
      for (let i = bounds[code] as number; i < end; i++) {
        const row = rows[i] as number;
        let place = found++;
        for (; place > 0 && (this.#few[place - 1] as number) > row; place--) {
          this.#few[place] = this.#few[place - 1] as number;
        }
        this.#few[place] = row;
      }
    }
    for (let i = 0; i < found; i++) {
      const row = this.#few[i] as number;
      const before = i === 0 ? -2 : (this.#few[i - 1] as number);
      if (row === before) continue;
      if (row === before + 1) this.#lasts[this.count - 1] = row;
      else this.#add(row, row);
    }
  }

  #addMany(from: number, to: number): void {
    const bits = this.#bits;
    for (let at = from; at < to; at++) {
      const { rows, bounds } = this.#columns[this.#columnOf[at] as number] as RowsOfTexts;
      const code = this.#codes[at] as number;
      const end = bounds[code + 1] as number;
      for (let i = bounds[code] as number; i < end; i++) {
        const row = rows[i] as number;
        bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31));
      }
    }
    let before = -2;
    for (let word = 0; word < bits.length; word++) {
      let left = bits[word] as number;
      bits[word] = 0;
      while (left !== 0) {
        const row = word * 32 + 31 - Math.clz32(left & -left);
        left &= left - 1;
        if (row === before + 1) this.#lasts[this.count - 1] = row;
        else this.#add(row, row);
        before = row;
      }
    }
  }

  #add(start: number, last: number): void {
    this.#starts[this.count] = start;
    this.#lasts[this.count++] = last;
  }

  /** Makes room for this many more runs. */
  #reserve(more: number): void {
    if (this.count + more <= this.#starts.length) return;
    const length = Math.max(this.count + more, 2 * this.#starts.length);
    const [starts, lasts] = [new Uint16Array(length), new Uint16Array(length)];
    starts.set(this.#starts);
    lasts.set(this.#lasts);
    [this.#starts, this.#lasts] = [starts, lasts];
  }
}
