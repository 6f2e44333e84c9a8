import { setMaxListeners } from 'node:events';
import { ReadCost } from '../query/row-store.ts';
import type { Row } from '../values/field-type.ts';
import type { Budget } from '../work/budget.ts';
import { withinSignal } from '../work/waiting.ts';
import { CachedChunk } from './cached-chunk.ts';
import { bytesInMemory, type ColumnDirectory, type PlaceOrder, type WordOrder } from './chunk.ts';
import type { Cached, CacheEntry, ColumnCache } from './column-cache.ts';
import { unpackChunk } from './decode-chunk.ts';
import type { PlaceBoxes } from './place-boxes.ts';
import type { RowBlock } from './row-block.ts';

/** Shortcuts that save work and never change an answer. Tests switch them off. */
export type Shortcuts = {
  /** Whether the search skips chunks by their least and greatest keys. */
  readonly bounds: boolean;
  /** Whether the search looks rows up in a chunk's sorted order. */
  readonly orders: boolean;
};

/** Production takes every shortcut; only tests switch some off. */
export const ALL_SHORTCUTS: Shortcuts = { bounds: true, orders: true };

/** The budget of one run, and what the run has read so far. */
export class ReadContext {
  readonly budget: Budget;
  readonly reads: ReadCost;
  readonly shortcuts: Shortcuts;
  /** The columns that stay in memory after this run has read them. */
  readonly kept: ColumnDirectory[] = [];

  constructor(budget: Budget, reads = new ReadCost(), shortcuts = ALL_SHORTCUTS) {
    this.budget = budget;
    this.reads = reads;
    this.shortcuts = shortcuts;
  }
}

type ColumnStoreSettings = {
  readonly rows: number;
  readonly rowsPerChunk: number;
  /** The average size of a row's item, in bytes. */
  readonly rowBytes: number;
  readonly source: ColumnSource;
  /** The process has one cache for all its datasets. */
  readonly cache: ColumnCache;
  /** Turns a failure of the source into the problem that a caller sees. */
  readonly unavailable: (cause: unknown) => unknown;
};

/**
 * The columns and rows of one version of a dataset. They come from memory if they are there,
 * otherwise from their source.
 */
export class ColumnStore {
  readonly rows: number;
  readonly rowsPerChunk: number;
  readonly rowBytes: number;
  /** The boxes of the chunks, if these are of places in the order of a curve. */
  boxes: PlaceBoxes | undefined;
  readonly #settings: ColumnStoreSettings;
  readonly #columns = new Map<string, ColumnEntries>();
  readonly #rowBlocks: CacheEntry<RowBlock>[] = [];
  readonly #inOrders = new Map<'places' | 'words', ColumnStore>();

  constructor(settings: ColumnStoreSettings) {
    this.rows = settings.rows;
    this.rowsPerChunk = settings.rowsPerChunk;
    this.rowBytes = settings.rowBytes;
    this.#settings = settings;
  }

  /** The number of chunks of each column. */
  get chunks(): number {
    return Math.ceil(this.rows / this.rowsPerChunk);
  }

  /** The rows once more in an order, by their places or words: they are a table of their own. */
  inOrder(of: 'places' | 'words', { rows, rowsPerChunk }: PlaceOrder | WordOrder): ColumnStore {
    let store = this.#inOrders.get(of);
    if (store === undefined) {
      store = new ColumnStore({ ...this.#settings, rows, rowsPerChunk });
      this.#inOrders.set(of, store);
    }
    return store;
  }

  /** Returns a column's directory, without a promise if it is in memory. */
  directory(field: string, context: ReadContext): ColumnDirectory | Promise<ColumnDirectory> {
    const { source } = this.#settings;
    const { directory: entry } = this.#column(field);
    const cached = entry.value;
    if (cached !== undefined) return cached.directory;
    const reading = entry.load(true, async () => {
      const { directory, beside } = await source.directory(field, context.reads);
      if (!this.#isOfTheseRows(directory)) {
        throw new Error(`The directory of ${field} is not one of ${this.rows} rows.`);
      }
      const [only] = directory.chunks;
      if (beside !== undefined && only !== undefined) {
        this.#chunk(field, 0).set(new CachedChunk(await unpackChunk(beside, only)));
      }
      return new CachedDirectory(directory);
    });
    return this.within(reading, context).then(({ directory }) => directory);
  }

  /**
   * Tells whether these columns fit in half of the cache, together with the columns that this run
   * keeps already. If they do not fit, they are read and forgotten.
   */
  hasRoomFor(directories: readonly ColumnDirectory[], { kept }: ReadContext): boolean {
    const { mostBytes } = this.#settings.cache;
    let bytes = 0;
    for (const directory of kept) bytes += bytesOfColumn(directory);
    const more = kept.length === 0 ? directories : directories.filter((one) => !kept.includes(one));
    for (const directory of more) bytes += bytesOfColumn(directory);
    if (bytes > mostBytes / 2) return false;
    kept.push(...more);
    return true;
  }

  /** Tells whether all of these columns are in memory. */
  holds(fields: readonly string[]): boolean {
    for (const field of fields) {
      for (let chunk = 0; chunk < this.chunks; chunk++) {
        if (this.cachedChunk(field, chunk) === undefined) return false;
      }
    }
    return true;
  }

  /** Returns a chunk if it is in memory. */
  cachedChunk(field: string, chunk: number): CachedChunk | undefined {
    return this.#chunk(field, chunk).value;
  }

  /**
   * Returns a chunk of a column, without a promise if it is in memory. If `isKept`, the chunk stays
   * in memory.
   */
  chunk(
    field: string,
    chunk: number,
    directory: ColumnDirectory,
    isKept: boolean,
    context: ReadContext,
  ): CachedChunk | Promise<CachedChunk> {
    return (
      this.cachedChunk(field, chunk) ??
      this.within(this.readChunk(field, chunk, directory, isKept, context), context)
    );
  }

  /**
   * Reads a chunk of a column, or joins a read that is under way. The read goes on even if the
   * run's time is over.
   */
  readChunk(
    field: string,
    chunk: number,
    directory: ColumnDirectory,
    isKept: boolean,
    { reads }: ReadContext,
  ): Promise<CachedChunk> {
    const { source } = this.#settings;
    return this.#chunk(field, chunk).load(isKept, async () => {
      const entry = directory.chunks[chunk];
      if (entry === undefined) throw new RangeError(`${field} has no chunk ${chunk}.`);
      const bytes = await source.chunk(field, chunk, directory, reads);
      return new CachedChunk(await unpackChunk(bytes, entry));
    });
  }

