import type { Block } from '../../block/block.ts';
import { OPENAPI } from '../../block/describe-block.ts';
import { shorten } from '../../text/wording.ts';
import type { JsonSchema } from '../../values/field-type.ts';
import { componentName } from './argument-schema.ts';
import { headersOf, PROBLEM_STATUSES, problemReferences } from './responses.ts';

/** The characters of a title, and of a description, where many blocks share a document. */
const MOST_OF_TITLE = 60;
const MOST_OF_DESCRIPTION = 300;

/** The group of a block's operations, which says where all of them are. */
export function briefTag({ name, title, description }: Block): object {
  return {
    name,
    'x-displayName': shorten(title, MOST_OF_TITLE),
    description: shorten(description, MOST_OF_DESCRIPTION),
    externalDocs: {
      description: 'All that this block takes and answers, in OpenAPI.',
      url: `./api_v2/blocks/${name}/${OPENAPI}`,
    },
  };
}

/**
 * The operations of a block's address in brief, for a document of many blocks: the filters of its
 * first columns and what it needs; all else it takes is untyped here, and in its own document.
 */
export function briefOperations(block: Block, mostColumns: number): object {
  const { name, parameters } = block;
  const title = shorten(block.title, MOST_OF_TITLE);
  const described = shorten(block.description, MOST_OF_DESCRIPTION);
  const columns = [...new Set(parameters.flatMap(({ field }) => field ?? []))];
  const shown = new Set(columns.slice(0, mostColumns));
  const first = parameters.filter(
    ({ field, op, required }) =>
      required || (op !== 'not' && field !== undefined && shown.has(field)),
  );
  const left = columns.length - shown.size;
  const rest = `${left > 0 ? `These are the filters of ${shown.size} of ${columns.length} columns. ` : ''}All that it takes is in ./api_v2/blocks/${name}/${OPENAPI}.`;
  const required = first.filter((parameter) => parameter.required).map((one) => one.name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      first.map((parameter) => [
        parameter.name,
        {
          title: shorten(parameter.title, MOST_OF_TITLE),
          ...(parameter.field === undefined
            ? {}
            : { $ref: `#/components/schemas/${componentName(parameter, 'json')}` }),
        },
      ]),
    ),
    ...(required.length > 0 ? { required } : {}),
  };
  const refused = problemReferences(PROBLEM_STATUSES);
  return {
    get: {
      operationId: `get-${name}`,
      summary: `${title}: describe`,
      description: `${described}\n\nWith arguments in the query, by the names that the body has, it runs. ${rest}`,
      tags: [name],
      responses: { 200: { $ref: '#/components/responses/Described' }, ...refused },
    },
    post: {
      operationId: `run-${name}`,
      summary: `${title}: run`,
      description: `${described}\n\n${rest}`,
      tags: [name],
      requestBody: {
        required: required.length > 0,
        content: { 'application/json': { schema } },
      },
      responses: { 200: { $ref: '#/components/responses/Answered' }, ...refused },
    },
  };
}

const ANSWER: JsonSchema = {
  description: "A block's answer; its own document says what it has.",
  type: 'object',
  properties: {
    params: { type: 'object' },
    _errors: { description: 'For old clients.', type: 'array', maxItems: 0 },
    _warnings: { type: 'array', items: { $ref: '#/components/schemas/Warning' } },
  },
  required: ['params', '_errors', '_warnings'],
};

export const BRIEF_SCHEMAS: Readonly<Record<string, JsonSchema>> = { Answer: ANSWER };

/** The answers of any block. */
export const BRIEF_RESPONSES: Readonly<Record<string, object>> = {
  Answered: {
    description: 'The answer.',
    headers: headersOf(),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Answer' } } },
  },
  Described: {
    description: "The block's description, or its answer.",
    headers: headersOf('ETag', 'Cache-Control', 'Vary'),
    content: {
      'application/json': {
        schema: {
          oneOf: [
            { $ref: '#/components/schemas/Answer' },
            { $ref: '#/components/schemas/Description' },
          ],
        },
      },
    },
  },
};
