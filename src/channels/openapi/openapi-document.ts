import type { ValueBlock } from '../../block/block.ts';
import { DATA_PACKAGE, type Described, OPENAPI } from '../../block/describe-block.ts';
import { MOST_WORDS } from '../../text/pattern.ts';
import { shorten } from '../../text/wording.ts';
import { Budget } from '../../work/budget.ts';
import type { Scheduler } from '../../work/scheduler.ts';
import { ANSWER_SCHEMAS, answerSchemas, DESCRIPTION_SCHEMAS } from './answer-schema.ts';
import { argumentSchemas } from './argument-schema.ts';
import {
  blockOperations,
  bodySchemas,
  dataPackageOperation,
  Later,
  rowOperation,
} from './block-operations.ts';
import {
  headersOf,
  PROBLEM_SCHEMAS,
  PROBLEM_STATUSES,
  problemReferences,
  problemResponses,
  RESPONSE_HEADERS,
} from './responses.ts';

/** The document's path below the service's root. */
export const OPENAPI_PATH = OPENAPI;

export const OPENAPI_TYPE = 'application/json; charset=utf-8';

/** The document as a file, which is made at its first use. */
export function openapiFile(described: readonly Described[]) {
  let made: Promise<string> | undefined;
  const text = (scheduler: Scheduler) => {
    made ??= openapiText(described, scheduler);
    return made;
  };
  return { [OPENAPI_PATH]: { type: OPENAPI_TYPE, text } };
}

/** A block's own document, which is made at its first use. */
export function openapiOfBlock(described: Described): (scheduler: Scheduler) => Promise<string> {
  let made: Promise<string> | undefined;
  return (scheduler) => {
    made ??= blockOpenapiText(described, scheduler);
    return made;
  };
}

/** Bytes of the document of all blocks. Where it would have more, it refers to each block's own document. */
const MOST_BYTES = 1_000_000;

/** OpenAPI 3.1 of these blocks as JSON: in full, or above `MOST_BYTES` by references. */
export async function openapiText(
  described: readonly Described[],
  scheduler: Scheduler,
): Promise<string> {
  const full = inFull(described);
  return (
    (await written(full, MOST_BYTES, scheduler)) ??
    ((await written(byReference(described, full), Number.POSITIVE_INFINITY, scheduler)) as string)
  );
}

/** OpenAPI 3.1 of one block as JSON, at an address below the block's. */
async function blockOpenapiText(described: Described, scheduler: Scheduler): Promise<string> {
  const parts = { ...inFull([described]), tags: [tagOf(described)], root: '../../../' };
  const { '/blocks': _, ...paths } = parts.paths;
  return (await written({ ...parts, paths }, Number.POSITIVE_INFINITY, scheduler)) as string;
}

/** What a document has of its blocks. */
type DocumentParts = {
  /** The relative reference from the document to the service's root. */
  readonly root: string;
  readonly tags: readonly object[];
  readonly paths: Readonly<Record<string, object>>;
  readonly schemas: Readonly<Record<string, object>>;
  /** What these may refer to. */
  readonly shared: Components;
};

type Components = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** The work of making and writing a character of the document, in steps. */
const STEPS_PER_CHARACTER = 3;

/** How deep the members of large objects are: the properties of `_not` in a body's schema. */
const DEPTH = 8;

/**
 * The document as JSON; undefined if it has more bytes than `most`. Others have their turns
 * while it is written: a block of 400 columns takes 60 ms, and a service may have many. All callers
 * share the text, so no request's bound on time applies. Of the shared components it has those that
 * something refers to.
 */
