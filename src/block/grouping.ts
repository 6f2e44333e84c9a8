import { MEASURE_NAMES, MEASURES, type MeasureName } from '../measures/measures.ts';
import { inSentence } from '../text/wording.ts';
import { type Field, keysOfDay } from '../values/field-types.ts';
import { TIME_PARTS, type TimePart, type TimePartName } from '../values/time-part.ts';

/** The most of each in one question. */
export const MOST_DIMENSIONS = 3;
export const MOST_MEASURES = 8;
export const MOST_GROUPS = 10_000;
export const MOST_FACETS = 8;

/** The most values that a facet lists. */
export const MOST_FACET_VALUES = 30;

/** The options that ask for groups in place of rows. */
export const GROUP_NAMES = ['_group', '_measure'] as const;

/** What rows are grouped by: a field's values, or a part of each. */
export type Dimension = {
  /** As it is asked for: `created.month`. */
  readonly text: string;
  readonly field: Field;
  readonly part?: TimePart;
  /** The part's name. */
  readonly partName?: TimePartName;
  /** Or the width of the ranges that its numbers are put in, as decimal text. */
  readonly width?: string;
  /** The answer's column. */
  readonly column: Field;
};

/** What is computed of each group. */
export type Measure = {
  /** As it is asked for: `sum:population`. */
  readonly text: string;
  readonly of: MeasureName;
  /** Absent if it counts rows. */
  readonly field?: Field;
  readonly column: Field;
};

/** The number of a group's rows. */
export const ROW_COUNT: Measure = {
  text: 'count',
  of: 'count',
  column: { name: 'count', title: 'Rows', type: 'integer' },
};

/** A question about groups of rows. Without dimensions, all rows are one group. */
export type Grouping = {
  readonly dimensions: readonly Dimension[];
  readonly measures: readonly Measure[];
  /** What asks for it, to be named by refusals; `_group` if absent. */
  readonly option?: '_facets';
};

/** The answer's columns, in order. */
export function groupColumns({ dimensions, measures }: Grouping): Field[] {
  return [...dimensions, ...measures].map(({ column }) => column);
}

/** The dimensions and measures as they are asked for. */
export function groupingTexts({ dimensions, measures }: Grouping): string[][] {
  return [dimensions, measures].map((all) => all.map(({ text }) => text));
}

/** What a column may be called that groups have and rows may not, with a sign to sort by it. */
export const COLUMN_OF_GROUPS = new RegExp(
  `^-?(?:count|(?:${MEASURE_NAMES.join('|')})_\\w+|\\w+_(?:${Object.keys(TIME_PARTS).join('|')}|\\d+))$`,
);

/** The measures that a field has. */
export function measuresOf(field: Field): MeasureName[] {
  return MEASURE_NAMES.filter((name) => MEASURES[name].of(field));
}

/** The parts that rows can be grouped by, of a field's dates or times. */
export function timePartsOf(field: Field): TimePartName[] {
  const keys = keysOfDay(field);
  if (keys === undefined) return [];
  const hasTimes = keys > 1;
  const names = Object.keys(TIME_PARTS) as TimePartName[];
  return names.filter((name) => hasTimes || !('ofTimes' in TIME_PARTS[name]));
}

/** The grouping of valid arguments; undefined if they ask for rows. */
export function groupingOf(
  { fields }: { readonly fields: readonly Field[] },
  { _group: group, _measure: measure }: Readonly<Record<string, unknown>>,
): Grouping | undefined {
  if (group === undefined && measure === undefined) return undefined;
  const measures = measure === undefined ? ['count'] : (measure as string[]);
  return {
    dimensions: readDimensions(fields, group),
    measures: [...new Set(measures)].map((text) => measureOf(text, fields)),
  };
}

/** The dimensions of valid texts; none if absent. */
export function readDimensions(fields: readonly Field[], texts: unknown): Dimension[] {
  return [...new Set((texts ?? []) as string[])].map((text) => dimensionOf(text, fields));
}

function dimensionOf(text: string, fields: readonly Field[]): Dimension {
  const cut = text.indexOf('.');
  const field = fieldNamed(cut < 0 ? text : text.slice(0, cut), fields);
  const { filterable, indexed, main, alias, ...plain } = field;
  if (cut < 0) return { text, field, column: plain };
  const by = text.slice(cut + 1);
  if (Object.hasOwn(TIME_PARTS, by)) {
    const part: TimePart = TIME_PARTS[by as TimePartName];
    const title = `${field.title}, ${part.title}`;
    return {
      text,
      field,
      part,
      partName: by as TimePartName,
      column: { name: `${field.name}_${by}`, title, type: part.type },
    };
  }
  const name = `${field.name}_${by.replace('.', '_')}`;
  const title = `${field.title}, in steps of ${by}`;
  return { text, field, width: by, column: { ...plain, type: 'number', name, title } };
}

function measureOf(text: string, fields: readonly Field[]): Measure {
  if (text === ROW_COUNT.text) return ROW_COUNT;
  const [of = '', name = ''] = text.split(':');
  const field = fieldNamed(name, fields);
  const { title, type } = MEASURES[of as MeasureName];
  const { unit, timeZone, local } = field;
  const column: Field = {
    name: `${of}_${name}`,
    title: `${title} ${inSentence(field.title)}`,
    type: type ?? field.type,
    ...(unit === undefined || type === 'integer' ? {} : { unit }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(local === undefined ? {} : { local }),
  };
  return { text, of: of as MeasureName, field, column };
}

function fieldNamed(name: string, fields: readonly Field[]): Field {
  const found = fields.find((field) => field.name === name);
  if (found === undefined) throw new RangeError(`There is no field ${name}.`);
  return found;
}
