import type { Block } from '../block/block.ts';
import type { Described } from '../block/describe-block.ts';
import type { Manifest } from '../block/manifest.ts';
import type { Parameter } from '../block/parameter.ts';
import { FORMAT_TYPES } from '../formats/media-types.ts';
import type { JsonSchema } from '../values/field-type.ts';
import { bodyName } from './body-schema.ts';
import { describedArgument, sentencesOf } from './described-argument.ts';
import { bodyExamples, namedExamples } from './examples.ts';
import { Later } from './later.ts';
import { PROBLEM_STATUSES, problemReferences } from './problem-response.ts';
import { type HeaderName, headersOf } from './response-headers.ts';

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
      304: {
        description: 'What the ETag of If-None-Match stands for is still the answer.',
        headers: headersOf('ETag', 'Cache-Control', 'Vary'),
      },
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
export function queryParameter(parameter: Parameter, block: Block, manifest?: Manifest): object {
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
    ...(examples === undefined ? {} : { examples }),
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
    // Bytes have no schema in OpenAPI 3.1.
    parquet: {},
  };
  const content = block.formats.map((format) => [
    FORMAT_TYPES[format].accepted[0],
    { schema: schemas[format] ?? { type: 'string' } },
  ]);
  return {
    description: 'The answer, in the format that _format or Accept asks for.',
    headers: headersOf(...more, ...ofRows, 'Content-Disposition', 'Preference-Applied'),
    content: Object.fromEntries(content),
  };
}
