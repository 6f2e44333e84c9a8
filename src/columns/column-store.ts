import { setMaxListeners } from 'node:events';
import { ReadCost } from '../query/row-store.ts';
import type { DecimalParts } from '../text/decimal.ts';
import { bytesOfRun } from '../text/text-run.ts';
import type { Row } from '../values/field-type.ts';
import type { Budget } from '../work/budget.ts';
import { withinSignal } from '../work/waiting.ts';
import {
  bytesInMemory,
  bytesOfChunk,
  type Chunk,
  type ColumnDirectory,
  countCodes,
} from './chunk.ts';
import { unpackChunk } from './decode-chunk.ts';
import { rowOrder } from './selection.ts';
import type { WordIndex } from './word-index.ts';

/** What one run spends and reads. */
export class ReadContext {
  readonly budget: Budget;
  readonly reads: ReadCost;
  /** The columns that are to stay in memory. */
  readonly kept: ColumnDirectory[] = [];

  constructor(budget: Budget, reads = new ReadCost()) {
    this.budget = budget;
    this.reads = reads;
  }
}

type ColumnStoreSettings = {
  readonly rows: number;
  readonly rowsPerChunk: number;
  /** About how many bytes a row's item has. */
  readonly rowBytes: number;
  readonly source: ColumnSource;
  /** One for the process, whatever datasets it has. */
  readonly cache: ColumnCache;
  /** Turns a failure of the source into the problem that a caller gets. */
  readonly unavailable: (cause: unknown) => unknown;
};

/** How many chunks of a column are read ahead of the one that is needed. */
export const CHUNKS_AHEAD = 8;

/** The columns and rows of one version of a dataset: from memory, or else from their source. */
export class ColumnStore {
  readonly rows: number;
  readonly rowsPerChunk: number;
  readonly rowBytes: number;
  readonly #settings: ColumnStoreSettings;
  readonly #columns = new Map<string, ColumnEntries>();
  readonly #rowBlocks: CacheEntry<RowBlock>[] = [];

  constructor(settings: ColumnStoreSettings) {
    this.rows = settings.rows;
    this.rowsPerChunk = settings.rowsPerChunk;
    this.rowBytes = settings.rowBytes;
    this.#settings = settings;
  }

  /** How many chunks each column has. */
  get chunks(): number {
    return Math.ceil(this.rows / this.rowsPerChunk);
  }

  /** A column's directory; not a promise if it is in memory. */
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
   * Whether these columns fit in half of the memory, beside those of the run that are to stay there;
   * if not, they are read and forgotten.
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

  /** Whether all of these columns are in memory. */
  holds(fields: readonly string[]): boolean {
    for (const field of fields) {
      for (let chunk = 0; chunk < this.chunks; chunk++) {
        if (this.cachedChunk(field, chunk) === undefined) return false;
      }
    }
    return true;
  }

  /** A chunk that is in memory. */
  cachedChunk(field: string, chunk: number): CachedChunk | undefined {
    return this.#chunk(field, chunk).value;
  }

  /** A chunk of a column; not a promise if it is in memory. It stays there if `isKept`. */
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

  /** Reads a chunk of a column, or joins the read under way, for longer than the run may last. */
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

  /**
   * Begins to read chunks of a column that will be asked for. Who asks for one meets its failure.
   * Needless for what does not stay in memory, since it would be read again.
   */
  readAhead(
    field: string,
    from: number,
    directory: ColumnDirectory,
    isKept: boolean,
    context: ReadContext,
  ): void {
    if (!isKept) return;
    for (let chunk = from; chunk < Math.min(this.chunks, from + CHUNKS_AHEAD); chunk++) {
      if (this.cachedChunk(field, chunk) !== undefined) continue;
      this.readChunk(field, chunk, directory, isKept, context).catch(() => {});
    }
  }

  /** Whether rows can be read from their source. */
  get hasRows(): boolean {
    return this.#settings.source.rows !== undefined;
  }

  /** The rows at some positions, from their source. */
  rowsAt(positions: Uint32Array, context: ReadContext): Promise<readonly Row[]> {
    const { source } = this.#settings;
    if (source.rows === undefined) throw new TypeError('The source has only columns.');
    return this.within(source.rows(positions, context.reads), context);
  }

  /** The order of a chunk's rows, once enough searches have asked for it. */
  orderForSearch(field: string, chunk: number, cached: CachedChunk): Uint16Array | undefined {
    return cached.isToBeOrdered() ? this.orderOf(field, chunk, cached) : undefined;
  }

  /** The rows of a chunk, ordered by code. */
  orderOf(field: string, chunk: number, cached: CachedChunk): Uint16Array {
    if (cached.order === undefined) {
      cached.makeOrder();
      this.recount(field, chunk, cached);
    }
    return cached.order as Uint16Array;
  }

