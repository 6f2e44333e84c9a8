import type { Field } from '../fields/field.ts';
import type { Query } from '../query/query.ts';
import type { Page, RowStore } from '../query/row-store.ts';
import { helpByCounting } from '../query/zero-result-help.ts';
import { Reads } from './column-source.ts';
import type { ColumnStore, Run } from './column-store.ts';
import { ALL_SHORTCUTS, findRows } from './find-rows.ts';
import { rowCounts } from './row-counts.ts';
import { partTextsAt, rowTextsAt } from './row-texts-at.ts';

/** Answers queries from a dataset's columns. */
export function columnRows(
  store: ColumnStore,
  fields: readonly Field[],
  shortcuts = ALL_SHORTCUTS,
): RowStore {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const pageOf = async (query: Query, run: Run): Promise<Page> => {
    const { positions, total, hasMore } = await findRows(store, query, run, shortcuts);
    const asked = query.fields?.map((name) => byName.get(name) as Field);
    const rows =
      asked === undefined
        ? await rowTextsAt(store, fields, positions, run)
        : await partTextsAt(store, asked, positions, run);
    const isLast = rows.length === positions.length && !hasMore;
    const { itemsRead, capacityUnits } = run.reads;
    return {
      rows,
      total,
      ...(isLast ? {} : { last: positions[rows.length - 1] as number }),
      usage: { itemsRead, capacityUnits, usd: 0 },
    };
  };
  return {
    read: async ({ query }, budget) => {
      const run: Run = { budget, reads: new Reads() };
      const page = await pageOf(query, run);
      if (page.total !== 0 || query.predicate.length === 0) return page;
      const counts = rowCounts(store, run, shortcuts);
      return { ...page, help: await helpByCounting(query.predicate, counts, budget) };
    },
  };
}
