import { bytesOfChunk, bytesOfRun, type Chunk, countCodes, type DecimalParts } from './chunk.ts';
import type { Held } from './column-cache.ts';
import { rowOrder } from './row-order.ts';
import type { WordIndex } from './word-index.ts';

/** How often a chunk is searched before its order is made, which takes ten times as long. */
const SEARCHES_BEFORE_ORDER = 4;

/** With more codes than this, their counts take more memory than they save time. */
const MOST_COUNTED_CODES = 2 ** 12;

/** A chunk in memory, with its rows' order once that pays. */
export class HeldChunk implements Held {
  readonly chunk: Chunk;
  /** The rows, ordered by code. */
  order: Uint16Array | undefined;
  /** By code, its numbers as parts that can be summed exactly; made at the first sum. */
  decimals: DecimalParts | undefined;
  /** Where the words of its texts begin; made once a second search for words shows that it pays. */
  words: WordIndex | undefined;
  isSearchedForWords = false;
  /** By code, how many rows have it; made when it is first asked for. */
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
    return bytesOfChunk(chunk) + (order?.byteLength ?? 0) + ofDecimals + ofWords + ofCounts;
  }

  /** By code, how many rows have it. */
  get rowsOfCodes(): Uint32Array {
    const { codes, size } = this.chunk;
    if (size > MOST_COUNTED_CODES) return countCodes(codes, size);
    this.#rowsOfCodes ??= countCodes(codes, size);
    return this.#rowsOfCodes;
  }

  /** Whether a search may use the order, which is made after some searches. */
  isToBeOrdered(): boolean {
    return this.order !== undefined || ++this.#searches > SEARCHES_BEFORE_ORDER;
  }

  makeOrder(): void {
    this.order = rowOrder(this.chunk.codes);
  }
}

/** The bytes of an index's texts, if they are not the chunk's keys. */
function bytesBeside({ dictionary }: Chunk, { texts }: WordIndex): number {
  return dictionary.kind === 'texts' && dictionary.keys === texts ? 0 : bytesOfRun(texts);
}
