import type { SearchedField } from '../query/predicate.ts';
import { phoneWords } from '../text/pattern.ts';
import { startOf, type TextRun, textAt } from '../text/text-run.ts';
import { ByteTexts, orderOfTexts, placesOf } from './byte-texts.ts';
import {
  boundOf,
  CHUNK_ROWS,
  type Chunk,
  type ChunkEntry,
  countCodes,
  type EncodedColumn,
  orderedChunkRows,
  type TextList,
  type UintArray,
  uintArrayFor,
  WORD_COLUMNS,
} from './chunk.ts';
import { type PackedColumn, type PackedColumns, packChunk } from './encode-chunk.ts';
import { encodeUnits } from './encode-column.ts';
import { chunksOf } from './memory-rows.ts';
import { rowOrder } from './selection.ts';
import { endOfWord, wordsIn } from './word-index.ts';

/**
 * Runs of rows with the same word that a list of words has. A dataset with more has no list, and a
 * search goes through the texts of its chunks.
 *
 * Their directory must fit in an item of DynamoDB, and the import holds four bytes of each run.
 */
const MOST_RUNS = 2 ** 25;

/** Different words that a list has. A dataset with more has no list. */
const MOST_WORDS = 2 ** 19;

/** Fewer rows than this are looked through as fast as the words are found. */
const LEAST_ROWS = 2 ** 10;

/**
 * Adds the words of the rows in their order, each with the rows that have it: a search reads only
 * the words that it finds. The directory of the first field that is searched says that they are
 * there.
 */
export function withWords(
  packed: PackedColumns,
  searched: readonly SearchedField[],
): PackedColumns {
  const [first] = searched;
  if (first === undefined || packed.rows < LEAST_ROWS) return packed;
  const list = new WordList();
  const columns = searched.map(({ name }) => chunksOf(packed, name));
  for (let from = 0; from < packed.rows; from += packed.rowsPerChunk) {
    const texts = columns.map((chunks, i) =>
      searchedTexts(chunks.next().value as Chunk, (searched[i] as SearchedField).byDigits),
    );
    list.addChunk(from, texts);
    if (list.runs > MOST_RUNS || list.words > MOST_WORDS) return packed;
  }
  if (list.runs === 0) return packed;
  const { directory, chunks } = packed.columns.get(first.name) as PackedColumn;
  const words = {
    rows: list.runs,
    rowsPerChunk: orderedChunkRows(list.runs, packed.rowsPerChunk),
    fields: searched.map(({ name }) => name),
  };
  return {
    ...packed,
    columns: new Map([
      ...packed.columns,
      [first.name, { directory: { ...directory, words }, chunks }],
      ...list.packed(words.rowsPerChunk),
    ]),
  };
}

/** The texts of a chunk whose words are looked for, and for each row the code of its text. */
type SearchedTexts = Pick<Chunk, 'codes'> & { readonly texts: TextRun };

function searchedTexts({ codes, dictionary }: Chunk, byDigits: boolean): SearchedTexts {
  const { keys, texts, textCodes } = dictionary as TextList;
  if (!byDigits) return { codes, texts: keys };
  const phones = Array.from(texts.ends, (_, code) => Buffer.from(phoneWords(textAt(texts, code))));
  let end = 0;
  const ends = Uint32Array.from(phones, ({ length }) => {
    end += length;
    return end;
  });
  return { codes: textCodes ?? codes, texts: { bytes: Buffer.concat(phones), ends } };
}

/** The runs of rows of one chunk, word by word. */
type RunsOfChunk = {
  /** The position of the chunk's first row. */
  readonly first: number;
  /** The words that the chunk has, and where the runs of each end. */
  readonly words: Uint32Array;
  readonly ends: Uint32Array;
  /** The first and the last row of each run. */
  readonly starts: Uint16Array;
  readonly lasts: Uint16Array;
};

/** The words of a dataset's rows, chunk by chunk. */
class WordList {
  readonly #words = new WordTable();
  readonly #chunks: RunsOfChunk[] = [];
  runs = 0;

  get words(): number {
    return this.#words.count;
  }

  addChunk(first: number, columns: readonly SearchedTexts[]): void {
    const ofColumns = columns.map((column) => ({
      ...this.#words.idsIn(column.texts),
      ...rowsOfTexts(column),
    }));
    const found = new RunsOfWords(first, ofColumns, this.words);
    this.#chunks.push(found.runs());
    this.runs += found.count;
  }

