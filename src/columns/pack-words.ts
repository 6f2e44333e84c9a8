import type { SearchedField } from '../query/predicate.ts';
import { phoneWords } from '../text/pattern.ts';
import { type TextRun, textAt } from '../text/text-run.ts';
import { ByteTexts, orderOfTexts } from './byte-texts.ts';
import {
  boundOf,
  type Chunk,
  type ChunkEntry,
  codesOf,
  type EncodedColumn,
  orderedChunkRows,
  type TextList,
  type UintArray,
  uintArrayFor,
  WORD_COLUMNS,
} from './chunk.ts';
import { type PackedColumn, type PackedColumns, packChunk } from './encode-chunk.ts';
import { encodeUnits } from './encode-numbers.ts';
import { inOrder } from './encode-texts.ts';
import { chunksOf } from './memory-rows.ts';
import {
  type IdsOfTexts,
  type RunsOfChunk,
  RunsOfWords,
  rowsOfTexts,
  type SearchedTexts,
} from './runs-of-words.ts';
import { ascending } from './selection.ts';
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
  if (searched.some((field) => hasTooManyWords(packed, field))) return packed;
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

/**
 * Whether a column alone has more words than a list, as one of ids does: then those of the others
 * need not be found.
 */
function hasTooManyWords(packed: PackedColumns, { name, byDigits }: SearchedField): boolean {
  const codes = packed.columns.get(codesOf(name))?.directory.chunks ?? [];
  if (!codes.some(({ max }) => Number(max ?? 0) >= MOST_WORDS)) return false;
  const words = new WordTable();
  for (const chunk of chunksOf(packed, name)) {
    const before = words.count;
    words.idsIn(searchedTexts(chunk, byDigits).texts);
    if (words.count > MOST_WORDS) return true;
    // Many texts may have few words, as addresses do.
    if (words.count - before < chunk.size / 2) return false;
  }
  return false;
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
    const chunks = this.#chunks;
    const orders = chunks.map(({ words }) => orderByRank(words, ranks));
    const next = new Uint32Array(chunks.length);
    const packer = new WordPacker(this.#words.run, rowsPerChunk);
    for (let rank = 0; rank < inOrder.length; rank++) {
      const word = inOrder[rank] as number;
      packer.begin(word);
      for (let i = 0; i < chunks.length; i++) {
        const { first, words, bounds, starts, lasts } = chunks[i] as RunsOfChunk;
        const index = (orders[i] as Uint32Array)[next[i] as number];
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

/** The indices of words in the order of their ranks. */
function orderByRank(words: Uint32Array, ranks: Uint32Array): Uint32Array {
  const keys = words.map((word) => ranks[word] as number);
  const { length } = words;
  return ascending(keys, ranks.length, new Uint32Array(length), new Uint32Array(length));
}

/** Packs runs of rows, which come word by word. */
class WordPacker {
  readonly #columns = Object.values(WORD_COLUMNS).map((name) => ({
    name,
    entries: [] as ChunkEntry[],
    chunks: [] as Buffer[],
  }));
  readonly #texts: TextRun;
  readonly #rowsPerChunk: number;
  readonly #codes: Uint32Array;
  readonly #gaps: Float64Array;
  readonly #lengths: Float64Array;
  /** The ids of the words that the runs of a chunk have. */
  readonly #words: Uint32Array;
  #count = 0;
  #runs = 0;
  #word = 0;
  /** The end of the run before, of the same word in the same chunk. */
  #end = -1;

  constructor(texts: TextRun, rowsPerChunk: number) {
    this.#texts = texts;
    this.#words = new Uint32Array(rowsPerChunk);
    this.#rowsPerChunk = rowsPerChunk;
    this.#codes = new Uint32Array(rowsPerChunk);
    this.#gaps = new Float64Array(rowsPerChunk);
    this.#lengths = new Float64Array(rowsPerChunk);
  }

  begin(word: number): void {
    this.#word = word;
    this.#end = -1;
  }

  add(start: number, end: number): void {
    if (this.#end < 0) {
      this.#words[this.#count++] = this.#word;
      this.#end = 0;
    }
    this.#codes[this.#runs] = this.#count - 1;
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
      encodedWords(
        this.#texts,
        this.#words.subarray(0, this.#count),
        this.#codes.subarray(0, runs),
      ),
      encodeUnits(this.#gaps.subarray(0, runs), 0),
      encodeUnits(this.#lengths.subarray(0, runs), 0),
    ];
    for (const [i, one] of encoded.entries()) {
      const { bytes, entry } = packChunk(one);
      this.#columns[i]?.entries.push(entry);
      this.#columns[i]?.chunks.push(bytes);
    }
    this.#count = 0;
    this.#runs = 0;
    this.#end = -1;
  }
}

function encodedWords(texts: TextRun, words: Uint32Array, codes: Uint32Array): EncodedColumn {
  const { lengths, bytes } = inOrder(texts, words);
  const size = words.length;
  const bound = (at: number) => boundOf(textAt(texts, words[at] as number));
  return {
    codes: narrowed(codes, size),
    firstKey: 0,
    size,
    nulls: 0,
    distinct: size,
    dictionary: { kind: 'texts', keyBytes: bytes.length },
    parts: [lengths, bytes],
    bounds: [bound(0), bound(size - 1)],
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

  get run(): TextRun {
    return this.#words.run;
  }

  /** The words in the order of their bytes. */
  inOrder(): Uint32Array {
    return orderOfTexts(this.run);
  }
}
