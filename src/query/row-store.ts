import type { Dimension, Grouping } from '../block/grouping.ts';
import type { Value } from '../values/field-type.ts';
import type { Near } from '../values/places.ts';
import type { RowTexts } from '../values/row-texts.ts';
import type { Budget } from '../work/budget.ts';
import type { Predicate } from './predicate.ts';
import type { FilterHelp } from './zero-result-help.ts';

export type Sort = { readonly field: string; readonly descending: boolean };

/** A query of a dataset: which rows, in which order, after which position, and how many. */
export type Query = {
  readonly predicate: Predicate;
  readonly sort?: Sort;
  readonly limit: number;
  /** The position of the previous page's last row. */
  readonly after?: number;
  /** The place to tell distances from; unless sorted, the nearest rows come first. */
  readonly near?: Near;
  /** The fields to answer with; all if absent. */
  readonly fields?: readonly string[];
  /** If it asks for groups of rows: these are what is sorted, paged and answered with. */
  readonly grouping?: Grouping;
  /** What to count the values of, beside the rows. */
  readonly facets?: readonly Dimension[];
};

/** The cost of a read: chunks of columns and items, DynamoDB's capacity units, and their price. */
export type Usage = {
  readonly chunksRead: number;
  readonly itemsRead: number;
  readonly capacityUnits: number;
  readonly usd: number;
};

/** What a run has read so far; runs that want the same chunk read it once. */
export class ReadCost implements Usage {
  chunksRead = 0;
  itemsRead = 0;
  capacityUnits = 0;
  usd = 0;
}

/** The usage of an answer that is read from memory or computed. */
export const NOTHING_READ: Usage = new ReadCost();

/** All rows of a result as JSON texts, some at a time. */
export type Whole = (budget: Budget) => AsyncIterable<readonly string[]>;

/**
 * A page of rows as JSON text; the next page continues after position `last`, absent at the end.
 */
export type Page = {
  readonly rows: RowTexts;
  /** Where each row is in the dataset; absent for groups. */
  readonly positions?: ArrayLike<number>;
  readonly total: number;
  readonly last?: number;
  /** Of groups: how many rows are in them. */
  readonly matching?: number;
  /** Of groups, which were all computed for this page: those behind the cursor, its limit aside. */
  readonly whole?: Whole;
  /** Set if no row matches. */
  readonly help?: readonly FilterHelp[];
  /** Set if none matches, but so many do if the longitude and latitude of `_near` are swapped. */
  readonly swapped?: number;
  /** How the rows were found: by the columns, or by an index. */
  readonly path: string;
  readonly usage: Usage;
};

/** The groups of one grouping, in the order of their values: null is last. */
export type GroupColumns = {
  readonly count: number;
  /** For each column of the answer, each group's value. */
  readonly columns: readonly (readonly Value[])[];
};

/** The groups of each of several groupings, and how many of the dataset's rows are in them. */
export type Groups = {
  readonly groups: readonly GroupColumns[];
  readonly matching: number;
  /** Set if no row matches. */
  readonly help?: readonly FilterHelp[];
};

/**
 * Reads a dataset's rows: the same ones in the same order over all pages, however they are found.
 * The remaining budget bounds the read: if it runs out, a store rejects and never returns part of a
 * page.
 */
export type RowStore = {
  /**
   * Groups all rows that a predicate selects in each of several ways, by one search, or rejects if
   * the groups cannot be told whole.
   */
  group(
    predicate: Predicate,
    groupings: readonly Grouping[],
    budget: Budget,
    reads: ReadCost,
  ): Promise<Groups>;
  read(query: Query, budget: Budget): Promise<Page>;
  /**
   * All rows that a query finds behind its cursor, its limit aside, as JSON texts. Memory holds
   * some at a time, and few while the caller does not take them.
   */
  rest(query: Query, budget: Budget, reads: ReadCost): AsyncIterable<readonly string[]>;
};
