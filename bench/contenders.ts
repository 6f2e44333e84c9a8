import type { Answer } from './data/brute-force.ts';
import type { SetName } from './data/generated-set.ts';
import { type Arguments, hasWildcard } from './data/queries.ts';

/** A server that is measured: its process, how it is asked, and how its answer is read. */
export type Contender = {
  readonly name: string;
  /** A file in `servers/`. */
  readonly process: string;
  /** Whether it runs from a bundle: those that are ours alone. */
  readonly isBundled?: true;
  /** A query as an HTTP request, or undefined where it cannot be expressed. */
  readonly request: (query: Arguments, set: SetName) => string | undefined;
  /** What the answer says; absent where it says nothing of the data. */
  readonly read?: (response: { headers: string; body: string }) => Answer;
};

export const REFERENCE = 'bare columnar';
export const OURS = 'blockyard';
export const HELLO = 'hello';
export const SQLITE = 'SQLite + Fastify';
export const JSON_SERVER = 'json-server';

export const CONTENDERS: readonly Contender[] = [
  {
    name: REFERENCE,
    process: 'columnar-process.ts',
    isBundled: true,
    request: (query) => post('/', query),
    read: ({ body }) => rowsAndTotal(JSON.parse(body)),
  },
  {
    name: OURS,
    process: 'blockyard-process.ts',
    isBundled: true,
    request: (query, { kind }) => post(`/api_v2/blocks/${BLOCKS[kind]}`, query),
    read: ({ body }) => rowsAndTotal(JSON.parse(body).params),
  },
  {
    name: HELLO,
    process: 'hello-process.ts',
    isBundled: true,
    request: (query) => post('/', query),
  },
  {
    name: SQLITE,
    process: 'sqlite-process.ts',
    request: (query) => post('/', query),
    read: ({ body }) => rowsAndTotal(JSON.parse(body)),
  },
  {
    name: JSON_SERVER,
    process: 'json-server-process.ts',
    request: (query) => (hasWildcard(query) ? undefined : get(`/rows?${jsonServerQuery(query)}`)),
    read: ({ headers, body }) => ({
      rows: JSON.parse(body),
      total: Number(/^x-total-count: (\d+)/im.exec(headers)?.[1]),
    }),
  },
];

const BLOCKS = { census: 'census-neighborhoods', directory: 'business-directory' };

function jsonServerQuery(query: Arguments): string {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [
    name.replace(/_min$/, '_gte').replace(/_max$/, '_lte'),
    String(value),
  ]);
  return String(new URLSearchParams(pairs));
}

function rowsAndTotal({ results, total }: { results: Answer['rows']; total: number }): Answer {
  return { rows: results, total };
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
}

function post(path: string, query: Arguments): string {
  const body = JSON.stringify(query);
  const type = 'Content-Type: application/json';
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
