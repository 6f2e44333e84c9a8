import {
  type FieldCondition,
  fieldsInPredicate,
  type Predicate,
  type SearchedField,
} from '../query/predicate.ts';
import { haversine, metresOf, type Point } from '../values/places.ts';
import {
  type Chunk,
  type ColumnDirectory,
  type FrameOfReference,
  type NumberList,
  numberAt,
  type UintArray,
  uintArrayFor,
} from './chunk.ts';
import {
  type CachedChunk,
  CHUNKS_AHEAD,
  type ColumnStore,
  type ReadContext,
} from './column-store.ts';
import {
  mayHaveRows,
  type SearchedAny,
  type SearchedColumn,
  type SearchedCondition,
  type SearchedPlaces,
  type SearchedWords,
  STEPS_PER_ROW,
  searchedColumns,
  searchedConditions,
  stepsOf,
} from './searched-conditions.ts';
import { type SelectedCodes, selectCodes } from './select-codes.ts';
import { indexWords, markWords } from './select-words.ts';
import {
  AllSelected,
  matchOf,
  NO_ROWS,
  RowSelection,
  RowsSelected,
  type SelectionVector,
} from './selection.ts';
import { beginningsOf } from './word-index.ts';

/** Shortcuts that save work and never change an answer. Tests switch them off. */
export type Shortcuts = {
  /** Whether the search skips chunks by their least and greatest keys. */
  readonly bounds: boolean;
  /** Whether the search looks rows up in a chunk's sorted order. */
  readonly orders: boolean;
};

/** A search of a dataset's chunks for the rows that satisfy a predicate. */
type RowSearch = {
  readonly chunks: SearchedChunks;
  readonly shortcuts: Shortcuts;
  /** The condition that the fewest rows are expected to satisfy comes first. */
  readonly conditions: readonly SearchedCondition[];
};

/**
 * Begins a search by reading the directories of the columns in the predicate. Does not return a
 * promise if they are in memory.
 */
export function beginSearch(
  store: ColumnStore,
  predicate: Predicate,
  context: ReadContext,
  shortcuts: Shortcuts,
): RowSearch | Promise<RowSearch> {
  const fields = fieldsInPredicate(predicate);
  const begin = (directories: readonly ColumnDirectory[]): RowSearch => {
    const byField = new Map(fields.map((field, i) => [field, directories[i] as ColumnDirectory]));
    const conditions = searchedConditions(predicate, byField);
    const isKept = store.hasRoomFor(directories, context);
    const chunks = new SearchedChunks(store, context, { conditions, isKept, ...shortcuts });
    return { chunks, shortcuts, conditions };
  };
  const asked = fields.map((field) => store.directory(field, context));
  // Waits for all of them together, because a rejection that nobody waits for would end the
  // process.
  return asked.some((one) => one instanceof Promise)
    ? Promise.all(asked).then(begin)
    : begin(asked as ColumnDirectory[]);
}

/** Returns the matching rows of a chunk; undefined if all rows match. */
export type ChunkFilter = (chunk: number) => SelectionVector | undefined | Promise<SelectionVector>;

/**
 * Begins a search of all chunks. It spends the steps for all of them first, so a query that takes
 * too much work is refused at once. Does not return a promise if the directories are in memory.
 */
export function matchesOf(
  store: ColumnStore,
  predicate: Predicate,
  context: ReadContext,
  shortcuts: Shortcuts,
): ChunkFilter | Promise<ChunkFilter> {
  if (predicate.length === 0) return () => undefined;
  return nowOrLater(beginSearch(store, predicate, context, shortcuts), (search) => {
    const pay = (steps: number, parameter?: string) => context.budget.spend(steps, parameter);
    const steps = new Float64Array(store.chunks);
    for (let chunk = 0; chunk < steps.length; chunk++) {
      steps[chunk] = stepsOfChunk(search, chunk, pay);
    }
    return (chunk: number) => searchChunk(search, chunk, steps[chunk] as number);
  });
}

/**
 * The cost of searching a chunk, in steps. It depends on the data alone, not on what is in memory
 * or on shortcuts, because it decides which hints an answer has. If `pay` is present, it is called
 * with the cost of each condition.
 */
