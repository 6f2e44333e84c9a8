import { type Dimension, type Grouping, type Measure, ROWS_OF_GROUP } from '../block/grouping.ts';
import type { AreaDrawing, DataSource, FieldStatistics, MapDrawing } from '../block/manifest.ts';
import type { TwoNumbers, TwoNumbersFound } from '../block/two-numbers.ts';
import type { AxisName } from '../block/views.ts';
import type { Language } from '../languages/language.ts';
import type { Row, Value } from '../values/field-type.ts';
import { type Field, isNumeric, keysOfDay, typeOf } from '../values/field-types.ts';
import type { PointFields } from '../values/places.ts';
import type { Address, Earth } from './ground.ts';
import { asWritten } from './numbers.ts';
import { type Cut, type Part, periodsOf } from './periods.ts';
import type { Box } from './shape.ts';

/** An answer in groups: a question's groups, each with its dimensions and measures by column. */
export type GroupsAnswer = {
  readonly grouping: Grouping;
  /** The groups: all of them, or the first of the order that was asked for. */
  readonly groups: readonly Row[];
  /** How many groups there are. */
  readonly total: number;
  /** How many rows match the filters. */
  readonly matching: number;
  /** Set if filters on groups leave some out: the others are then no rest of all. */
  readonly isFiltered?: true;
};

/** The rows of a map of places: all that match, or the first of them. */
export type PlacesAnswer = {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly geometry: PointFields;
  /** The field with the name of a place. */
  readonly nameField?: string;
  /** The field with its street and number. */
  readonly addressField?: Field;
};

/** An answer about two numbers of each row: points, or squares that count them. */
export type PairsAnswer = {
  readonly asked: TwoNumbers;
  readonly found: TwoNumbersFound;
  readonly rows: readonly Row[];
  /** How many rows match the filters. */
  readonly matching: number;
  /** The field with the name of a row. */
  readonly nameField?: string;
  /** Beside squares, the rows at the ends of the axes. */
  readonly named?: readonly Row[];
};

/** The values that a filter names of a field, in the order of the address. */
export type Picks = { readonly field: Field; readonly values: readonly Value[] };

/** The groups of the values that a filter does not name; or none, and how many values these are. */
export type Others = { readonly groups: readonly Row[] } | { readonly leftOut: number | 'some' };

/** What is known of a block. */
export type Known = {
  /** The language of the page. */
  readonly language: Language;
  /** The plural noun for its rows. */
  readonly noun: string;
  /** How many rows it has. */
  readonly rows: number;
  readonly fields: readonly Field[];
  readonly statistics: Readonly<Record<string, Partial<FieldStatistics>>>;
  readonly source: DataSource;
  readonly version: string;
  readonly map?: MapDrawing;
  /** The areas that the values of a field name. */
  readonly areas?: AreaDrawing;
};

/**
 * Returns the address of the rows of a group, or of all groups from it to another one. Undefined if
 * no filter can ask for them.
 */
export type LinkOf = (group: Row, to?: Row) => string | undefined;

/** What a figure is made of. */
export type Question = {
  readonly known: Known;
  readonly linkOf: LinkOf;
  /** The keys that the filters leave of fields, by name. */
  readonly cuts?: Readonly<Record<string, Cut>>;
  readonly picks?: Picks;
  /** What is drawn quietly beside what was picked. */
  readonly others?: Others;
  /** The part that was asked for, if it had too many periods. */
  readonly instead?: Part;
  /** The axis that is asked for. */
  readonly axis?: AxisName;
  /** How many bars are asked for; `MOST_BARS` at most. */
  readonly bars?: number;
  /** The order of the groups that was asked for: columns of the answer, with a sign if descending. */
  readonly order?: readonly string[];
  /** For a histogram: the groups of all rows, and the median of those that match. */
  readonly all?: readonly Row[];
  readonly median?: number;
  /** For a map: the box or the place that was asked for, which frames it anew. */
  readonly frame?: Box;
  readonly here?: readonly [longitude: number, latitude: number];
  /** What draws the earth below it, unless the block has a drawing of its own. */
  readonly earth?: Earth;
  /** Wider squares that there may be instead, unless a width was asked for. */
  readonly wider?: readonly string[];
  /** The width of squares that were asked for, if these were too many. */
  readonly narrower?: string;
  /** The addresses in its frame, from which streets are drawn. */
  readonly addresses?: readonly Address[];
  /** Rows that match, but were not asked for, since their places are outside of the frame; or have none. */
  readonly beyond?: { readonly outside: number; readonly nowhere: number };
} & (
  | { readonly answer: GroupsAnswer; readonly places?: undefined; readonly xy?: undefined }
  | { readonly answer?: undefined; readonly places: PlacesAnswer; readonly xy?: undefined }
  | { readonly answer?: undefined; readonly places?: undefined; readonly xy: PairsAnswer }
);