  /** The columns of the list: the words ascend, and the rows of each. */
  packed(rowsPerChunk: number): Map<string, PackedColumn> {
    const inOrder = this.#words.inOrder();
    const ranks = new Uint32Array(inOrder.length);
    for (let rank = 0; rank < ranks.length; rank++) ranks[inOrder[rank] as number] = rank;
    const packer = new WordPacker(rowsPerChunk);
    const orders = this.#chunks.map(({ words }) => {
      const order = Array.from(words.keys());
      return order.sort(
        (a, b) => (ranks[words[a] as number] as number) - (ranks[words[b] as number] as number),
      );
    });
    const next = orders.map(() => 0);
    for (const word of inOrder) {
      packer.begin(this.#words.bytesOf(word));
      for (const [i, { first, words, ends, starts, lasts }] of this.#chunks.entries()) {
        const index = orders[i]?.[next[i] as number];
        if (index === undefined || words[index] !== word) continue;
        next[i] = (next[i] as number) + 1;
        const end = ends[index] as number;
        for (let run = index === 0 ? 0 : (ends[index - 1] as number); run < end; run++) {
          packer.add(first + (starts[run] as number), first + (lasts[run] as number) + 1);
        }
      }
    }
    return packer.packed();
  }
}

/** The rows of a column's texts: those of text `code` come before `rowEnds[code]`. */
type RowsOfTexts = { readonly rows: Uint16Array; readonly rowEnds: Uint32Array };

function rowsOfTexts({ codes, texts }: SearchedTexts): RowsOfTexts {
  return { rows: rowOrder(codes), rowEnds: sums(countCodes(codes, texts.ends.length)) };
}

/** Replaces each count by its sum with all before it. */
function sums(counts: Uint32Array): Uint32Array {
  for (let i = 1; i < counts.length; i++) {
    counts[i] = (counts[i] as number) + (counts[i - 1] as number);
  }
  return counts;
}

/** With more rows than this, a word's rows are marked as bits rather than sorted. */
const FEW_ROWS = 16;

/** Finds the runs of rows of a chunk with each word. */
class RunsOfWords {
  readonly #first: number;
  readonly #columns: readonly (IdsOfTexts & RowsOfTexts)[];
  /** The texts that have each word, by column and code, and where those of each word end. */
  readonly #columnOf: Uint16Array;
  readonly #codes: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #bits = new Uint32Array(CHUNK_ROWS / 32);
  readonly #few = new Uint16Array(FEW_ROWS);
  #starts = new Uint16Array(CHUNK_ROWS);
  #lasts = new Uint16Array(CHUNK_ROWS);
  count = 0;

  constructor(first: number, columns: readonly (IdsOfTexts & RowsOfTexts)[], words: number) {
    this.#first = first;
    this.#columns = columns;
    const ends = new Uint32Array(words);
    for (const { ids } of columns) {
      for (let i = 0; i < ids.length; i++) {
        const word = ids[i] as number;
        ends[word] = (ends[word] as number) + 1;
      }
    }
    const count = sums(ends).at(-1) ?? 0;
    this.#columnOf = new Uint16Array(count);
    this.#codes = new Uint32Array(count);
    const next = ends.slice();
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
    this.#ends = ends;
  }

  runs(): RunsOfChunk {
    const [words, ends]: [number[], number[]] = [[], []];
    for (let word = 0, from = 0; word < this.#ends.length; word++) {
      const to = this.#ends[word] as number;
      if (to > from) this.#addWord(from, to);
      if (this.count > (ends.at(-1) ?? 0)) {
        words.push(word);
        ends.push(this.count);
      }
      from = to;
    }
    return {
      first: this.#first,
      words: Uint32Array.from(words),
      ends: Uint32Array.from(ends),
      starts: this.#starts.slice(0, this.count),
      lasts: this.#lasts.slice(0, this.count),
    };
  }

