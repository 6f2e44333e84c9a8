import {
  type ColumnSource,
  columnSources,
  type Grouping,
  groupColumns,
  MOST_GROUPS,
} from '../block/grouping.ts';
import { stepsOfFolding } from '../text/fold.ts';
import type { Key, Value } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import { textsThatFit } from '../values/row-texts.ts';
import type { Budget } from '../work/budget.ts';
import { fieldsInPredicate, matches } from './predicate.ts';
import {
  type Before,
  beforeIn,
  beforeIndex,
  type Groups,
  type GroupTable,
  type Page,
  type Query,
  ReadCost,
  type RowStore,
  type SortColumn,
} from './row-store.ts';
import { compareSorted, indexAfter, sortColumns } from './sort-rows.ts';

type GroupQuery = Query & { readonly grouping: Grouping };

/**
 * How many groups are read or written without a pause, and the costs of writing a value, of sorting
 * by it, and of comparing two groups, in steps.
 */
const GROUPS_AT_ONCE = 256;
const STEPS_PER_VALUE = 50;
const STEPS_PER_SORTED = 200;
const STEPS_PER_COMPARED = 20;

/** Reads a page of groups. */
export async function readGroups(
  store: RowStore,
  query: GroupQuery,
  budget: Budget,
): Promise<Page> {
  const usage = new ReadCost();
  const { predicate, grouping } = query;
  return store.group(predicate, [grouping], budget, usage, async (asked) => ({
    ...(await pageOf(asked, query, budget, store)),
    matching: asked.matching,
    help: asked.help,
    path: 'columns',
    usage,
  }));
}

/** Tells what comes before a page of groups that has a cursor. */
export async function groupsBefore(
  store: RowStore,
  query: GroupQuery,
  budget: Budget,
): Promise<Before | undefined> {
  const { after: _, ...first } = query;
  const { predicate, grouping } = query;
  return store.group(predicate, [grouping], budget, new ReadCost(), async ({ groups }) => {
    const table = groups[0] as GroupTable;
    if (!table.isInOrder) return beforeIndex(query);
    const passing = await passingGroups(query, table, budget);
    const columns = columnsOf(table, table.groups);
    return beforeIn(await groupsAfter(first, passing, columns, budget), query);
  });
}

type GroupsPage = Pick<Page, 'rows' | 'total' | 'whole' | 'last' | 'unlisted'>;

async function pageOf(
  asked: Groups,
  query: GroupQuery,
  budget: Budget,
  store: RowStore,
): Promise<GroupsPage> {
  const table = asked.groups[0] as GroupTable;
  const passing = await passingGroups(query, table, budget);
  return table.isInOrder
    ? pageOfAll(query, table, passing, budget)
    : pageOfFirst(query, table, passing, budget, store);
}

/** Returns the indices of the groups that pass the filters of `_having`. */
async function passingGroups(
  { grouping, having }: GroupQuery,
  table: GroupTable,
  budget: Budget,
): Promise<Uint32Array> {
  const { groups } = table;
  const passing = new Uint32Array(groups.length);
  if (having === undefined) {
    for (let i = 0; i < passing.length; i++) passing[i] = i;
    return passing;
  }
  const columns = groupColumns(grouping);
  const names = fieldsInPredicate(having);
  let count = 0;
  for (let from = 0; from < groups.length; from += MANY_AT_ONCE) {
    const some = groups.subarray(from, from + MANY_AT_ONCE);
    const keys: Record<string, Key>[] = Array.from(some, () => Object.create(null));
    for (const name of names) {
      const by = columns.findIndex((column) => column.name === name);
      const ofColumn = await keysOf(grouping, by, await table.valuesOf(by, some), budget);
      for (const [i, key] of ofColumn.entries())
        if (key !== null) (keys[i] as (typeof keys)[0])[name] = key;
    }
    for (const [i, its] of keys.entries()) {
      if (matches(having, { values: {}, keys: its })) passing[count++] = from + i;
    }
    await budget.checkpoint(some.length * names.length * STEPS_PER_VALUE);
  }
  return passing.subarray(0, count);
}

/** How many groups are tested or looked at for a list at once. */
const MANY_AT_ONCE = 2 ** 12;