export type GroupsQuestion = Question & { readonly answer: GroupsAnswer };
export type PlacesQuestion = Question & { readonly places: PlacesAnswer };
export type PairsQuestion = Question & { readonly xy: PairsAnswer };

/** What is drawn of an answer: its first number. Undefined if it has none. */
export function drawnMeasure({ answer }: Pick<GroupsQuestion, 'answer'>): Measure | undefined {
  return answer.grouping.measures.find(({ column }) => isNumeric(column));
}

/** A number of a group. Null if it has none. */
export function numberIn(group: Row, { column }: Pick<Measure, 'column'>): number | null {
  const value = group[column.name];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** How many rows a group has; undefined if the answer does not say. */
export function rowsIn(group: Row): number | undefined {
  const rows = group[ROWS_OF_GROUP] ?? group.count;
  return typeof rows === 'number' ? rows : undefined;
}

export function valueIn(group: Row, { column }: Pick<Dimension, 'column'>): Value {
  return group[column.name] ?? null;
}

/** The place of a value among those that were picked; after all of them if it was not. */
export function placeAmong({ field, values }: Picks): (value: Value) => number {
  const { keyOf } = typeOf(field);
  const named = values.flatMap((value) => value ?? []);
  const places = new Map(named.map((value, i) => [keyOf(value, field), i]));
  return (value) => (value === null ? undefined : places.get(keyOf(value, field))) ?? values.length;
}

/** The different values of a dimension, in their order; blank is last. */
export function valuesOf(groups: readonly Row[], dimension: Dimension): Value[] {
  const order = (value: Value) => (value === null ? 2 : typeof value === 'string' ? 1 : 0);
  return [...new Set(groups.map((group) => valueIn(group, dimension)))].sort((a, b) => {
    if (order(a) !== order(b)) return order(a) - order(b);
    if (typeof a === 'string') return a < String(b) ? -1 : 1;
    return Number(a) - Number(b);
  });
}

/** Whether numbers are amounts: counts and sums, of which half is half as high. */
export function isAmount({ of }: Pick<Measure, 'of'>): boolean {
  return ['count', 'distinct', 'sum', 'share:count', 'share:sum'].includes(of);
}

export function isShare({ of }: Measure): boolean {
  return of === 'share:count' || of === 'share:sum';
}

/** The periods of a dimension, of this block. */
export function periodsIn({ known }: Question, dimension: Dimension) {
  return periodsOf(dimension, known.language, known.statistics[dimension.field.name]);
}

/** Whether the block has several dates, so that a title must say which it is by. */
export function hasSeveralDates({ known }: Question): boolean {
  return known.fields.filter((field) => keysOfDay(field) !== undefined).length > 1;
}

/**
 * Where a step begins, so many steps after another. Decimals are rounded, as their sums are not
 * exact.
 */
export function stepAfter(start: number, width: number, count = 1): number {
  const next = start + count * width;
  return Number.isInteger(start) && Number.isInteger(width) ? next : Number(next.toPrecision(12));
}

/**
 * The end of a step, as it is written: the last whole number in it, so that `20 to 29` holds just
 * these; of other numbers, where the next step begins.
 */
export function endOfStep(start: number, { field, width }: Dimension): number {
  const next = stepAfter(start, Number(width));
  const isOfWhole = field.type === 'integer' && Number.isInteger(start) && Number.isInteger(next);
  return isOfWhole ? next - 1 : next;
}

/** The name of a value in a figure. */
export function nameOf(value: Value, dimension: Dimension, language: Language): string {
  const { part, width, field } = dimension;
  if (value === null || value === '') return language.say('blank');
  if (typeof value === 'boolean') return value ? language.say('yes') : language.say('no');
  if (part !== undefined) return part.nameOf?.(value, language) ?? String(value);
  if (width !== undefined && typeof value === 'number') {
    const [from, to] = [value, endOfStep(value, dimension)].map((end) => asWritten(end, language));
    const unit = field.unit === undefined ? '' : ` ${field.unit}`;
    if (from === to) return `${from}${unit}`;
    return language.say('{from} to {to}', { from: `${from}`, to: `${to}${unit}` });
  }
  return typeof value === 'number' ? asWritten(value, language) : String(value);
}