  /** Counts a chunk's memory again, after something was made for it. */
  recount(field: string, chunk: number, cached: CachedChunk): void {
    this.#chunk(field, chunk).recount(cached);
  }

  /** The place of a block of rows' texts. */
  rowBlock(block: number): CacheEntry<RowBlock> {
    let entry = this.#rowBlocks[block];
    if (entry === undefined) {
      entry = this.#settings.cache.entry();
      this.#rowBlocks[block] = entry;
    }
    return entry;
  }

  /** Whether a directory has an entry for each chunk; that of another version may have fewer. */
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

  /** Waits for a read as long as the run has time; the read goes on. */
  async within<T>(reading: Promise<T>, { budget }: ReadContext): Promise<T> {
    // Every read adds a listener; their number is bounded by the chunks.
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

/** About what a directory's entry takes in memory. */
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
 * Where a dataset's columns and rows are read from. A promise that is rejected says nothing of the data: the
 * same call may succeed later.
 */
export type ColumnSource = {
  /** A column's directory, with the packed bytes of its only chunk if they come with it. */
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
  /** The rows at some positions, in their order. Absent if there are only columns, which tell them. */
  rows?(positions: Uint32Array, reads: ReadCost): Promise<readonly Row[]>;
};

/** Something that is held in memory; its size may grow. */
export type Cached = { readonly byteLength: number };

/** What a process holds of its datasets, unless its settings say otherwise. */
export const DEFAULT_CACHE_BYTES = 128 * 2 ** 20;

/**
 * What a process holds of its datasets, up to a number of bytes: directories, chunks with what was
 * made of them, rows. What was used least recently goes first.
 */
export class ColumnCache {
  readonly mostBytes: number;
  readonly #entries = new Set<CacheEntry<Cached>>();
  #bytes = 0;
  #uses = 0;

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  /** The bytes of all that is held. */
  get byteLength(): number {
    return this.#bytes;
  }

  entry<T extends Cached>(): CacheEntry<T> {
    return new CacheEntry<T>(this);
  }

  /** A number that grows from use to use. */
  nextUse(): number {
    return ++this.#uses;
  }

  /** Counts what a slot holds, and makes room. */
  count(entry: CacheEntry<Cached>, moreBytes: number): void {
    this.#entries.add(entry);
    this.#bytes += moreBytes;
    if (this.#bytes > this.mostBytes) this.#makeRoom();
  }

  /** Frees an eighth at once, so that the slots are not put in order for each. */
  #makeRoom(): void {
    const enough = (this.mostBytes * 7) / 8;
    for (const entry of [...this.#entries].sort((a, b) => a.usedAt - b.usedAt)) {
      if (this.#bytes <= enough) return;
      this.#bytes -= entry.clear();
      this.#entries.delete(entry);
    }
  }
}

/** A place in memory for one thing, which may be taken away at any time. */
export class CacheEntry<out T extends Cached> {
  readonly #cache: ColumnCache;
  #value: T | undefined;
  #bytes = 0;
  #loading: Promise<T> | undefined;
  #isToBeKept = false;
  usedAt = 0;

  constructor(cache: ColumnCache) {
    this.#cache = cache;
  }

  /** What is held; it counts as used. */
  get value(): T | undefined {
    if (this.#value !== undefined) this.usedAt = this.#cache.nextUse();
    return this.#value;
  }

  /**
   * Loads what belongs here, or joins the load under way; holds it if any of these calls says
   * `isKept`. After a failure, the next call loads again.
   */
  load(isKept: boolean, load: () => Promise<T>): Promise<T> {
    this.#isToBeKept ||= isKept;
    this.#loading ??= load()
      .then((loaded) => {
        if (this.#isToBeKept) this.set(loaded);
        return loaded;
      })
      .finally(() => {
        this.#loading = undefined;
        this.#isToBeKept = false;
      });
    return this.#loading;
  }

  /** Holds something. */
  set(value: T): void {
    this.#value = value;
    this.usedAt = this.#cache.nextUse();
    this.recount(value);
  }

  /** Counts again what has grown, if it is held. */
  recount(grown: T): void {
    if (this.#value !== grown) return;
    const before = this.#bytes;
    this.#bytes = grown.byteLength;
    this.#cache.count(this, this.#bytes - before);
  }

  /** Forgets what is held. Returns its bytes. */
  clear(): number {
    const bytes = this.#bytes;
    this.#value = undefined;
    this.#bytes = 0;
    return bytes;
  }
}

/** How often a chunk is searched before its order is made, which takes ten times as long. */
const SEARCHES_BEFORE_ORDER = 4;

/** With more codes than this, their counts take more memory than they save time. */
const MOST_COUNTED_CODES = 2 ** 12;

/** A chunk in memory, with its rows' order once that pays. */
export class CachedChunk implements Cached {
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
export class RowBlock implements Cached {
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