/** A page of groups that are all in order. A cursor names a group by its index in that order. */
async function pageOfAll(
  query: GroupQuery,
  table: GroupTable,
  passing: Uint32Array,
  budget: Budget,
): Promise<GroupsPage> {
  const columns = columnsOf(table, table.groups);
  const following = await groupsAfter(query, passing, columns, budget);
  const asked = await askedColumns(query, columns);
  const page = following.slice(0, query.limit);
  const texts = await textsThatFit(written(asked, page, budget));
  const last = following[texts.length - 1];
  return {
    rows: texts,
    total: passing.length,
    whole: (downloadBudget) => written(asked, following, downloadBudget),
    last: texts.length === following.length ? undefined : last,
  };
}

/** Reads columns of some groups, each once. */
function columnsOf(table: GroupTable, groups: Uint32Array): (by: number) => Promise<Value[]> {
  const read = new Map<number, Promise<Value[]>>();
  return (by) => {
    const values = read.get(by) ?? table.valuesOf(by, groups);
    read.set(by, values);
    return values;
  };
}

/** Returns the groups after the cursor, each by its index in the order of the groups' values. */
async function groupsAfter(
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
 * A page of the first of many groups. Only as many groups as the page and those before it need are
 * put in order. A cursor names a group by its index among these.
 */
async function pageOfFirst(
  query: GroupQuery,
  table: GroupTable,
  passing: Uint32Array,
  budget: Budget,
  store: RowStore,
): Promise<GroupsPage> {
  const { limit, after } = query;
  const total = passing.length;
  const listed = Math.min(total, MOST_GROUPS);
  const from = after === undefined ? 0 : indexAfter(after < listed ? after : -1);
  const end = Math.min(listed, from + limit);
  const first = await firstGroups(query, table, passing, end, budget);
  const page = first.subarray(from, end);
  const asked = await askedColumns(query, columnsOf(table, page));
  const texts = await textsThatFit(written(asked, numbersBelow(page.length), budget));
  const isLast = from + texts.length >= listed;
  return {
    rows: texts,
    total,
    last: isLast || texts.length === 0 ? undefined : from + texts.length - 1,
    unlisted: isLast && total > listed ? total - listed : undefined,
    // So many values are not kept while a caller takes them, but made again.
    whole: (downloadBudget) => again(store, query, downloadBudget),
  };
}

/** Groups again, and writes all groups after the cursor. */
async function* again(
  store: RowStore,
  query: GroupQuery,
  budget: Budget,
): AsyncGenerator<readonly string[]> {
  const { predicate, grouping } = query;
  const reads = new ReadCost();
  const pieces = await store.group(predicate, [grouping], budget, reads, async ({ groups }) => {
    const table = groups[0] as GroupTable;
    const passing = await passingGroups(query, table, budget);
    const all = await firstGroups(query, table, passing, MOST_GROUPS, budget);
    const following = all.subarray(query.after === undefined ? 0 : query.after + 1);
    const asked = await askedColumns(query, columnsOf(table, following));
    return written(asked, numbersBelow(following.length), budget);
  });
  yield* pieces;
}

/**
 * Returns the first groups in the order of the query: as many as `most`, if there are so many. Ties
 * are in the order of the groups' values.
 */
async function firstGroups(
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
      // NaN stands for no value.
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
async function keysOf(
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

/** A column of the answer: what stands before its values, and these. */
type AskedColumn = { readonly before: string; readonly values: readonly Value[] };

async function askedColumns(
  { grouping, fields }: GroupQuery,
  columns: (by: number) => Promise<Value[]>,
): Promise<AskedColumn[]> {
  const names = groupColumns(grouping).map(({ name }) => name);
  const asked: AskedColumn[] = [];
  for (const name of fields ?? names) {
    const values = await columns(names.indexOf(name));
    asked.push({ before: `${JSON.stringify(name)}:`, values });
  }
  return asked;
}

/** Writes groups as JSON texts. */
async function* written(
  asked: readonly AskedColumn[],
  indices: Uint32Array,
  budget: Budget,
): AsyncGenerator<readonly string[]> {
  for (let from = 0; from < indices.length; from += GROUPS_AT_ONCE) {
    const some = indices.subarray(from, from + GROUPS_AT_ONCE);
    const texts: string[] = [];
    for (let i = 0; i < some.length; i++) {
      let text = '';
      for (const { before, values } of asked) {
        const value = values[some[i] as number];
        const cell = typeof value === 'number' ? value : JSON.stringify(value);
        text += `${text === '' ? '{' : ','}${before}${cell}`;
      }
      texts.push(`${text}}`);
    }
    yield texts;
    await budget.checkpoint(GROUPS_AT_ONCE * asked.length * STEPS_PER_VALUE);
  }
}

function numbersBelow(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => i);
}