  /** Whether the source has rows besides columns. */
  get hasRows(): boolean {
    return this.#settings.source.rows !== undefined;
  }

  /** Reads the rows at some positions from the source. */
  rowsAt(positions: Uint32Array, context: ReadContext): Promise<readonly Row[]> {
    const { source } = this.#settings;
    if (source.rows === undefined) throw new TypeError('The source has only columns.');
    return this.within(source.rows(positions, context.reads), context);
  }

  /**
   * Returns the order of a chunk's rows once enough searches have wanted it; undefined before that.
   */
  orderForSearch(field: string, chunk: number, cached: CachedChunk): Uint16Array | undefined {
    return cached.isToBeOrdered() ? this.orderOf(field, chunk, cached) : undefined;
  }

  /** Returns the rows of a chunk, ordered by code. */
  orderOf(field: string, chunk: number, cached: CachedChunk): Uint16Array {
    if (cached.order === undefined) {
      cached.makeOrder();
      this.recount(field, chunk, cached);
    }
    return cached.order as Uint16Array;
  }

  /** Counts a chunk's memory again, after something was added to it. */
  recount(field: string, chunk: number, cached: CachedChunk): void {
    this.#chunk(field, chunk).recount(cached);
  }

  /** The cache entry for a block of row texts. */
  rowBlock(block: number): CacheEntry<RowBlock> {
    let entry = this.#rowBlocks[block];
    if (entry === undefined) {
      entry = this.#settings.cache.entry();
      this.#rowBlocks[block] = entry;
    }
    return entry;
  }

  /**
   * Tells whether a directory has the right chunks. The directory of another version may have
   * fewer.
   */
  #isOfTheseRows({ chunks }: ColumnDirectory): boolean {
    const { rows, rowsPerChunk } = this;
    const rowsOf = (chunk: number) => Math.min(rowsPerChunk, rows - chunk * rowsPerChunk);
    return chunks.length === this.chunks && chunks.every((entry, i) => entry.rows === rowsOf(i));
  }

  #column(field: string): ColumnEntries {
    let entries = this.#columns.get(field);
    if (entries === undefined) {
      entries = { directory: this.#settings.cache.entry(), chunks: [] };
      this.#columns.set(field, entries);
    }
    return entries;
  }

  #chunk(field: string, chunk: number): CacheEntry<CachedChunk> {
    const { chunks } = this.#column(field);
    let entry = chunks[chunk];
    if (entry === undefined) {
      entry = this.#settings.cache.entry();
      chunks[chunk] = entry;
    }
    return entry;
  }

  /** Waits for a read while the run has time left. The read itself goes on after that. */
  async within<T>(reading: Promise<T>, { budget }: ReadContext): Promise<T> {
    // Every read adds a listener. There are at most as many reads as chunks.
    setMaxListeners(0, budget.signal);
    try {
      return await withinSignal(reading, budget.signal);
    } catch (cause) {
      throw this.#settings.unavailable(cause);
    }
  }
}

type ColumnEntries = {
  readonly directory: CacheEntry<CachedDirectory>;
  readonly chunks: CacheEntry<CachedChunk>[];
};

class CachedDirectory implements Cached {
  readonly directory: ColumnDirectory;

  constructor(directory: ColumnDirectory) {
    this.directory = directory;
  }

  get byteLength(): number {
    return this.directory.chunks.length * BYTES_OF_ENTRY;
  }
}

/** The approximate size of a directory's entry in memory. */
const BYTES_OF_ENTRY = 400;

function bytesOfColumn(directory: ColumnDirectory): number {
  let bytes = BYTES.get(directory);
  if (bytes === undefined) {
    bytes = directory.chunks.reduce((sum, entry) => sum + bytesInMemory(entry), 0);
    BYTES.set(directory, bytes);
  }
  return bytes;
}

const BYTES = new WeakMap<ColumnDirectory, number>();

/**
 * Where the columns and rows of a dataset are read from. A rejected promise does not mean that the
 * data are wrong: the same call may succeed later.
 */
export type ColumnSource = {
  /** Reads a column's directory. A column's only chunk may come with it, as packed bytes. */
  directory(
    field: string,
    reads: ReadCost,
  ): Promise<{ readonly directory: ColumnDirectory; readonly beside?: Uint8Array }>;
  /** The packed bytes of a chunk. */
  chunk(
    field: string,
    chunk: number,
    directory: ColumnDirectory,
    reads: ReadCost,
  ): Promise<Uint8Array>;
  /**
   * Reads the rows at some positions, in that order. Absent if the source has only columns; then
   * rows are made from the columns.
   */
  rows?(positions: Uint32Array, reads: ReadCost): Promise<readonly Row[]>;
};
