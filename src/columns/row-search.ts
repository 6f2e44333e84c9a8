import type { Condition, FieldCondition, SearchedField } from '../query/predicate.ts';
import { degreesApart, haversine, metresOf, type Point } from '../values/places.ts';
import type { Work } from '../work/work.ts';
import type { CachedChunk } from './cached-chunk.ts';
import {
  type Chunk,
  type FrameOfReference,
  type NumberList,
  numberAt,
  type UintArray,
  uintArrayFor,
} from './chunk.ts';
import type { SelectedCodes } from './code-ranges.ts';
import type { ColumnStore, Shortcuts } from './column-store.ts';
import {
  mayHaveRows,
  type SearchedAny,
  type SearchedColumn,
  type SearchedCondition,
  type SearchedPlaces,
  type SearchedWords,
  STEPS_PER_ROW,
} from './searched-conditions.ts';
import { rangesAtOnce, selectInPieces } from './select-codes.ts';
import { indexWords, markWords } from './select-words.ts';
import {
  AllSelected,
  matchOf,
  NO_ROWS,
  RowSelection,
  RowsSelected,
  type SelectionVector,
  selectedByBits,
} from './selection.ts';
import { beginningsOf } from './word-index.ts';

/**
 * Returns the rows of a chunk that satisfy the conditions, among those in `before`. Each condition
 * narrows the rows that the earlier ones left, and a column is not read if no row is left.
 */
export function* filterChunk(
  source: FilterSource,
  chunk: number,
  conditions: readonly SearchedCondition[],
  before?: SelectionVector,
): Work<SelectionVector> {
  const rows = source.rowsIn(chunk);
  const selections: RowSelection[] = [];
  let match = before;
  for (const next of conditions) {
    const inMemory = next.kind === 'field' ? source.cached(next.column, chunk) : undefined;
    if (inMemory === undefined) {
      // The conditions on columns in memory may leave no row, so that this one reads nothing.
      match = matchOf(match, selections.splice(0));
      if (match?.count === 0) return match;
      source.readAhead(chunk, next);
    }
    if (next.kind === 'any') match = yield* rowsOfAny(source, next, chunk, match);
    else if (next.kind === 'words') match = yield* rowsWithWords(source, next, chunk, match);
    else if (next.kind === 'within') match = yield* rowsWithin(source, next, chunk, match);
    else {
      const { condition, column } = next;
      const cached = inMemory ?? (yield* source.read(column, chunk));
      const ranges = rangesAtOnce(condition, cached.chunk);
      const selected =
        ranges === undefined
          ? yield* selectInPieces(condition, cached.chunk)
          : { ranges, size: cached.chunk.size };
      if (selected.ranges.length === 0) return NO_ROWS;
      if (hasAllCodes(selected)) continue;
      selections.push(selectionOf(source, condition, chunk, cached, selected));
      const pause = source.pauseAfter(rows * STEPS_PER_ROW);
      if (pause !== undefined) yield pause;
    }
  }
  return matchOf(match, selections) ?? new AllSelected(rows);
}

/** Conditions that are left out one at a time: each has a bit, of 31 that are positive. */
export const MOST_LEFT_OUT = 31;

/**
 * Returns for each list of conditions the rows of a chunk that satisfy all others. It tests each row by
 * each condition once. At most `MOST_LEFT_OUT` conditions of fields are in lists.
 */
export function* filterWithoutEach(
  source: FilterSource,
  chunk: number,
  conditions: readonly SearchedCondition[],
  lists: readonly (readonly Condition[])[],
): Work<SelectionVector[]> {
  const leftOut = [...new Set(lists.flat())];
  const always = conditions.filter(({ condition }) => !leftOut.includes(condition));
  const match =
    always.length === 0
      ? new AllSelected(source.rowsIn(chunk))
      : yield* filterChunk(source, chunk, always);
  const rows = match.rows(0, match.count);
  const failed = new Uint32Array(rows.length);
  for (const next of conditions) {
    const bit = 1 << leftOut.indexOf(next.condition);
    if (next.kind !== 'field' || !leftOut.includes(next.condition)) continue;
    const cached = yield* source.read(next.column, chunk);
    const selected = yield* selectInPieces(next.condition, cached.chunk);
    if (hasAllCodes(selected)) continue;
    const { ranges, size, textCodes } = selected;
    new RowSelection(textCodes ?? cached.chunk.codes, size, ranges).markOthers(rows, bit, failed);
    yield rows.length * STEPS_PER_ROW;
  }
  const found: SelectionVector[] = [];
  for (const list of lists) {
    const own = list.reduce((bits, one) => bits | (1 << leftOut.indexOf(one)), 0);
    found.push(new RowsSelected(rowsWithoutBits(rows, failed, ~own)));
    yield rows.length * STEPS_PER_ROW;
  }
  return found;
}

/** The rows that have none of these bits. */
function rowsWithoutBits(rows: Uint16Array, failed: Uint32Array, bits: number): Uint16Array {
  const kept = new Uint16Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    if (((failed[i] as number) & bits) === 0) kept[count++] = rows[i] as number;
  }
  return kept.subarray(0, count);
}