async function written(
  { root, tags, paths, schemas, shared }: DocumentParts,
  most: number,
  scheduler: Scheduler,
): Promise<string | undefined> {
  const budget = new Budget(scheduler, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  const referred = new Set<string>();
  let text = '';
  let bytes = 0;
  const write = async (part: object): Promise<boolean> => {
    for (const piece of piecesOf(part, DEPTH)) {
      text += piece;
      bytes += Buffer.byteLength(piece);
      for (const [, reference = ''] of piece.matchAll(REFERENCE)) referred.add(reference);
      if (bytes > most) return false;
      const pause = budget.checkpoint(piece.length * STEPS_PER_CHARACTER);
      if (pause !== undefined) await pause;
    }
    return true;
  };
  const head = {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: INFO,
    // Relative to the document, so that it works under any stage or base path.
    servers: [{ url: `${root}api_v2`, description: 'The service that this document is from.' }],
    security: [{}, ...Object.keys(KEYS).map((scheme) => ({ [scheme]: [] }))],
    tags,
    paths,
  };
  if (!(await write(head))) return undefined;
  text = `${text.slice(0, -1)},"components":{"schemas":`;
  if (!(await write(schemas))) return undefined;
  const { schemas: named = {}, ...others } = usedOf(shared, referred);
  const rest = JSON.stringify(named).slice(1);
  text = `${text.slice(0, -1)}${text.endsWith('{}') || rest === '}' ? '' : ','}${rest}`;
  text += `,${JSON.stringify({ ...others, securitySchemes: KEYS }).slice(1)}}`;
  return Buffer.byteLength(text) > most ? undefined : text;
}

/** A reference to a component, in JSON: its section, a slash, its name. */
const REFERENCE = /"#\/components\/([^"]+)"/g;

/** The components that are referred to, by the document or by one another. */
function usedOf(shared: Components, referred: ReadonlySet<string>): Components {
  const used = new Set<string>();
  const left = [...referred];
  for (let reference = left.pop(); reference !== undefined; reference = left.pop()) {
    const [section = '', name = ''] = reference.split('/');
    const component = shared[section]?.[name];
    if (component === undefined || used.has(reference)) continue;
    used.add(reference);
    for (const [, next = ''] of JSON.stringify(component).matchAll(REFERENCE)) left.push(next);
  }
  return Object.fromEntries(
    Object.entries(shared).flatMap(([section, components]) => {
      const kept = Object.entries(components).filter(([name]) => used.has(`${section}/${name}`));
      return kept.length === 0 ? [] : [[section, Object.fromEntries(kept)]];
    }),
  );
}

/** What JSON.stringify writes, in pieces: the members of objects down to a depth. */
function* piecesOf(part: unknown, depth: number): Generator<string> {
  const value: unknown = part instanceof Later ? part.toJSON() : part;
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield JSON.stringify(value);
    return;
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  let before = open;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield open === '[' ? `${before}` : `${before}${JSON.stringify(name)}:`;
    yield* piecesOf(member, depth - 1);
    before = ',';
  }
  yield before === open ? `${open}${close}` : `${close}`;
}

/** All that there is to say. The long parts are made one after another, each when it is written. */
function inFull(described: readonly Described[]): DocumentParts {
  return {
    root: './',
    tags: [CATALOG_TAG, ...described.map(tagOf)],
    paths: {
      '/blocks': { get: LIST },
      ...Object.fromEntries(
        described.flatMap(({ block, manifest }): [string, object][] => {
          const path = `/blocks/${block.name}`;
          const ofBlock = new Later(() => blockOperations({ block, manifest }));
          if (block.answers === 'value' || manifest === undefined) return [[path, ofBlock]];
          return [
            [path, ofBlock],
            [`${path}/${DATA_PACKAGE}`, { get: dataPackageOperation(block) }],
            [`${path}/rows/{row}`, { get: new Later(() => rowOperation(block, manifest)) }],
          ];
        }),
      ),
    },
    schemas: Object.assign({}, ...described.map(blockSchemas)),
    shared: sharedOf(argumentSchemas(described.map(({ block }) => block))),
  };
}

/** Each address as a reference to the own document of its block, which has what it takes and answers. */
function byReference(
  described: readonly Described[],
  { paths: { '/blocks': list, ...paths }, ...full }: DocumentParts,
): DocumentParts {
  return {
    ...full,
    tags: [
      CATALOG_TAG,
      ...described.map(({ block: { name, title } }) => ({
        name,
        'x-displayName': shorten(title),
        externalDocs: { url: `./api_v2/blocks/${name}/${OPENAPI}` },
      })),
    ],
    paths: {
      '/blocks': list as object,
      ...Object.fromEntries(
        Object.keys(paths).map((address) => {
          const [, , name] = address.split('/');
          const pointer = encodeURIComponent(address.replaceAll('/', '~1'));
          const $ref = `./api_v2/blocks/${name}/${OPENAPI}#/paths/${pointer}`;
          return [address, { $ref }];
        }),
      ),
    },
    schemas: {},
    shared: sharedOf({}),
  };
}

