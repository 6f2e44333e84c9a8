type Header = {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: object;
};

const TEXT = { type: 'string' };

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
    schema: TEXT,
  },
  'Server-Timing': { description: 'How long it took, in ms.', schema: TEXT },
  'Cache-Control': {
    description: 'no-cache: ask again with the ETag. no-store: keep no refusal.',
    schema: { enum: ['no-cache', 'no-store'] },
  },
  ETag: {
    description:
      'Changes with the code, the data and the request. None where _explain is asked for.',
    schema: { type: 'string', pattern: '^W/"[\\w-]+"$' },
  },
  Vary: { description: 'The request headers that the answer depends on.', schema: TEXT },
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
    schema: TEXT,
  },
  'Preference-Applied': {
    description: 'The preference that was followed.',
    schema: {
      type: 'string',
      pattern: '^(handling=(strict|lenient)(, row-addresses)?|row-addresses)$',
    },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  Allow: { description: 'The methods that are taken.', schema: TEXT },
  'Accept-Post': { description: 'The types of body that are read.', schema: TEXT },
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
