import { BBOX, NEAR, WITHIN } from '../block/search-parameters.ts';
import type { Value } from '../fields/field.ts';
import type { Budget } from './budget.ts';
import { type Dimension, type Grouping, MOST_FACET_VALUES, ROW_COUNT } from './grouping.ts';
import type { Condition, Predicate } from './predicate.ts';
import type { GroupColumns, Reads, RowStore } from './row-store.ts';

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
  const facets = new Map<string, Facet>();
  for (const [others, those] of byPredicate(predicate, dimensions)) {
    const groupings = those.map(groupingBy);
    const { groups } = await store.group(others, groupings, budget, reads);
    for (const [i, { text }] of those.entries()) {
      facets.set(text, facetOf(groups[i] as GroupColumns));
    }
  }
  return Object.fromEntries(dimensions.map(({ text }) => [text, facets.get(text) as Facet]));
}

/** The dimensions whose values are counted under the same filters: those of no filtered field are. */
function byPredicate(
  predicate: Predicate,
  dimensions: readonly Dimension[],
): [Predicate, Dimension[]][] {
  const byField = new Map<string | undefined, [Predicate, Dimension[]]>();
  for (const dimension of dimensions) {
    const { name } = dimension.field;
    const others = predicate.filter((condition) => !isOwn(condition, name));
    const key = others.length === predicate.length ? undefined : name;
    const known = byField.get(key);
    if (known === undefined) byField.set(key, [others, [dimension]]);
    else known[1].push(dimension);
  }
  return [...byField.values()];
}

function groupingBy(dimension: Dimension): Grouping {
  return { dimensions: [dimension], measures: [ROW_COUNT], option: '_facets' };
}

const isOfPlace = (parameter: string) => [BBOX, NEAR, WITHIN].includes(parameter);

/** Whether a filter is of this field alone; a box or a distance is of a place. */
function isOwn(condition: Condition, field: string): boolean {
  return 'field' in condition && condition.field === field && !condition.parameters.some(isOfPlace);
}

function facetOf({ columns: [values = [], counts = []] }: GroupColumns): Facet {
  const counted = values.map((value, i) => ({ value, count: counts[i] as number }));
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
