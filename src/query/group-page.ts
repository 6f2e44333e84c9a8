import { groupColumns, MOST_GROUPS } from '../block/grouping.ts';
import type { Key, Value } from '../values/field-type.ts';
import { textsThatFit } from '../values/row-texts.ts';
import type { Budget } from '../work/budget.ts';
import {
  firstGroups,
  type GroupQuery,
  groupsAfter,
  keysOf,
  MANY_AT_ONCE,
  numbersBelow,
} from './order-groups.ts';
import { fieldsInPredicate, matches } from './predicate.ts';
import {
  type Before,
  beforeIn,
  beforeIndex,
  type Groups,
  type GroupTable,
  type Page,
  ReadCost,
  type RowStore,
} from './row-store.ts';
import { indexAfter } from './sort-rows.ts';

/** How many groups are read or written without a pause, and the cost of writing a value, in steps. */
const GROUPS_AT_ONCE = 256;
const STEPS_PER_VALUE = 50;

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

/** A page of groups that are all in order. A cursor names a group by its index in that order. */
async function pageOfAll(
  query: GroupQuery,
  table: GroupTable,
  passing: Uint32Array,
  budget: Budget,
): Promise<GroupsPage> {
  const { groups } = table;
  const columns = columnsOf(table, groups);
  const following = await groupsAfter(query, passing, columns, budget);
  const page = following.slice(0, query.limit);
  const isShort = page.length <= following.length / 2;
  const asked = isShort
    ? await askedColumns(query, columnsOf(table, groupsAt(groups, page)))
    : await askedColumns(query, columns);
  const indices = isShort ? numbersBelow(page.length) : page;
  const texts = await textsThatFit(written(asked, indices, budget));
  const last = following[texts.length - 1];
  return {
    rows: texts,
    total: passing.length,
    whole: isShort
      ? (downloadBudget) => allOf(query, table, following, downloadBudget)
      : (downloadBudget) => written(asked, following, downloadBudget),
    last: texts.length === following.length ? undefined : last,
  };
}

/** Writes groups whose values most readers of a short page do not want. */
async function* allOf(
  query: GroupQuery,
  table: GroupTable,
  indices: Uint32Array,
  budget: Budget,
): AsyncGenerator<readonly string[]> {
  const columns = columnsOf(table, groupsAt(table.groups, indices), budget);
  yield* written(await askedColumns(query, columns), numbersBelow(indices.length), budget);
}

function groupsAt(groups: Uint32Array, indices: Uint32Array): Uint32Array {
  return indices.map((index) => groups[index] as number);
}

/** Reads columns of some groups, each once. */
function columnsOf(
  table: GroupTable,
  groups: Uint32Array,
  budget?: Budget,
): (by: number) => Promise<Value[]> {
  const read = new Map<number, Promise<Value[]>>();
  return (by) => {
    const values = read.get(by) ?? table.valuesOf(by, groups, budget);
    read.set(by, values);
    return values;
  };
}

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
