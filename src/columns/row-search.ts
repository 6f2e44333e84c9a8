import { metresOf } from '../query/distance.ts';
import {
  type FieldCondition,
  fieldsOf,
  type Predicate,
  type SearchedField,
} from '../query/predicate.ts';
import { ChunkDistances, STEPS_PER_DISTANCE } from './chunk-distances.ts';
import type { ColumnDirectory } from './column-directory.ts';
import { CHUNKS_AHEAD, type ColumnStore, type Run } from './column-store.ts';
import type { HeldChunk } from './held-chunk.ts';
import {
  type Column,
  columnsOf,
  mayHaveRows,
  type SearchedAny,
  type SearchedCondition,
  type SearchedPlaces,
  type SearchedWords,
  searchedConditions,
  stepsOf,
} from './searched-conditions.ts';
import { type SelectedCodes, selectCodes } from './select-codes.ts';
import { RowSelection } from './select-rows.ts';
import { markWords } from './select-words.ts';

/** The rows of one chunk that match. */
export type ChunkMatch = {
  readonly count: number;
  /** The first `most` of them from a row of the chunk on, ascending. */
  rows(from: number, most: number): Uint16Array;
};

/** Parts of the executor that change its work, never its answers; a test switches them off. */
export type Shortcuts = {
  /** Whether chunks are skipped by their least and greatest keys. */
  readonly bounds: boolean;
  /** Whether rows are looked up in a chunk's order. */
  readonly orders: boolean;
};

/** A search of a dataset's chunks for the rows that satisfy a predicate. */
export type RowSearch = {
  readonly store: ColumnStore;
  readonly run: Run;
  readonly shortcuts: Shortcuts;
  /** The one that the fewest rows satisfy, by an estimate, comes first. */
  readonly conditions: readonly SearchedCondition[];
  /** Whether what is read stays in memory, as far as there is room. */
  readonly isKept: boolean;
  /** Chunks that are being read before they are searched. */
  readonly ahead: Map<string, Promise<HeldChunk>>;
};

/** How many places are tried without a pause. */
const PLACES_AT_ONCE = 2 ** 12;

/** How many chunks of all columns are read ahead of the one that is searched. */
const MOST_AHEAD = 32;

/**
 * Begins a search: reads the directories of the columns that the predicate is about. Not a promise
 * if they are in memory.
 */
export function beginSearch(
  store: ColumnStore,
  predicate: Predicate,
  run: Run,
  shortcuts: Shortcuts,
): RowSearch | Promise<RowSearch> {
  const fields = fieldsOf(predicate);
  const begin = (directories: readonly ColumnDirectory[]): RowSearch => {
    const byField = new Map(fields.map((field, i) => [field, directories[i] as ColumnDirectory]));
    const conditions = searchedConditions(predicate, byField);
    const isKept = store.hasRoomFor(directories, run);
    return { store, run, shortcuts, conditions, isKept, ahead: new Map() };
  };
  const asked = fields.map((field) => store.directory(field, run));
  // All at once: a failure that nobody waits for would end the process.
  return asked.some((one) => one instanceof Promise)
    ? Promise.all(asked).then(begin)
    : begin(asked as ColumnDirectory[]);
}

/** The matching rows of a chunk; undefined if all rows match. */
export type MatchIn = (chunk: number) => ChunkMatch | undefined | Promise<ChunkMatch>;

/**
 * Begins a search of all chunks. It is paid before anything is searched: what is too much is refused
 * at once. Not a promise if the directories are in memory.
 */
