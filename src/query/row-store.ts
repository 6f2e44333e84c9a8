import type { Budget } from './budget.ts';
import type { QueryPlan } from './query-plan.ts';
import type { RowTexts } from './row-texts.ts';
import type { FilterHelp } from './zero-result-help.ts';

/** What a read cost: DynamoDB's capacity units, and their price. */
export type Usage = {
  readonly itemsRead: number;
  readonly capacityUnits: number;
  readonly usd: number;
};

/** From memory, or computed. */
export const NOTHING_READ: Usage = { itemsRead: 0, capacityUnits: 0, usd: 0 };

/** A page of rows as JSON text; `last` is the position to go on after, absent at the end. */
export type Page = {
  readonly rows: RowTexts;
  readonly total: number | null;
  readonly last?: number;
  /** Where no row matches, and the store can count. */
  readonly help?: readonly FilterHelp[];
  readonly usage: Usage;
};

/**
 * Where a dataset's rows are read. Every store gives the same rows in the same order over all
 * pages. What is left of the budget bounds the read; a store then rejects, and never answers with
 * part of a page.
 */
export type RowStore = {
  read(plan: QueryPlan, budget: Budget): Promise<Page>;
};