export function stepsOfChunk(
  search: RowSearch,
  chunk: number,
  pay?: (steps: number, parameter: string | undefined) => void,
): number {
  if (!mayHaveRows(search.conditions, chunk)) return 0;
  let steps = 0;
  for (const condition of search.conditions) {
    const ofCondition = stepsOf(condition, chunk);
    pay?.(ofCondition, condition.condition.parameters[0]);
    steps += ofCondition;
  }
  return steps;
}

/**
 * Returns the matching rows of a chunk; none if its bounds rule it out. `steps` is the cost of
 * searching it. Does not return a promise if everything is in memory and no pause is due.
 */
export function searchChunk(
  search: RowSearch,
  chunk: number,
  steps: number,
): SelectionVector | Promise<SelectionVector> {
  if (steps === 0 && search.shortcuts.bounds) return NO_ROWS;
  return filterChunk(search, chunk, search.conditions);
}

/**
 * Returns the rows of a chunk that satisfy the conditions from index `from` on, among the rows that
 * satisfy `before` and the selections. Each condition narrows the rows that the earlier ones left,
 * and a column is not read if no row is left. Alternatives read nothing ahead, because the top
 * level has done that already.
 */
function filterChunk(
  search: RowSearch,
  chunk: number,
  conditions: readonly SearchedCondition[],
  from = 0,
  before?: SelectionVector,
  selections: RowSelection[] = [],
): SelectionVector | Promise<SelectionVector> {
  const { chunks } = search;
  const isTop = conditions === search.conditions;
  const next = conditions[from];
  if (next === undefined) {
    return matchOf(before, selections) ?? new AllSelected(chunks.rowsIn(chunk));
  }
  const goOn = (match: SelectionVector | undefined) =>
    filterChunk(search, chunk, conditions, from + 1, match, selections);
  if (next.kind !== 'field') {
    const match = matchOf(before, selections.splice(0));
    if (match?.count === 0) return match;
    if (isTop) chunks.readAhead(chunk, from);
    return nowOrLater(
      next.kind === 'any'
        ? rowsOfAny(search, next, chunk, match)
        : next.kind === 'words'
          ? rowsWithWords(chunks, next, chunk, match)
          : rowsWithin(chunks, next, chunk, match),
      goOn,
    );
  }
  const { condition, column } = next;
  let match = before;
  let found: CachedChunk | Promise<CachedChunk> | undefined = chunks.cached(column, chunk);
  if (found === undefined) {
    // The conditions on columns in memory may leave no row, so that this column need not be read.
    match = matchOf(before, selections.splice(0));
    if (match?.count === 0) return match;
    if (isTop) chunks.readAhead(chunk, from);
    found = chunks.read(column, chunk);
  }
  return nowOrLater(found, (cached) =>
    nowOrLater(selectCodes(condition, cached.chunk, chunks.context.budget), (selected) => {
      if (selected.ranges.length === 0) return NO_ROWS;
      if (hasAllCodes(selected)) return goOn(match);
      selections.push(selectionOf(search, condition, chunk, cached, selected));
      const steps = chunks.rowsIn(chunk) * STEPS_PER_ROW;
      return nowOrLater(chunks.context.budget.checkpoint(steps), () => goOn(match));
    }),
  );
}

function hasAllCodes({ ranges, size }: SelectedCodes): boolean {
  const [first] = ranges;
  return ranges.length === 1 && first?.[0] === 0 && first[1] === size - 1;
}

/**
 * Returns the rows that satisfy at least one alternative, in the whole chunk or among the rows that
 * match already.
 */
function rowsOfAny(
  search: RowSearch,
  { alternatives }: SearchedAny,
  chunk: number,
  before: SelectionVector | undefined,
): SelectionVector | Promise<SelectionVector> {
  const isFound = new Uint8Array(search.chunks.rowsIn(chunk));
  const all = before?.rows(0, before.count);
  const markFrom = (i: number): SelectionVector | Promise<SelectionVector> => {
    const conditions = alternatives[i];
    if (conditions === undefined) return foundRows(isFound);
    if (search.shortcuts.bounds && !mayHaveRows(conditions, chunk)) return markFrom(i + 1);
    // A copy, because narrowing overwrites the array of rows.
    const rowsBefore = all && new RowsSelected(all.slice());
    return nowOrLater(filterChunk(search, chunk, conditions, 0, rowsBefore), (match) => {
      const rows = match.rows(0, match.count);
      for (let at = 0; at < rows.length; at++) isFound[rows[at] as number] = 1;
      const steps = rows.length * STEPS_PER_ROW;
      return nowOrLater(search.chunks.context.budget.checkpoint(steps), () => markFrom(i + 1));
    });
  };
  return markFrom(0);
}

