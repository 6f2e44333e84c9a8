import { type Format, formatsOf, formatsOfAnswers, formatsOfGroups } from '../formats/formats.ts';
import { LANGUAGE_NAMES } from '../languages/names.ts';
import { MEASURE_NAMES, PERCENTILE } from '../measures/measures.ts';
import { listInWords, numberText } from '../text/wording.ts';
import { type Field, isNumeric } from '../values/field-types.ts';
import { CELLS_PATTERN, PLACE } from '../values/map-cells.ts';
import type { Geometry, OnMap } from '../values/places.ts';
import {
  MOST_DIMENSIONS,
  MOST_FACETS,
  MOST_MEASURES,
  measuresOf,
  timePartsOf,
} from './grouping.ts';
import { FRAME, isFilterable, type Parameter } from './parameter.ts';
import { MEDIANS, MOST_POINTS, MOST_SQUARES, SCALE, SCALES, XY } from './two-numbers.ts';
import { AXIS_NAMES, MARK_NAMES, type MarkName, VIEWS } from './views.ts';

/** Rows of a page if a request does not say, and if it does. */
export const DEFAULT_LIMIT = 1000;
export const MOST_LIMIT = 1000;

/** Fields of an order. */
export const MOST_SORTS = 2;

/** Every block takes this option. */
export const HANDLING: Parameter = {
  type: 'choice',
  name: '_handling',
  title: 'Handling of unknown names',
  description: 'strict refuses unknown names in a body; lenient ignores and lists them.',
  choices: ['strict', 'lenient'],
};

const EXPLAIN: Parameter = {
  type: 'boolean',
  name: '_explain',
  title: 'Explain',
  description: 'Adds the access path, what was read, and what that costs on AWS.',
};

export function formatOption(choices: readonly Format[]): Parameter {
  return {
    type: 'choice',
    name: '_format',
    title: 'Format of the answer',
    choices,
    default: 'json',
  };
}

const RAW: Parameter = {
  type: 'boolean',
  name: '_raw',
  title: 'Exact texts',
  description: 'CSV alone: no apostrophe is put before a text that begins like a formula.',
};

const BOM: Parameter = {
  type: 'boolean',
  name: '_bom',
  title: 'Byte order mark',
  description:
    'CSV alone: it begins with a byte order mark, without which Excel misreads letters beyond ASCII.',
};

function geometryOption({ simplifiedTo }: Geometry & { readonly kind: 'regions' }): Parameter {
  const exact = "each row's region";
  const region =
    simplifiedTo === undefined
      ? exact
      : `${exact}, simplified: about ${numberText(simplifiedTo)} positions of all regions together`;
  return {
    type: 'choice',
    name: '_geometry',
    title: 'GeoJSON geometry',
    description: `polygon: ${region}; point: its centre.`,
    choices: ['polygon', 'point'],
    default: 'polygon',
  };
}

function shadeOption(choices: readonly string[]): Parameter {
  return {
    type: 'choice',
    name: '_shade',
    formerly: '_map',
    title: 'Field that the map shows',
    description:
      'The field that colours the map of the page and of SVG; other formats do not use it.',
    choices,
  };
}

/** Marks that need places, by what places are. */
const MARKS_OF_PLACES: Readonly<Partial<Record<string, readonly Geometry['kind'][]>>> = {
  dots: ['points'],
  cells: ['points', 'regions'],
  regions: ['regions'],
};

const FRAME_OPTION: Parameter = {
  type: 'box',
  name: FRAME,
  title: 'Part of the map',
  description:
    'west,south,east,north in degrees: what the map of the page and of SVG shows. It leaves out no rows, and other formats do not use it.',
};

