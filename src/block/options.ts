import type { Geometry } from './geometry.ts';
import type { Parameter } from './parameter.ts';

/** The formats of an answer; the first is the default. */
export const FORMATS = ['json', 'csv', 'ndjson', 'geojson', 'html'] as const;
export type Format = (typeof FORMATS)[number];

export const DEFAULT_LIMIT = 1000;
export const MOST_LIMIT = 1000;

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

/** The formats that a block offers; GeoJSON needs rows with a location. */
export function formatsOf(geometry: Geometry | undefined): Format[] {
  return FORMATS.filter((format) => format !== 'geojson' || geometry !== undefined);
}

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

const GEOMETRY: Parameter = {
  type: 'choice',
  name: '_geometry',
  title: 'GeoJSON geometry',
  description: "polygon: each row's region; point: its centre.",
  choices: ['polygon', 'point'],
  default: 'polygon',
};

function shadeOption(choices: readonly string[]): Parameter {
  return {
    type: 'choice',
    name: '_shade',
    formerly: '_map',
    title: 'Field that the map shows',
    description: "The field that colours the page's map; other formats do not use it.",
    choices,
  };
}

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

/** The options of a block whose rows have these fields; a map can be coloured by `numbers`. */
export function rowOptions(
  fields: readonly string[],
  geometry?: Geometry,
  numbers: readonly string[] = [],
): Parameter[] {
  return [
    LIMIT,
    CURSOR,
    {
      type: 'choice',
      name: '_sort',
      title: 'Order of the rows',
      description: "A field, or -field for descending order. By default, the dataset's own order.",
      choices: fields.flatMap((field) => [field, `-${field}`]),
    },
    fieldsOption(fields),
    formatOption(formatsOf(geometry)),
    RAW,
    ...(geometry?.kind === 'regions' ? [GEOMETRY, shadeOption(numbers)] : []),
    HANDLING,
    EXPLAIN,
  ];
}

/** The options of a block that answers with one value; `members` are the value's members. */
export function valueOptions(members: readonly string[]): Parameter[] {
  return [fieldsOption(members), formatOption(formatsOf(undefined)), RAW, HANDLING, EXPLAIN];
}

/** Options of blocks with rows; a value block accepts them, ignores them and warns of them. */
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
