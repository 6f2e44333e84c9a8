import type { SearchedField } from '../query/predicate.ts';
import { phoneWords } from '../text/pattern.ts';
import { startOf, type TextRun, textAt } from '../text/text-run.ts';
import { ByteTexts, orderOfTexts, placesOf } from './byte-texts.ts';
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
} from './chunk.ts';
import { type PackedColumn, type PackedColumns, packChunk } from './encode-chunk.ts';
import { encodeUnits } from './encode-numbers.ts';
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
