import type { Grouping } from '../block/grouping.ts';
import type { Manifest } from '../block/manifest.ts';
import { MEASURES } from '../measures/measures.ts';
import type { Value } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import type { RowTexts } from '../values/row-texts.ts';
import type { Budget } from '../work/budget.ts';
import type { Predicate } from './predicate.ts';
import type { Query } from './query.ts';
import type { FilterHelp } from './why-empty.ts';

/** The cost of a read: chunks of columns and items, DynamoDB's capacity units, and their price. */
export type ReadUsage = {
  readonly chunksRead: number;
  readonly itemsRead: number;
  readonly capacityUnits: number;
  readonly usd: number;
};

/** What a run has read so far; runs that want the same chunk read it once. */
export class ReadCost implements ReadUsage {
  chunksRead = 0;
  itemsRead = 0;
  capacityUnits = 0;
  usd = 0;
}

/** The usage of an answer that is read from memory or computed. */
export const NOTHING_READ: ReadUsage = new ReadCost();

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
  readonly usage: ReadUsage;
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

/** Between which numbers the values of an answer's column lie, as far as it is known. */
export function columnBounds(
  { name }: Field,
  manifest: Manifest | undefined,
  grouping: Grouping | undefined,
): { readonly min?: number; readonly max?: number } {
  const measure = grouping?.measures.find(({ column }) => column.name === name);
  const own = grouping?.dimensions.find(({ column }) => column.name === name) ?? measure;
  const { min, max } = manifest?.fields[own?.field?.name ?? name] ?? {};
  if (min === undefined || max === undefined) return {};
  const bounds = { min, max };
  const kind = measure && MEASURES[measure.of];
  return kind?.boundsOf?.(bounds, manifest?.rows ?? 1) ?? bounds;
}