/** What a page shows, how its figure is drawn, and whether it is for a frame in another page. */
function pageOptions({ geometry, areaField }: OnMap, hasFigures: boolean): Parameter[] {
  const hasPlaces = (kinds: readonly Geometry['kind'][] = []) =>
    kinds.some((kind) => kind === geometry?.kind);
  const isOfAreas = (mark: MarkName) => mark === 'regions' && areaField !== undefined;
  const hasMap = geometry !== undefined || areaField !== undefined;
  return [
    {
      type: 'choice',
      name: '_view',
      title: 'View of the page',
      description:
        'What the page shows of the answer, and which figure SVG has; other formats do not use it.',
      choices: VIEWS.filter(
        (view) => (view !== 'map' || hasMap) && (view !== 'figures' || hasFigures),
      ),
    },
    {
      type: 'choice',
      name: '_mark',
      title: 'How the figure is drawn',
      description:
        'What the figure of the page and of SVG is made of; other formats do not use it.',
      choices: MARK_NAMES.filter(
        (mark) =>
          MARKS_OF_PLACES[mark] === undefined ||
          hasPlaces(MARKS_OF_PLACES[mark]) ||
          isOfAreas(mark),
      ),
    },
    ...(hasMap ? [FRAME_OPTION] : []),
    {
      type: 'choice',
      name: '_axis',
      title: "Axis of the figure's numbers",
      description:
        'What the axis of the figure of the page and of SVG is: from zero, near its numbers, logarithmic (log), the first period that all lines have as 100 (index), or shares of all. Other formats do not use it.',
      choices: AXIS_NAMES,
    },
    {
      type: 'boolean',
      name: '_as_one',
      title: 'Filtered values as one',
      description:
        'A line over time is of all rows together, although a filter names a few values of a field: the page else draws a line of each. Other formats do not use it.',
    },
    {
      type: 'boolean',
      name: '_embed',
      title: 'The view alone',
      description:
        'The page has its figure or table alone, for a frame in another page; other formats do not use it.',
    },
  ];
}

/** Every block has pages, and each of its rows. */
export const LANG: Parameter = {
  type: 'choice',
  name: '_lang',
  title: 'Language of the page',
  description:
    'The language of the own words and numbers of the page and of SVG; other formats do not use it.',
  choices: LANGUAGE_NAMES,
};

const LIMIT: Parameter = {
  type: 'integer',
  name: '_limit',
  title: 'Maximum rows per page',
  minimum: 1,
  maximum: MOST_LIMIT,
  default: DEFAULT_LIMIT,
};

const CURSOR: Parameter = {
  type: 'token',
  name: '_cursor',
  title: 'Cursor of the page to return',
  description: "The previous page's next; the other arguments must stay the same.",
};

/** The options of a block whose rows have these fields; `hasFigures` if it has figures of its own. */
export function rowOptions(
  fields: readonly Field[],
  onMap: OnMap = {},
  hasFigures = false,
): Parameter[] {
  const { geometry } = onMap;
  const formats = formatsOf({ isRows: true, geometry });
  const names = fields.map(({ name }) => name);
  const numbers = fields.filter(isNumeric).filter(isFilterable);
  return [
    LIMIT,
    CURSOR,
    {
      type: 'choice',
      name: '_sort',
      title: 'Order of the rows',
      description:
        "A field, or -field for descending order; a second one orders what ties in the first: -a,b. By default, the dataset's own order.",
      list: true,
      mostMembers: MOST_SORTS,
      choices: names.flatMap((name) => [name, `-${name}`]),
      ofColumns: true,
    },
    { ...fieldsOption(names), ofColumns: true },
    groupOption(fields, geometry),
    measureOption(fields),
    ...twoNumberOptions(fields),
    facetsOption(fields),
    formatOption(formatsOfAnswers({ formats, groupFormats: formatsOfGroups(onMap) })),
    RAW,
    BOM,
    ...(geometry?.kind === 'regions'
      ? [geometryOption(geometry), shadeOption(numbers.map(({ name }) => name))]
      : []),
    ...pageOptions(onMap, hasFigures),
    LANG,
    HANDLING,
    EXPLAIN,
  ];
}

/** The width of ranges of numbers. Each width can be written in only one way. */
const WIDTH = '(?![0-9.]{17}|0(?![0-9.]))(?:0|[1-9][0-9]{0,14})(?:\\.[0-9]{0,14}[1-9])?';

/**
 * The dimensions of these fields. Fields and parts of dates are listed; ranges of numbers have a
 * pattern, because their widths cannot be listed.
 */
function dimensions(fields: readonly Field[]): Pick<Parameter, 'choices' | 'pattern'> {
  const parts = fields.map((field) => ({ field, parts: timePartsOf(field) }));
  const choices = parts.flatMap(({ field: { name }, parts }) => [
    name,
    ...parts.map((part) => `${name}.${part}`),
  ]);
  const numbers = fields.filter(isNumeric).map(({ name }) => name);
  const ofNumbers = numbers.length === 0 ? [] : [`(?:${numbers.join('|')})\\.${WIDTH}`];
  const listed = choices.map((one) => one.replace('.', '\\.'));
  return { choices, pattern: [...listed, ...ofNumbers].join('|') };
}

/** Widths of cells cannot be listed either, so one stands for all. */
const EXAMPLE = `${PLACE}.2km`;

