import type {
  AnyCondition,
  Condition,
  FieldCondition,
  Predicate,
  WithinCondition,
  WordsCondition,
} from '../query/predicate.ts';
import { isWildcard } from '../text/pattern.ts';
import { sortBy } from '../values/comparison.ts';
import type { ChunkEntry, ColumnDirectory, WordOrder } from './chunk.ts';
import { mayMatch, stepsOfSelecting } from './select-codes.ts';
import { stepsOfWords } from './select-words.ts';

/** A condition with its columns, and the estimated share of all rows that satisfy it. */
export type SearchedCondition = SearchedOne | SearchedWords | SearchedAny | SearchedPlaces;

type SearchedOne = {
  readonly kind: 'field';
  readonly condition: FieldCondition;
  readonly share: number;
  readonly column: SearchedColumn;
};

export type SearchedWords = {
  readonly kind: 'words';
  readonly condition: WordsCondition;
  readonly share: number;
  /** The columns of the condition's fields, in that order. */
  readonly columns: readonly SearchedColumn[];
  /** Present if the words of these fields are stored in their order, which finds the rows. */
  readonly order: WordOrder | undefined;
};

export type SearchedAny = {
  readonly kind: 'any';
  readonly condition: AnyCondition;
  readonly share: number;
  readonly alternatives: readonly (readonly SearchedCondition[])[];
};

export type SearchedPlaces = {
  readonly kind: 'within';
  readonly condition: WithinCondition;
  readonly share: number;
  /** The columns of the longitudes and of the latitudes. */
  readonly columns: readonly [SearchedColumn, SearchedColumn];
};

export type SearchedColumn = { readonly field: string; readonly directory: ColumnDirectory };

/**
 * Prepares the conditions of a predicate. The condition that the fewest rows are expected to
 * satisfy comes first.
 */
export function searchedConditions(
  predicate: Predicate,
  directories: ReadonlyMap<string, ColumnDirectory>,
  useOrders: boolean,
): SearchedCondition[] {
  const searched = predicate.map((condition) =>
    searchedCondition(condition, directories, useOrders),
  );
  return sortBy(searched, ({ share }) => share);
}

function searchedCondition(
  condition: Condition,
  directories: ReadonlyMap<string, ColumnDirectory>,
  useOrders: boolean,
): SearchedCondition {
  const columnOf = (field: string) => ({
    field,
    directory: directories.get(field) as ColumnDirectory,
  });
  if (condition.test === 'words') {
    const columns = condition.fields.map(({ name }) => columnOf(name));
    const order = useOrders ? orderOfWords(condition, columns) : undefined;
    return { kind: 'words', condition, columns, order, share: SHARE_OF_WILDCARDS };
  }
  if (condition.test === 'within') {
    const { longitude, latitude } = condition;
    // This condition comes last: the bounds beside it leave few rows, and each of these takes the
    // longest.
    return {
      kind: 'within',
      condition,
      columns: [columnOf(longitude), columnOf(latitude)],
      share: 1,
    };
  }
  if (condition.test === 'any') {
    const alternatives = condition.alternatives.map((one) =>
      searchedConditions(one, directories, useOrders),
    );
    const missed = alternatives.reduce((left, one) => left * (1 - shareOfAll(one)), 1);
    return { kind: 'any', condition, alternatives, share: 1 - missed };
  }
  const column = columnOf(condition.field);
  return { kind: 'field', condition, column, share: shareOf(condition, column.directory) };
}

/** The order of the words, if it is of the fields that are searched. */
function orderOfWords(
  { words }: WordsCondition,
  columns: readonly SearchedColumn[],
): WordOrder | undefined {
  const order = columns[0]?.directory.words;
  if (order === undefined || words.length === 0) return undefined;
  const areSame =
    order.fields.length === columns.length &&
    columns.every(({ field }, i) => field === order.fields[i]);
  return areSame ? order : undefined;
}

function shareOfAll(conditions: readonly SearchedCondition[]): number {
  return conditions.reduce((share, searched) => share * searched.share, 1);
}

/** The columns whose chunks a condition reads. */
export function searchedColumns(searched: SearchedCondition): readonly SearchedColumn[] {
  if (searched.kind === 'any') return searched.alternatives.flat().flatMap(searchedColumns);
  if (searched.kind === 'words' && searched.order !== undefined) return [];
  return searched.kind === 'field' ? [searched.column] : searched.columns;
}

/** Tells whether a chunk may have matching rows, from the directories alone. */
export function mayHaveRows(conditions: readonly SearchedCondition[], chunk: number): boolean {
  return conditions.every((searched) => {
    if (searched.kind === 'words' || searched.kind === 'within') return true;
    if (searched.kind === 'any') {
      return searched.alternatives.some((one) => mayHaveRows(one, chunk));
    }
    return mayMatch(searched.condition, entryOf(searched.column, chunk));
  });
}

/** The cost of testing a row's code, in steps. */
export const STEPS_PER_ROW = 1 / 8;

/** The cost of searching a chunk for one condition, in steps, from the directories alone. */
export function stepsOf(searched: SearchedCondition, chunk: number): number {
  if (searched.kind === 'field') {
    const entry = entryOf(searched.column, chunk);
    return entry.rows * STEPS_PER_ROW + stepsOfSelecting(searched.condition, entry);
  }
  if (searched.kind === 'within') return entryOf(searched.columns[0], chunk).rows * STEPS_PER_PLACE;
  if (searched.kind === 'any') {
    const rows = entryOf(searchedColumns(searched)[0] as SearchedColumn, chunk).rows;
    return searched.alternatives
      .flat()
      .reduce((sum, one) => sum + rows * STEPS_PER_ROW + stepsOf(one, chunk), rows * STEPS_PER_ROW);
  }
  const { condition, columns } = searched;
  const words = condition.words.length;
  return columns.reduce((sum, column) => sum + stepsOfWords(words, entryOf(column, chunk)), 0);
}

/** Each distance takes many more steps, but the bounds leave few rows. */
const STEPS_PER_PLACE = 1;

function entryOf({ directory }: SearchedColumn, chunk: number): ChunkEntry {
  return directory.chunks[chunk] as ChunkEntry;
}

/** Estimates the share of all rows that satisfy a condition, as if the keys were spread evenly. */
function shareOf(condition: FieldCondition, directory: ColumnDirectory): number {
  const share = shareWithout(condition, directory);
  return condition.not ? 1 - share : share;
}

function shareWithout(condition: FieldCondition, { chunks }: ColumnDirectory): number {
  let [rows, nulls, distinct] = [0, 0, 1];
  for (const entry of chunks) {
    rows += entry.rows;
    nulls += entry.nulls;
    distinct = Math.max(distinct, entry.distinct);
  }
  if (condition.test === 'empty') return nulls / rows;
  const filled = 1 - nulls / rows;
  if (condition.test === 'patterns') {
    return condition.anyOf.some(isWildcard)
      ? filled * SHARE_OF_WILDCARDS
      : filled * Math.min(1, condition.anyOf.length / distinct);
  }
  let within = 0;
  for (const { min, max, rows: rowsOfChunk } of chunks) {
    if (min === undefined || max === undefined) continue;
    const width = (max as number) - (min as number);
    for (const [low, high] of condition.anyOf) {
      const inside = Math.min(high, max as number) - Math.max(low, min as number);
      if (inside < 0) continue;
      within += rowsOfChunk * (width === 0 ? 1 : Math.max(inside / width, 1 / distinct));
    }
  }
  return filled * Math.min(1, within / rows);
}

/** A guess: most people look for a word. */
const SHARE_OF_WILDCARDS = 0.1;
