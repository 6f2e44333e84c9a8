import type { Dimension } from '../block/grouping.ts';
import type { Row, Value } from '../values/field-type.ts';
import type { SumsOfRows } from './heat-sums.ts';
import type { GroupsQuestion } from './question.ts';
import { valueIn } from './question.ts';

/**
 * Puts the rows of a heat table in the order that was asked for of the groups: by the greatest number
 * of each row, or by that of the last period. By the number alone, rows that have a sum are in the
 * order of their sums. Without an order, rows are in the order of their values.
 */
export function inOrderOfGroups(
  values: readonly Value[],
  dimension: Dimension,
  question: GroupsQuestion,
  sums?: SumsOfRows,
): readonly Value[] {
  const { answer, order = [] } = question;
  const keys = order.flatMap((text) => keyOf(text, question) ?? []);
  const [first] = keys;
  if (first === undefined) return values;
  if (sums !== undefined && first.column === sums.measure.column.name) {
    const sumOf = (value: Value) => sums.of.get(value) ?? null;
    return values.toSorted((a, b) => compared(sumOf(a), sumOf(b), first.isDescending));
  }
  const places = new Map(values.map((value, i) => [value, i]));
  const sorted = answer.groups.toSorted((a, b) => {
    for (const { column, isDescending } of keys) {
      const before = compared(a[column] ?? null, b[column] ?? null, isDescending);
      if (before !== 0) return before;
    }
    const placeOf = (group: Row) => places.get(valueIn(group, dimension)) ?? 0;
    return placeOf(a) - placeOf(b);
  });
  return [...new Set(sorted.map((group) => valueIn(group, dimension)))].filter((value) =>
    places.has(value),
  );
}

/** A column of the groups; what was asked by year may be drawn by decade. */
function keyOf(text: string, { answer }: GroupsQuestion) {
  const isDescending = text.startsWith('-');
  const name = isDescending ? text.slice(1) : text;
  const { dimensions, measures } = answer.grouping;
  const own = [...dimensions, ...measures].find(({ column }) => column.name === name);
  const alike = dimensions.find(
    ({ field }) => name === field.name || name.startsWith(`${field.name}_`),
  );
  const column = (own ?? alike)?.column.name;
  return column === undefined ? undefined : { column, isDescending };
}

/** Nothing comes last in both directions. */
function compared(a: Value, b: Value, isDescending: boolean): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b === isDescending ? 1 : -1;
}
