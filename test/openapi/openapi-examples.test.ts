import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { builtService } from '../support/deployment.ts';
import { cleanUp } from '../support/process.ts';
import { type Answer, ROOT, type Service, startService } from '../support/service.ts';

const blocks = (await loadBlocks(path.join(ROOT, 'functions'))).map(({ block }) => block);
const names = blocks.map(({ name }) => name);
const examples = blocks.flatMap(({ name, examples: all }) =>
  all.map((_, i) => [name, `example-${i + 1}`] as const),
);

// biome-ignore lint/suspicious/noExplicitAny: a document is of any shape
type Any = any;

let service: Service;
let document: Any;
let ajv: Ajv2020;
beforeAll(async () => {
  service = await startService();
  document = (await service.get('/openapi.json')).body;
  // The formats and the extensions of OpenAPI are for its own tools.
  ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ ...document, $id: 'https://document.example/' });
});
afterAll(async () => {
  await service?.close();
  await cleanUp();
});

const get = (name: string) => document.paths[`/blocks/${name}`].get;
const post = (name: string) => document.paths[`/blocks/${name}`].post;

/** What a schema of the document finds wrong with a value. */
function faultsOf(schema: Any, value: unknown) {
  // References are from the document.
  const whole = JSON.parse(
    JSON.stringify(schema).replaceAll('"#/', '"https://document.example/#/'),
  );
  const validate = ajv.compile(whole);
  return validate(value) ? [] : validate.errors;
}

function resolved(node: Any): Any {
  if (node?.$ref === undefined) return node;
  const parts = node.$ref.replace('#/', '').split('/');
  return parts.reduce((found: Any, part: string) => found[part], document);
}

/** Finds the response that an operation has for an answer, and all that does not fit it. */
function expectDocumented(operation: Any, { status, headers, text, body }: Answer) {
  const response = resolved(operation.responses[status]);
  expect([status, response !== undefined]).toEqual([status, true]);
  if (response.content === undefined) return expect(text).toBe('');
  const type = headers.get('content-type')?.split(';')[0];
  const content = response.content[type as string];
  expect([type, content !== undefined]).toEqual([type, true]);
  expect(faultsOf(content.schema, type?.includes('json') && body ? body : text)).toEqual([]);
  const exposed = headers.get('access-control-expose-headers')?.split(', ') ?? [];
  const documented = Object.keys(response.headers);
  expect(documented).toEqual(expect.arrayContaining(exposed.filter((name) => headers.has(name))));
  for (const [name, header] of Object.entries<Any>(response.headers)) {
    const { required, schema } = resolved(header);
    const value = headers.get(name);
    if (value === null) expect([name, required]).toEqual([name, undefined]);
    else {
      const read = schema.type === 'integer' ? Number(value) : value;
      expect([name, read, faultsOf(schema, read)]).toEqual([name, read, []]);
    }
  }
}

/** An operation's address, as a client has it from the document's. */
function addressOf(operationPath: string): string {
  const [server] = document.servers;
  return `${new URL(server.url, `${service.url}/openapi.json`)}${operationPath}`;
}

async function call(name: string, query: string, init: RequestInit = {}): Promise<Answer> {
  const { pathname } = new URL(addressOf(`/blocks/${name}`));
  return service.send(`${pathname}${query}`, init);
}

const pairsOf = (given: object) =>
  Object.entries(given).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );

/** As each type of body that the document has. */
const BODIES: Readonly<Record<string, (given: object) => RequestInit>> = {
  'application/json': (given) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(given),
  }),
  'application/x-www-form-urlencoded': (given) => ({ body: new URLSearchParams(pairsOf(given)) }),
  'multipart/form-data': (given) => {
    const body = new FormData();
    for (const [name, value] of pairsOf(given)) body.append(name, value);
    return { body };
  },
};