/** What documents of any blocks refer to. */
function sharedOf(schemas: Readonly<Record<string, object>>): Components {
  return {
    schemas: { ...schemas, ...ANSWER_SCHEMAS, ...DESCRIPTION_SCHEMAS, ...PROBLEM_SCHEMAS },
    responses: problemResponses(),
    headers: RESPONSE_HEADERS,
    parameters: REQUEST_HEADERS,
  };
}

function blockSchemas({ block, manifest }: Described) {
  return { ...bodySchemas(block, manifest), ...answerSchemas(block) };
}

function tagOf({ block, manifest }: Described): object {
  const { name, title, description } = block;
  const { sources } = block as ValueBlock;
  const tag = { name, 'x-displayName': title, description };
  if (manifest === undefined) return sources === undefined ? tag : { ...tag, 'x-sources': sources };
  const { source, rows, badRows, version } = manifest;
  const { url, title: dataset } = source;
  return {
    ...tag,
    externalDocs: url && { description: dataset, url },
    'x-dataset': { ...source, rows, ...(badRows && { badRows }), version },
  };
}

const INFO = {
  title: 'blockyard',
  // The version of the addresses: /api_v2.
  version: '2',
  summary: 'Data functions: one request runs a block.',
  description: [
    'A block is a function over open data. POST it arguments, as JSON or as a form; or GET it with the arguments in the query. Every way gives the same answer.',
    '`null`, blank text and an empty list mean "not given". Numbers may be decimal text. Text is compared whatever its case and accents; `*` stands for any run of characters, and a list means any of its members.',
    'In a body an unknown name is refused, with the nearest that is known; `_handling=lenient` ignores it. In a query a name that is nearly a known one is refused, and others are ignored.',
    'A refusal is a problem (RFC 9457) that lists all that was wrong at once. With `cache` in the query, in whatever value, the form of the published Blockspring clients is answered instead, which this document leaves out.',
  ].join('\n\n'),
  license: { name: 'MIT', identifier: 'MIT' },
};

// The name has a space so that no block has the same.
const CATALOG_TAG = { name: 'All blocks', description: 'What there is to run.' };

/** Only services with access by key need one; others ignore it. */
const KEYS = {
  key: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A key, as a header.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'A key, as Authorization: Bearer.' },
  keyInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'A key in the address, where nothing else can be set.',
  },
};

const REQUEST_HEADERS = {
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'handling=lenient ignores unknown names in a body (RFC 7240); _handling wins over it. row-addresses adds the addresses of the rows to JSON.',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of an answer that is there already.',
    schema: { type: 'string' },
  },
};

const LIST = {
  operationId: 'list-blocks',
  summary: 'List the blocks',
  description: 'Every block, by name: its id, its title, what it does, and its address.',
  tags: [CATALOG_TAG.name],
  parameters: [
    {
      name: 'q',
      in: 'query',
      description: `Words, at most ${MOST_WORDS}: lists the blocks that have each, or a word that begins with it (two letters or more): in their titles, descriptions, columns, units, sources, examples and common values. Blank lists all.`,
      schema: { type: 'string' },
      example: 'census households',
    },
    { $ref: '#/components/parameters/If-None-Match' },
  ],
  responses: {
    200: {
      description: 'The blocks.',
      headers: headersOf('ETag', 'Cache-Control', 'Vary'),
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/BlockList' } },
        'text/html': { schema: { type: 'string' } },
      },
    },
    304: {
      description: 'What the ETag of If-None-Match stands for is still the answer.',
      headers: headersOf('ETag', 'Cache-Control', 'Vary'),
    },
    // Leave out the statuses of arguments and bodies, which the list does not take.
    ...problemReferences(PROBLEM_STATUSES.filter((status) => ![410, 413, 415].includes(status))),
  },
};
