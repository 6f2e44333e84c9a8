import { type Condition, fieldsInPredicate, type Predicate } from '../query/predicate.ts';
import type { Budget } from '../work/budget.ts';
import { after, finish, type Work } from '../work/work.ts';
import type { CachedChunk } from './cached-chunk.ts';
import type { ChunkEntry, ColumnDirectory } from './chunk.ts';
import type { ColumnStore, ReadContext, Shortcuts } from './column-store.ts';
import { foundWords } from './found-words.ts';
import { type FilterSource, filterChunk, filterWithoutEach } from './row-search.ts';
import {
  mayHaveRows,
  type SearchedColumn,
  type SearchedCondition,
  type SearchedWords,
  searchedColumns,
  searchedConditions,
  stepsOf,
} from './searched-conditions.ts';
import type { SelectionVector } from './selection.ts';

/** What a scan goes through. */
type ScanAsked = {
  /** Which rows match. All if it is empty. */
  readonly predicate: Predicate;
  /** The columns that are wanted of each chunk with matching rows. */
  readonly fields?: readonly string[];
  /** Whether the scan is for a hint, whose steps come from elsewhere. */
  readonly isHint?: boolean;
  /** Whether the scan may have to wait for its caller, and so holds no more than it must. */
  readonly isDownload?: boolean;
};

/** A chunk with matching rows. */
export type MatchedChunk = {
  readonly chunk: number;
  /** The position of the chunk's first row. */
  readonly first: number;
  /** The number of matching rows, and these rows. Absent if all rows match. */
  readonly count: number;
  readonly match: SelectionVector | undefined;
  /** The wanted columns, in the order of the fields. */
  readonly columns: readonly CachedChunk[];
};

/** Tells whether a row of a part matches. */
export function hasRow({ match }: MatchedChunk, row: number): boolean {
  return match === undefined || match.rows(row, 1)[0] === row;
}

/**
 * Chunks of a column that are read ahead, and of all columns together if they do not stay in
 * memory.
 */
const CHUNKS_AHEAD = 8;
const MOST_AHEAD = 32;

/**
 * Goes through the chunks of a table: the only place that does. It loads what comes next, filters
 * the rows, and hands each chunk with matching rows on. All that waits is waited for here.
 */
export class Scan implements FilterSource {
  readonly store: ColumnStore;
  readonly shortcuts: Shortcuts;
  /** The cost of the filters, in steps, from the directories alone. */
  readonly steps: number;
  readonly #context: ReadContext;
  /** The condition that the fewest rows are expected to satisfy comes first. */
  readonly #conditions: readonly SearchedCondition[];
  readonly #columns: readonly SearchedColumn[];
  /** The columns that stay in memory. */
  readonly #kept = new Set<string>();
  /** How many chunks are read ahead: none while single chunks are asked for. */
  #chunksAhead = 0;
  /** How many chunks that do not stay in memory are held before they are needed. */
  readonly #mostAhead: number;
  /** The rows that have the words of a condition, as bits. */
  #rowsWithWords: Map<SearchedWords, Uint32Array> | undefined;
  /** The reads that began before their chunk was needed, by chunk and field. */
  #ahead: Map<number, Map<string, Promise<CachedChunk>>> | undefined;