function foundRows(isFound: Uint8Array): RowsSelected {
  const rows = new Uint16Array(isFound.length);
  let count = 0;
  for (let row = 0; row < isFound.length; row++) if (isFound[row] === 1) rows[count++] = row;
  return new RowsSelected(rows.subarray(0, count));
}

/**
 * Calls `on` at once if the value is not a promise. A search in memory takes less time than a
 * promise.
 */
function nowOrLater<T, R>(value: T | Promise<T>, on: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(on) : on(value);
}

function selectionOf(
  { chunks, shortcuts }: RowSearch,
  { field }: FieldCondition,
  chunk: number,
  cached: CachedChunk,
  { ranges, size, textCodes }: SelectedCodes,
): RowSelection {
  const order =
    shortcuts.orders && textCodes === undefined
      ? chunks.store.orderForSearch(field, chunk, cached)
      : undefined;
  return new RowSelection(textCodes ?? cached.chunk.codes, size, ranges, order);
}

/** The most chunks, over all columns, that are read ahead of the one being searched. */
const MOST_AHEAD = 32;

type ChunkSearch = {
  readonly conditions: readonly SearchedCondition[];
  /** Whether what is read stays in memory, as far as there is room for it. */
  readonly isKept: boolean;
  /** Whether the search skips chunks by their least and greatest keys. */
  readonly bounds: boolean;
};

/** Loads the chunks that a search needs: from memory, or by reading them ahead. */
class SearchedChunks {
  readonly store: ColumnStore;
  readonly context: ReadContext;
  readonly #search: ChunkSearch;
  /** The reads that began before their chunk was needed. */
  readonly #ahead = new Map<string, Promise<CachedChunk>>();

  constructor(store: ColumnStore, context: ReadContext, search: ChunkSearch) {
    this.store = store;
    this.context = context;
    this.#search = search;
  }

  /** The number of rows in a chunk. */
  rowsIn(chunk: number): number {
    const { rows, rowsPerChunk } = this.store;
    return Math.min(rowsPerChunk, rows - chunk * rowsPerChunk);
  }

  /** Returns a chunk if it is in memory. */
  cached({ field }: SearchedColumn, chunk: number): CachedChunk | undefined {
    return this.store.cachedChunk(field, chunk);
  }

  /** Returns a chunk of a column, without a promise if it is in memory. */
  read(column: SearchedColumn, chunk: number): CachedChunk | Promise<CachedChunk> {
    return this.cached(column, chunk) ?? this.#read(column, chunk);
  }

  /**
   * Begins to read what this chunk and the next ones will need, for every condition that the search
   * is likely to reach. In this chunk these are the conditions from index `from` on.
   */
  readAhead(chunk: number, from: number): void {
    const { conditions, bounds } = this.#search;
    const end = Math.min(chunk + 1 + CHUNKS_AHEAD, this.store.chunks);
    for (let next = chunk; next < end; next++) {
      if (bounds && !mayHaveRows(conditions, next)) continue;
      let left = this.store.rowsPerChunk;
      for (const [i, condition] of conditions.entries()) {
        if (left < 1) break;
        left *= condition.share;
        if (next === chunk && i < from) continue;
        for (const column of searchedColumns(condition)) {
          if (this.#ahead.size >= MOST_AHEAD) return;
          this.#readOneAhead(column, next);
        }
      }
    }
  }

  #readOneAhead(column: SearchedColumn, chunk: number): void {
    const name = chunkName(column, chunk);
    if (this.#ahead.has(name) || this.cached(column, chunk) !== undefined) return;
    const reading = this.#begin(column, chunk);
    // The caller that needs the chunk gets the failure.
    reading.catch(() => {});
    this.#ahead.set(name, reading);
  }

  #read(column: SearchedColumn, chunk: number): Promise<CachedChunk> {
    const name = chunkName(column, chunk);
    const reading = this.#ahead.get(name) ?? this.#begin(column, chunk);
    this.#ahead.delete(name);
    return this.store.within(reading, this.context);
  }

