import { hashOfBytes } from '../measures/text-ids.ts';
import type { SearchedField } from '../query/predicate.ts';
import { phoneWords } from '../text/pattern.ts';
import { type TextRun, textAt } from '../text/text-run.ts';
import {
  boundOf,
  type Chunk,
  type ChunkEntry,
  type EncodedColumn,
  orderedChunkRows,
  type TextList,
  type UintArray,
  uintArrayFor,
  WORD_COLUMNS,
  type WordOrder,
} from './chunk.ts';
import { type PackedColumn, type PackedColumns, packChunk } from './encode-chunk.ts';
import { encodeUnits } from './encode-column.ts';
import { chunksOf } from './memory-rows.ts';
import {
  type IdsOfTexts,
  type RunsOfChunk,
  RunsOfWords,
  rowsOfTexts,
  type SearchedTexts,
} from './runs-of-words.ts';
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

/** The words of a dataset's rows, as they are stored. */
export type PackedWords = {
  readonly order: WordOrder;
  readonly columns: ReadonlyMap<string, PackedColumn>;
};

/**
 * Packs the words of the rows in their order, each with the rows that have it: a search reads only
 * the words that it finds. Undefined if a dataset has too few or too many for that.
 */
export function packWords(
  packed: PackedColumns,
  searched: readonly SearchedField[],
): PackedWords | undefined {
  if (searched.length === 0 || packed.rows < LEAST_ROWS) return undefined;
  const list = new WordList();
  const columns = searched.map(({ name }) => chunksOf(packed, name));
  for (let from = 0; from < packed.rows; from += packed.rowsPerChunk) {
    const texts = columns.map((chunks, i) =>
      searchedTexts(chunks.next().value as Chunk, (searched[i] as SearchedField).byDigits),
    );
    list.addChunk(from, texts);
    if (list.runs > MOST_RUNS || list.words > MOST_WORDS) return undefined;
  }
  if (list.runs === 0) return undefined;
  const order = {
    rows: list.runs,
    rowsPerChunk: orderedChunkRows(list.runs, packed.rowsPerChunk),
    fields: searched.map(({ name }) => name),
  };
  return { order, columns: list.packed(order.rowsPerChunk) };
}

/** Adds packed words. The directory of the first field that is searched says that they are there. */
export function withWords(packed: PackedColumns, words: PackedWords | undefined): PackedColumns {
  if (words === undefined) return packed;
  const [first] = words.order.fields as readonly [string];
  const { directory, chunks } = packed.columns.get(first) as PackedColumn;
  const own = { directory: { ...directory, words: words.order }, chunks };
  return { ...packed, columns: new Map([...packed.columns, [first, own], ...words.columns]) };
}

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
    const ranks = this.#words.ranks();
    const packer = new WordPacker(rowsPerChunk);
    const orders = this.#chunks.map(({ words }) => {
      const order = Array.from(words.keys());
      return order.sort(
        (a, b) => (ranks[words[a] as number] as number) - (ranks[words[b] as number] as number),
      );
    });
    const next = orders.map(() => 0);
    for (const word of inOrder(ranks)) {
      packer.begin(this.#words.bytesOf(word));
      for (const [i, { first, words, bounds, starts, lasts }] of this.#chunks.entries()) {
        const index = orders[i]?.[next[i] as number];
        if (index === undefined || words[index] !== word) continue;
        next[i] = (next[i] as number) + 1;
        const end = bounds[index + 1] as number;
        for (let run = bounds[index] as number; run < end; run++) {
          packer.add(first + (starts[run] as number), first + (lasts[run] as number) + 1);
        }
      }
    }
    return packer.packed();
  }
}

/** The ids by their ranks. */
function inOrder(ranks: Uint32Array): Uint32Array {
  const order = new Uint32Array(ranks.length);
  for (let id = 0; id < ranks.length; id++) order[ranks[id] as number] = id;
  return order;
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

/** Gives each different word an id when it is first met: a hash table of their bytes. */
class WordTable {
  #bytes = Buffer.allocUnsafe(2 ** 16);
  #ends = new Uint32Array(2 ** 12);
  /** An id and 1; 0 in a free bucket. */
  #table = new Uint32Array(2 ** 13);
  count = 0;

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
        ids[found++] = this.#idOf(
          bytes,
          start,
          endOfWord(bytes, start, endsOfTexts[code] as number),
        );
      }
    }
    ends.fill(found, code);
    return { ids: ids.subarray(0, found), ends };
  }

  bytesOf(id: number): Buffer {
    return this.#bytes.subarray(this.#startOf(id), this.#ends[id]);
  }

  /** The rank of each word among all, by their bytes. */
  ranks(): Uint32Array {
    const keys = new Float64Array(this.count);
    const order = Array.from(keys.keys());
    for (const id of order) keys[id] = beginningOf(this.bytesOf(id));
    order.sort(
      (a, b) =>
        (keys[a] as number) - (keys[b] as number) || this.bytesOf(a).compare(this.bytesOf(b)),
    );
    const ranks = new Uint32Array(this.count);
    for (const [rank, id] of order.entries()) ranks[id] = rank;
    return ranks;
  }

  #startOf(id: number): number {
    return id === 0 ? 0 : (this.#ends[id - 1] as number);
  }

  #idOf(bytes: Buffer, start: number, end: number): number {
    const hash = hashOfBytes(bytes, start, end);
    const mask = this.#table.length - 1;
    let bucket = hash & mask;
    for (;;) {
      const id = (this.#table[bucket] as number) - 1;
      if (id < 0) break;
      if (this.#isWord(id, bytes, start, end)) return id;
      bucket = (bucket + 1) & mask;
    }
    this.#table[bucket] = this.count + 1;
    this.#add(bytes, start, end);
    return this.count - 1;
  }

  #isWord(id: number, bytes: Buffer, start: number, end: number): boolean {
    const from = this.#startOf(id);
    if ((this.#ends[id] as number) - from !== end - start) return false;
    for (let i = start, j = from; i < end; i++, j++) {
      if (bytes[i] !== this.#bytes[j]) return false;
    }
    return true;
  }

  #add(bytes: Buffer, start: number, end: number): void {
    const from = this.count === 0 ? 0 : (this.#ends[this.count - 1] as number);
    const to = from + end - start;
    if (to > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes], Math.max(to, 2 * this.#bytes.length));
    }
    bytes.copy(this.#bytes, from, start, end);
    if (this.count === this.#ends.length) {
      const ends = new Uint32Array(2 * this.count);
      ends.set(this.#ends);
      this.#ends = ends;
    }
    this.#ends[this.count++] = to;
    if (2 * this.count > this.#table.length) this.#grow();
  }

  #grow(): void {
    const table = new Uint32Array(2 * this.#table.length);
    const mask = table.length - 1;
    for (let id = 0; id < this.count; id++) {
      let bucket = hashOfBytes(this.#bytes, this.#startOf(id), this.#ends[id] as number) & mask;
      while (table[bucket] !== 0) bucket = (bucket + 1) & mask;
      table[bucket] = id + 1;
    }
    this.#table = table;
  }
}

/** The first six bytes as a number, which sorts as they do. */
function beginningOf(word: Buffer): number {
  let key = 0;
  for (let i = 0; i < 6; i++) key = key * 256 + (word[i] ?? 0);
  return key;
}