describe('the document is served', () => {
  test('as JSON that browsers of any origin may read, and keep', async () => {
    const { status, headers } = await service.get('/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const etag = headers.get('etag') as string;
    expect((await service.get('/openapi.json', { 'if-none-match': etag })).status).toBe(304);
  });

  test('and by a deployed catalogue too, made when it is built', async () => {
    const { catalog } = await builtService();
    const { files } = JSON.parse(await readFile(path.join(catalog, 'catalog.json'), 'utf8'));
    expect(JSON.parse(files['openapi.json'].text)).toEqual(document);
    const code = await readFile(path.join(catalog, 'index.mjs'), 'utf8');
    expect(code).not.toContain('jsonSchemaDialect');
  });
});

describe("a block's own document", () => {
  test.each(blocks)(
    'is served below both addresses of $name, and deployed with it',
    async (block) => {
      const own = await service.get(`/api_v2/blocks/${block.name}/openapi.json`);
      expect([own.status, own.headers.get('content-type')]).toEqual([
        200,
        'application/json; charset=utf-8',
      ]);
      expect(Object.keys(own.body.paths)[0]).toBe(`/blocks/${block.name}`);
      const byId = await service.get(`/api_v2/blocks/${block.id}/openapi.json`);
      expect(byId.text).toBe(own.text);
      const built = (await builtService()).blocks.find((one) => one.block.name === block.name);
      const file = path.join(built?.code ?? '', built?.environment.OPENAPI_FILE ?? '');
      expect(await readFile(file, 'utf8')).toBe(own.text);
    },
  );

  test('is refused with a query, and by POST', async () => {
    const [{ name }] = blocks as [(typeof blocks)[number]];
    const asked = await service.get(`/api_v2/blocks/${name}/openapi.json?category=retail`);
    expect([asked.status, asked.body.code]).toEqual([400, 'invalid-arguments']);
    const posted = await service.send(`/api_v2/blocks/${name}/openapi.json`, { method: 'POST' });
    expect(posted.status).toBe(405);
  });
});

describe('the list', () => {
  const list = () => document.paths['/blocks'].get;

  test('is as documented, and unchanged for its ETag', async () => {
    const answer = await service.get(new URL(addressOf('/blocks')).pathname);
    expect(answer.body.blocks.map(({ name }: Any) => name)).toEqual(names);
    expectDocumented(list(), answer);
    const etag = answer.headers.get('etag') as string;
    const unchanged = await service.get('/api_v2/blocks', { 'if-none-match': etag });
    expect(unchanged.status).toBe(304);
    expectDocumented(list(), unchanged);
  });

  test('is a page for a browser', async () => {
    const answer = await service.get('/api_v2/blocks', { accept: 'text/html' });
    expect(answer.headers.get('content-type')).toContain('text/html');
    expectDocumented(list(), answer);
  });
});

describe.each(examples)('%s, %s', (name, key) => {
  test.each(Object.keys(BODIES))('is valid as %s, and runs', async (type) => {
    const { schema, examples: given } = post(name).requestBody.content[type];
    const { value } = given[key];
    const asSent = type === 'application/json' ? value : textual(value);
    expect(faultsOf(schema, asSent)).toEqual([]);
    const answer = await call(name, '', { method: 'POST', ...BODIES[type]?.(value) });
    expect(answer.status).toBe(200);
    expect(answer.body).toHaveProperty('params');
    expectDocumented(post(name), answer);
  });

  test('is valid in the query, runs, and gives the same answer', async () => {
    const parameters = get(name).parameters.map(resolved);
    const given = parameters.flatMap(({ name: parameter, examples: all, schema }: Any) => {
      if (all?.[key] === undefined) return [];
      expect(faultsOf(schema, all[key].value)).toEqual([]);
      return [[parameter, all[key].value]];
    });
    const query = new URLSearchParams(pairsOf(Object.fromEntries(given)));
    const answer = await call(name, `?${query}`);
    expect(answer.status).toBe(200);
    expectDocumented(get(name), answer);
    const { value } = post(name).requestBody.content['application/json'].examples[key];
    const posted = await call(name, '', { method: 'POST', ...BODIES['application/json']?.(value) });
    expect(answer.body).toEqual(posted.body);
    const etag = answer.headers.get('etag') as string;
    const unchanged = await call(name, `?${query}`, { headers: { 'if-none-match': etag } });
    expect(unchanged.status).toBe(304);
    expectDocumented(get(name), unchanged);
  });

  test('is as documented in every format', async () => {
    const { value } = post(name).requestBody.content['application/json'].examples[key];
    const { formats } = blocks.find((block) => block.name === name) as Any;
    for (const _format of formats) {
      // Not every example's page opens with a figure.
      const given = { ...value, _format, ...(_format === 'svg' ? { _view: 'chart' } : {}) };
      const posted = await call(name, '', {
        method: 'POST',
        ...BODIES['application/json']?.(given),
      });
      expectDocumented(post(name), posted);
      const got = await call(name, `?${new URLSearchParams(pairsOf(given))}`);
      expectDocumented(get(name), got);
      expect([got.status, posted.status]).toEqual([200, 200]);
      expect(got.headers.get('content-type')).toBe(posted.headers.get('content-type'));
    }
  });
});

/** Values as a form has them: text, and lists of text. */
function textual(given: object): object {
  const text = (value: unknown) =>
    typeof value === 'number' ? value : Array.isArray(value) ? value.map(String) : String(value);
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, text(value)]));
}

