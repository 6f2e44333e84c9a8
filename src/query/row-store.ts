import type { Dimension, Grouping } from '../block/grouping.ts';
import type { TwoNumbers, TwoNumbersFound } from '../block/two-numbers.ts';
import type { KeyTest, Value } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import type { Near } from '../values/places.ts';
import type { RowTexts } from '../values/row-texts.ts';
import type { Budget } from '../work/budget.ts';
import type { Predicate } from './predicate.ts';
import type { FilterHelp } from './why-empty.ts';

/** A column that rows or groups are sorted by. */
export type SortColumn = { readonly field: string; readonly descending: boolean };

/** An order. Those that tie in the first column are sorted by the second. */
export type Sort = SortColumn & { readonly second?: SortColumn };

/** A query of a dataset: which rows, in which order, after which position, and how many. */
export type Query = {
  readonly predicate: Predicate;
  readonly sort?: Sort;
  readonly limit: number;
  /** The position of the previous page's last row. */
  readonly after?: number;
  /** The place to measure distances from. Unless the query sorts, the nearest rows come first. */
  readonly near?: Near;
  /** The fields that the answer has. All if absent. */
  readonly fields?: readonly string[];
  /** If present, the answer has groups: they are sorted, paged and returned instead of rows. */
  readonly grouping?: Grouping;
  /** If present, the answer is about two numbers of each row: points, or squares that count them. */
  readonly xy?: TwoNumbers;
  /** What groups must satisfy. Its fields are the columns of the groups. */
  readonly having?: Predicate;
  /** The dimensions whose values are counted, in addition to the rows. */
  readonly facets?: readonly Dimension[];
  /** What a page counts beside its answer: values, and bins of histograms. */
  readonly counted?: readonly Dimension[];
  /** The lists whose values are looked up, on the first page. */
  readonly lists?: readonly AskedList[];
};

/** A list of values of which a field must have one. */
export type AskedList = {
  readonly parameter: string;
  readonly field: Field;
  readonly members: readonly unknown[];
};

/** Values to look up in a field, each as the test of its key, and the parameter that has them. */
export type LookUp = {
  readonly field: string;
  readonly tests: readonly KeyTest[];
  readonly parameter: string;
};

/** What a read has cost: chunks of columns, items, DynamoDB's capacity units, and their price. */
export type ReadUsage = {
  readonly chunksRead: number;
  readonly itemsRead: number;
  readonly capacityUnits: number;
  readonly usd: number;
};

/** What a run has read so far. Runs that need the same chunk at the same time read it once. */
export class ReadCost implements ReadUsage {
  chunksRead = 0;
  itemsRead = 0;
  capacityUnits = 0;
  usd = 0;
}

/** The usage of an answer that was read from memory or computed. */
export const NOTHING_READ: ReadUsage = new ReadCost();

/** A row's values, in the order of its fields; dates and times as their keys. */
export type RowValues = readonly Value[];

/** All rows of a result as JSON texts, some at a time. */
export type Whole = (budget: Budget) => AsyncIterable<readonly string[]>;

/**
 * A page of rows as JSON texts. `last` is the position after which the next page begins; absent on
 * the last page.
 */
export type Page = {
  readonly rows: RowTexts;
  /** The position of each row in the dataset. Absent for groups. */
  readonly positions?: ArrayLike<number>;
  readonly total: number;
  readonly last?: number;
  /** What an answer about two numbers is of. */
  readonly xy?: TwoNumbersFound;
  /** For groups: how many rows are in all of them, whether they pass `_having` or not. */
  readonly matching?: number;
  /** On the last page of groups: how many more there are than are listed. Absent if none. */
  readonly unlisted?: number;
  /**
   * For groups, which were all computed for this page: all groups after the cursor, regardless of
   * the limit.
   */
  readonly whole?: Whole;
  /** Present if no row matches. */
  readonly help?: readonly FilterHelp[];
  /**
   * Present if no row matches: the number that would if the longitude and latitude of `_near` were
   * swapped.
   */
  readonly swapped?: number;
  /** How the rows were found: in the columns, or by an index. */
  readonly path: string;
  readonly usage: ReadUsage;
};

/** Where a row is among all that a query finds. */
export type RowPlace = {
  /** How many rows the query finds. */
  readonly total: number;
  /** Absent if the row is none of them. */
  readonly found?: {
    /** How many of them come before the row. */
    readonly before: number;
    /** The positions of the rows beside it, in the order of the query. */
    readonly previous?: number;
    readonly next?: number;
  };
};

