import { type Block, datasetOf } from '../../block/block.ts';
import { AREA_KINDS } from '../../block/manifest.ts';
import type { JsonSchema } from '../../values/field-type.ts';
import { FIELD_TYPES } from '../../values/field-types.ts';
import { COUNT, list, object, TEXT } from '../../values/json-schema.ts';
import { areaFieldOf } from '../../values/places.ts';

/** The schemas of a block's answers, by the names of their components. */
export function answerSchemas(block: Block): Record<string, JsonSchema> {
  const { name, title } = block;
  const { $schema: _, ...output } = block.outputSchema;
  return {
    [`${name}.answer`]: {
      title: `${title}: answer`,
      ...object(
        {
          params: withRow(output, block),
          _errors: { description: 'For old clients.', type: 'array', maxItems: 0 },
          _warnings: list({ $ref: '#/components/schemas/Warning' }),
          _explain: { $ref: '#/components/schemas/Explain' },
        },
        ['params', '_errors', '_warnings'],
      ),
    },
    [rowName(block)]: rowSchema(block),
    ...featureSchemas(block),
  };
}

/** The schemas of GeoJSON: of rows that have a place, and of groups that are areas. */
function featureSchemas(block: Block): Record<string, JsonSchema> {
  const { name, formats, groupFormats } = block;
  const ofRows = formats.includes('geojson') ? { [`${name}.feature`]: featureSchema(block) } : {};
  const ofGroups = groupFormats.includes('geojson') ? { [`${name}.area`]: areaSchema(block) } : {};
  const features = { ...ofRows, ...ofGroups };
  const names = Object.keys(features);
  return names.length === 0 ? {} : { [`${name}.geojson`]: collectionOf(block, names), ...features };
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
function collectionOf({ title }: Block, features: readonly string[]): JsonSchema {
  const refs = features.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const [only, second] = refs;
  const items = second === undefined ? only : { anyOf: refs };
  return {
    title: `${title}: GeoJSON`,
    ...object({
      type: { const: 'FeatureCollection' },
      features: { type: 'array', maxItems: 1000, items },
    }),
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
    ...objectBut(['id'], {
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
    }),
  };
}

/** A group as a Feature. */
function areaSchema(block: Block): JsonSchema {
  const field = areaFieldOf(datasetOf(block) ?? {});
  return {
    title: `${block.title}: group of an area as GeoJSON`,
    ...object({
      type: { const: 'Feature' },
      geometry: {
        description: `The area that ${field} names; null where it names none.`,
        type: ['object', 'null'],
        properties: {
          type: { enum: ['Polygon', 'MultiPolygon'] },
          coordinates: { type: 'array', description: 'Longitude before latitude, WGS 84.' },
        },
        required: ['type', 'coordinates'],
      },
      properties: { description: 'The group, as in JSON.', type: 'object' },
    }),
  };
}

/** The components that answers of all blocks refer to. */
export const ANSWER_SCHEMAS = {
  Warning: object({ title: TEXT, message: TEXT, parameter: TEXT }, ['title', 'message']),
  Explain: {
    description: 'What the run read, where _explain asks for it.',
    ...object({
      path: {
        description: 'columns, index: and the field, or computed.',
        type: 'string',
        pattern: '^(?:columns|computed|index:\\w+)$',
      },
      chunksRead: { description: 'Chunks of columns.', ...COUNT },
      itemsRead: COUNT,
      capacityUnits: { description: "DynamoDB's.", type: 'number', minimum: 0 },
      usd: { description: 'Their price on demand, in us-east-1.', type: 'number', minimum: 0 },
    }),
  },
} as const satisfies Record<string, JsonSchema>;

const SOURCE = { title: TEXT, publisher: TEXT, url: TEXT, license: TEXT, version: TEXT };

const BOUND = { type: ['number', 'string', 'boolean'] };

const COLOR = { channels: list(TEXT), hex: TEXT, name: TEXT, others: TEXT };

const SUMMARY = { id: TEXT, name: TEXT, title: TEXT, description: TEXT };

/** The components for the list of blocks and for a block's description. */
export const DESCRIPTION_SCHEMAS = {
  BlockList: objectBut(['begun'], {
    blocks: list(object({ ...SUMMARY, url: TEXT })),
    begun: {
      ...list(TEXT),
      description: 'Words of q that begin more words than are searched: others may match too.',
    },
  }),
  Description: objectBut(
    [
      ...['noun', 'key_fields', 'figures', 'row_url', 'color', 'sources', 'dataset', 'downloads'],
      ...['boundaries', 'files', 'versions'],
    ],
    {
      ...SUMMARY,
      method: { const: 'POST' },
      parameters: list({ $ref: '#/components/schemas/DescribedParameter' }),
      options: list({ $ref: '#/components/schemas/DescribedParameter' }),
      examples: list(object({ title: TEXT, arguments: { type: 'object' } })),
      noun: { ...TEXT, description: 'What its rows are called, in the plural.' },
      key_fields: { ...list(TEXT), description: 'The fields that come first.' },
      figures: {
        ...list(objectBut(['text'], { title: TEXT, text: TEXT, url: TEXT })),
        description: 'What the publisher found, with the address of the page that shows it.',
      },
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
      sources: list(objectBut(['url'], SOURCE)),
      dataset: objectBut(['publisher', 'url', 'license', 'date', 'changes', 'bad_rows'], {
        ...SOURCE,
        date: TEXT,
        changes: TEXT,
        rows: COUNT,
        bad_rows: {
          ...object({ mended: COUNT, set_aside: COUNT }),
          description: 'Rows of the file that could not be read as they stand.',
        },
      }),
      boundaries: {
        ...objectBut(['not_found'], {
          field: TEXT,
          areas: { enum: [...AREA_KINDS, 'own'] },
          found: COUNT,
          not_found: object({ values: COUNT, rows: COUNT }),
          geojson: TEXT,
        }),
        description:
          'The field whose values name areas, how many of them do, and the address of the areas as GeoJSON.',
      },
      downloads: {
        description: 'The addresses of all rows, by format, and of their Data Package.',
        type: 'object',
        additionalProperties: TEXT,
      },
      files: {
        description:
          "The addresses of the current version's files, which programs open in place, by the end of each.",
        type: 'object',
        additionalProperties: TEXT,
      },
      versions: {
        ...list(
          objectBut(['date'], {
            id: TEXT,
            date: TEXT,
            rows: COUNT,
            files: list(objectBut(['bytes'], { url: TEXT, type: TEXT, bytes: COUNT })),
          }),
        ),
        description: 'The versions whose files are kept; their addresses never change.',
      },
    },
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
  ),
} as const satisfies Record<string, JsonSchema>;

/** An object of which all members but these are required. */
function objectBut(
  optional: readonly string[],
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  return object(
    properties,
    Object.keys(properties).filter((name) => !optional.includes(name)),
  );
}