const firstExample = (name: string) =>
  blocks.find((block) => block.name === name)?.examples[0]?.arguments;

describe.each(names)('%s', (name) => {
  test('describes itself as documented', async () => {
    const answer = await call(name, '');
    expect(answer.body.name).toBe(name);
    expectDocumented(get(name), answer);
    const { $ref } = get(name).responses[200].content['application/json'].schema.oneOf[1];
    expect(faultsOf({ $ref }, answer.body)).toEqual([]);
  });

  test('is as documented with all that an answer may have', async () => {
    const given = firstExample(name);
    const more = { ...given, _explain: true, _handling: 'lenient', surely_unknown: 1 };
    const answer = await call(name, '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'handling=lenient' },
      body: JSON.stringify(more),
    });
    expect(answer.body._warnings).toHaveLength(1);
    expect(answer.body).toHaveProperty('_explain');
    expectDocumented(post(name), answer);
  });

  test.each<[string, number, RequestInit]>([
    ['an unknown name', 400, { body: '{"surely_unknown": 1}' }],
    ['a body that is not JSON', 400, { body: '{' }],
    ['a body that is too large', 413, { body: ' '.repeat(262_145) }],
    [
      'a type that is not read',
      415,
      { body: '<a/>', headers: { 'content-type': 'application/xml' } },
    ],
    ['a compressed body', 415, { body: '{}', headers: { 'content-encoding': 'gzip' } }],
  ])('refuses %s as documented', async (_, status, init) => {
    const answer = await call(name, '', { method: 'POST', ...init });
    expect(answer.status).toBe(status);
    expectDocumented(post(name), answer);
  });

  test('refuses another method as documented', async () => {
    const answer = await call(name, '', { method: 'PUT' });
    expect(answer.status).toBe(405);
    expectDocumented(post(name), answer);
  });

  test('refuses a long address as documented', async () => {
    const answer = await call(name, `?_fields=${'x'.repeat(11_000)}`);
    expect(answer.status).toBe(431);
    // What Node refuses itself is not timed.
    expectDocumented(get(name), answer);
  });

  test('refuses in the query as documented, on a page too', async () => {
    const query = new URLSearchParams(pairsOf({ ...firstExample(name), _limt: 1 }));
    for (const format of ['json', 'csv', 'html']) {
      const answer = await call(name, `?${query}&_format=${format}`);
      expect(answer.status).toBe(400);
      expectDocumented(get(name), answer);
    }
  });
});

describe('answers of rows', () => {
  const rows = blocks.filter(({ answers }) => answers === 'rows').map(({ name }) => name);

  test.each(rows)('%s: a page with a next one, and a cursor that is damaged', async (name) => {
    const answer = await call(name, '?_limit=1');
    expect(answer.headers.get('link')).not.toBe(null);
    expectDocumented(get(name), answer);
    const damaged = await call(name, `?_cursor=${answer.body.params.next}x`);
    expect(damaged.status).toBe(400);
    expectDocumented(get(name), damaged);
  });

  test.each(rows)('%s: no row, with what each filter has to do with it', async (name) => {
    const { parameters } = blocks.find((block) => block.name === name) as Any;
    const text = parameters.find(({ type }: Any) => type === 'text').name;
    const answer = await call(name, `?${text}=surely+nothing`);
    expect(answer.body.params.help).toHaveLength(1);
    expectDocumented(get(name), answer);
  });
});

