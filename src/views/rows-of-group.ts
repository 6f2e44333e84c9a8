import { type Dimension, type Grouping, isHaving } from '../block/grouping.ts';
import { BBOX, EMPTY, isFilterable, operatorName } from '../block/parameter.ts';
import { changed, type PageState, TABLE_NAMES, valuesOf, without } from '../page/links.ts';
import { numberRanges } from '../text/decimal.ts';
import { DAY_MS, dateText, padded } from '../values/calendar.ts';
import type { Row, Value } from '../values/field-type.ts';
import { keysOfDay, typeOf } from '../values/field-types.ts';

type Filters = Readonly<Record<string, string>>;

/** What a link to rows drops: what is about groups alone. */
const OF_GROUPS = ['_view', '_group', '_measure', '_mark', '_frame', '_as_one', ...TABLE_NAMES];

/** The table of rows that is behind groups. */
export function withoutGroups(state: PageState): PageState {
  const rows = without(state, OF_GROUPS).filter(([name]) => !isHaving(name));
  return [...rows, ['_view', 'table']];
}

/**
 * A page's state that shows exactly the rows of one of its groups, or of all groups from one to
 * another; undefined if no filter does.
 */
export function rowsOfGroup(
  state: PageState,
  { dimensions }: Grouping,
  row: Row,
  to: Row = row,
): PageState | undefined {
  if (dimensions.length === 0) return undefined;
  let found: PageState = withoutGroups(state);
  for (const dimension of dimensions) {
    const { name } = dimension.column;
    // All groups of a period have that column alone.
    if (!Object.hasOwn(row, name)) continue;
    const filters = filtersBetween(dimension, row[name] ?? null, to[name] ?? null);
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
function isWithin({ field, part, width, cells }: Dimension): boolean {
  return cells === undefined && part === undefined && width === undefined && field.type !== 'phone';
}

/** The filters that find the rows with the values of a dimension from one to another. */
function filtersBetween(dimension: Dimension, from: Value, to: Value): Filters | undefined {
  const [first, last] = [from, to].map((value) => filtersOfValue(dimension, value));
  if (from === to || first === undefined || last === undefined) return first;
  const { name, type } = dimension.field;
  if (keysOfDay(dimension.field) === undefined && type !== 'integer') return undefined;
  const [min, max] = [operatorName(name, 'min'), operatorName(name, 'max')];
  const [least, greatest] = [first[min] ?? first[name], last[max] ?? last[name]];
  return least === undefined || greatest === undefined
    ? undefined
    : { [min]: least, [max]: greatest };
}

/** The filters that find the rows with a value of a dimension. */
export function filtersOfValue(dimension: Dimension, value: Value): Filters | undefined {
  const { field, width, part, partName, cells } = dimension;
  const { name } = field;
  if (cells !== undefined) {
    return value === null ? undefined : { [BBOX]: cells.boxAround(String(value)) };
  }
  if (!isFilterable(field)) return undefined;
  if (value === null) return { [EMPTY]: name };
  if (width !== undefined) return filtersOfRange(dimension, value as number);
  if (partName === 'quarter') return between(name, ...quarterOf(value as string));
  if (partName === 'week') return between(name, ...weekOf(value as string));
  if (part?.recurs) return undefined;
  const text = String(value);
  if (partName !== undefined) return { [name]: text.padStart(4, '0') };
  const argument = typeOf(field).argumentOf(value);
  if (argument === undefined) return undefined;
  // In some languages, a page's reader may mean 1,234 by 1.234, which is refused there.
  const isLikeThousands = field.type === 'number' && /^-?[1-9]\d{0,2}\.\d{3}$/.test(argument);
  return { [name]: isLikeThousands ? `${argument}0` : argument };
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
function weekOf(text: string): [string, string] {
  const [year = '', week = ''] = text.split('-W');
  const fourth = new Date(0).setUTCFullYear(Number(year), 0, 4);
  const day = (new Date(fourth).getUTCDay() + 6) % 7;
  const monday = fourth + ((Number(week) - 1) * 7 - day) * DAY_MS;
  return [dateText(monday), dateText(Math.min(monday + 6 * DAY_MS, LAST_DAY))];
}
