import type { JsonSchema } from '../values/field-type.ts';
import { FIELD_TYPES } from '../values/field-types.ts';

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };

const SOURCE = { title: TEXT, publisher: TEXT, url: TEXT, license: TEXT, version: TEXT };

const BOUND = { type: ['number', 'string', 'boolean'] };

const COLOR = { channels: list(TEXT), hex: TEXT, name: TEXT, others: TEXT };

const SUMMARY = { id: TEXT, name: TEXT, title: TEXT, description: TEXT };

/** The components for the list of blocks and for a block's description. */
export const DESCRIPTION_SCHEMAS = {
  BlockList: object({ blocks: list(object({ ...SUMMARY, url: TEXT })) }),
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
      dataset: object({ ...SOURCE, date: TEXT, changes: TEXT, rows: COUNT }, [
        ...['publisher', 'url', 'license', 'date', 'changes'],
      ]),
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
