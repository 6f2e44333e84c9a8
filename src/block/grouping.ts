import {
  LISTED_MEASURES,
  MEASURE_NAMES,
  MEASURES,
  type MeasureName,
  PERCENTILE,
} from '../measures/measures.ts';
import { type Field, keysOfDay } from '../values/field-types.ts';
import { cellWidthIn, MapCells } from '../values/map-cells.ts';
import { areaFieldOf, type Geometry, type OnMap } from '../values/places.ts';
import { TIME_PARTS, type TimePart, type TimePartName } from '../values/time-part.ts';
import { type Filters, filtersOf, parametersOfFields } from './parameter.ts';

/**
 * Dimensions, measures, listed groups and facets of a question. The first groups in an order are
 * listed, and all are counted.
 */
export const MOST_DIMENSIONS = 3;
export const MOST_MEASURES = 8;
export const MOST_GROUPS = 10_000;
export const MOST_FACETS = 8;

/** The most values that a facet lists. */
export const MOST_FACET_VALUES = 30;

/** The options that ask for groups instead of rows. */
export const GROUP_NAMES = ['_group', '_measure'] as const;

/** Filters on groups: `_having.` and a filter of a column of theirs, such as `_having.count_min`. */
export const HAVING = '_having';

/**
 * What rows are grouped by: the values of a field, a part of each value, or cells of a map. The
 * field of cells is that of the latitudes.
 */
export type Dimension = {
  /** The dimension as callers write it: `created.month`. */
  readonly text: string;
  readonly field: Field;
  readonly part?: TimePart;
  /** The part's name. */
  readonly partName?: TimePartName;
  /** The width of ranges of numbers, as decimal text. */
  readonly width?: string;
  /**
   * The edges of a histogram's bins, of which pages ask. A dimension has these, a width, a part,
   * cells, or none of these.
   */
  readonly edges?: readonly number[];
  /** Set if it counts what the boxes of a form would find: only what they ask for is left out. */
  readonly isOfForm?: true;
  readonly cells?: MapCells;
  /** For cells, the field of the longitudes. */
  readonly longitude?: Field;
  /** For cells, the column behind `column`: each cell's box. */
  readonly box?: Field;
  /** The dimension's column in the answer. */
  readonly column: Field;
};

/** What is computed of each group. */
export type Measure = {
  /** The measure as callers write it: `sum:population`. */
  readonly text: string;
  readonly of: MeasureName;
  /** Absent if the measure counts rows. */
  readonly field?: Field;
  readonly column: Field;
};

/** Counts a group's rows. */
export const ROW_COUNT: Measure = {
  text: 'count',
  of: 'count',
  column: { name: 'count', title: 'Rows', type: 'integer' },
};

/** The column of a count that nobody asked for: no field has this name, and one may be called count. */
export const ROWS_OF_GROUP = '#rows';

/** A group's part of all rows. */
export const ROW_SHARE: Measure = {
  text: 'share:count',
  of: 'share:count',
  column: { name: 'share_count', title: MEASURES['share:count'].title, type: 'number' },
};

/** A question about groups of rows. Without dimensions, all rows are one group. */
export type Grouping = {
  readonly dimensions: readonly Dimension[];
  readonly measures: readonly Measure[];
  /** The option that asks for it, which refusals name. Absent means `_group`. */
  readonly option?: '_facets' | '_xy';
};

/** The columns of an answer with groups, in order. */
export function groupColumns({ dimensions, measures }: Grouping): Field[] {
  return [
    ...dimensions.flatMap(({ column, box }) => (box === undefined ? column : [column, box])),
    ...measures.map(({ column }) => column),
  ];
}

/** What a column of groups shows: a dimension, the boxes of its cells, or a measure, by its index. */
export type ColumnSource = {
  readonly kind: 'dimension' | 'box' | 'measure';
  readonly index: number;
};

/** What the columns of `groupColumns` show. */
export function columnSources({ dimensions, measures }: Grouping): ColumnSource[] {
  return [
    ...dimensions.flatMap(({ box }, index): ColumnSource[] => [
      { kind: 'dimension', index },
      ...(box === undefined ? [] : [{ kind: 'box' as const, index }]),
    ]),
    ...measures.map((_, index) => ({ kind: 'measure' as const, index })),
  ];
}

/** The filters on groups, by their names without `_having.`. */
export function havingFilters(
  grouping: Grouping,
  titled: (column: Field) => Field = (column) => column,
): Filters {
  const columns = groupColumns(grouping).map(titled);
  const parameters = parametersOfFields(columns).filter(
    ({ op }) => op !== undefined && op !== 'not',
  );
  return filtersOf(parameters, columns);
}

/**
 * The values of the filters on groups in some arguments, by their names without `_having.`.
 * Undefined if there are none.
 */
export function havingIn(
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  let given: Record<string, unknown> | undefined;
  for (const name of Object.keys(values)) {
    if (!isHaving(name)) continue;
    given ??= Object.create(null) as Record<string, unknown>;
    given[name.slice(HAVING_PREFIX.length)] = values[name];
  }
  return given;
}

