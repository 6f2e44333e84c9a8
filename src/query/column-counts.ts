import { type Dimension, type Grouping, type Measure, ROW_COUNT } from '../block/grouping.ts';
import type { Value } from '../values/field-type.ts';
import type { Budget } from '../work/budget.ts';
import { type CountedValue, countsIn } from './groups.ts';
import { type GroupTable, ReadCost } from './row-store.ts';
import type { PlannedRun } from './run.ts';

/**
 * Counts the values of some columns, each by a dimension, and measures others, of all rows that a
 * query matches: by one search. Rejects if that takes more work than the budget has.
 */
export async function countColumns(
  { dataset, query }: NonNullable<PlannedRun['asked']>,
  dimensions: readonly Dimension[],
  measures: readonly Measure[],
  budget: Budget,
): Promise<{ readonly counts: CountedValue[][]; readonly measured: Value[] }> {
  const groupings: Grouping[] = [
    ...dimensions.map((dimension) => ({ dimensions: [dimension], measures: [ROW_COUNT] })),
    ...(measures.length === 0 ? [] : [{ dimensions: [], measures }]),
  ];
  if (groupings.length === 0) return { counts: [], measured: [] };
  const reads = new ReadCost();
  return dataset.store.group(query.predicate, groupings, budget, reads, async ({ groups }) => {
    const counts: CountedValue[][] = [];
    for (const table of groups.slice(0, dimensions.length)) counts.push(await countsIn(table));
    const all = groups[dimensions.length] as GroupTable;
    const measured: Value[] = [];
    for (const column of measures.keys()) {
      const [value = null] = await all.valuesOf(column, all.groups);
      measured.push(value);
    }
    return { counts, measured };
  });
}