  #begin({ field, directory }: SearchedColumn, chunk: number): Promise<CachedChunk> {
    return this.store.readChunk(field, chunk, directory, this.#search.isKept, this.context);
  }
}

function chunkName({ field }: SearchedColumn, chunk: number): string {
  return `${field}/${chunk}`;
}

/** How many places are examined without a pause. */
const PLACES_AT_ONCE = 2 ** 12;

/**
 * Returns the rows that are near enough, in the whole chunk or among the rows that match already.
 */
async function rowsWithin(
  chunks: SearchedChunks,
  { condition, columns }: SearchedPlaces,
  chunk: number,
  before: SelectionVector | undefined,
): Promise<SelectionVector> {
  const [longitudes, latitudes] = await Promise.all([
    chunks.read(columns[0], chunk),
    chunks.read(columns[1], chunk),
  ]);
  const all = before ?? new AllSelected(chunks.rowsIn(chunk));
  const rows = all.rows(0, all.count);
  const distances = new ChunkDistances(longitudes.chunk, latitudes.chunk, condition.at);
  const most = condition.metres;
  let kept = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (metresOf(distances.of(row)) <= most) rows[kept++] = row;
    if (i % PLACES_AT_ONCE === 0) {
      await chunks.context.budget.checkpoint(PLACES_AT_ONCE * STEPS_PER_DISTANCE);
    }
  }
  return new RowsSelected(rows.subarray(0, kept));
}

/**
 * Returns the rows whose texts have all the words, in the whole chunk or among the rows that match
 * already.
 */
async function rowsWithWords(
  chunks: SearchedChunks,
  { condition, columns }: SearchedWords,
  chunk: number,
  before: SelectionVector | undefined,
): Promise<SelectionVector> {
  const { fields } = condition;
  const { store, context } = chunks;
  const beginnings = beginningsOf(condition.words);
  const found = uintArrayFor(2 ** beginnings.length, chunks.rowsIn(chunk));
  for (const [i, column] of columns.entries()) {
    const cached = await chunks.read(column, chunk);
    const { byDigits } = fields[i] as SearchedField;
    // Making the searchable words of phone numbers takes longer than indexing them, so phone
    // numbers are indexed at the first search.
    if (cached.words === undefined && (byDigits || cached.isSearchedForWords)) {
      await indexWords(cached, byDigits, context.budget);
      store.recount(column.field, chunk, cached);
    }
    cached.isSearchedForWords = true;
    await markWords(cached, beginnings, byDigits, found, context.budget);
  }
  const all = 2 ** beginnings.length - 1;
  const kept = rowsWith(found, all, before?.rows(0, before.count));
  await context.budget.checkpoint(found.length * STEPS_PER_ROW);
  return new RowsSelected(kept);
}

/** Returns the rows whose bits are all set: of all rows, or of `rows`. */
function rowsWith(found: UintArray, all: number, rows: Uint16Array | undefined): Uint16Array {
  const kept = new Uint16Array(rows?.length ?? found.length);
  let count = 0;
  if (rows === undefined) {
    for (let row = 0; row < found.length; row++) if (found[row] === all) kept[count++] = row;
  } else {
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      if (found[row] === all) kept[count++] = row;
    }
  }
  return kept.subarray(0, count);
}

/** The cost of computing a row's distance, in steps: three sines or cosines. */
export const STEPS_PER_DISTANCE = 15;

/**
 * Computes the distances from a place to the rows of a chunk. Call it only for rows that have a
 * place.
 */
export class ChunkDistances {
  readonly #longitudes: Chunk;
  readonly #latitudes: Chunk;
  readonly #at: Point;

  constructor(longitudes: Chunk, latitudes: Chunk, at: Point) {
    this.#longitudes = longitudes;
    this.#latitudes = latitudes;
    this.#at = at;
  }

  /**
   * The difference in latitude between the place and a row, in degrees. Computing it is much faster
   * than computing the distance.
   */
  latitudeApart(row: number): number {
    return Math.abs(numberOf(this.#latitudes, row) - this.#at[1]);
  }

  /** The haversine of the distance from the place to a row. */
  of(row: number): number {
    return haversine([numberOf(this.#longitudes, row), numberOf(this.#latitudes, row)], this.#at);
  }
}

function numberOf({ codes, dictionary }: Chunk, row: number): number {
  return numberAt(dictionary as FrameOfReference | NumberList, codes[row] as number);
}