/** By the schema of JSON bodies and by the service. The core's own tests have the rest. */
describe('what is valid by the document is taken, and nothing else', () => {
  const COLOR = { R: 1, G: 2, B: 3 };
  test.each<[string, Record<string, unknown>, boolean]>([
    ['business-directory', {}, true],
    ['business-directory', { category: 'retail', zip_code_min: ' +1.1e4 ' }, true],
    ['business-directory', { category: ['retail', null, '', 5], location_1_zip: 11231 }, true],
    ['business-directory', { category: null, zip_code_min: '', _limit: [], _sort: ' ' }, true],
    ['business-directory', { category: Array(10_001).fill('') }, true],
    ['business-directory', { category: Array(10_001).fill('x') }, false],
    ['business-directory', { category: 'x'.repeat(256) }, true],
    ['business-directory', { category: 'x'.repeat(257) }, false],
    ['business-directory', { category: true }, false],
    ['business-directory', { category: [['retail']] }, false],
    ['business-directory', { category: [[]] }, false],
    ['business-directory', { catgory: 'retail' }, false],
    ['business-directory', { phone_number: '718*' }, true],
    ['business-directory', { phone_number: 'x' }, false],
    ['business-directory', { zip_code_min: '1,000' }, false],
    ['business-directory', { zip_code_min: '5.' }, false],
    ['business-directory', { zip_code_min: [1] }, false],
    ['business-directory', { _limit: 0 }, false],
    ['business-directory', { _limit: 1000 }, true],
    ['business-directory', { _limit: 1001 }, false],
    ['business-directory', { _limit: 1.5 }, false],
    ['business-directory', { _sort: '-business' }, true],
    ['business-directory', { _sort: 'no column' }, false],
    ['business-directory', { _fields: 'business, category,' }, true],
    ['business-directory', { _fields: ['business', ' category ', null] }, true],
    ['business-directory', { _fields: ['no column'] }, false],
    ['business-directory', { _fields: 'business;category' }, false],
    ['business-directory', { _format: 'geojson' }, true],
    ['business-directory', { _format: 'xml' }, false],
    ['business-directory', { _explain: 1 }, true],
    ['business-directory', { _explain: '0' }, true],
    ['business-directory', { _explain: 2 }, false],
    ['business-directory', { _shade: 'zip_code' }, false],
    ['rgb-to-color-name', COLOR, true],
    ['rgb-to-color-name', { R: '1', G: '2.0', B: 3 }, true],
    ['rgb-to-color-name', { ...COLOR, R: 256 }, false],
    ['rgb-to-color-name', { ...COLOR, R: 1.5 }, false],
    ['rgb-to-color-name', { ...COLOR, R: null }, false],
    ['rgb-to-color-name', { ...COLOR, R: [] }, false],
    ['rgb-to-color-name', { G: 2, B: 3 }, false],
    ['rgb-to-color-name', { ...COLOR, list: 'css', alternatives: '' }, true],
    ['rgb-to-color-name', { ...COLOR, _format: 'geojson' }, false],
  ])('%s: %j', async (name, given, isTaken) => {
    const { schema } = post(name).requestBody.content['application/json'];
    expect(faultsOf(schema, given)?.length === 0).toBe(isTaken);
    const { status } = await call(name, '', {
      method: 'POST',
      ...BODIES['application/json']?.(given),
    });
    expect(status).toBe(isTaken ? 200 : 400);
  });
});

test('every example of a problem is a valid one', () => {
  const responses = Object.values<Any>(document.components.responses);
  expect(responses.length).toBeGreaterThan(10);
  for (const { content } of responses) {
    for (const { schema, examples: all = {} } of Object.values<Any>(content)) {
      for (const { value } of Object.values<Any>(all)) expect(faultsOf(schema, value)).toEqual([]);
    }
  }
});
