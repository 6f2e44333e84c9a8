import { type Block, datasetOf } from '../../block/block.ts';
import type { JsonSchema } from '../../values/field-type.ts';
import { FIELD_TYPES } from '../../values/field-types.ts';

/** The schemas of a block's answers, by the names of their components. */
export function answerSchemas(block: Block): Record<string, JsonSchema> {
  const { name, title } = block;
  const { $schema: _, ...output } = block.outputSchema;
  return {
    [`${name}.answer`]: {
      title: `${title}: answer`,
      type: 'object',
      properties: {
        params: withRow(output, block),
        _errors: { description: 'For old clients.', type: 'array', maxItems: 0 },
        _warnings: { type: 'array', items: { $ref: '#/components/schemas/Warning' } },
        _explain: { $ref: '#/components/schemas/Explain' },
      },
      required: ['params', '_errors', '_warnings'],
      additionalProperties: false,
    },
    [rowName(block)]: rowSchema(block),
    ...(block.formats.includes('geojson')
      ? { [`${name}.geojson`]: featuresSchema(block), [`${name}.feature`]: featureSchema(block) }
      : {}),
  };
}

/** The name of the component for one row or value. */
function rowName({ name, answers }: Block): string {
  return `${name}.${answers === 'rows' ? 'row' : 'value'}`;
}

function rowSchema(block: Block): JsonSchema {
  const { $schema: _, ...output } = block.outputSchema;
  const title = `${block.title}: ${block.answers === 'rows' ? 'row' : 'value'}`;
  return { title, ...(block.answers === 'rows' ? resultsOf(output).items : output) };
}

/** The output, with its row as a separate component, since GeoJSON uses it too. */
function withRow(output: JsonSchema, block: Block): JsonSchema {
  const $ref = `#/components/schemas/${rowName(block)}`;
  if (block.answers === 'value') return { $ref };
  const properties = output.properties as JsonSchema;
  return {
    ...output,
    properties: { ...properties, results: { ...resultsOf(output), items: { $ref } } },
  };
}

function resultsOf(output: JsonSchema): JsonSchema & { readonly items: JsonSchema } {
  const { results } = output.properties as { results: JsonSchema & { items: JsonSchema } };
  return results;
}

/** A FeatureCollection (RFC 7946). */
function featuresSchema({ name, title }: Block): JsonSchema {
  return {
    title: `${title}: GeoJSON`,
    type: 'object',
    properties: {
      type: { const: 'FeatureCollection' },
      features: {
        type: 'array',
        maxItems: 1000,
        items: { $ref: `#/components/schemas/${name}.feature` },
      },
    },
    required: ['type', 'features'],
    additionalProperties: false,
  };
}

/** A row as a Feature; at its own address it has an id. */
function featureSchema(block: Block): JsonSchema {
  const geometry = datasetOf(block)?.geometry;
  const isRegions = geometry?.kind === 'regions';
  const isSimplified = isRegions && geometry.simplifiedTo !== undefined;
  const shapes = isRegions ? ['Point', 'Polygon', 'MultiPolygon'] : ['Point'];
  return {
    title: `${block.title}: row as GeoJSON`,
    type: 'object',
    properties: {
      type: { const: 'Feature' },
      id: { description: "The end of the row's address.", type: 'string' },
      geometry: {
        description: `Null where the row has no place.${isSimplified ? ' Regions are simplified.' : ''}`,
        type: ['object', 'null'],
        properties: {
          type: { enum: shapes },
          coordinates: { type: 'array', description: 'Longitude before latitude, WGS 84.' },
        },
        required: ['type', 'coordinates'],
      },
      properties: { $ref: `#/components/schemas/${rowName(block)}` },
    },
    required: ['type', 'geometry', 'properties'],
    additionalProperties: false,
  };
}

/** The components that answers of all blocks refer to. */
export const ANSWER_SCHEMAS = {
  Warning: {
    type: 'object',
    properties: {
      title: { type: 'string' },
      message: { type: 'string' },
      parameter: { type: 'string' },
    },
    required: ['title', 'message'],
    additionalProperties: false,
  },
  Explain: {
    description: 'What the run read, where _explain asks for it.',
    type: 'object',
    properties: {
      path: {
        description: 'columns, index: and the field, or computed.',
        type: 'string',
        pattern: '^(?:columns|computed|index:\\w+)$',
      },
      chunksRead: { description: 'Chunks of columns.', type: 'integer', minimum: 0 },
      itemsRead: { type: 'integer', minimum: 0 },
      capacityUnits: { description: "DynamoDB's.", type: 'number', minimum: 0 },
      usd: { description: 'Their price on demand, in us-east-1.', type: 'number', minimum: 0 },
    },
    required: ['path', 'chunksRead', 'itemsRead', 'capacityUnits', 'usd'],
    additionalProperties: false,
  },
} as const satisfies Record<string, JsonSchema>;

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };

const SOURCE = { title: TEXT, publisher: TEXT, url: TEXT, license: TEXT, version: TEXT };

const BOUND = { type: ['number', 'string', 'boolean'] };

const COLOR = { channels: list(TEXT), hex: TEXT, name: TEXT, others: TEXT };

const SUMMARY = { id: TEXT, name: TEXT, title: TEXT, description: TEXT };

/** The components for the list of blocks and for a block's description. */
export const DESCRIPTION_SCHEMAS = {
  BlockList: object(
    {
      blocks: list(object({ ...SUMMARY, url: TEXT })),
      begun: {
        ...list(TEXT),
        description: 'Words of q that begin more words than are searched: others may match too.',
      },
    },
    ['begun'],
  ),
  Description: object(
    {
      ...SUMMARY,
      method: { const: 'POST' },
      parameters: list({ $ref: '#/components/schemas/DescribedParameter' }),
      options: list({ $ref: '#/components/schemas/DescribedParameter' }),
      examples: list(object({ title: TEXT, arguments: { type: 'object' } })),
      noun: { ...TEXT, description: 'What its rows are called, in the plural.' },
      key_fields: { ...list(TEXT), description: 'The fields that come first.' },
      row_url: { ...TEXT, description: 'The address of a row: a URI template (RFC 6570).' },
      color: {
        ...object(COLOR),
        description: 'Parameters and members of the answer that are a colour.',
      },
      input_schema: {
        description:
          'JSON Schema of the arguments as they are read; a request may write them in more ways.',
        type: 'object',
      },
      output_schema: { description: "JSON Schema of the answer's params.", type: 'object' },
      sources: list(object(SOURCE, ['url'])),
      dataset: object(
        {
          ...{ ...SOURCE, date: TEXT, changes: TEXT, rows: COUNT },
          bad_rows: {
            ...object({ mended: COUNT, set_aside: COUNT }),
            description: 'Rows of the file that could not be read as they stand.',
          },
        },
        ['publisher', 'url', 'license', 'date', 'changes', 'bad_rows'],
      ),
      downloads: {
        description: 'The addresses of all rows, by format, and of their Data Package.',
        type: 'object',
        additionalProperties: TEXT,
      },
    },
    ['noun', 'key_fields', 'row_url', 'color', 'sources', 'dataset', 'downloads'],
  ),
  DescribedParameter: object(
    {
      name: TEXT,
      title: TEXT,
      description: TEXT,
      field: { ...TEXT, description: 'The field that it filters.' },
      alias: { ...TEXT, description: 'Its name in chat and on the command line.' },
      main: { const: true, description: 'Free text there is for it.' },
      op: { enum: ['is', 'min', 'max'], description: 'How it filters.' },
      type: {
        enum: [
          ...Object.keys(FIELD_TYPES),
          'choice',
          'token',
          'words',
          'box',
          'place',
          'distance',
          'object',
        ],
      },
      required: { type: 'boolean' },
      list: { const: true, description: 'There where a list is taken.' },
      wildcard: { const: '*' },
      unit: TEXT,
      minimum: { type: 'number' },
      maximum: { type: 'number' },
      default: { type: ['number', 'string'] },
      choices: list(TEXT),
      range: object({ min: BOUND, max: BOUND }),
      nulls: COUNT,
      distinct: COUNT,
      values: { ...list(TEXT), description: 'The distinct values, where they are few.' },
      examples: { type: 'array' },
    },
    ['name', 'title', 'type', 'required'],
    'required',
  ),
} as const satisfies Record<string, JsonSchema>;

/** An object; the members in `named` are the only optional or the only required ones, by `they`. */
function object(
  properties: Readonly<Record<string, JsonSchema>>,
  named: readonly string[] = [],
  they: 'required' | 'optional' = 'optional',
): JsonSchema {
  const required =
    they === 'required' ? named : Object.keys(properties).filter((name) => !named.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}
