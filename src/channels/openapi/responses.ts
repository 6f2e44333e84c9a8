import { FAULTS, MOST_FAULTS, PROBLEMS, Problem, type ProblemCode } from '../../problem/errors.ts';
import { problemDetails } from '../../problem/problem.ts';
import type { JsonSchema } from '../../values/field-type.ts';
import { object, TEXT } from '../../values/json-schema.ts';

const CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** Every status in the table of problems. */
export const PROBLEM_STATUSES: readonly number[] = [
  ...new Set(CODES.map((code) => PROBLEMS[code].status)),
].sort((a, b) => a - b);

/** The responses for problems, by the names of their components. */
export function problemResponses(): Record<string, object> {
  return Object.fromEntries(
    PROBLEM_STATUSES.map((status) => [responseName(status), problemResponse(status)]),
  );
}

/** References to the responses for these statuses. */
export function problemReferences(statuses: readonly number[]): Record<string, object> {
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { $ref: `#/components/responses/${responseName(status)}` },
    ]),
  );
}

function responseName(status: number): string {
  return `Problem${status}`;
}

function problemResponse(status: number): object {
  const codes = CODES.filter((code) => PROBLEMS[code].status === status);
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      { properties: { status: { const: status }, code: { enum: codes } } },
    ],
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    headers: headersOf('Cache-Control', ...(HEADERS[status] ?? [])),
    content: {
      'application/problem+json': {
        schema,
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
      },
      // API Gateway's own refusals have this type.
      'application/json': { schema },
      // If a page was asked for, a problem is a page too.
      'text/html': { schema: { type: 'string' } },
    },
  };
}

/** The headers by status, beside those of every answer. */
const HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  405: ['Allow'],
  415: ['Accept-Post'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const ANY_RUN = '00000000-0000-4000-8000-000000000000';

function exampleOf(code: ProblemCode): object {
  const { title } = PROBLEMS[code];
  return { summary: title, value: problemDetails(new Problem(code, `${title}.`), ANY_RUN) };
}

/** The components for problems. */
export const PROBLEM_SCHEMAS = {
  Problem: {
    description: 'A refusal: problem details (RFC 9457), with all that was wrong at once.',
    type: 'object',
    properties: {
      type: {
        description: "A reference to the code's section in the documents.",
        type: 'string',
        format: 'uri-reference',
      },
      title: { enum: CODES.map((code) => PROBLEMS[code].title) },
      status: { enum: PROBLEM_STATUSES },
      detail: { description: 'What was wrong, for a person.', type: 'string' },
      instance: { description: 'This run alone.', type: 'string', format: 'uri' },
      code: { description: 'Stable, for a program.', enum: CODES },
      errors: {
        type: 'array',
        minItems: 1,
        maxItems: MOST_FAULTS,
        items: { $ref: '#/components/schemas/Fault' },
      },
      unlisted: { description: 'Errors that are not listed.', type: 'integer', minimum: 1 },
      _errors: {
        description: 'The same, for old clients.',
        type: 'array',
        minItems: 1,
        maxItems: MOST_FAULTS,
        items: object({ title: TEXT, message: TEXT }),
      },
      _blockspring_spec: {
        const: true,
        description: 'Where API Gateway refuses, for old clients.',
      },
    },
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'errors', '_errors'],
    additionalProperties: false,
  },
  Fault: {
    description: 'One thing that was wrong.',
    type: 'object',
    properties: {
      code: {
        description: "Of an argument's fault; else the problem's own.",
        enum: [...Object.keys(FAULTS), ...CODES],
      },
      detail: TEXT,
      parameter: TEXT,
      pointer: {
        description: 'Where in the body: a JSON Pointer as a URI fragment (RFC 6901).',
        type: 'string',
        pattern: '^#/',
      },
      allowed: { type: 'array', items: TEXT },
      suggestion: { description: 'What was likely meant.', type: 'string' },
    },
    required: ['code', 'detail'],
    additionalProperties: false,
  },
} as const satisfies Record<string, JsonSchema>;

type Header = {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: object;
};

const TEXT_SCHEMA = { type: 'string' };

/** The headers of answers, each a component. */
export const RESPONSE_HEADERS = {
  'X-Run-Id': {
    description: "The run's own id. Give it to whoever runs the service when something is wrong.",
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'Access-Control-Allow-Origin': {
    description:
      'Whose pages may read the answer: * for any. Absent where the page that asks may not.',
    schema: TEXT_SCHEMA,
  },
  'Server-Timing': { description: 'How long it took, in ms.', schema: TEXT_SCHEMA },
  'Cache-Control': {
    description: 'no-cache: ask again with the ETag. no-store: keep no refusal.',
    schema: { enum: ['no-cache', 'no-store'] },
  },
  ETag: {
    description:
      'Changes with the code, the data and the request. None where _explain is asked for.',
    schema: { type: 'string', pattern: '^W/"[\\w-]+"$' },
  },
  Vary: { description: 'The request headers that the answer depends on.', schema: TEXT_SCHEMA },
  Link: {
    description: 'The next page, rel="next": a reference with a query only.',
    schema: { type: 'string', pattern: '^<\\?.+>; rel="next"$' },
  },
  'X-Total-Count': {
    description: 'All rows that match. Absent where they were not counted.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Content-Disposition': {
    description: 'A name for the file: the block, and the version of its data.',
    schema: TEXT_SCHEMA,
  },
  'Preference-Applied': {
    description: 'The preference that was followed.',
    schema: {
      type: 'string',
      pattern: '^(handling=(strict|lenient)(, row-addresses)?|row-addresses)$',
    },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  Allow: { description: 'The methods that are taken.', schema: TEXT_SCHEMA },
  'Accept-Post': { description: 'The types of body that are read.', schema: TEXT_SCHEMA },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof RESPONSE_HEADERS;

const OF_EVERY_ANSWER: readonly HeaderName[] = [
  'X-Run-Id',
  'Access-Control-Allow-Origin',
  'Server-Timing',
];

/** References to the headers of every answer, and to the named ones. */
export function headersOf(...names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(
    [...OF_EVERY_ANSWER, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** The answer to a caller that has what there is, with these headers. */
export function notModified(...names: readonly HeaderName[]): object {
  return {
    description: 'What the ETag of If-None-Match stands for is still the answer.',
    headers: headersOf(...names),
  };
}

/** The answer to a request for a whole result that is in a file, and too long to be answered. */
export function inFile(): object {
  return {
    description:
      'A deployment has the whole result, which is too long for one answer, in a file at this address.',
    headers: {
      ...headersOf('Cache-Control'),
      Location: { required: true, schema: { type: 'string', format: 'uri-reference' } },
    },
  };
}
