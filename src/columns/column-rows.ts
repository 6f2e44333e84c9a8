import type { Field } from '../fields/field.ts';
import type { Budget } from '../query/budget.ts';
import type { Query } from '../query/query.ts';
import type { QueryPlan } from '../query/query-plan.ts';
import type { Page, RowStore } from '../query/row-store.ts';
import { type FilterHelp, helpByCounting } from '../query/zero-result-help.ts';
import { Reads } from './column-source.ts';
import type { ColumnStore, Run } from './column-store.ts';
import { ALL_SHORTCUTS, findRows } from './find-rows.ts';
import { rowCounts } from './row-counts.ts';
import type { Shortcuts } from './row-search.ts';
import { partTextsAt, rowTextsAt } from './row-texts-at.ts';

/** Answers queries from a dataset's columns. */
export class ColumnRows implements RowStore {
  readonly #store: ColumnStore;
  readonly #fields: readonly Field[];
  readonly #byName: ReadonlyMap<string, Field>;
  readonly #shortcuts: Shortcuts;

  constructor(store: ColumnStore, fields: readonly Field[], shortcuts = ALL_SHORTCUTS) {
    this.#store = store;
    this.#fields = fields;
    this.#byName = new Map(fields.map((field) => [field.name, field]));
    this.#shortcuts = shortcuts;
  }

  async read({ query }: QueryPlan, budget: Budget): Promise<Page> {
    const run: Run = { budget, reads: new Reads() };
    const found = await findRows(this.#store, query, run, this.#shortcuts);
    const { positions, total, hasMore } = found;
    const asked = query.fields?.map((name) => this.#byName.get(name) as Field);
    const rows =
      asked === undefined
        ? await rowTextsAt(this.#store, this.#fields, positions, run)
        : await partTextsAt(this.#store, asked, positions, run);
    const isLast = rows.length === positions.length && !hasMore;
    return {
      rows,
      total,
      ...(isLast ? {} : { last: positions[rows.length - 1] as number }),
      ...(total === 0 && query.predicate.length > 0
        ? { help: await this.help(query, budget) }
        : {}),
      path: 'columns',
      usage: run.reads,
    };
  }

  /** How each filter of a query that finds no row contributes to that. */
  help({ predicate }: Query, budget: Budget): Promise<FilterHelp[]> {
    const run: Run = { budget, reads: new Reads() };
    return helpByCounting(predicate, rowCounts(this.#store, run, this.#shortcuts), budget);
  }
}
