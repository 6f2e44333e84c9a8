import type { Field } from './field.ts';
import {
  MOST_LIST_MEMBERS,
  MOST_TEXT_LENGTH,
  MOST_TOKEN_LENGTH,
  type Parameter,
} from './parameter.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** JSON Schema (2020-12) of normalised arguments and options. */
export function schemaOfArguments(parameters: readonly Parameter[]): JsonSchema {
  const required = parameters.filter((p) => p.kind === 'number' && p.required);
  return {
    $schema: DRAFT,
    type: 'object',
    properties: Object.fromEntries(parameters.map((p) => [p.name, schemaOfParameter(p)])),
    ...(required.length > 0 ? { required: required.map(({ name }) => name) } : {}),
    additionalProperties: false,
  };
}

/** JSON Schema (2020-12) of the `params` that a dataset block answers with. */
export function schemaOfRow(fields: readonly Field[]): JsonSchema {
  const properties = Object.fromEntries(
    fields.map((field) => [
      field.name,
      {
        title: field.title,
        ...(field.description === undefined ? {} : { description: field.description }),
        type: [field.kind === 'text' ? 'string' : 'number', 'null'],
      },
    ]),
  );
  return {
    $schema: DRAFT,
    type: 'object',
    properties: {
      results: {
        type: 'array',
        maxItems: 1000,
        items: { type: 'object', properties, additionalProperties: false },
      },
      count: { type: 'integer', minimum: 0, description: "This page's rows." },
      total: {
        type: ['integer', 'null'],
        minimum: 0,
        description: 'All rows that match; null where they were not counted.',
      },
      next: { type: ['string', 'null'], description: "The next page's _cursor; null at the end." },
      help: HELP,
    },
    required: ['results', 'count', 'total', 'next'],
    additionalProperties: false,
  };
}

const COUNT = { type: ['integer', 'null'], minimum: 0 };

const HELP: JsonSchema = {
  description: 'There where no row matches the filters: a member for each of them.',
  type: 'array',
  items: {
    type: 'object',
    properties: {
      parameters: {
        description: 'The parameters that state the filter.',
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        maxItems: 2,
      },
      alone: { ...COUNT, description: 'Rows that it matches by itself; null where not counted.' },
      without: { ...COUNT, description: 'Rows that match all the others; null where not counted.' },
      empties: {
        type: ['boolean', 'null'],
        description: 'Whether no row is left for its sake; null where that is not known.',
      },
      containing: {
        ...COUNT,
        description:
          'Rows that match with a star on both sides of its text; null where not counted.',
      },
      nearest: {
        description: 'Values of the dataset that the text may have meant.',
        type: 'array',
        items: { type: 'string' },
        maxItems: 3,
      },
    },
    required: ['parameters', 'alone', 'without', 'empties', 'containing', 'nearest'],
    additionalProperties: false,
  },
};

function schemaOfParameter(parameter: Parameter): JsonSchema {
  const { title, description, examples } = parameter;
  return {
    title,
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
    ...SCHEMAS[parameter.kind](parameter as never),
  };
}

type SchemaOf = { [K in Parameter['kind']]: (p: Extract<Parameter, { kind: K }>) => JsonSchema };

const SCHEMAS: SchemaOf = {
  text: ({ compare }) => {
    const text = {
      maxLength: MOST_TEXT_LENGTH,
      ...(compare === 'digits' ? { pattern: '[0-9]' } : {}),
    };
    return {
      type: ['string', 'array'],
      ...text,
      minItems: 1,
      maxItems: MOST_LIST_MEMBERS,
      items: { type: 'string', ...text },
    };
  },
  number: ({ integer, minimum, maximum, notBelow, default: value }) => ({
    type: integer ? 'integer' : 'number',
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(notBelow === undefined ? {} : { 'x-not-below': notBelow }),
    ...(value === undefined ? {} : { default: value }),
  }),
  choice: ({ choices, default: value }) => ({
    type: 'string',
    enum: choices,
    ...(value === undefined ? {} : { default: value }),
  }),
  choices: ({ choices }) => ({
    type: 'array',
    minItems: 1,
    maxItems: MOST_LIST_MEMBERS,
    items: { type: 'string', enum: choices },
  }),
  flag: () => ({ type: 'boolean' }),
  token: () => ({ type: 'string', maxLength: MOST_TOKEN_LENGTH }),
};
