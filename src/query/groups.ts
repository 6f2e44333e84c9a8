import {
  columnsOf,
  type Dimension,
  type Grouping,
  MOST_FACET_VALUES,
  ROW_COUNT,
} from '../block/grouping.ts';
import { BBOX, NEAR, WITHIN } from '../block/parameter.ts';
import { numberRanges } from '../text/decimal.ts';
import { stepsOfFolding } from '../text/fold.ts';
import { DAY_MS, HOUR_MS } from '../values/calendar.ts';
import type { Key, Value } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import { textsThatFit } from '../values/row-texts.ts';
import { zoneOffsetsOf } from '../values/time-zone.ts';
import type { Budget } from '../work/budget.ts';
import type { Condition, Predicate } from './predicate.ts';
import { type GroupColumns, type Page, type Query, ReadCost, type RowStore } from './row-store.ts';
import { compareSorted, placeAfter } from './sort-rows.ts';

type GroupQuery = Query & { readonly grouping: Grouping };

/** Groups that are written without a pause, and the work of a value, and of sorting by it, in steps. */
const GROUPS_AT_ONCE = 256;
const STEPS_PER_VALUE = 50;
const STEPS_PER_SORTED = 200;

/** A page of groups. */
export async function readGroups(
  store: RowStore,
  query: GroupQuery,
  budget: Budget,
): Promise<Page> {
  const usage = new ReadCost();
  const { predicate, grouping, limit } = query;
  const asked = await store.group(predicate, [grouping], budget, usage);
  const groups = asked.groups[0] as GroupColumns;
  const following = await groupsAfter(query, groups, budget);
  const texts = await textsThatFit(written(groups, following.slice(0, limit), query, budget));
  const last = following[texts.length - 1];
  return {
    rows: texts,
    total: groups.count,
    matching: asked.matching,
    whole: (its) => written(groups, following, query, its),
    ...(texts.length === following.length || last === undefined ? {} : { last }),
    ...(asked.help === undefined ? {} : { help: asked.help }),
    path: 'columns',
    usage,
  };
}

/** The groups behind the cursor, by their places in the order of their values. */
async function groupsAfter(
  { grouping, sort, after }: GroupQuery,
  { count, columns }: GroupColumns,
  budget: Budget,
): Promise<Uint16Array> {
  const places = new Uint16Array(count);
  for (let place = 0; place < count; place++) places[place] = place;
  if (sort === undefined) {
    if (after === undefined) return places;
    return places.subarray(placeAfter(after < count ? after : -1));
  }
  const by = columnsOf(grouping).findIndex(({ name }) => name === sort.field);
  const keys = await keysOf(grouping, by, columns[by] as readonly Value[], budget);
  // The sort is stable: ties stay in the order of their values.
  places.sort((a, b) => compareSorted(keys[a] ?? null, keys[b] ?? null, sort.descending));
  await budget.turn(count * STEPS_PER_SORTED);
  return after === undefined ? places : places.subarray(placeAfter(places.indexOf(after)));
}

/** What the values of a column are sorted by. */
async function keysOf(
  grouping: Grouping,
  by: number,
  values: readonly Value[],
  budget: Budget,
): Promise<(Key | null)[]> {
  const field = columnsOf(grouping)[by];
  if (field === undefined) throw new RangeError('There is no column to sort by.');
  const keys: (Key | null)[] = [];
  for (const value of values) {
    keys.push(value === null ? null : typeOf(field).keyOf(value, field));
    const pause = typeof value === 'string' ? budget.turn(stepsOfFolding(value)) : undefined;
    if (pause !== undefined) await pause;
  }
  return keys;
}

/** Some groups as JSON texts. */
async function* written(
  { columns }: GroupColumns,
  places: Uint16Array,
  { grouping, fields }: GroupQuery,
  budget: Budget,
): AsyncGenerator<readonly string[]> {
  const names = columnsOf(grouping).map(({ name }) => name);
  const asked = (fields ?? names).map((name) => ({
    before: `${JSON.stringify(name)}:`,
    values: columns[names.indexOf(name)] as readonly Value[],
  }));
  for (let from = 0; from < places.length; from += GROUPS_AT_ONCE) {
    const some = places.subarray(from, from + GROUPS_AT_ONCE);
    const texts: string[] = [];
    for (let i = 0; i < some.length; i++) {
      let text = '';
      for (const { before, values } of asked) {
        const value = values[some[i] as number];
        const its = typeof value === 'number' ? value : JSON.stringify(value);
        text += `${text === '' ? '{' : ','}${before}${its}`;
      }
      texts.push(`${text}}`);
    }
    yield texts;
    await budget.turn(GROUPS_AT_ONCE * asked.length * STEPS_PER_VALUE);
  }
}

/** How the numbers that a field is compared by become those of a dimension's values. */
export type DimensionKey = {
  /** The number of a field's key. */
  keyOf(key: number): number;
  /** A key below which all keys from this one on have the same number; absent if none is known. */
  endOf?(key: number): number;
  /** The value that has this number. */
  valueOf(key: number): Value;
  /** The steps that slow keys took so far; absent if none is slow. */
  readonly slowSteps?: number;
};

/** Looking up a zone's offset, and dividing exact decimals, in steps. */
const STEPS_PER_LOOKUP = 1000;
const STEPS_PER_EXACT = 200;

/** For a field that is compared by numbers. */
export function dimensionKey({ field, part, width }: Dimension): DimensionKey {
  const type = typeOf(field);
  if (type.comparedBy !== 'number') throw new TypeError(`${field.name} is compared as text.`);
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
  // Instants mostly come in order, and an offset holds for long.
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
  reads: ReadCost,
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