function groupOption(fields: readonly Field[], geometry: Geometry | undefined): Parameter {
  const { choices = [], pattern = '' } = dimensions(fields);
  return {
    type: 'choice',
    list: true,
    mostMembers: MOST_DIMENSIONS,
    name: '_group',
    title: 'Fields to group rows by',
    description: `The answer's rows are groups, with _measure or else their count. A list, or one text with commas: at most ${MOST_DIMENSIONS} fields. Dates by part: field.year, .quarter, .month, .week, .day, .month_of_year, .week_of_year, .weekday (1 is Monday), .weekend (weekday or weekend) or .hour. Numbers by width: field.10.${geometry === undefined ? '' : ` Places by cells of a map: ${EXAMPLE}.`}`,
    choices: geometry === undefined ? choices : [...choices, EXAMPLE],
    pattern: geometry === undefined ? pattern : `${pattern}|${CELLS_PATTERN}`,
  };
}

function measureOption(fields: readonly Field[]): Parameter {
  // Sums and averages of numbers that may name things are offered last.
  const inOrder = fields.toSorted((a, b) => Number(a.label ?? false) - Number(b.label ?? false));
  const measured = inOrder.map((field) => ({ name: field.name, measures: measuresOf(field) }));
  const choices = measured.flatMap(({ name, measures }) => measures.map((of) => `${of}:${name}`));
  // Fields that have the same measures share one list of them.
  const alike = new Map<string, string[]>();
  for (const { name, measures } of measured) {
    const key = measures.join('|');
    alike.set(key, [...(alike.get(key) ?? []), name]);
  }
  const patterns = [...alike].map(([of, names]) => {
    return `(?:${of.replace('p90', PERCENTILE)}):(?:${names.join('|')})`;
  });
  return {
    type: 'choice',
    list: true,
    mostMembers: MOST_MEASURES,
    name: '_measure',
    title: 'What to compute of each group',
    description: `count, or one of ${listInWords(MEASURE_NAMES, 'and')} with a field: sum:field. Percentiles are p10:field to p99:field, shares share:count or share:sum:field. A list, or one text with commas: at most ${MOST_MEASURES}. Without _group, of all rows that match.`,
    choices: ['count', 'share:count', ...choices],
    pattern: ['count', 'share:count', ...patterns].join('|'),
  };
}

/** A question about two numbers of each row, of a block that has two. */
function twoNumberOptions(fields: readonly Field[]): Parameter[] {
  const choices = fields.filter(isNumeric).map(({ name }) => name);
  if (choices.length < 2) return [];
  return [
    {
      type: 'choice',
      list: true,
      mostMembers: 2,
      name: XY,
      title: 'Two numbers to compare',
      description: `Two number fields: _xy=x,y. The answer's rows are points, each with what names its row; if more than ${numberText(MOST_POINTS)} rows have both numbers, they are at most ${numberText(MOST_SQUARES.all)} squares, each with its ends and its count. params.xy says which.`,
      choices,
    },
    {
      type: 'choice',
      list: true,
      mostMembers: 2,
      name: SCALE,
      title: 'Scales of the axes',
      description:
        'With _xy: linear or log, one for both or one each: log,linear. By default, an axis is log if its numbers are above 0 and the greatest is 1,000 times the least.',
      choices: SCALES,
    },
    {
      type: 'boolean',
      name: MEDIANS,
      title: 'Medians along x',
      description:
        'With _xy: adds params.xy.medians, the median of y in each step of x that has at least 20 rows.',
    },
  ];
}

function facetsOption(fields: readonly Field[]): Parameter {
  return {
    type: 'choice',
    list: true,
    mostMembers: MOST_FACETS,
    name: '_facets',
    title: 'Fields whose values to count',
    description: `Adds params.facets: for each of at most ${MOST_FACETS} fields, written as for _group, the commonest values with their rows under all filters but its own.`,
    ...dimensions(fields),
  };
}

/** The options of a block that answers with one value. `members` are the members of that value. */
export function valueOptions(members: readonly string[]): Parameter[] {
  return [
    fieldsOption(members),
    formatOption(formatsOf({ isRows: false })),
    RAW,
    BOM,
    LANG,
    HANDLING,
    EXPLAIN,
  ];
}

/**
 * The options of blocks with rows. A block with one value accepts them, ignores them and warns of
 * them.
 */
export const ROW_OPTIONS: readonly string[] = ['_limit', '_cursor', '_sort'];

function fieldsOption(choices: readonly string[]): Parameter {
  return {
    type: 'choice',
    list: true,
    name: '_fields',
    title: 'Fields to return',
    description: 'A list, or one text with commas. By default, all fields.',
    choices,
  };
}
