import { type Block, type DatasetBlock, datasetOf } from '../../block/block.ts';
import type { Described } from '../../block/describe-block.ts';
import { HAVING } from '../../block/grouping.ts';
import type { Manifest } from '../../block/manifest.ts';
import { NOT, OR, type Parameter } from '../../block/parameter.ts';
import { oneRowOf } from '../../block/row-key.ts';
import { schemaOfArguments, withNotAsObject } from '../../block/schema.ts';
import { FORMATS, formatsOfAnswers } from '../../formats/formats.ts';
import type { ArgumentSource, JsonSchema } from '../../values/field-type.ts';
import { describedArgument, sentencesOf } from './argument-schema.ts';
import {
  type HeaderName,
  headersOf,
  inFile,
  notModified,
  PROBLEM_STATUSES,
  problemReferences,
} from './responses.ts';

/** The operations of a block's address. */
export function blockOperations({ block, manifest }: Described): object {
  return { get: byAddress(block, manifest), post: byBody(block) };
}

function byAddress(block: Block, manifest?: Manifest): object {
  const { name, title } = block;
  return {
    operationId: `get-${name}`,
    summary: `${title}: describe, or run by address`,
    description: `${block.description}\n\nWithout a parameter in the query, the block describes itself: its parameters, its data and their source. With one, even a blank one, it runs.${needed(block)}`,
    tags: [name],
    parameters: [
      ...[...block.parameters, ...block.options].map(
        (parameter) => new Later(() => queryParameter(parameter, block, manifest)),
      ),
      { $ref: '#/components/parameters/Prefer' },
      { $ref: '#/components/parameters/If-None-Match' },
    ],
    responses: {
      200: answered(block, ['ETag', 'Cache-Control', 'Vary'], {
        oneOf: [answerOf(block), { $ref: '#/components/schemas/Description' }],
      }),
      ...(datasetOf(block) && { 302: inFile() }),
      304: notModified('ETag', 'Cache-Control', 'Vary'),
      ...problemReferences(statusesOf(block).filter((status) => !OF_BODIES.includes(status))),
    },
  };
}

/** Says in words which parameters a run needs: without any, the block describes itself instead. */
function needed({ parameters }: Block): string {
  const names = parameters.filter(({ required }) => required).map((p) => p.name);
  return names.length === 0 ? '' : ` A run needs ${names.join(', ')}.`;
}

