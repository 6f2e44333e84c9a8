import {
  type ColumnSource,
  columnSources,
  type Grouping,
  groupColumns,
} from '../block/grouping.ts';
import { stepsOfFolding } from '../text/fold.ts';
import type { Key, Value } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import type { Budget } from '../work/budget.ts';
import type { GroupTable, Query, SortColumn } from './row-store.ts';
import { compareSorted, indexAfter, sortColumns } from './sort-rows.ts';

export type GroupQuery = Query & { readonly grouping: Grouping };

/** The costs of sorting a group, and of comparing two, in steps. */
const STEPS_PER_SORTED = 200;
const STEPS_PER_COMPARED = 20;

/** How many groups are tested or looked at for a list at once. */
export const MANY_AT_ONCE = 2 ** 12;

/** Returns the groups after the cursor, each by its index in the order of the groups' values. */
export async function groupsAfter(
  { grouping, sort, after, having }: GroupQuery,
  passing: Uint32Array,
  columns: (by: number) => Promise<Value[]>,
  budget: Budget,
): Promise<Uint32Array> {
  if (sort === undefined) {
    if (after === undefined) return passing;
    if (having !== undefined) return passing.subarray(indexAfter(passing.indexOf(after)));
    return passing.subarray(indexAfter(after < passing.length ? after : -1));
  }
  const sorts: Sorted[] = [];
  for (const { field, descending } of sortColumns(sort)) {
    const by = groupColumns(grouping).findIndex(({ name }) => name === field);
    sorts.push({ keys: await keysOf(grouping, by, await columns(by), budget), descending });
  }
  const [{ keys, descending }, second] = sorts as unknown as readonly [Sorted, Sorted | undefined];
  // The sort is stable, so ties stay in the order of the groups' values.
  const indices = passing.slice();
  const compare = (a: number, b: number) =>
    compareSorted(keys[a] ?? null, keys[b] ?? null, descending);
  indices.sort(
    second === undefined
      ? compare
      : (a, b) =>
          compare(a, b) ||
          compareSorted(second.keys[a] ?? null, second.keys[b] ?? null, second.descending),
  );
  await budget.checkpoint(passing.length * STEPS_PER_SORTED);
  return after === undefined ? indices : indices.subarray(indexAfter(indices.indexOf(after)));
}

type Sorted = { readonly keys: readonly (Key | null)[]; readonly descending: boolean };

/**
 * Returns the first groups in the order of the query: at most `most`. Ties
 * are in the order of the groups' values.
 */
export async function firstGroups(
  { grouping, sort }: GroupQuery,
  table: GroupTable,
  passing: Uint32Array,
  most: number,
  budget: Budget,
): Promise<Uint32Array> {
  const orders: ((a: number, b: number) => number)[] = [];
  for (const column of sort === undefined ? [] : sortColumns(sort)) {
    orders.push(await orderBy(column, grouping, table, passing, budget));
  }
  for (const dimension of grouping.dimensions.keys()) {
    orders.push((a, b) => {
      return table.compare(
        dimension,
        groupAt(table, passing, a),
        groupAt(table, passing, b),
        false,
      );
    });
  }
  const compare = (a: number, b: number) => {
    for (const order of orders) {
      const found = order(a, b);
      if (found !== 0) return found;
    }
    return 0;
  };
  // Twice as many are kept, so that they are sorted only now and then.
  const kept = new Uint32Array(2 * most);
  let count = 0;
  let worst = -1;
  const step = strideOf(passing.length);
  for (let seen = 0, i = 0; seen < passing.length; seen++, i = (i + step) % passing.length) {
    if (worst < 0 || compare(i, worst) < 0) kept[count++] = i;
    if (count === kept.length) {
      kept.sort(compare);
      count = most;
      worst = kept[most - 1] as number;
      await budget.checkpoint(kept.length * STEPS_PER_SORTED);
    }
    if (seen % MANY_AT_ONCE === 0) await budget.checkpoint(MANY_AT_ONCE * STEPS_PER_COMPARED);
  }
  const first = kept.subarray(0, count).sort(compare).subarray(0, most);
  await budget.checkpoint(count * STEPS_PER_SORTED);
  return first.map((index) => groupAt(table, passing, index));
}

function groupAt({ groups }: GroupTable, passing: Uint32Array, index: number): number {
  return groups[passing[index] as number] as number;
}

/**
 * The way from one group to the next. All groups are met once, but in no order of theirs: groups
 * that are each better than all before would be sorted again and again.
 */
function strideOf(count: number): number {
  const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
  let stride = Math.floor(count * 0.618) + 1;
  while (gcd(stride, count) !== 1) stride++;
  return stride;
}

/** Compares groups, by their indices among the passing ones, by a column of the answer. */
async function orderBy(
  { field, descending }: SortColumn,
  grouping: Grouping,
  table: GroupTable,
  passing: Uint32Array,
  budget: Budget,
): Promise<(a: number, b: number) => number> {
  const by = groupColumns(grouping).findIndex(({ name }) => name === field);
  const { kind, index } = columnSources(grouping)[by] as ColumnSource;
  if (kind === 'dimension' && grouping.dimensions[index]?.cells === undefined) {
    return (a, b) => {
      return table.compare(
        index,
        groupAt(table, passing, a),
        groupAt(table, passing, b),
        descending,
      );
    };
  }
  // No measure is a text. Cells are sorted by theirs, as in an answer with all groups.
  const isText = kind !== 'measure';
  table.checkRoomFor((isText ? BYTES_OF_CELL : 8) * passing.length);
  const texts: (Key | null)[] = [];
  const keys = new Float64Array(isText ? 0 : passing.length);
  for (let from = 0; from < passing.length; from += MANY_AT_ONCE) {
    const some = passing.subarray(from, from + MANY_AT_ONCE);
    const groups = some.map((index) => table.groups[index] as number);
    const found = await keysOf(grouping, by, await table.valuesOf(by, groups), budget);
    for (const [i, key] of found.entries()) {
      if (isText) texts.push(key);
      // NaN is no value.
      else keys[from + i] = (key ?? Number.NaN) as number;
    }
  }
  if (isText) return (a, b) => compareSorted(texts[a] ?? null, texts[b] ?? null, descending);
  return (a, b) => {
    const [keyOfA, keyOfB] = [keys[a] as number, keys[b] as number];
    if (keyOfA === keyOfB) return 0;
    if (Number.isNaN(keyOfA)) return Number.isNaN(keyOfB) ? 0 : 1;
    if (Number.isNaN(keyOfB)) return -1;
    return descending ? keyOfB - keyOfA : keyOfA - keyOfB;
  };
}

/** About the size of the text of a cell: four numbers, at most. */
const BYTES_OF_CELL = 80;

/** Returns the keys by which the values of a column sort and are filtered. */
export async function keysOf(
  grouping: Grouping,
  by: number,
  values: readonly Value[],
  budget: Budget,
): Promise<(Key | null)[]> {
  const field = groupColumns(grouping)[by];
  if (field === undefined) throw new RangeError('There is no such column of groups.');
  const type = typeOf(field);
  const keys: (Key | null)[] = [];
  for (const value of values) {
    keys.push(value === null ? null : type.keyOf(value, field));
    const pause = typeof value === 'string' ? budget.checkpoint(stepsOfFolding(value)) : undefined;
    if (pause !== undefined) await pause;
  }
  return keys;
}

export function numbersBelow(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => i);
}
