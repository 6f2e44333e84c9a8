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

/** Parts of the executor that change its work, never its answers; a test switches them off. */
export type Shortcuts = {
  /** Whether chunks are skipped by their least and greatest keys. */
  readonly bounds: boolean;
  /** Whether rows are looked up in a chunk's order. */
  readonly orders: boolean;
};

/** A search of a dataset's chunks for the rows that satisfy a predicate. */
type RowSearch = {
  readonly chunks: SearchedChunks;
  readonly shortcuts: Shortcuts;
  /** The one that the fewest rows satisfy, by an estimate, comes first. */
  readonly conditions: readonly SearchedCondition[];
};

/**
 * Begins a search: reads the directories of the columns that the predicate is about. Not a promise
 * if they are in memory.
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
  // All at once: a failure that nobody waits for would end the process.
  return asked.some((one) => one instanceof Promise)
    ? Promise.all(asked).then(begin)
    : begin(asked as ColumnDirectory[]);
}

/** The matching rows of a chunk; undefined if all rows match. */
export type ChunkFilter = (chunk: number) => SelectionVector | undefined | Promise<SelectionVector>;

/**
 * Begins a search of all chunks. It is paid before anything is searched: what is too much is refused
 * at once. Not a promise if the directories are in memory.
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
 * The work of searching a chunk, in steps. It depends on the data alone, not on what is in memory or
 * which shortcuts are taken: help is left out by it. `pay` is told each condition's part.
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
 * The matching rows of a chunk, whose search takes so many steps: none if bounds rule it out. Not a
 * promise if everything is in memory and nothing needs a pause.
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
 * The rows of a chunk that satisfy the conditions from `from` on, of those that `before` and the
 * selections have. Conditions narrow one after another, and a column is not read if no row is left.
 * Within an alternative nothing is read ahead: that was done before.
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
    // What is in memory may show that this column need not be read.
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

/** The rows of a chunk, or of those that match already, that satisfy some alternative. */
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
    // A copy, since narrowing moves rows within their array.
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

/** Goes on with a value at once if it is there: a promise takes longer than a search in memory. */
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

/** How many chunks of all columns are read ahead of the one that is searched. */
const MOST_AHEAD = 32;

type ChunkSearch = {
  readonly conditions: readonly SearchedCondition[];
  /** Whether what is read stays in memory, as far as there is room. */
  readonly isKept: boolean;
  /** Whether chunks are skipped by their least and greatest keys. */
  readonly bounds: boolean;
};

/** The chunks of the columns that a search is about: from memory, or read before they are needed. */
class SearchedChunks {
  readonly store: ColumnStore;
  readonly context: ReadContext;
  readonly #search: ChunkSearch;
  /** Those that are being read before they are searched. */
  readonly #ahead = new Map<string, Promise<CachedChunk>>();

  constructor(store: ColumnStore, context: ReadContext, search: ChunkSearch) {
    this.store = store;
    this.context = context;
    this.#search = search;
  }

  /** How many rows a chunk has. */
  rowsIn(chunk: number): number {
    const { rows, rowsPerChunk } = this.store;
    return Math.min(rowsPerChunk, rows - chunk * rowsPerChunk);
  }

  /** A chunk that is in memory. */
  cached({ field }: SearchedColumn, chunk: number): CachedChunk | undefined {
    return this.store.cachedChunk(field, chunk);
  }

  /** A chunk of a column; not a promise if it is in memory. */
  read(column: SearchedColumn, chunk: number): CachedChunk | Promise<CachedChunk> {
    return this.cached(column, chunk) ?? this.#read(column, chunk);
  }

  /**
   * Begins to read what this chunk and the next ones need, for each condition that is likely to be
   * reached; in this one they are those from `from` on.
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
    // Who asks for the chunk meets the failure.
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

/** How many places are tried without a pause. */
const PLACES_AT_ONCE = 2 ** 12;

/** The rows of a chunk, or of those that match already, that are near enough. */
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

/** The rows of a chunk, or of those that match already, whose texts have all words. */
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
    // What phone numbers are found by takes longer to make than to index.
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

/** The rows, or those of some rows, whose bits are all set. */
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

/** The work of telling a row's distance, in steps: three sines or cosines. */
export const STEPS_PER_DISTANCE = 15;

/** The distances from a place to the rows of a chunk; each row that is asked must have a place. */
export class ChunkDistances {
  readonly #longitudes: Chunk;
  readonly #latitudes: Chunk;
  readonly #at: Point;

  constructor(longitudes: Chunk, latitudes: Chunk, at: Point) {
    this.#longitudes = longitudes;
    this.#latitudes = latitudes;
    this.#at = at;
  }

  /** The degrees of latitude from the place to a row, which is told much faster. */
  latitudeApart(row: number): number {
    return Math.abs(numberOf(this.#latitudes, row) - this.#at[1]);
  }

  /** The haversine of a row. */
  of(row: number): number {
    return haversine([numberOf(this.#longitudes, row), numberOf(this.#latitudes, row)], this.#at);
  }
}

function numberOf({ codes, dictionary }: Chunk, row: number): number {
  return numberAt(dictionary as FrameOfReference | NumberList, codes[row] as number);
}
