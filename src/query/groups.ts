import { type Dimension, type Grouping, MOST_FACET_VALUES, ROW_COUNT } from '../block/grouping.ts';
import { BBOX, NEAR, operatorName, WITHIN } from '../block/parameter.ts';
import { numberRanges } from '../text/decimal.ts';
import { DAY_MS, HOUR_MS } from '../values/calendar.ts';
import type { Value } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import { zoneOffsetsOf } from '../values/time-zone.ts';
import type { Budget } from '../work/budget.ts';
import { binOf } from './bin-of.ts';
import type { Condition, Predicate } from './predicate.ts';
import type { GroupTable, ReadCost, RowStore } from './row-store.ts';

/**
 * Turns the keys of a numeric field into the keys of a dimension, which may be a part of a time or
 * a range of numbers.
 */
export type DimensionKey = {
  /** Returns the dimension's key for a field's key. */
  keyOf(key: number): number;
  /**
   * Returns a field key up to which all field keys, from this one on, have the same dimension key.
   * Absent if that is not known.
   */
  endOf?(key: number): number;
  /** Returns the value of a dimension key. */
  valueOf(key: number): Value;
  /** How many steps the slow keys have cost so far. Absent if no key is slow. */
  readonly slowSteps?: number;
};

/** The costs of looking up a zone's offset and of dividing exact decimals, in steps. */
const STEPS_PER_LOOKUP = 1000;
const STEPS_PER_EXACT = 200;

/** Makes the keys of a dimension. Its field must be compared by numbers. */
export function dimensionKey({ field, part, width, cells, edges }: Dimension): DimensionKey {
  const type = typeOf(field);
  if (type.comparedBy !== 'number') throw new TypeError(`${field.name} is compared as text.`);
  if (edges !== undefined) {
    const last = edges.length - 2;
    return {
      keyOf: (key) => binOf(edges, key),
      endOf: (key) => {
        const bin = binOf(edges, key);
        return bin === last ? Number.POSITIVE_INFINITY : (edges[bin + 1] as number);
      },
      valueOf: (bin) => bin,
    };
  }
  if (cells !== undefined) {
    return { keyOf: (key) => key, valueOf: (key) => cells.centreOf(key) };
  }
  if (width !== undefined) {
    const ranges = numberRanges(width);
    return {
      keyOf: ranges.keyOf,
      valueOf: ranges.startOf,
      get slowSteps() {
        return ranges.exact * STEPS_PER_EXACT;
      },
    };
  }
  if (part === undefined) {
    return { keyOf: (key) => key, valueOf: (key) => type.valueOf(key, field) };
  }
  if (type.keysOfDay === 1) {
    return { keyOf: (day) => part.keyOf(day, 0), valueOf: (key) => part.valueOf(key) };
  }
  const zone = zoneOffsetsOf(field.local ? 'UTC' : (field.timeZone ?? 'UTC'));
  let lookups = 0;
  // Instants mostly come in order, and an offset lasts for months, so the last one is kept.
  let offset = 0;
  let offsetFrom = Number.NaN;
  let offsetUntil = Number.NaN;
  const wallOf = (instant: number) => {
    if (!(instant >= offsetFrom && instant < offsetUntil)) {
      const before = zone.lookups;
      offset = zone.offsetAt(instant);
      offsetFrom = instant;
      offsetUntil = zone.sameUntil(instant);
      lookups += zone.lookups - before;
    }
    return instant + offset;
  };
  return {
    keyOf: (instant) => {
      const wall = wallOf(instant);
      const day = Math.floor(wall / DAY_MS);
      return part.keyOf(day, wall - day * DAY_MS);
    },
    endOf: (instant) => {
      const wall = wallOf(instant);
      const end =
        part.nextAfter === undefined
          ? (Math.floor(wall / HOUR_MS) + 1) * HOUR_MS
          : part.nextAfter(Math.floor(wall / DAY_MS)) * DAY_MS;
      return Math.min(offsetUntil, end - offset);
    },
    valueOf: (key) => part.valueOf(key),
    get slowSteps() {
      return lookups * STEPS_PER_LOOKUP;
    },
  };
}

/**
 * How many rows have each value of a field. All filters apply, except those on the field itself.
 */
export type Facet = {
  /** The commonest values, the most frequent first. */
  readonly values: readonly { readonly value: Value; readonly count: number }[];
  /** How many rows have a value that is not listed. */
  readonly others: number;
  /** How many rows have no value. */
  readonly empty: number;
};

/** How many rows are in each bin of a histogram, under all filters but those on its field. */
export type BinCounts = {
  readonly counts: readonly number[];
  /** How many rows have no value. */
  readonly empty: number;
};

/** Rows counted by values and by bins, both by the text of the dimension. */
export type Counted = {
  readonly facets: Readonly<Record<string, Facet>>;
  readonly bins: Readonly<Record<string, BinCounts>>;
};