  private constructor(
    store: ColumnStore,
    context: ReadContext,
    { predicate, fields = [], isHint = false, isDownload = false }: ScanAsked,
    directories: ReadonlyMap<string, ColumnDirectory>,
    filtered: readonly string[],
  ) {
    this.store = store;
    this.shortcuts = context.shortcuts;
    this.#context = context;
    this.#mostAhead = isDownload ? 0 : MOST_AHEAD;
    this.#conditions = searchedConditions(predicate, directories, this.shortcuts.orders);
    const columnOf = (field: string): SearchedColumn => ({
      field,
      directory: directories.get(field) as ColumnDirectory,
    });
    this.#columns = fields.map(columnOf);
    if (filtered.length > 0) this.#keepIfRoom(filtered.map(columnOf));
    for (const column of this.#columns) this.#keepIfRoom([column]);
    this.steps = this.#stepsOfFilters(isHint ? undefined : context.budget);
  }

  /**
   * Reads the directories of the columns. Unless the scan is for a hint, it spends the steps for
   * the filters of all chunks, so that a query that takes too much work is refused at once.
   */
  static begin(store: ColumnStore, asked: ScanAsked, context: ReadContext): Scan | Promise<Scan> {
    const { predicate, fields = [] } = asked;
    const directories = new Map<string, ColumnDirectory>();
    const reading: Promise<unknown>[] = [];
    const filtered = fieldsInPredicate(predicate);
    for (const name of fields.length === 0 ? filtered : [...filtered, ...fields]) {
      const found = store.directory(name, context);
      if (!(found instanceof Promise)) directories.set(name, found);
      else reading.push(found.then((directory) => directories.set(name, directory)));
    }
    if (reading.length === 0) return new Scan(store, context, asked, directories, filtered);
    // Waits for all of them together, because a rejection that nobody waits for would end the
    // process.
    return Promise.all(reading).then(() => new Scan(store, context, asked, directories, filtered));
  }

  /** Does work of the run that scans. */
  run<T>(work: Work<T>): T | Promise<T> {
    return finish(work, this.#context.budget);
  }

  /**
   * Returns the chunks that have matching rows, from this one on. Those that are not `wanted` when
   * their turn comes are neither read nor returned.
   */
  async *parts(from = 0, wanted?: (chunk: number) => boolean): AsyncGenerator<MatchedChunk> {
    this.#chunksAhead = wanted === undefined ? CHUNKS_AHEAD : 0;
    for (let chunk = from; chunk < this.store.chunks; chunk++) {
      if (wanted?.(chunk) === false) continue;
      const found = this.run(this.part(chunk));
      const part = found instanceof Promise ? await found : found;
      this.#ahead?.delete(chunk);
      if (part !== undefined) yield part;
    }
  }

  /**
   * Hands each chunk with matching rows to `use`, which waits for nothing. Returns no promise if the
   * chunks were in memory.
   */
  forEach(use: (part: MatchedChunk) => void): void | Promise<void> {
    return this.run(this.#useEach(use));
  }

  *#useEach(use: (part: MatchedChunk) => void): Work<void> {
    this.#chunksAhead = CHUNKS_AHEAD;
    for (let chunk = 0; chunk < this.store.chunks; chunk++) {
      const part = yield* this.part(chunk);
      this.#ahead?.delete(chunk);
      if (part !== undefined) use(part);
    }
  }

  /** Returns a chunk, unless it has no matching row. */
  *part(chunk: number): Work<MatchedChunk | undefined> {
    const conditions = this.#conditions;
    if (this.shortcuts.bounds && !mayHaveRows(conditions, chunk)) return undefined;
    const match = conditions.length === 0 ? undefined : yield* filterChunk(this, chunk, conditions);
    const count = match?.count ?? this.rowsIn(chunk);
    if (count === 0) return undefined;
    const columns = yield* this.#columnsOf(chunk);
    return { chunk, first: chunk * this.store.rowsPerChunk, count, match, columns };
  }

  /** Returns a chunk for each list of conditions, with the rows that match all others. */
  *partWithoutEach(
    chunk: number,
    lists: readonly (readonly Condition[])[],
  ): Work<readonly MatchedChunk[]> {
    const matches = yield* filterWithoutEach(this, chunk, this.#conditions, lists);
    const columns = yield* this.#columnsOf(chunk);
    const first = chunk * this.store.rowsPerChunk;
    return matches.map((found) => {
      const { count } = found;
      const match = count === this.rowsIn(chunk) ? undefined : found;
      return { chunk, first, count, match, columns };
    });
  }

  /** Returns a chunk of each wanted column. */
  *#columnsOf(chunk: number): Work<CachedChunk[]> {
    const columns: CachedChunk[] = [];
    for (const column of this.#columns) {
      if (this.cached(column, chunk) === undefined) this.readAhead(chunk);
      columns.push(yield* this.read(column, chunk));
    }
    return columns;
  }

  /** Returns a chunk of a wanted column. */
  *column(name: string, chunk: number): Work<CachedChunk> {
    return yield* this.read(this.#wanted(name), chunk);
  }

  pauseAfter(steps: number): Promise<void> | undefined {
    return this.#context.budget.checkpoint(steps);
  }

  *rowsWithWords(searched: SearchedWords): Work<Uint32Array | undefined> {
    const { order, condition } = searched;
    if (order === undefined) return undefined;
    this.#rowsWithWords ??= new Map();
    let rows = this.#rowsWithWords.get(searched);
    if (rows === undefined) {
      rows = yield* foundWords(this.store, order, condition.words, this.#context);
      this.#rowsWithWords.set(searched, rows);
    }
    return rows;
  }

  rowsIn(chunk: number): number {
    const { rows, rowsPerChunk } = this.store;
    return Math.min(rowsPerChunk, rows - chunk * rowsPerChunk);
  }

  /** Whether all wanted columns stay in memory. */
  get isKept(): boolean {
    return this.#columns.every(({ field }) => this.#kept.has(field));
  }

  /** The directory of a wanted column. */
  directoryOf(name: string): ColumnDirectory {
    return this.#wanted(name).directory;
  }

  /** The entries of a wanted column's chunks. */
  entriesOf(name: string): readonly ChunkEntry[] {
    return this.directoryOf(name).chunks;
  }

  #wanted(name: string): SearchedColumn {
    return this.#columns.find(({ field }) => field === name) as SearchedColumn;
  }

  cached({ field }: SearchedColumn, chunk: number): CachedChunk | undefined {
    return this.store.cachedChunk(field, chunk);
  }

  *read(column: SearchedColumn, chunk: number): Work<CachedChunk> {
    const { field } = column;
    const cached = this.cached(column, chunk);
    if (cached !== undefined) return cached;
    const reading = this.#ahead?.get(chunk)?.get(field) ?? this.#begin(column, chunk);
    return yield* after(this.store.within(reading, this.#context));
  }

  /**
   * Begins to read what this chunk and the next ones will need, as far as the scan is likely to
   * need it. In this chunk that is what the conditions from `from` on need, and the columns.
   */
  readAhead(chunk: number, from?: SearchedCondition): void {
    const begin = from === undefined ? this.#conditions.length : this.#conditions.indexOf(from);
    // Alternatives are among the conditions only as a whole, which has been read ahead already.
    if (begin < 0) return;
    const end = Math.min(chunk + 1 + this.#chunksAhead, this.store.chunks);
    for (let next = chunk; next < end; next++) {
      if (this.shortcuts.bounds && !mayHaveRows(this.#conditions, next)) continue;
      let left = this.store.rowsPerChunk;
      for (const [i, condition] of this.#conditions.entries()) {
        if (left < 1) break;
        left *= condition.share;
        if (next === chunk && i < begin) continue;
        for (const column of searchedColumns(condition)) this.#readOneAhead(column, next);
      }
      if (left < 1) continue;
      for (const column of this.#columns) this.#readOneAhead(column, next);
    }
  }

  #readOneAhead(column: SearchedColumn, chunk: number): void {
    if (this.cached(column, chunk) !== undefined) return;
    if (this.#kept.has(column.field)) {
      // Who needs the chunk finds it in memory, or gets the failure.
      this.#begin(column, chunk).catch(() => {});
      return;
    }
    this.#ahead ??= new Map();
    const ofChunk = this.#ahead.get(chunk) ?? new Map<string, Promise<CachedChunk>>();
    let count = 0;
    for (const { size } of this.#ahead.values()) count += size;
    if (ofChunk.has(column.field) || count >= this.#mostAhead) return;
    const reading = this.#begin(column, chunk);
    reading.catch(() => {});
    this.#ahead.set(chunk, ofChunk.set(column.field, reading));
  }

  #begin({ field, directory }: SearchedColumn, chunk: number): Promise<CachedChunk> {
    return this.store.readChunk(field, chunk, directory, this.#kept.has(field), this.#context);
  }

  #keepIfRoom(columns: readonly SearchedColumn[]): void {
    const directories = columns.map(({ directory }) => directory);
    if (!this.store.hasRoomFor(directories, this.#context)) return;
    for (const { field } of columns) this.#kept.add(field);
  }

  #stepsOfFilters(budget: Budget | undefined): number {
    let all = 0;
    for (let chunk = 0; chunk < this.store.chunks; chunk++) {
      if (!mayHaveRows(this.#conditions, chunk)) continue;
      for (const searched of this.#conditions) {
        const steps = stepsOf(searched, chunk);
        budget?.spend(steps, searched.condition.parameters[0]);
        all += steps;
      }
    }
    return all;
  }
}
