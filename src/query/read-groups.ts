import type { Row } from '../fields/field.ts';
import { stepsOfFolding } from '../text/fold.ts';
import type { Budget } from './budget.ts';
import { columnsOf, type Grouping } from './grouping.ts';
import { type KeyedRow, keyRow } from './predicate.ts';
import type { Query } from './query.ts';
import { type Page, Reads, type RowStore } from './row-store.ts';
import { rowText, textsThatFit } from './row-text.ts';
import { compareSorted, placeAfter, sortRows } from './sort-rows.ts';

type GroupQuery = Query & { readonly grouping: Grouping };

/** A group with its place among all groups, in the order of their values. */
type PlacedGroup = KeyedRow & { readonly position: number };

/** Groups that are keyed or written without a pause, and the work of each, in steps. */
const GROUPS_AT_ONCE = 256;
const STEPS_PER_GROUP = 400;
const STEPS_AT_ONCE = GROUPS_AT_ONCE * STEPS_PER_GROUP;

/** A page of groups. */
export async function readGroups(
  store: RowStore,
  query: GroupQuery,
  budget: Budget,
): Promise<Page> {
  const usage = new Reads();
  const { predicate, grouping, limit } = query;
  const {
    groups: [rows = []],
    matching,
    help,
  } = await store.group(predicate, [grouping], budget, usage);
  const following = await groupsAfter(query, rows, budget);
  const texts = await textsThatFit(written(following.slice(0, limit), query, budget));
  const last = following[texts.length - 1]?.position;
  return {
    rows: texts,
    total: rows.length,
    matching,
    whole: (its) => written(following, query, its),
    ...(texts.length === following.length || last === undefined ? {} : { last }),
    ...(help === undefined ? {} : { help }),
    path: 'columns',
    usage,
  };
}

/** Groups in the order of their values: by the first dimension, then by the next; null is last. */
export async function inOrder(
  grouping: Grouping,
  rows: readonly Row[],
  budget: Budget,
): Promise<PlacedGroup[]> {
  const columns = columnsOf(grouping);
  const names = grouping.dimensions.map(({ column }) => column.name);
  const keyed: { readonly row: KeyedRow; readonly by: (string | number | null)[] }[] = [];
  let steps = 0;
  for (const values of rows) {
    const row = keyRow(columns, values);
    // Lists are read faster than members, of which a sort reads each many times.
    const by = names.map((name) => row.keys[name] ?? null);
    keyed.push({ row, by });
    for (const key of by) steps += typeof key === 'string' ? stepsOfFolding(key) : 0;
    steps += STEPS_PER_GROUP;
    if (steps < STEPS_AT_ONCE) continue;
    await budget.turn(steps);
    steps = 0;
  }
  keyed.sort((a, b) => {
    let order = 0;
    for (let i = 0; order === 0 && i < names.length; i++) {
      order = compareSorted(a.by[i] ?? null, b.by[i] ?? null, false);
    }
    return order;
  });
  await budget.turn(rows.length * STEPS_PER_GROUP);
  return keyed.map(({ row: { values, keys } }, position) => ({ values, keys, position }));
}

async function groupsAfter(
  { grouping, sort, after }: GroupQuery,
  rows: readonly Row[],
  budget: Budget,
): Promise<PlacedGroup[]> {
  const groups = await inOrder(grouping, rows, budget);
  if (sort !== undefined) return sortRows(groups, sort, after);
  if (after === undefined) return groups;
  return groups.slice(placeAfter(after < groups.length ? after : -1));
}

async function* written(
  groups: readonly PlacedGroup[],
  { fields }: Query,
  budget: Budget,
): AsyncGenerator<readonly string[]> {
  for (let from = 0; from < groups.length; from += GROUPS_AT_ONCE) {
    const some = groups.slice(from, from + GROUPS_AT_ONCE);
    yield some.map(({ values }) => rowText(values, fields));
    await budget.turn(STEPS_AT_ONCE);
  }
}