/** Where a filter finds the chunks of its columns. */
export type FilterSource = {
  readonly store: ColumnStore;
  readonly shortcuts: Shortcuts;
  /** The number of rows in a chunk. */
  rowsIn(chunk: number): number;
  /** Returns a chunk if it is in memory. */
  cached(column: SearchedColumn, chunk: number): CachedChunk | undefined;
  read(column: SearchedColumn, chunk: number): Work<CachedChunk>;
  /** The rows with the words of a condition as bits, if the words are stored in their order. */
  rowsWithWords(searched: SearchedWords): Work<Uint32Array | undefined>;
  /** Counts work that is done, and returns a pause if it is time for one. */
  pauseAfter(steps: number): Promise<void> | undefined;
  /** Begins to read what the conditions from this one on need, in this chunk and the next ones. */
  readAhead(chunk: number, from: SearchedCondition): void;
};

function hasAllCodes({ ranges, size }: SelectedCodes): boolean {
  const [first] = ranges;
  return ranges.length === 1 && first?.[0] === 0 && first[1] === size - 1;
}

function selectionOf(
  { store, shortcuts }: FilterSource,
  { field }: FieldCondition,
  chunk: number,
  cached: CachedChunk,
  { ranges, size, textCodes }: SelectedCodes,
): RowSelection {
  const order =
    shortcuts.orders && textCodes === undefined
      ? store.orderForSearch(field, chunk, cached)
      : undefined;
  return new RowSelection(textCodes ?? cached.chunk.codes, size, ranges, order);
}

/**
 * Returns the rows that satisfy at least one alternative, in the whole chunk or among the rows that
 * match already.
 */
function* rowsOfAny(
  source: FilterSource,
  { alternatives }: SearchedAny,
  chunk: number,
  before: SelectionVector | undefined,
): Work<SelectionVector> {
  const isFound = new Uint8Array(source.rowsIn(chunk));
  const all = before?.rows(0, before.count);
  for (const conditions of alternatives) {
    if (source.shortcuts.bounds && !mayHaveRows(conditions, chunk)) continue;
    // A copy, because narrowing overwrites the array of rows.
    const rowsBefore = all && new RowsSelected(all.slice());
    const match = yield* filterChunk(source, chunk, conditions, rowsBefore);
    const rows = match.rows(0, match.count);
    for (let at = 0; at < rows.length; at++) isFound[rows[at] as number] = 1;
    yield rows.length * STEPS_PER_ROW;
  }
  return new RowsSelected(rowsWith(isFound, 1, undefined));
}

/** How many places are examined without a pause. */
const PLACES_AT_ONCE = 2 ** 12;

/**
 * Returns the rows that are near enough, in the whole chunk or among the rows that match already.
 */
function* rowsWithin(
  source: FilterSource,
  { condition, columns }: SearchedPlaces,
  chunk: number,
  before: SelectionVector | undefined,
): Work<SelectionVector> {
  const longitudes = yield* source.read(columns[0], chunk);
  const latitudes = yield* source.read(columns[1], chunk);
  const all = before ?? new AllSelected(source.rowsIn(chunk));
  const rows = all.rows(0, all.count);
  const distances = new ChunkDistances(longitudes.chunk, latitudes.chunk, condition.at);
  const most = condition.metres;
  let kept = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (metresOf(distances.of(row)) <= most) rows[kept++] = row;
    if (i % PLACES_AT_ONCE === 0) yield PLACES_AT_ONCE * STEPS_PER_DISTANCE;
  }
  return new RowsSelected(rows.subarray(0, kept));
}

/**
 * Returns the rows whose texts have all the words, in the whole chunk or among the rows that match
 * already.
 */
function* rowsWithWords(
  source: FilterSource,
  searched: SearchedWords,
  chunk: number,
  before: SelectionVector | undefined,
): Work<SelectionVector> {
  const { condition, columns } = searched;
  const { fields } = condition;
  const bits = yield* source.rowsWithWords(searched);
  if (bits !== undefined) {
    const first = chunk * source.store.rowsPerChunk;
    yield source.rowsIn(chunk) / 32;
    return selectedByBits(bits, first, source.rowsIn(chunk), before);
  }
  const beginnings = beginningsOf(condition.words);
  const found = uintArrayFor(2 ** beginnings.length, source.rowsIn(chunk));
  for (const [i, column] of columns.entries()) {
    const cached = yield* source.read(column, chunk);
    const { byDigits } = fields[i] as SearchedField;
    // Making the searchable words of phone numbers takes longer than indexing them, so phone
    // numbers are indexed at the first search.
    if (cached.words === undefined && (byDigits || cached.isSearchedForWords)) {
      yield* indexWords(cached, byDigits);
      source.store.recount(column.field, chunk, cached);
    }
    cached.isSearchedForWords = true;
    yield* markWords(cached, beginnings, byDigits, found);
  }
  const all = 2 ** beginnings.length - 1;
  const kept = rowsWith(found, all, before?.rows(0, before.count));
  yield found.length * STEPS_PER_ROW;
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

  /** The difference in longitude, in degrees, the shorter way around the earth. */
  longitudeApart(row: number): number {
    return degreesApart(numberOf(this.#longitudes, row), this.#at[0]);
  }

  /** The haversine of the distance from the place to a row. */
  of(row: number): number {
    return haversine([numberOf(this.#longitudes, row), numberOf(this.#latitudes, row)], this.#at);
  }
}

function numberOf({ codes, dictionary }: Chunk, row: number): number {
  return numberAt(dictionary as FrameOfReference | NumberList, codes[row] as number);
}
