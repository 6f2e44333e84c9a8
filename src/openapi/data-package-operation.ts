import type { Block } from '../block/block.ts';
import { PROBLEM_STATUSES, problemReferences } from './problem-response.ts';
import { headersOf } from './response-headers.ts';

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
      304: {
        description: 'What the ETag of If-None-Match stands for is still the answer.',
        headers: headersOf('ETag', 'Cache-Control'),
      },
      // Leave out the statuses of arguments and bodies, which it does not take.
      ...problemReferences(PROBLEM_STATUSES.filter((status) => ![410, 413, 415].includes(status))),
    },
  };
}