export function isHaving(name: string): boolean {
  return name.startsWith(HAVING_PREFIX);
}

const HAVING_PREFIX = '_having.';

/** The dimensions and the measures, as callers write them. */
export function groupingTexts({ dimensions, measures }: Grouping): string[][] {
  return [dimensions, measures].map((all) => all.map(({ text }) => text));
}

/**
 * The names of columns that groups may have and rows may not. A sign before the name sorts by the
 * column.
 */
export const COLUMN_OF_GROUPS = new RegExp(
  `^-?(?:count|(?:${MEASURE_NAMES.join('|')}|share|${PERCENTILE})_\\w+|\\w+_(?:${Object.keys(TIME_PARTS).join('|')}|\\d+|\\d+(?:m|km|mi|ft)(?:_box)?))$`,
);

/** The measures that can be computed of a field, with one percentile for all. */
export function measuresOf(field: Field): MeasureName[] {
  return LISTED_MEASURES.filter((name) => MEASURES[name].of(field));
}

/** The parts by which a field's dates or times can be grouped. */
export function timePartsOf(field: Field): TimePartName[] {
  const keys = keysOfDay(field);
  if (keys === undefined) return [];
  const hasTimes = keys > 1;
  const names = Object.keys(TIME_PARTS) as TimePartName[];
  return names.filter((name) => hasTimes || !('ofTimes' in TIME_PARTS[name]));
}

/** Fields, and which of them have the place of a row. */
/** The dimension of groups whose values are areas with shapes. Undefined if none is. */
export function areaDimension({ dimensions }: Grouping, of: OnMap): Dimension | undefined {
  const name = areaFieldOf(of);
  return dimensions.find(({ text }) => text === name);
}

type Placed = { readonly fields: readonly Field[]; readonly geometry?: Geometry | undefined };

/** The values of a field, or the bins of its histogram, as a page's form counts them. */
export function dimensionOfForm(
  { filterable, indexed, main, alias, ...field }: Field,
  edges?: readonly number[],
): Dimension {
  const dimension = { text: field.name, field, isOfForm: true as const, column: field };
  return edges === undefined
    ? dimension
    : { ...dimension, edges, column: { ...field, type: 'integer' } };
}

/** Reads the grouping of valid arguments. Undefined if they ask for rows. */
export function groupingOf(
  { fields, geometry }: Placed,
  { _group: group, _measure: measure }: Readonly<Record<string, unknown>>,
): Grouping | undefined {
  if (group === undefined && measure === undefined) return undefined;
  const measures = measure === undefined ? ['count'] : (measure as string[]);
  return {
    dimensions: readDimensions(fields, group, geometry),
    measures: [...new Set(measures)].map((text) => measureOf(text, fields)),
  };
}

/** Reads the dimensions in valid texts. Returns none if the texts are absent. */
export function readDimensions(
  fields: readonly Field[],
  texts: unknown,
  geometry?: Geometry,
): Dimension[] {
  if (texts === undefined) return [];
  return [...new Set(texts as string[])].map((text) => dimensionOf(text, { fields, geometry }));
}

function dimensionOf(text: string, { fields, geometry }: Placed): Dimension {
  const cellWidth = cellWidthIn(text);
  if (cellWidth !== undefined && geometry !== undefined) {
    return cellsOf(text, cellWidth, fields, geometry);
  }
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

function cellsOf(
  text: string,
  width: string,
  fields: readonly Field[],
  { longitude, latitude }: Geometry,
): Dimension {
  const name = text.replaceAll('.', '_');
  const title = `Place, in cells of ${width}`;
  return {
    text,
    field: fieldNamed(latitude, fields),
    longitude: fieldNamed(longitude, fields),
    cells: new MapCells(width),
    column: { name, title, type: 'text' },
    box: { name: `${name}_box`, title: `${title}: the box of each`, type: 'text' },
  };
}

function measureOf(text: string, fields: readonly Field[]): Measure {
  if (text === ROW_COUNT.text) return ROW_COUNT;
  if (text === ROW_SHARE.text) return ROW_SHARE;
  const cut = text.lastIndexOf(':');
  const [of, name] = [text.slice(0, cut), text.slice(cut + 1)];
  const field = fieldNamed(name, fields);
  const { title, type } = MEASURES[of as MeasureName];
  const { unit, timeZone, local } = field;
  const column: Field = {
    name: `${of.replace(':', '_')}_${name}`,
    title: `${title} ${field.title}`,
    type: type ?? field.type,
    unit: type === 'integer' || of === 'share:sum' ? undefined : unit,
    timeZone,
    local,
  };
  return { text, of: of as MeasureName, field, column };
}

function fieldNamed(name: string, fields: readonly Field[]): Field {
  const found = fields.find((field) => field.name === name);
  if (found === undefined) throw new RangeError(`There is no field ${name}.`);
  return found;
}
