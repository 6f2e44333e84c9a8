import { setMaxListeners } from 'node:events';
import { Reads } from '../query/row-store.ts';
import type { Row } from '../values/field-type.ts';
import type { Budget } from '../work/budget.ts';
import { withinSignal } from '../work/waiting.ts';
import { bytesInMemory, type ColumnDirectory } from './chunk.ts';
import {
  type CacheSlot,
  type ColumnCache,
  type Held,
  HeldChunk,
  type RowBlock,
} from './column-cache.ts';
import { unpackChunk } from './decode-chunk.ts';

/** What one run spends and reads. */
export class Run {
  readonly budget: Budget;
  readonly reads: Reads;
  /** The columns that are to stay in memory. */
  readonly kept: ColumnDirectory[] = [];

  constructor(budget: Budget, reads = new Reads()) {
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
  readonly #columns = new Map<string, ColumnSlots>();
  readonly #rowBlocks: CacheSlot<RowBlock>[] = [];

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
  directory(field: string, run: Run): ColumnDirectory | Promise<ColumnDirectory> {
    const { source } = this.#settings;
    const { directory: slot } = this.#column(field);
    const held = slot.held;
    if (held !== undefined) return held.directory;
    const reading = slot.load(true, async () => {
      const { directory, beside } = await source.directory(field, run.reads);
      if (!this.#isOfTheseRows(directory)) {
        throw new Error(`The directory of ${field} is not one of ${this.rows} rows.`);
      }
      const [only] = directory.chunks;
      if (beside !== undefined && only !== undefined) {
        this.#chunk(field, 0).hold(new HeldChunk(await unpackChunk(beside, only)));
      }
      return new HeldDirectory(directory);
    });
    return this.within(reading, run).then(({ directory }) => directory);
  }

  /**
   * Whether these columns fit in half of the memory, beside those of the run that are to stay there;
   * if not, they are read and forgotten.
   */
  hasRoomFor(directories: readonly ColumnDirectory[], { kept }: Run): boolean {
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
        if (this.heldChunk(field, chunk) === undefined) return false;
      }
    }
    return true;
  }

  /** A chunk that is in memory. */
  heldChunk(field: string, chunk: number): HeldChunk | undefined {
    return this.#chunk(field, chunk).held;
  }

  /** A chunk of a column; not a promise if it is in memory. It stays there if `isKept`. */
  chunk(
    field: string,
    chunk: number,
    directory: ColumnDirectory,
    isKept: boolean,
    run: Run,
  ): HeldChunk | Promise<HeldChunk> {
    return (
      this.heldChunk(field, chunk) ??
      this.within(this.readChunk(field, chunk, directory, isKept, run), run)
    );
  }

  /** Reads a chunk of a column, or joins the read under way, for longer than the run may last. */
  readChunk(
    field: string,
    chunk: number,
    directory: ColumnDirectory,
    isKept: boolean,
    { reads }: Run,
  ): Promise<HeldChunk> {
    const { source } = this.#settings;
    return this.#chunk(field, chunk).load(isKept, async () => {
      const entry = directory.chunks[chunk];
      if (entry === undefined) throw new RangeError(`${field} has no chunk ${chunk}.`);
      const bytes = await source.chunk(field, chunk, directory, reads);
      return new HeldChunk(await unpackChunk(bytes, entry));
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
    run: Run,
  ): void {
    if (!isKept) return;
    for (let chunk = from; chunk < Math.min(this.chunks, from + CHUNKS_AHEAD); chunk++) {
      if (this.heldChunk(field, chunk) !== undefined) continue;
      this.readChunk(field, chunk, directory, isKept, run).catch(() => {});
    }
  }

  /** Whether rows can be read from their source. */
  get hasRows(): boolean {
    return this.#settings.source.rows !== undefined;
  }

  /** The rows at some positions, from their source. */
  rowsAt(positions: Uint32Array, run: Run): Promise<readonly Row[]> {
    const { source } = this.#settings;
    if (source.rows === undefined) throw new TypeError('The source has only columns.');
    return this.within(source.rows(positions, run.reads), run);
  }

  /** The order of a chunk's rows, once enough searches have asked for it. */
  orderForSearch(field: string, chunk: number, held: HeldChunk): Uint16Array | undefined {
    return held.isToBeOrdered() ? this.orderOf(field, chunk, held) : undefined;
  }

  /** The rows of a chunk, ordered by code. */
  orderOf(field: string, chunk: number, held: HeldChunk): Uint16Array {
    if (held.order === undefined) {
      held.makeOrder();
      this.recount(field, chunk, held);
    }
    return held.order as Uint16Array;
  }

  /** Counts a chunk's memory again, after something was made for it. */
  recount(field: string, chunk: number, held: HeldChunk): void {
    this.#chunk(field, chunk).recount(held);
  }

  /** The place of a block of rows' texts. */
  rowBlock(block: number): CacheSlot<RowBlock> {
    let slot = this.#rowBlocks[block];
    if (slot === undefined) {
      slot = this.#settings.cache.slot();
      this.#rowBlocks[block] = slot;
    }
    return slot;
  }

  /** Whether a directory has an entry for each chunk; that of another version may have fewer. */
  #isOfTheseRows({ chunks }: ColumnDirectory): boolean {
    const { rows, rowsPerChunk } = this;
    const rowsOf = (chunk: number) => Math.min(rowsPerChunk, rows - chunk * rowsPerChunk);
    return chunks.length === this.chunks && chunks.every((its, i) => its.rows === rowsOf(i));
  }

  #column(field: string): ColumnSlots {
    let slots = this.#columns.get(field);
    if (slots === undefined) {
      slots = { directory: this.#settings.cache.slot(), chunks: [] };
      this.#columns.set(field, slots);
    }
    return slots;
  }

  #chunk(field: string, chunk: number): CacheSlot<HeldChunk> {
    const { chunks } = this.#column(field);
    let slot = chunks[chunk];
    if (slot === undefined) {
      slot = this.#settings.cache.slot();
      chunks[chunk] = slot;
    }
    return slot;
  }

  /** Waits for a read as long as the run has time; the read goes on. */
  async within<T>(reading: Promise<T>, { budget }: Run): Promise<T> {
    // Every read adds a listener; their number is bounded by the chunks.
    setMaxListeners(0, budget.signal);
    try {
      return await withinSignal(reading, budget.signal);
    } catch (cause) {
      throw this.#settings.unavailable(cause);
    }
  }
}

type ColumnSlots = {
  readonly directory: CacheSlot<HeldDirectory>;
  readonly chunks: CacheSlot<HeldChunk>[];
};

class HeldDirectory implements Held {
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
    reads: Reads,
  ): Promise<{ readonly directory: ColumnDirectory; readonly beside?: Uint8Array }>;
  /** The packed bytes of a chunk. */
  chunk(
    field: string,
    chunk: number,
    directory: ColumnDirectory,
    reads: Reads,
  ): Promise<Uint8Array>;
  /** The rows at some positions, in their order. Absent if there are only columns, which tell them. */
  rows?(positions: Uint32Array, reads: Reads): Promise<readonly Row[]>;
};
