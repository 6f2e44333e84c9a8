import { BBOX, NEAR, WITHIN } from '../block/search-parameters.ts';
import type { Value } from '../fields/field.ts';
import type { Budget } from './budget.ts';
import { type Dimension, type Grouping, MOST_FACET_VALUES, ROW_COUNT } from './grouping.ts';
import type { Condition, Predicate } from './predicate.ts';
import { inOrder } from './read-groups.ts';
import type { Reads, RowStore } from './row-store.ts';

/** How many rows have each value of a field, under all filters but the field's own. */
export type Facet = {
  /** The commonest first. */
  readonly values: readonly { readonly value: Value; readonly count: number }[];
  /** The rows that have other values. */
  readonly others: number;
  /** The rows that have none. */
  readonly empty: number;
};

/** Counts the values of each dimension, by its text. */
export async function readFacets(
  store: RowStore,
  predicate: Predicate,
  dimensions: readonly Dimension[],
  budget: Budget,
  reads: Reads,
): Promise<Readonly<Record<string, Facet>>> {
  const facets: [string, Facet][] = [];
  for (const dimension of dimensions) {
    const others = predicate.filter((condition) => !isOwn(condition, dimension.field.name));
    facets.push([dimension.text, await facetOf(store, others, dimension, budget, reads)]);
  }
  return Object.fromEntries(facets);
}

const isOfPlace = (parameter: string) => [BBOX, NEAR, WITHIN].includes(parameter);

/** Whether a filter is of this field alone; a box or a distance is of a place. */
function isOwn(condition: Condition, field: string): boolean {
  return 'field' in condition && condition.field === field && !condition.parameters.some(isOfPlace);
}

async function facetOf(
  store: RowStore,
  predicate: Predicate,
  dimension: Dimension,
  budget: Budget,
  reads: Reads,
): Promise<Facet> {
  const grouping: Grouping = {
    dimensions: [dimension],
    measures: [ROW_COUNT],
    option: '_facets',
  };
  const { rows } = await store.group(predicate, grouping, budget, reads);
  const { name } = dimension.column;
  const counted = (await inOrder(grouping, rows, budget)).map(({ values }) => ({
    value: values[name] ?? null,
    count: values[ROW_COUNT.column.name] as number,
  }));
  const filled = counted.filter(({ value }) => value !== null).sort((a, b) => b.count - a.count);
  return {
    values: filled.slice(0, MOST_FACET_VALUES),
    others: sumOf(filled.slice(MOST_FACET_VALUES)),
    empty: sumOf(counted.filter(({ value }) => value === null)),
  };
}

function sumOf(counted: readonly { readonly count: number }[]): number {
  return counted.reduce((sum, { count }) => sum + count, 0);
}
