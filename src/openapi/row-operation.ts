import type { DatasetBlock } from '../block/block.ts';
import type { Described } from '../block/describe-block.ts';
import { oneRowOf } from '../block/row-key.ts';
import { FORMAT_TYPES } from '../formats/media-types.ts';
import { queryParameter } from './block-operations.ts';
import { PROBLEM_STATUSES, problemReferences } from './problem-response.ts';
import { headersOf } from './response-headers.ts';

/** The operation of the address of a dataset's row. */
export function rowOperation({ block, manifest }: Described): object {
  const asked = oneRowOf(block as DatasetBlock);
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
            FORMAT_TYPES[format].accepted[0],
            { schema: schemas[format] ?? { type: 'string' } },
          ]),
        ),
      },
      304: {
        description: 'What the ETag of If-None-Match stands for is still the answer.',
        headers: headersOf('ETag', 'Cache-Control', 'Vary'),
      },
      // Leave out the statuses of bodies, which it does not take.
      ...problemReferences(PROBLEM_STATUSES.filter((status) => ![413, 415].includes(status))),
    },
  };
}
