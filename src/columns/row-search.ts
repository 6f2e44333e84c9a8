import { type FieldCondition, fieldsOf, type Predicate } from '../query/predicate.ts';
import { type ChunkMatch, EveryRow, FoundRows, matchOf, NO_ROWS } from './chunk-match.ts';
import type { ColumnDirectory } from './column-directory.ts';
import type { ColumnStore, Run } from './column-store.ts';
import type { HeldChunk } from './held-chunk.ts';
import { rowsWithin } from './search-places.ts';
import { rowsWithWords } from './search-words.ts';
import { SearchedChunks } from './searched-chunks.ts';
import {
  mayHaveRows,
  type SearchedAny,
  type SearchedCondition,
  STEPS_PER_ROW,
  searchedConditions,
  stepsOf,
} from './searched-conditions.ts';
import { type SelectedCodes, selectCodes } from './select-codes.ts';
import { RowSelection } from './select-rows.ts';

/** Parts of the executor that change its work, never its answers; a test switches them off. */
export type Shortcuts = {
  /** Whether chunks are skipped by their least and greatest keys. */
  readonly bounds: boolean;
  /** Whether rows are looked up in a chunk's order. */
  readonly orders: boolean;
};

/** A search of a dataset's chunks for the rows that satisfy a predicate. */
export type RowSearch = {
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
  run: Run,
  shortcuts: Shortcuts,
): RowSearch | Promise<RowSearch> {
  const fields = fieldsOf(predicate);
  const begin = (directories: readonly ColumnDirectory[]): RowSearch => {
    const byField = new Map(fields.map((field, i) => [field, directories[i] as ColumnDirectory]));
    const conditions = searchedConditions(predicate, byField);
    const isKept = store.hasRoomFor(directories, run);
    const chunks = new SearchedChunks(store, run, { conditions, isKept, ...shortcuts });
    return { chunks, shortcuts, conditions };
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
  return narrowed(search, chunk, search.conditions);
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
  const { chunks } = search;
  const isTop = conditions === search.conditions;
  const next = conditions[from];
  if (next === undefined) {
    return matchOf(before, selections) ?? new EveryRow(chunks.rowsIn(chunk));
  }
  const goOn = (match: ChunkMatch | undefined) =>
    narrowed(search, chunk, conditions, from + 1, match, selections);
  if (next.kind !== 'field') {
    const match = matchOf(before, selections.splice(0));
    if (match?.count === 0) return match;
    if (isTop) chunks.readAhead(chunk, from);
    return going(
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
  let found: HeldChunk | Promise<HeldChunk> | undefined = chunks.held(column, chunk);
  if (found === undefined) {
    // What is in memory may show that this column need not be read.
    match = matchOf(before, selections.splice(0));
    if (match?.count === 0) return match;
    if (isTop) chunks.readAhead(chunk, from);
    found = chunks.read(column, chunk);
  }
  return going(found, (held) =>
    going(selectCodes(condition, held.chunk, chunks.run.budget), (selected) => {
      if (selected.ranges.length === 0) return NO_ROWS;
      if (hasAllCodes(selected)) return goOn(match);
      selections.push(selectionOf(search, condition, chunk, held, selected));
      const steps = chunks.rowsIn(chunk) * STEPS_PER_ROW;
      return going(chunks.run.budget.turn(steps), () => goOn(match));
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
  before: ChunkMatch | undefined,
): ChunkMatch | Promise<ChunkMatch> {
  const isFound = new Uint8Array(search.chunks.rowsIn(chunk));
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
      const steps = rows.length * STEPS_PER_ROW;
      return going(search.chunks.run.budget.turn(steps), () => markFrom(i + 1));
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

/** Goes on with a value at once if it is there: a promise takes longer than a search in memory. */
function going<T, R>(value: T | Promise<T>, on: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(on) : on(value);
}

function selectionOf(
  { chunks, shortcuts }: RowSearch,
  { field }: FieldCondition,
  chunk: number,
  held: HeldChunk,
  { ranges, size, textCodes }: SelectedCodes,
): RowSelection {
  const order =
    shortcuts.orders && textCodes === undefined
      ? chunks.store.orderForSearch(field, chunk, held)
      : undefined;
  return new RowSelection(textCodes ?? held.chunk.codes, size, ranges, order);
}
