import type { DecimalParts } from '../text/decimal.ts';
import { bytesOfRun } from '../text/text-run.ts';
import { bytesOfChunk, type Chunk, countCodes } from './chunk.ts';
import type { Cached } from './column-cache.ts';
import type { PlaceBoxes } from './place-boxes.ts';
import { rowOrder } from './selection.ts';
import type { WordIndex } from './word-index.ts';

/**
 * A chunk's order is made after this many searches, because making it takes ten times as long as
 * one search.
 */
const SEARCHES_BEFORE_ORDER = 4;

/**
 * For a chunk with more codes than this, keeping the counts of codes costs more memory than it
 * saves time.
 */
const MOST_COUNTED_CODES = 2 ** 12;

/**
 * A chunk in memory, and what has been computed from it: the order of its rows once that pays,
 * decimal parts, an index of words.
 */
export class CachedChunk implements Cached {
  readonly chunk: Chunk;
  /** The rows, ordered by code. */
  order: Uint16Array | undefined;
  /** For each code, its number as parts that can be summed exactly. Made at the first sum. */
  decimals: DecimalParts | undefined;
  /**
   * An index of the words in the chunk's texts. Made at the second search for words, when it is
   * likely to pay.
   */
  words: WordIndex | undefined;
  isSearchedForWords = false;
  /** The boxes of places that follow each other in the chunk. Made at the first search. */
  boxes: PlaceBoxes | undefined;
  /** For each code, the number of rows that have it. Made at the first use. */
  #rowsOfCodes: Uint32Array | undefined;
  #searches = 0;

  constructor(chunk: Chunk) {
    this.chunk = chunk;
  }

  get byteLength(): number {
    const { chunk, order, decimals, words } = this;
    const ofDecimals = decimals === undefined ? 0 : decimals.parts.length * 8 * chunk.size;
    const ofWords = words === undefined ? 0 : words.byteLength + bytesBeside(chunk, words);
    const ofCounts = this.#rowsOfCodes?.byteLength ?? 0;
    const ofOrder = order?.byteLength ?? 0;
    const ofBoxes = this.boxes?.byteLength ?? 0;
    return bytesOfChunk(chunk) + ofOrder + ofDecimals + ofWords + ofCounts + ofBoxes;
  }

  /** Whether the numbers of rows stay in memory. */
  get keepsCounts(): boolean {
    return this.chunk.size <= MOST_COUNTED_CODES;
  }

  /** For each code, the number of rows that have it. */
  get rowsOfCodes(): Uint32Array {
    const { codes, size } = this.chunk;
    if (!this.keepsCounts) return countCodes(codes, size);
    this.#rowsOfCodes ??= countCodes(codes, size);
    return this.#rowsOfCodes;
  }

  /** Tells whether a search may use the order. It is made after a few searches. */
  isToBeOrdered(): boolean {
    return this.order !== undefined || ++this.#searches > SEARCHES_BEFORE_ORDER;
  }

  makeOrder(): void {
    this.order = rowOrder(this.chunk.codes, this.chunk.size);
  }
}

/** The bytes of an index's own texts; 0 if they are the chunk's keys. */
function bytesBeside({ dictionary }: Chunk, { texts }: WordIndex): number {
  return dictionary.kind === 'texts' && dictionary.keys === texts ? 0 : bytesOfRun(texts);
}