/**
 * What comes before a page that has a cursor: how many rows, and the position after which the page
 * before it begins. Without that position, the page before it is the first.
 */
export type Before = { readonly rows: number; readonly after?: number };

/** What comes before a page, given all positions in order. Undefined if its cursor is not there. */
export function beforeIn(
  order: Uint32Array,
  { after = -1, limit }: Pick<Query, 'after' | 'limit'>,
): Before | undefined {
  const index = order.indexOf(after);
  if (index < 0) return undefined;
  const start = order[index - limit];
  return { rows: index + 1, after: start };
}

/** The same, if a position is how many others come before it. */
export function beforeIndex({ after = -1, limit }: Pick<Query, 'after' | 'limit'>): Before {
  return { rows: after + 1, after: after < limit ? undefined : after - limit };
}

/**
 * The groups of one grouping. Values are made when they are asked for, because most of many groups
 * are not shown.
 */
export type GroupTable = {
  /**
   * The number of each group. At most `MOST_GROUPS` groups come in the order of their values, null
   * last; more come in any order.
   */
  readonly groups: Uint32Array;
  /** Whether the groups come in the order of their values. */
  readonly isInOrder: boolean;
  /** Returns the values of some groups in a column of the answer; later, as the work of another run. */
  valuesOf(column: number, groups: Uint32Array, budget?: Budget): Promise<Value[]>;
  /** Compares two groups by the values of a dimension. Null comes last in both directions. */
  compare(dimension: number, a: number, b: number, descending: boolean): number;
  /** Throws a Problem if a list takes this many bytes more than a question may. */
  checkRoomFor(bytes: number): void;
};

/** The groups of several groupings, and how many of the dataset's rows match. */
export type Groups = {
  readonly groups: readonly GroupTable[];
  readonly matching: number;
  /** Present if no row matches. */
  readonly help?: readonly FilterHelp[];
};

/** Groupings, and the conditions on fields that do not apply to them. */
export type GroupingsWithout = {
  readonly groupings: readonly Grouping[];
  readonly without: Predicate;
};

/**
 * Reads a dataset's rows. All pages together have the same rows in the same order, however a store
 * finds them. The budget bounds the read: if it runs out, the store rejects, and never returns part
 * of a page.
 */
export type RowStore = {
  /**
   * Groups the rows that a predicate selects, once for each grouping, by one search. Rejects if not
   * all groups can be computed. `use` reads from the groups, which are in memory until it is done.
   */
  group<T>(
    predicate: Predicate,
    groupings: readonly Grouping[],
    budget: Budget,
    reads: ReadCost,
    use: (groups: Groups) => Promise<T>,
  ): Promise<T>;
  /**
   * Does the same, but some groupings each are of the rows that match without some of the conditions,
   * by one search. Undefined if that takes longer than a search each. Absent if the store cannot do it.
   */
  groupWithoutEach?<T>(
    predicate: Predicate,
    counted: readonly GroupingsWithout[],
    budget: Budget,
    reads: ReadCost,
    use: (groups: readonly GroupTable[]) => Promise<T>,
  ): Promise<T> | undefined;
  /** Returns no promise if there was nothing to wait for. */
  read(query: Query, budget: Budget): Page | Promise<Page>;
  /**
   * Tells what comes before a page of rows that has a cursor. Undefined if that are too many rows
   * to look for. Absent if the store cannot tell.
   */
  before?(query: Query, budget: Budget): Promise<Before | undefined>;
  /**
   * Tells for each of some values of a field whether any row has it, by 1 or 0. Absent if the store
   * cannot tell.
   */
  lookUp?(asked: LookUp, budget: Budget, reads: ReadCost): Promise<Uint8Array>;
  /**
   * Finds the row at a position of the dataset among all rows of a query, regardless of its cursor
   * and its limit. Absent if the store cannot tell.
   */
  placeOf?(query: Query, position: number, budget: Budget, reads: ReadCost): Promise<RowPlace>;
  /**
   * Reads all rows of a query after its cursor, regardless of its limit, as JSON texts. Only some
   * rows are in memory at a time, and only a few while the caller does not take them.
   */
  rest(query: Query, budget: Budget, reads: ReadCost): AsyncIterable<readonly string[]>;
  /** The same rows as their values. Absent if the store cannot read them so. */
  restOfValues?(query: Query, budget: Budget, reads: ReadCost): AsyncIterable<readonly RowValues[]>;
};