export function matchesOf(
  store: ColumnStore,
  predicate: Predicate,
  run: Run,
  shortcuts: Shortcuts,
): MatchIn | Promise<MatchIn> {
  if (predicate.length === 0) return () => undefined;
  return going(beginSearch(store, predicate, run, shortcuts), (search) => {
    const pay = (steps: number, parameter?: string) => run.budget.spend(steps, parameter);
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
    const its = stepsOf(condition, chunk);
    pay?.(its, condition.condition.parameters[0]);
    steps += its;
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
): ChunkMatch | Promise<ChunkMatch> {
  if (steps === 0 && search.shortcuts.bounds) return NO_ROWS;
  return going(narrowed(search, chunk, search.conditions), (match) =>
    going(search.run.budget.turn(steps), () => match),
  );
}

/**
 * The rows of a chunk that satisfy the conditions from `from` on, of those that `before` and the
 * selections have. Conditions narrow one after another, and a column is not read if no row is left.
 * Within an alternative nothing is read ahead: that was done before.
 */
function narrowed(
  search: RowSearch,
  chunk: number,
  conditions: readonly SearchedCondition[],
  from = 0,
  before?: ChunkMatch,
  selections: RowSelection[] = [],
): ChunkMatch | Promise<ChunkMatch> {
  const { store, run } = search;
  const isTop = conditions === search.conditions;
  const next = conditions[from];
  if (next === undefined) return matchOf(before, selections) ?? NO_ROWS;
  const goOn = (match: ChunkMatch | undefined) =>
    narrowed(search, chunk, conditions, from + 1, match, selections);
  if (next.kind !== 'field') {
    const match = matchOf(before, selections.splice(0));
    if (match?.count === 0) return match;
    if (isTop) readAhead(search, chunk, from);
    return going(
      next.kind === 'any'
        ? rowsOfAny(search, next, chunk, match)
        : next.kind === 'words'
          ? rowsWithWords(search, next, chunk, match)
          : rowsWithin(search, next, chunk, match),
      goOn,
    );
  }
  const { condition, column } = next;
  let match = before;
  let found: HeldChunk | Promise<HeldChunk> | undefined = store.heldChunk(column.field, chunk);
  if (found === undefined) {
    // What is in memory may show that this column need not be read.
    match = matchOf(before, selections.splice(0));
    if (match?.count === 0) return match;
    if (isTop) readAhead(search, chunk, from);
    found = readChunk(search, chunk, column);
  }
  return going(found, (held) =>
    going(selectCodes(condition, held.chunk, run.budget), (selected) => {
      if (selected.ranges.length === 0) return NO_ROWS;
      selections.push(selectionOf(search, condition, chunk, held, selected));
      return goOn(match);
    }),
  );
}

/** The rows of a chunk, or of those that match already, that satisfy some alternative. */
function rowsOfAny(
  search: RowSearch,
  { alternatives }: SearchedAny,
  chunk: number,
  before: ChunkMatch | undefined,
): ChunkMatch | Promise<ChunkMatch> {
  const isFound = new Uint8Array(rowsIn(search.store, chunk));
  const all = before?.rows(0, before.count);
  const markFrom = (i: number): ChunkMatch | Promise<ChunkMatch> => {
    const conditions = alternatives[i];
    if (conditions === undefined) return foundRows(isFound);
    if (search.shortcuts.bounds && !mayHaveRows(conditions, chunk)) return markFrom(i + 1);
    // A copy, since narrowing moves rows within their array.
    const rowsBefore = all && new FoundRows(all.slice());
    return going(narrowed(search, chunk, conditions, 0, rowsBefore), (match) => {
      const rows = match.rows(0, match.count);
      for (let at = 0; at < rows.length; at++) isFound[rows[at] as number] = 1;
      return markFrom(i + 1);
    });
  };
  return markFrom(0);
}

function foundRows(isFound: Uint8Array): FoundRows {
  const rows = new Uint16Array(isFound.length);
  let count = 0;
  for (let row = 0; row < isFound.length; row++) if (isFound[row] === 1) rows[count++] = row;
  return new FoundRows(rows.subarray(0, count));
}

/** The rows of a chunk, or of those that match already, whose texts have all words. */
async function rowsWithWords(
  search: RowSearch,
  { condition, columns }: SearchedWords,
  chunk: number,
  before: ChunkMatch | undefined,
): Promise<ChunkMatch> {
  const { store, run } = search;
  const { words, fields } = condition;
  const found = new Uint16Array(rowsIn(store, chunk));
  for (const [i, column] of columns.entries()) {
    const held = store.heldChunk(column.field, chunk) ?? (await readChunk(search, chunk, column));
    const { byDigits } = fields[i] as SearchedField;
    await markWords(held.chunk, words, byDigits, found, run.budget);
  }
  const all = 2 ** words.length - 1;
  const rows = before?.rows(0, before.count);
  const length = rows?.length ?? found.length;
  const kept = new Uint16Array(length);
  let count = 0;
  for (let i = 0; i < length; i++) {
    const row = rows === undefined ? i : (rows[i] as number);
    if (found[row] === all) kept[count++] = row;
  }
  return new FoundRows(kept.subarray(0, count));
}

/** The rows of a chunk, or of those that match already, that are near enough. */
async function rowsWithin(
  search: RowSearch,
  { condition, columns }: SearchedPlaces,
  chunk: number,
  before: ChunkMatch | undefined,
): Promise<ChunkMatch> {
  const { store, run } = search;
  const [longitudes, latitudes] = await Promise.all(
    columns.map(
      (column) => store.heldChunk(column.field, chunk) ?? readChunk(search, chunk, column),
    ),
  );
  if (longitudes === undefined || latitudes === undefined) throw new TypeError('No places.');
  const rows =
    before?.rows(0, before.count) ??
    Uint16Array.from({ length: rowsIn(store, chunk) }, (_, row) => row);
  const distances = new ChunkDistances(longitudes.chunk, latitudes.chunk, condition.at);
  const most = condition.metres;
  let kept = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (metresOf(distances.of(row)) <= most) rows[kept++] = row;
    if (i % PLACES_AT_ONCE === 0) await run.budget.turn(PLACES_AT_ONCE * STEPS_PER_DISTANCE);
  }
  return new FoundRows(rows.subarray(0, kept));
}

function rowsIn({ rows, rowsPerChunk }: ColumnStore, chunk: number): number {
  return Math.min(rowsPerChunk, rows - chunk * rowsPerChunk);
}

/** Goes on with a value at once if it is there: a promise takes longer than a search in memory. */
function going<T, R>(value: T | Promise<T>, on: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(on) : on(value);
}

function selectionOf(
  { store, shortcuts }: RowSearch,
  { field }: FieldCondition,
  chunk: number,
  held: HeldChunk,
  { ranges, size, textCodes }: SelectedCodes,
): RowSelection {
  const order =
    shortcuts.orders && textCodes === undefined
      ? store.orderForSearch(field, chunk, held)
      : undefined;
  return new RowSelection(textCodes ?? held.chunk.codes, size, ranges, order);
}

const NO_ROWS: ChunkMatch = { count: 0, rows: () => new Uint16Array() };

/** The rows that satisfy all selections, of those that match already. */
function matchOf(
  before: ChunkMatch | undefined,
  selections: readonly RowSelection[],
): ChunkMatch | undefined {
  const sorted =
    selections.length < 2 ? selections : [...selections].sort((a, b) => a.count - b.count);
  const [first] = sorted;
  if (first === undefined) return before;
  if (before === undefined && sorted.length === 1 && first.isCounted)
    return new OneSelection(first);
  const rows = before?.rows(0, before.count) ?? first.rows();
  let kept = rows.length;
  for (let i = before === undefined ? 1 : 0; i < sorted.length; i++) {
    kept = (sorted[i] as RowSelection).keep(rows, kept);
  }
  return new FoundRows(rows.subarray(0, kept));
}

/** The rows of one selection, counted but not yet listed: a page needs only some of them. */
class OneSelection implements ChunkMatch {
  readonly #selection: RowSelection;

  constructor(selection: RowSelection) {
    this.#selection = selection;
  }

  get count(): number {
    return this.#selection.count;
  }

  rows(from: number, most: number): Uint16Array {
    return from === 0 && most >= this.count
      ? this.#selection.rows()
      : this.#selection.firstRows(from, most);
  }
}

class FoundRows implements ChunkMatch {
  readonly #rows: Uint16Array;

  constructor(rows: Uint16Array) {
    this.#rows = rows;
  }

  get count(): number {
    return this.#rows.length;
  }

  rows(from: number, most: number): Uint16Array {
    const rows = this.#rows;
    let start = 0;
    while (start < rows.length && (rows[start] as number) < from) start++;
    return rows.subarray(start, start + most);
  }
}

function readChunk(
  { store, run, isKept, ahead }: RowSearch,
  chunk: number,
  { field, directory }: Column,
): Promise<HeldChunk> {
  const name = `${field}/${chunk}`;
  const reading = ahead.get(name) ?? store.readChunk(field, chunk, directory, isKept, run);
  ahead.delete(name);
  return store.within(reading, run);
}

/**
 * Begins to read what this chunk and the next ones need, for each condition that is likely to be
 * reached; in this one they are those from `from` on.
 */
function readAhead(search: RowSearch, chunk: number, from: number): void {
  const { store, run, conditions, isKept, ahead } = search;
  const end = Math.min(chunk + 1 + CHUNKS_AHEAD, store.chunks);
  for (let next = chunk; next < end; next++) {
    if (search.shortcuts.bounds && !mayHaveRows(conditions, next)) continue;
    let left = store.rowsPerChunk;
    for (const [i, condition] of conditions.entries()) {
      if (left < 1) break;
      left *= condition.share;
      if (next === chunk && i < from) continue;
      for (const { field, directory } of columnsOf(condition)) {
        if (ahead.size >= MOST_AHEAD) return;
        const name = `${field}/${next}`;
        if (ahead.has(name) || store.heldChunk(field, next) !== undefined) continue;
        const reading = store.readChunk(field, next, directory, isKept, run);
        // Who asks for the chunk meets the failure.
        reading.catch(() => {});
        ahead.set(name, reading);
      }
    }
  }
}
