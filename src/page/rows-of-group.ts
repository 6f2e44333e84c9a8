import type { Dimension, Grouping } from '../block/grouping.ts';
import { EMPTY, isFilterable, operatorName } from '../block/parameter.ts';
import { DAY_MS, dateText, padded } from '../values/calendar.ts';
import { numberRanges } from '../values/decimal.ts';
import { MOST_TEXT_LENGTH, type Row, type Value } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import { changed, type PageState, valuesOf } from './page-state.ts';

type Filters = Readonly<Record<string, string>>;

/** What is about groups alone, and is dropped where a link goes to rows. */
export const NO_GROUPS = {
  ...{ _group: null, _measure: null, _sort: null, _fields: null, _cursor: null, _limit: null },
};

/** A page's state that shows exactly the rows of one of its groups; undefined if no filter does. */
export function rowsOfGroup(
  state: PageState,
  { dimensions }: Grouping,
  row: Row,
): PageState | undefined {
  if (dimensions.length === 0) return undefined;
  let found: PageState = changed(state, NO_GROUPS);
  for (const dimension of dimensions) {
    const filters = filtersOfValue(dimension, row[dimension.column.name] ?? null);
    if (filters === undefined) return undefined;
    for (const [name, text] of Object.entries(filters)) {
      const given = valuesOf(found, name);
      if (name === EMPTY) found = changed(found, { [EMPTY]: [...given, text] });
      else if (given.length > 0 && !isWithin(dimension)) return undefined;
      else found = changed(found, { [name]: text });
    }
  }
  return found;
}

/** Whether the rows with a value of a dimension are among those of any filter that it passes. */
function isWithin({ field, part, width }: Dimension): boolean {
  return part === undefined && width === undefined && field.type !== 'phone';
}

/** The filters that find the rows with a value of a dimension. */
export function filtersOfValue(dimension: Dimension, value: Value): Filters | undefined {
  const { field, width, partName } = dimension;
  const { name } = field;
  if (!isFilterable(field)) return undefined;
  if (value === null) return { [EMPTY]: name };
  if (width !== undefined) return filtersOfRange(dimension, value as number);
  if (partName === 'quarter') return between(name, ...quarterOf(value as string));
  if (partName === 'week') return between(name, ...weekOf(value as string));
  if (partName === 'weekday' || partName === 'hour') return undefined;
  const text = String(value);
  if (partName !== undefined) return { [name]: text.padStart(4, '0') };
  if (typeOf(field).comparedBy !== 'text') return { [name]: text };
  const escaped = text.replaceAll('*', '\\*');
  return [...escaped].length > MOST_TEXT_LENGTH ? undefined : { [name]: escaped };
}

function between(name: string, from: string, to: string): Filters {
  return { [operatorName(name, 'min')]: from, [operatorName(name, 'max')]: to };
}

/** Both ends of a filter are inclusive, so only whole numbers can be asked for by a range. */
function filtersOfRange({ field, width }: Dimension, start: number): Filters | undefined {
  if (field.type !== 'integer') return undefined;
  const { keyOf, startOf } = numberRanges(width as string);
  // By exact decimals: -65.6 + 1.6 is more than -64 in binary64. A range of a row has a whole number.
  const end = Math.max(Math.ceil(start), Math.ceil(startOf(keyOf(start) + 1)) - 1);
  if (!Number.isSafeInteger(end)) return undefined;
  return between(field.name, String(start), String(end));
}

/** `2020-Q2` is from `2020-04` to `2020-06`. */
function quarterOf(text: string): [string, string] {
  const [year = '', quarter = ''] = text.split('-Q');
  const last = 3 * Number(quarter);
  return [`${year}-${padded(last - 2)}`, `${year}-${padded(last)}`];
}

/** The last day that a filter takes. */
const LAST_DAY = Date.UTC(9999, 11, 31);

/** The Monday and the Sunday of an ISO week, if it has one: the first has the 4th of January. */
export function weekOf(text: string): [string, string] {
  const [year = '', week = ''] = text.split('-W');
  const fourth = new Date(0).setUTCFullYear(Number(year), 0, 4);
  const day = (new Date(fourth).getUTCDay() + 6) % 7;
  const monday = fourth + ((Number(week) - 1) * 7 - day) * DAY_MS;
  return [dateText(monday), dateText(Math.min(monday + 6 * DAY_MS, LAST_DAY))];
}
