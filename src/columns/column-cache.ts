import type { DecimalParts } from '../text/decimal.ts';
import { bytesOfRun } from '../text/text-run.ts';
import { bytesOfChunk, type Chunk, countCodes } from './chunk.ts';
import { rowOrder } from './selection.ts';
import type { WordIndex } from './word-index.ts';

/** Something that is held in memory; its size may grow. */
export type Held = { readonly byteLength: number };

/** What a process holds of its datasets, unless its settings say otherwise. */
export const DEFAULT_CACHE_BYTES = 128 * 2 ** 20;

/**
 * What a process holds of its datasets, up to a number of bytes: directories, chunks with what was
 * made of them, rows. What was used least recently goes first.
 */
export class ColumnCache {
  readonly mostBytes: number;
  readonly #slots = new Set<CacheSlot<Held>>();
  #bytes = 0;
  #uses = 0;

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  /** The bytes of all that is held. */
  get byteLength(): number {
    return this.#bytes;
  }

  slot<T extends Held>(): CacheSlot<T> {
    return new CacheSlot<T>(this);
  }

  /** A number that grows from use to use. */
  nextUse(): number {
    return ++this.#uses;
  }

  /** Counts what a slot holds, and makes room. */
  count(slot: CacheSlot<Held>, moreBytes: number): void {
    this.#slots.add(slot);
    this.#bytes += moreBytes;
    if (this.#bytes > this.mostBytes) this.#makeRoom();
  }

  /** Frees an eighth at once, so that the slots are not put in order for each. */
  #makeRoom(): void {
    const enough = (this.mostBytes * 7) / 8;
    for (const slot of [...this.#slots].sort((a, b) => a.usedAt - b.usedAt)) {
      if (this.#bytes <= enough) return;
      this.#bytes -= slot.clear();
      this.#slots.delete(slot);
    }
  }
}

/** A place in memory for one thing, which may be taken away at any time. */
export class CacheSlot<out T extends Held> {
  readonly #cache: ColumnCache;
  #held: T | undefined;
  #bytes = 0;
  #loading: Promise<T> | undefined;
  #isToBeKept = false;
  usedAt = 0;

  constructor(cache: ColumnCache) {
    this.#cache = cache;
  }

  /** What is held; it counts as used. */
  get held(): T | undefined {
    if (this.#held !== undefined) this.usedAt = this.#cache.nextUse();
    return this.#held;
  }

  /**
   * Loads what belongs here, or joins the load under way; holds it if any of these calls says
   * `isKept`. After a failure, the next call loads again.
   */
  load(isKept: boolean, load: () => Promise<T>): Promise<T> {
    this.#isToBeKept ||= isKept;
    this.#loading ??= load()
      .then((loaded) => {
        if (this.#isToBeKept) this.hold(loaded);
        return loaded;
      })
      .finally(() => {
        this.#loading = undefined;
        this.#isToBeKept = false;
      });
    return this.#loading;
  }

  /** Holds something. */
  hold(held: T): void {
    this.#held = held;
    this.usedAt = this.#cache.nextUse();
    this.recount(held);
  }

  /** Counts again what has grown, if it is held. */
  recount(grown: T): void {
    if (this.#held !== grown) return;
    const before = this.#bytes;
    this.#bytes = grown.byteLength;
    this.#cache.count(this, this.#bytes - before);
  }

  /** Forgets what is held. Returns its bytes. */
  clear(): number {
    const bytes = this.#bytes;
    this.#held = undefined;
    this.#bytes = 0;
    return bytes;
  }
}

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

/** Rows whose texts are held together. */
export const ROWS_PER_BLOCK = 2 ** 12;

/** The sizes of the first part of a block's bytes, and of the others. */
const FIRST_PART = 2 ** 16;
const PART = 2 ** 20;

/**
 * The texts of some of a block's rows as JSON in UTF-8, each with a comma behind it, in the order in
 * which they were first asked for. Bytes that have been written never move or change.
 */
export class RowBlock implements Held {
  readonly #parts: Buffer[] = [];
  readonly #sources = new Array<Buffer | undefined>(ROWS_PER_BLOCK);
  readonly #starts = new Uint32Array(ROWS_PER_BLOCK);
  readonly #ends = new Uint32Array(ROWS_PER_BLOCK);
  #used = 0;

  get byteLength(): number {
    return (
      this.#parts.reduce((sum, { length }) => sum + length, 0) +
      this.#starts.byteLength +
      this.#ends.byteLength +
      ROWS_PER_BLOCK * 8
    );
  }

  /** The bytes that hold a row's text; undefined if it has not been added. */
  sourceOf(row: number): Buffer | undefined {
    return this.#sources[row];
  }

  startOf(row: number): number {
    return this.#starts[row] as number;
  }

  endOf(row: number): number {
    return this.#ends[row] as number;
  }

  add(row: number, text: string): void {
    const line = `${text},`;
    const most = line.length * 3;
    let part = this.#parts.at(-1);
    if (part === undefined || part.length - this.#used < most) {
      const size = this.#parts.length === 0 ? FIRST_PART : PART;
      part = Buffer.allocUnsafeSlow(Math.max(size, most));
      this.#parts.push(part);
      this.#used = 0;
    }
    this.#sources[row] = part;
    this.#starts[row] = this.#used;
    this.#used += part.write(line, this.#used);
    this.#ends[row] = this.#used;
  }
}
