import type { Budget } from './budget.ts';
import type { QueryPlan } from './query-plan.ts';
import type { RowTexts } from './row-texts.ts';
import type { FilterHelp } from './zero-result-help.ts';

/** The cost of a read: DynamoDB's capacity units, and their price. */
export type Usage = {
  readonly itemsRead: number;
  readonly capacityUnits: number;
  readonly usd: number;
};

/** The usage of an answer that is read from memory or computed. */
export const NOTHING_READ: Usage = { itemsRead: 0, capacityUnits: 0, usd: 0 };

/**
 * A page of rows as JSON text; the next page continues after position `last`, absent at the end.
 */
export type Page = {
  readonly rows: RowTexts;
  readonly total: number;
  readonly last?: number;
  /** Set if no row matches. */
  readonly help?: readonly FilterHelp[];
  /** How the rows were found: by the columns, or by an index. */
  readonly path: string;
  readonly usage: Usage;
};

/**
 * Reads a dataset's rows: the same ones in the same order over all pages, however they are found.
 * The remaining budget bounds the read: if it runs out, a store rejects and never returns part of a
 * page.
 */
export type RowStore = {
  read(plan: QueryPlan, budget: Budget): Promise<Page>;
};