function byBody(block: Block): object {
  const { name, title } = block;
  const isNeeded = needed(block) !== '';
  const form = {
    schema: { $ref: `#/components/schemas/${bodyName(block, 'text')}` },
    examples: bodyExamples(block),
  };
  return {
    operationId: `run-${name}`,
    summary: `${title}: run`,
    description: `${block.description}\n\nThe arguments are in the body, as JSON or as a form. ${
      isNeeded
        ? 'Those that are required must be there.'
        : 'Without any, the answer is of all rows.'
    } What the address has in its query wins.

A webhook's delivery is taken too: of CloudEvents and Standard Webhooks the data are the arguments, and _map.<parameter>=<JSON Pointer> in the query picks an argument out of any other body.`,
    tags: [name],
    parameters: [{ $ref: '#/components/parameters/Prefer' }],
    requestBody: {
      required: isNeeded,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${bodyName(block, 'json')}` },
          examples: bodyExamples(block),
        },
        'application/x-www-form-urlencoded': form,
        'multipart/form-data': form,
      },
    },
    responses: {
      200: answered(block, [], answerOf(block)),
      ...problemReferences(statusesOf(block)),
    },
  };
}

/** A parameter or an option, sent in the query. */
function queryParameter(parameter: Parameter, block: Block, manifest?: Manifest): object {
  const { name, title } = parameter;
  const {
    title: _,
    description: __,
    ...schema
  } = describedArgument(parameter, 'text', block, manifest);
  const examples = namedExamples(block, name);
  return {
    name,
    in: 'query',
    description: [`${title}.`, ...sentencesOf(parameter, block, manifest)].join(' '),
    // A list is sent by repeating the name.
    ...(parameter.list ? REPEATED : {}),
    schema,
    examples,
  };
}

const REPEATED = { style: 'form', explode: true };

/** Statuses that only a request with a body can get. */
const OF_BODIES: readonly number[] = [413, 415];

function statusesOf({ options }: Block): number[] {
  const hasCursor = options.some(({ type }) => type === 'token');
  return PROBLEM_STATUSES.filter((status) => status !== 410 || hasCursor);
}

function answerOf({ name }: Block): JsonSchema {
  return { $ref: `#/components/schemas/${name}.answer` };
}

/** An answer in each of the block's formats. */
function answered(block: Block, more: readonly HeaderName[], json: JsonSchema): object {
  const ofRows: HeaderName[] = block.answers === 'rows' ? ['Link', 'X-Total-Count'] : [];
  const schemas: Readonly<Record<string, JsonSchema>> = {
    json,
    geojson: { $ref: `#/components/schemas/${block.name}.geojson` },
  };
  const content = formatsOfAnswers(block).map((format) => [
    FORMATS[format].accepted[0],
    // Bytes have no schema in OpenAPI 3.1.
    { schema: schemas[format] ?? (FORMATS[format].isBinary ? {} : { type: 'string' }) },
  ]);
  return {
    description: 'The answer, in the format that _format or Accept asks for.',
    headers: headersOf(...more, ...ofRows, 'Content-Disposition', 'Preference-Applied'),
    content: Object.fromEntries(content),
  };
}

/** The operation of the address of a dataset's row. */
export function rowOperation(block: DatasetBlock, manifest: Manifest): object {
  const asked = oneRowOf(block);
  const { name, title, primaryKey, formats } = asked;
  const row = { $ref: `#/components/schemas/${name}.row` };
  const json = {
    type: 'object',
    properties: {
      params: {
        type: 'object',
        properties: {
          row,
          address: { type: 'string', format: 'uri' },
          block: { const: name },
          version: { type: 'string' },
        },
        required: ['row', 'address', 'block', 'version'],
      },
    },
    required: ['params'],
  };
  const schemas: Readonly<Record<string, object>> = {
    json,
    geojson: { $ref: `#/components/schemas/${name}.feature` },
  };
  return {
    operationId: `row-${name}`,
    summary: `${title}: one row`,
    description: `The row that this address is of, and never another. ${
      primaryKey === undefined
        ? 'It has the version of the data and the position of the row there; with another version it is a 410.'
        : `It has the row's ${primaryKey.join(', ')}, exactly.`
    }`,
    tags: [name],
    parameters: [
      {
        name: 'row',
        in: 'path',
        required: true,
        description:
          primaryKey === undefined
            ? '<version>-<position>, the first position is 0.'
            : `${primaryKey.join(',')}, percent-encoded; ~2F stands for a slash.`,
        schema: { type: 'string', minLength: 1 },
      },
      ...asked.options.map((option) => queryParameter(option, asked, manifest)),
      { $ref: '#/components/parameters/If-None-Match' },
    ],
    responses: {
      200: {
        description: 'The row.',
        headers: headersOf('ETag', 'Cache-Control', 'Vary'),
        content: Object.fromEntries(
          formats.map((format) => [
            FORMATS[format].accepted[0],
            { schema: schemas[format] ?? { type: 'string' } },
          ]),
        ),
      },
      304: notModified('ETag', 'Cache-Control', 'Vary'),
      // Leave out the statuses of bodies, which it does not take.
      ...problemReferences(PROBLEM_STATUSES.filter((status) => ![413, 415].includes(status))),
    },
  };
}

/** The operation of a dataset's Data Package. */
export function dataPackageOperation({ name, title }: Block): object {
  return {
    operationId: `package-${name}`,
    summary: `${title}: all rows as a Data Package`,
    description:
      'A Data Package v2 (datapackage.org): the fields with their types, the source, the licence, and the address of all rows as CSV.',
    tags: [name],
    parameters: [{ $ref: '#/components/parameters/If-None-Match' }],
    responses: {
      200: {
        description: 'The Data Package.',
        headers: headersOf('ETag', 'Cache-Control'),
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                name: { type: 'string' },
                version: { type: 'string' },
                resources: { type: 'array', minItems: 1, maxItems: 1, items: { type: 'object' } },
              },
              required: ['name', 'version', 'resources'],
            },
          },
        },
      },
      304: notModified('ETag', 'Cache-Control'),
      // Leave out the statuses of arguments and bodies, which it does not take.
      ...problemReferences(PROBLEM_STATUSES.filter((status) => ![410, 413, 415].includes(status))),
    },
  };
}

/** The name of the component for a block's body. */
function bodyName({ name }: Block, channel: ArgumentSource): string {
  return `${name}.${channel === 'json' ? 'arguments' : 'form'}`;
}

/** The schemas of a block's body, as JSON and as a form. */
export function bodySchemas(block: Block, manifest?: Manifest): Record<string, Later> {
  return {
    [bodyName(block, 'json')]: new Later(() => bodySchema(block, 'json', manifest)),
    [bodyName(block, 'text')]: new Later(() => bodySchema(block, 'text', manifest)),
  };
}

function bodySchema(block: Block, channel: ArgumentSource, manifest?: Manifest): JsonSchema {
  const all = [...block.parameters, ...block.options];
  const { $schema: _, type, ...read } = schemaOfArguments(all.filter(({ required }) => required));
  // An empty list means no arguments: some languages write an empty object as one.
  const mayBeList = channel === 'json' && read.required === undefined;
  const schema = {
    title: `${block.title}: ${channel === 'json' ? 'arguments' : 'form'}`,
    ...(mayBeList ? { type: [type, 'array'], maxItems: 0 } : { type }),
    ...read,
    properties: Object.fromEntries(
      all.map((parameter) => [
        parameter.name,
        new Later(() => describedArgument(parameter, channel, block, manifest)),
      ]),
    ),
  };
  // In JSON a negated filter may also be an object in `_not`; a form has no objects.
  const nested = withNotAsObject(schema).properties as Record<string, JsonSchema>;
  if (channel !== 'json') return schema;
  const blank = { $ref: '#/components/schemas/Blank' };
  const objects = [NOT, OR, HAVING].filter((name) => nested[name] !== undefined);
  return {
    ...schema,
    properties: {
      ...schema.properties,
      ...Object.fromEntries(objects.map((name) => [name, { anyOf: [nested[name], blank] }])),
    },
  };
}

type Examples = Record<string, { readonly summary: string; readonly value: unknown }>;

/** A block's examples as bodies. */
function bodyExamples({ examples }: Block): Examples {
  return Object.fromEntries(
    examples.map(({ title, arguments: value }, i) => [keyOf(i), { summary: title, value }]),
  );
}

/** The examples' values of one parameter; an example has the same key everywhere. */
function namedExamples({ examples }: Block, name: string): Examples | undefined {
  const found = examples.flatMap(({ title, arguments: given }, i) =>
    Object.hasOwn(given, name) ? [[keyOf(i), { summary: title, value: given[name] }] as const] : [],
  );
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function keyOf(index: number): string {
  return `example-${index + 1}`;
}

/** A part of a document that is made when it is written, so that a long document is not made at once. */
export class Later {
  readonly #make: () => object;

  constructor(make: () => object) {
    this.#make = make;
  }

  /** JSON.stringify calls it. */
  toJSON(): object {
    return this.#make();
  }
}