/**
 * Fewer searches, whose conditions each narrow the rows for the next one, take no longer than one search
 * that tests all rows by each condition.
 */
const LEAST_TOGETHER = 5;

/** Counts the rows of each dimension's values, or of its bins. */
export async function readCounts(
  store: RowStore,
  predicate: Predicate,
  dimensions: readonly Dimension[],
  budget: Budget,
  reads: ReadCost,
): Promise<Counted> {
  const tables = new Map<Dimension, readonly CountedValue[]>();
  const use = async (of: readonly Dimension[], groups: readonly GroupTable[]) => {
    for (const [i, dimension] of of.entries()) {
      tables.set(dimension, await countsIn(groups[i] as GroupTable));
    }
  };
  const apart = byPredicate(predicate, dimensions);
  const counted = apart.map(([conditions, of]) => ({
    groupings: of.map(groupingBy),
    without: predicate.filter((condition) => !conditions.includes(condition)),
  }));
  const all = apart.flatMap(([, of]) => of);
  const together =
    apart.length < LEAST_TOGETHER
      ? undefined
      : store.groupWithoutEach?.(predicate, counted, budget, reads, (groups) => use(all, groups));
  if (together !== undefined) await together;
  else {
    for (const [conditions, of] of apart) {
      const groupings = of.map(groupingBy);
      await store.group(conditions, groupings, budget, reads, ({ groups }) => use(of, groups));
    }
  }
  const facets: Record<string, Facet> = Object.create(null);
  const bins: Record<string, BinCounts> = Object.create(null);
  for (const dimension of dimensions) {
    const { text, edges } = dimension;
    const counted = tables.get(dimension) ?? [];
    if (edges === undefined) facets[text] = facetOf(counted);
    else bins[text] = binCountsOf(counted, edges.length - 1);
  }
  return { facets, bins };
}

/**
 * Groups dimensions whose values are counted under the same filters. All dimensions whose field is
 * not filtered belong together.
 */
function byPredicate(
  predicate: Predicate,
  dimensions: readonly Dimension[],
): [Predicate, Dimension[]][] {
  const byField = new Map<string | undefined, [Predicate, Dimension[]]>();
  for (const dimension of dimensions) {
    const { name } = dimension.field;
    const conditions = predicate.filter((condition) => !isOwn(condition, dimension));
    const key = conditions.length === predicate.length ? undefined : name;
    const known = byField.get(key);
    if (known === undefined) byField.set(key, [conditions, [dimension]]);
    else known[1].push(dimension);
  }
  return [...byField.values()];
}

function groupingBy(dimension: Dimension): Grouping {
  return { dimensions: [dimension], measures: [ROW_COUNT], option: '_facets' };
}

const isOfPlace = (parameter: string) => [BBOX, NEAR, WITHIN].includes(parameter);

/**
 * Tells whether a filter is only on a dimension's field. A box or a distance filters a place, which
 * has two fields. What a form has no box for stays, whatever is chosen in its boxes.
 */
function isOwn(condition: Condition, { field: { name }, isOfForm }: Dimension): boolean {
  if (!('field' in condition) || condition.field !== name) return false;
  const { parameters } = condition;
  const boxes = [name, operatorName(name, 'min'), operatorName(name, 'max')];
  return isOfForm ? parameters.every((one) => boxes.includes(one)) : !parameters.some(isOfPlace);
}

/** A value, and how many rows have it; null is no value. */
export type CountedValue = { readonly value: Value; readonly count: number };

/** The values of the only dimension of some groups, each with its rows. */
export async function countsIn(table: GroupTable): Promise<CountedValue[]> {
  const values = await table.valuesOf(0, table.groups);
  const counts = await table.valuesOf(1, table.groups);
  return values.map((value, i) => ({ value, count: counts[i] as number }));
}

function facetOf(counted: readonly CountedValue[]): Facet {
  const filled = counted.filter(({ value }) => value !== null).sort((a, b) => b.count - a.count);
  return {
    values: filled.slice(0, MOST_FACET_VALUES),
    others: sumOf(filled.slice(MOST_FACET_VALUES)),
    empty: emptyIn(counted),
  };
}

/** Rows by the number of their bin, of values that are numbers of bins. */
export function binCountsOf(counted: readonly CountedValue[], bins: number): BinCounts {
  const counts = new Array<number>(bins).fill(0);
  for (const { value, count } of counted) if (typeof value === 'number') counts[value] = count;
  return { counts, empty: emptyIn(counted) };
}

function emptyIn(counted: readonly CountedValue[]): number {
  return sumOf(counted.filter(({ value }) => value === null));
}

function sumOf(counted: readonly { readonly count: number }[]): number {
  return counted.reduce((sum, { count }) => sum + count, 0);
}
