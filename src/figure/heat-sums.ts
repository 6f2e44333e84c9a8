import type { Dimension, Measure } from '../block/grouping.ts';
import type { Row, Value } from '../values/field-type.ts';
import { type GroupsQuestion, numberIn, valueIn } from './question.ts';

/** What a row of a heat table has in all of its periods. */

/** Amounts that add up over several periods. */
const ADDING: readonly Measure['of'][] = ['count', 'sum'];

/** The sum of each row by its value, of this measure. */
export type SumsOfRows = { readonly measure: Measure; readonly of: ReadonlyMap<Value, number> };

/**
 * The sum of each row. Undefined if its cells do not add up: they are averages, or no
 * periods, or some of them are not there.
 */
export function sumsOfRows(
  { answer }: GroupsQuestion,
  measure: Measure,
  columns: { readonly dimension: Dimension; readonly isTime: boolean; readonly more: number },
  down: Dimension,
): SumsOfRows | undefined {
  if (!ADDING.includes(measure.of) || answer.isFiltered) return undefined;
  if (!columns.isTime || columns.more > 0) return undefined;
  const sums = new Map<Value, number>();
  const add = (group: Row) => {
    const number = numberIn(group, measure);
    if (number === null || valueIn(group, columns.dimension) === null) return;
    const value = valueIn(group, down);
    sums.set(value, (sums.get(value) ?? 0) + number);
  };
  for (const group of answer.groups) add(group);
  return { measure, of: sums };
}
