import type { Block, DatasetBlock } from '../block/block.ts';
import type { JsonSchema } from '../values/field-type.ts';

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
  const isRegions = (block as DatasetBlock).geometry?.kind === 'regions';
  const shapes = isRegions ? ['Point', 'Polygon', 'MultiPolygon'] : ['Point'];
  return {
    title: `${block.title}: row as GeoJSON`,
    type: 'object',
    properties: {
      type: { const: 'Feature' },
      id: { description: "The end of the row's address.", type: 'string' },
      geometry: {
        description: 'Null where the row has no place.',
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
