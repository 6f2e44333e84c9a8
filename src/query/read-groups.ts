import type { Value } from '../fields/field.ts';
import type { Key } from '../fields/field-type.ts';
import { typeOf } from '../fields/field-types.ts';
import { stepsOfFolding } from '../text/fold.ts';
import type { Budget } from './budget.ts';
import { columnsOf, type Grouping } from './grouping.ts';
import type { Query } from './query.ts';
import { type GroupColumns, type Page, Reads, type RowStore } from './row-store.ts';
import { textsThatFit } from './row-text.ts';
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
  const usage = new Reads();
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