  #addWord(from: number, to: number): void {
    let rows = 0;
    for (let at = from; at < to; at++) {
      const { rowEnds } = this.#columns[this.#columnOf[at] as number] as RowsOfTexts;
      const code = this.#codes[at] as number;
      rows += (rowEnds[code] as number) - (code === 0 ? 0 : (rowEnds[code - 1] as number));
    }
    this.#reserve(Math.min(rows, CHUNK_ROWS));
    if (rows <= FEW_ROWS) this.#addFew(from, to);
    else this.#addMany(from, to);
  }

  #addFew(from: number, to: number): void {
    let found = 0;
    for (let at = from; at < to; at++) {
      const { rows, rowEnds } = this.#columns[this.#columnOf[at] as number] as RowsOfTexts;
      const code = this.#codes[at] as number;
      const end = rowEnds[code] as number;
      for (let i = code === 0 ? 0 : (rowEnds[code - 1] as number); i < end; i++) {
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
      const { rows, rowEnds } = this.#columns[this.#columnOf[at] as number] as RowsOfTexts;
      const code = this.#codes[at] as number;
      const end = rowEnds[code] as number;
      for (let i = code === 0 ? 0 : (rowEnds[code - 1] as number); i < end; i++) {
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

/** Packs runs of rows, which come word by word. */
class WordPacker {
  readonly #columns = Object.values(WORD_COLUMNS).map((name) => ({
    name,
    entries: [] as ChunkEntry[],
    chunks: [] as Buffer[],
  }));
  readonly #rowsPerChunk: number;
  readonly #codes: Uint32Array;
  readonly #gaps: Float64Array;
  readonly #lengths: Float64Array;
  #words: Buffer[] = [];
  #runs = 0;
  #word: Buffer = Buffer.alloc(0);
  /** The end of the run before, of the same word in the same chunk. */
  #end = -1;

  constructor(rowsPerChunk: number) {
    this.#rowsPerChunk = rowsPerChunk;
    this.#codes = new Uint32Array(rowsPerChunk);
    this.#gaps = new Float64Array(rowsPerChunk);
    this.#lengths = new Float64Array(rowsPerChunk);
  }

  begin(word: Buffer): void {
    this.#word = word;
    this.#end = -1;
  }

  add(start: number, end: number): void {
    if (this.#end < 0) {
      this.#words.push(this.#word);
      this.#end = 0;
    }
    this.#codes[this.#runs] = this.#words.length - 1;
    this.#gaps[this.#runs] = start - this.#end;
    this.#lengths[this.#runs] = end - start;
    this.#end = end;
    if (++this.#runs === this.#rowsPerChunk) this.#close();
  }

  packed(): Map<string, PackedColumn> {
    if (this.#runs > 0) this.#close();
    return new Map(
      this.#columns.map(({ name, entries, chunks }) => [
        name,
        { directory: { chunks: entries }, chunks },
      ]),
    );
  }

  #close(): void {
    const runs = this.#runs;
    const encoded = [
      encodedWords(this.#words, this.#codes.subarray(0, runs)),
      encodeUnits(this.#gaps.subarray(0, runs), 0),
      encodeUnits(this.#lengths.subarray(0, runs), 0),
    ];
    for (const [i, one] of encoded.entries()) {
      const { bytes, entry } = packChunk(one);
      this.#columns[i]?.entries.push(entry);
      this.#columns[i]?.chunks.push(bytes);
    }
    this.#words = [];
    this.#runs = 0;
    this.#end = -1;
  }
}

function encodedWords(words: readonly Buffer[], codes: Uint32Array): EncodedColumn {
  const bytes = Buffer.concat(words);
  const size = words.length;
  const bound = (word: Buffer | undefined) => boundOf(String(word));
  return {
    codes: narrowed(codes, size),
    firstKey: 0,
    size,
    nulls: 0,
    distinct: size,
    dictionary: { kind: 'texts', keyBytes: bytes.length },
    parts: [Uint32Array.from(words, ({ length }) => length), bytes],
    bounds: [bound(words[0]), bound(words.at(-1))],
  };
}

function narrowed(codes: Uint32Array, size: number): UintArray {
  const narrow = uintArrayFor(size, codes.length);
  narrow.set(codes);
  return narrow;
}

/** The words of some texts: of text `code` those up to `ends[code]`. */
type IdsOfTexts = { readonly ids: Uint32Array; readonly ends: Uint32Array };

/** Gives each different word an id when it is first met. */
class WordTable {
  readonly #words = new ByteTexts();

  get count(): number {
    return this.#words.count;
  }

  idsIn(texts: TextRun): IdsOfTexts {
    const { bytes, ends: endsOfTexts } = texts;
    const ends = new Uint32Array(endsOfTexts.length);
    // After each word comes a byte of none, except after the last word of a text.
    const ids = new Uint32Array((bytes.length + ends.length) >>> 1);
    let [code, found] = [0, 0];
    for (const { wordStarts } of wordsIn(texts)) {
      for (let i = 0; i < wordStarts.length; i++) {
        const start = wordStarts[i] as number;
        while ((endsOfTexts[code] as number) <= start) ends[code++] = found;
        const end = endOfWord(bytes, start, endsOfTexts[code] as number);
        ids[found++] = this.#words.idOf(bytes, start, end);
      }
    }
    ends.fill(found, code);
    return { ids: ids.subarray(0, found), ends };
  }

  bytesOf(id: number): Buffer {
    const { run } = this.#words;
    return run.bytes.subarray(startOf(run, id), run.ends[id]);
  }

  /** The words in the order of their bytes. */
  inOrder(): Uint32Array {
    return orderOfTexts(placesOf(this.#words.run));
  }
}
