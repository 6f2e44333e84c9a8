import type { Members } from '../arguments/given.ts';
import type { DatasetBlock } from '../block/block.ts';
import { givenFilters } from '../block/parameter.ts';
import type { Warning } from '../problem/errors.ts';
import { listInWords, numberText, shorten } from '../text/wording.ts';
import { LONG_LIST } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import type { Budget } from '../work/budget.ts';
import type { AskedList, ReadCost, RowStore } from './row-store.ts';

/** The members of lists that no row of the dataset has, by parameter. */
export type NotFound = Readonly<Record<string, readonly unknown[]>>;

/** The lists of keys in valid arguments: of the primary key or the main column, or long ones. */
export function listsIn(
  block: Pick<DatasetBlock, 'filters' | 'primaryKey' | 'keyFields'>,
  values: Members,
): AskedList[] {
  if (!Object.values(values).some(Array.isArray)) return [];
  const { primaryKey = [], keyFields } = block;
  const lists: AskedList[] = [];
  for (const { field, parameter } of givenFilters(block, values)) {
    const members = values[parameter.name];
    if (parameter.op !== 'is' || !Array.isArray(members) || members.length < 2) continue;
    const isKey = field.name === keyFields[0] || primaryKey.includes(field.name);
    if (isKey || members.length > LONG_LIST) {
      lists.push({ parameter: parameter.name, field, members });
    }
  }
  return lists;
}

/** The cost of making a test, in steps. */
const STEPS_PER_TEST = 20;

/** Looks the members of lists up, each by itself and without any other filter. */
export async function notFoundIn(
  lookUp: NonNullable<RowStore['lookUp']>,
  lists: readonly AskedList[],
  budget: Budget,
  reads: ReadCost,
): Promise<NotFound> {
  const all: [string, readonly unknown[]][] = [];
  for (const { parameter, field, members } of lists) {
    const type = typeOf(field);
    const tests = type.testsOf(members, field);
    await budget.checkpoint(members.length * STEPS_PER_TEST);
    const found = await lookUp({ field: field.name, tests, parameter }, budget, reads);
    const missing = [...new Set(members.filter((_, i) => found[i] === 0))];
    if (missing.length > 0) all.push([parameter, missing]);
  }
  return Object.fromEntries(all);
}

/** How many values a warning names. */
const MOST_NAMED = 10;

/** Tells in words which members of lists were not found. */
export function notFoundWarnings(found: NotFound, lists: readonly AskedList[]): Warning[] {
  return Object.entries(found).map(([parameter, missing]) => {
    const all = new Set(lists.find((list) => list.parameter === parameter)?.members).size;
    const named = missing.slice(0, MOST_NAMED).map((value) => `“${shorten(String(value))}”`);
    const more = missing.length - named.length;
    const which = listInWords([...named, ...(more > 0 ? [`${numberText(more)} more`] : [])], 'and');
    const message = `No row has ${numberText(missing.length)} of the ${numberText(all)} values of ${parameter}: ${which}.`;
    return { title: 'Values not found', message, parameter };
  });
}
