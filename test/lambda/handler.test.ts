import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { handlerSource } from '../../src/build/build-block.ts';
import { DEFAULT_CACHE_BYTES } from '../../src/columns/column-cache.ts';
import { createClient } from '../../src/dynamodb/client.ts';
import { type LoadedBlock, loadBlocks } from '../../src/import/load-blocks.ts';
import type { LambdaHandler } from '../../src/lambda/api-gateway-handler.ts';
import { datasetHandler } from '../../src/lambda/dataset-handler.ts';
import { type EmbeddedDynamodb, startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { functionSettings, OPEN } from '../support/ample.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT, type Service, startService } from '../support/service.ts';
import { seededEnvironment } from './seeded-environment.ts';

const EVENTS = path.join(import.meta.dirname, 'events');
const FUNCTIONS = path.join(ROOT, 'functions');
const blocks = await loadBlocks(FUNCTIONS);

let emulator: EmbeddedDynamodb;
let client: DynamoDBClient;
let service: Service;
/** What a deploy would do: a table and a file of manifest for each dataset. */
const environments = new Map<string, Record<string, string>>();
beforeAll(async () => {
  // What a function writes is tested in a process of its own.
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  service = await startService();
  emulator = await startEmbeddedDynamodb();
  client = createClient(emulator);
  const folder = await temporaryFolder();
  for (const loaded of blocks) {
    if (loaded.kind === 'value') continue;
    environments.set(loaded.block.name, await seededEnvironment(loaded, client, folder));
  }
});
afterAll(async () => {
  jest.restoreAllMocks();
  client?.destroy();
  await emulator?.stop();
  await service?.close();
  await cleanUp();
});

const handlers = new Map<string, Promise<LambdaHandler>>();

/** A function's handler, imported once for each bound, as a Lambda environment does. */
function handlerOf(name: string, cacheBytes = DEFAULT_CACHE_BYTES): Promise<LambdaHandler> {
  const key = `${name}?${cacheBytes}`;
  const found = handlers.get(key) ?? importHandler(name, cacheBytes, key);
  handlers.set(key, found);
  return found;
}

async function importHandler(name: string, cacheBytes: number, key: string) {
  const before = { ...process.env };
  Object.assign(process.env, OPEN, environments.get(name), {
    DYNAMODB_ENDPOINT: emulator.endpoint,
    COLUMN_CACHE_BYTES: String(cacheBytes),
  });
  try {
    // The query makes it a module of its own, which reads the environment anew.
    const source = handlerSource(blocks.find(({ block }) => block.name === name) as LoadedBlock, {
      root: ROOT,
      blocks: ROOT,
    });
    const module = await import(`../../${source}?${key}`);
    return (module as { handler: LambdaHandler }).handler;
  } finally {
    for (const variable of Object.keys(process.env)) {
      if (!(variable in before)) delete process.env[variable];
    }
  }
}

function recorded(file: string): APIGatewayProxyEvent {
  return JSON.parse(readFileSync(path.join(EVENTS, file), 'utf8'));
}

type Answer = { status: number; headers: Record<string, string>; body: string };

function answerOf(result: APIGatewayProxyResult): Answer {
  const { statusCode, multiValueHeaders, headers, body, isBase64Encoded } = result;
  expect(isBase64Encoded).toBe(false);
  const pairs = Object.entries(headers ?? {}).concat(
    Object.entries(multiValueHeaders ?? {}).map(([name, values]) => [name, values.join(', ')]),
  );
  return {
    status: statusCode,
    headers: Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), `${value}`])),
    body,
  };
}

async function invoke(
  event: APIGatewayProxyEvent,
  name = 'business-directory',
  cacheBytes?: number,
): Promise<Answer> {
  return answerOf(await (await handlerOf(name, cacheBytes))(event));
}

/** The request that API Gateway made this event of, sent to the local server. */
function sendLocally(event: APIGatewayProxyEvent): Promise<Answer> {
  const query = Object.entries(
    event.multiValueQueryStringParameters ?? event.queryStringParameters ?? {},
  ).flatMap(([name, values]) =>
    [values ?? []].flat().map((v) => `${encodeURIComponent(name)}=${encodeURIComponent(v)}`),
  );
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const { Host: _, ...headers } = event.headers;
  return new Promise((resolve, reject) => {
    const sent = request(
      `${service.url}${event.path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
      { method: event.httpMethod, headers: { ...headers, 'content-length': body.length } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Record<string, string>,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', reject).end(body);
  });
}

/** What two answers to one request may differ in: the run, and the code that answered. */
function comparable({ status, headers, body }: Answer) {
  const kept = [
    'access-control-allow-headers',
    'access-control-allow-methods',
    'access-control-allow-origin',
    'access-control-expose-headers',
    'access-control-max-age',
    'allow',
    'cache-control',
    'content-type',
    'link',
    'preference-applied',
    'vary',
  ];
  return {
    status,
    headers: Object.fromEntries(kept.map((name) => [name, headers[name]])),
    body: withoutFiles(body.replace(/urn:uuid:[-0-9a-f]{36}/g, 'urn:uuid:')),
  };
}

/** A description without the files of its versions, which a local server alone has. */
function withoutFiles(body: string): string {
  if (!/"versions":/.test(body)) return body;
  const { files: _, versions: __, ...others } = JSON.parse(body);
  return JSON.stringify(others);
}

/** Events that no Request can be made of; the local server is never sent them. */
const UNBUILDABLE = readdirSync(EVENTS).filter((file) => /^(?:trace|.*that-is-none)/.test(file));
const BUILDABLE = readdirSync(EVENTS).filter((file) => !UNBUILDABLE.includes(file));

describe.each([
  ['memory', DEFAULT_CACHE_BYTES],
  ['DynamoDB', 0],
])('a recorded event answers as the local server does (%s)', (_, cacheBytes) => {
  test.each(BUILDABLE)('%s', async (file) => {
    const event = recorded(file);
    const [answer, local] = await Promise.all([
      invoke(event, 'business-directory', cacheBytes),
      sendLocally(event),
    ]);
    if (file === 'another-address.json') {
      // There the catalogue answers, which is another function.
      expect([answer.status, local.status]).toEqual([404, 404]);
      return;
    }
    expect(comparable(answer)).toEqual(comparable(local));
    expect(answer.headers['x-run-id']).toMatch(/^[-0-9a-f]{36}$/);
  });
});

describe('what a recorded event answers with', () => {
  const firstBusiness = ({ body }: Answer) => JSON.parse(body).params.results[0].business;

  test.each([
    ['post-json.json', 200],
    ['post-json-base64.json', 200],
    ['post-form-base64.json', 200],
    ['post-multipart-base64.json', 200],
    ['post-empty.json', 200],
    ['post-cut-json.json', 400],
    ['post-not-utf8.json', 400],
    ['post-other-type.json', 415],
    ['post-compressed.json', 415],
    ['post-unknown-name.json', 400],
    ['get-query.json', 200],
    ['get-undecodable.json', 400],
    ['get-flat-refused.json', 200],
    ['head.json', 200],
    ['options-preflight.json', 204],
    ['delete.json', 405],
    ['put-with-a-body.json', 405],
  ])('%s: %i', async (file, status) => {
    expect((await invoke(recorded(file))).status).toBe(status);
  });

  test('JSON, a form and a query are one request', async () => {
    const answers = await Promise.all(
      ['post-json.json', 'post-form-base64.json', 'get-query.json'].map((file) =>
        invoke(recorded(file)),
      ),
    );
    expect(JSON.parse((answers[0] as Answer).body).params.count).toBeGreaterThan(3);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  });

  test.each([
    'get-blank-values.json',
    'get-trailing-slash.json',
    'get-by-id-resource.json',
    'get-no-multi-value.json',
    'get-with-a-body.json',
  ])('%s: the row that was asked for', async (file) => {
    expect(firstBusiness(await invoke(recorded(file)))).toBe('ABILENE');
  });

  test('a multipart file is its text', async () => {
    const { params } = JSON.parse((await invoke(recorded('post-multipart-base64.json'))).body);
    expect(params.count).toBeGreaterThan(0);
    for (const { business, category } of params.results) {
      expect([category, /a/i.test(business)]).toEqual(['Retail', true]);
    }
  });

  test('a GET of a blank value runs the block; one without a value describes it', async () => {
    const run = JSON.parse((await invoke(recorded('get-only-blank.json'))).body);
    expect(run.params.total).toBe(120);
    const description = JSON.parse((await invoke(recorded('get-description.json'))).body);
    expect(description.name).toBe('business-directory');
  });

  test('a page names the next by its query alone, so that a stage does not matter', async () => {
    const { headers, body } = await invoke(recorded('get-page.json'));
    const { next } = JSON.parse(body).params;
    expect(headers.link).toBe(`<?_limit=2&_sort=-business&_cursor=${next}>; rel="next"`);
  });

  test('a header is read where a part of it is not ASCII', async () => {
    const event = recorded('post-json.json');
    const headers = { 'Content-Type': ['application/json; x="é"'] };
    const { status } = await invoke({ ...event, multiValueHeaders: headers });
    expect(status).toBe(200);
  });

  test('names and values that are not ASCII come through', async () => {
    const event = recorded('get-non-ascii.json');
    const refused = await invoke(event);
    expect([refused.status, JSON.parse(refused.body).errors[0].parameter]).toEqual([400, 'note']);
    const { body } = await invoke({
      ...event,
      multiValueQueryStringParameters: {
        ...event.multiValueQueryStringParameters,
        _handling: ['lenient'],
      },
    });
    expect(JSON.parse(body).params.results).toEqual([]);
    expect(JSON.parse(body)._warnings[0].parameter).toBe('note');
    const { body: found } = await invoke({
      ...recorded('get-non-ascii.json'),
      multiValueQueryStringParameters: { business: ['ábilené'] },
    });
    expect(JSON.parse(found).params.count).toBe(1);
  });

  test('a body over 262,144 bytes is a 413', async () => {
    const event = {
      ...recorded('post-json.json'),
      isBase64Encoded: true,
      body: Buffer.from(`{"business":"${'x'.repeat(262_144)}"}`).toString('base64'),
    };
    const answer = await invoke(event);
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([413, 'body-too-large']);
  });

  test('HEAD has the headers of GET, and no body', async () => {
    const head = await invoke(recorded('head.json'));
    const get = await invoke({ ...recorded('head.json'), httpMethod: 'GET' });
    expect(head.body).toBe('');
    expect(head.headers.etag).toBe(get.headers.etag);
    expect(head.headers.etag).toMatch(/^W\/"/);
  });

  test('an ETag that is sent back is a 304', async () => {
    const event = recorded('get-query.json');
    const { headers } = await invoke(event);
    const again = await invoke({
      ...event,
      multiValueHeaders: { ...event.multiValueHeaders, 'If-None-Match': [headers.etag as string] },
    });
    expect([again.status, again.body]).toEqual([304, '']);
  });
});

describe('an event that no Request can be made of is refused as all else is', () => {
  const surrogate = recorded('get-query.json');
  const cases: [string, APIGatewayProxyEvent][] = [
    ...UNBUILDABLE.map((file): [string, APIGatewayProxyEvent] => [file, recorded(file)]),
    [
      'half a character in the query',
      { ...surrogate, multiValueQueryStringParameters: { business: ['\ud83d'] } },
    ],
  ];

  test('there are such events', () => {
    expect(UNBUILDABLE.length).toBeGreaterThan(4);
  });

  test.each(cases)('%s', async (name, event) => {
    const { status, headers, body } = await invoke(event);
    const [code, wanted] = name.startsWith('trace')
      ? ['method-not-allowed', 405]
      : ['bad-request', 400];
    expect(headers['x-run-id']).toMatch(/^[-0-9a-f]{36}$/);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers.allow).toBe(code === 'bad-request' ? undefined : 'GET, HEAD, POST, OPTIONS');
    if (name.includes('flat')) {
      expect(status).toBe(code === 'bad-request' ? 200 : 405);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(JSON.parse(body)).toEqual({
        _blockspring_spec: true,
        _errors: [{ title: expect.any(String), message: expect.any(String) }],
      });
      return;
    }
    expect([status, headers['content-type']]).toEqual([wanted, 'application/problem+json']);
    expect(JSON.parse(body)).toMatchObject({
      status: wanted,
      code,
      instance: `urn:uuid:${headers['x-run-id']}`,
    });
  });
});

describe.each([
  ['memory', DEFAULT_CACHE_BYTES],
  ['DynamoDB', 0],
])("each block's examples answer equally behind both channels (%s)", (_, cacheBytes) => {
  const cases = blocks.flatMap((loaded: LoadedBlock) =>
    loaded.block.examples.flatMap((example) =>
      ['', 'cache=false'].map(
        (query) => [loaded.block.name, example.title, query, example.arguments] as const,
      ),
    ),
  );

  test.each(cases)('%s: %s %s', async (name, _title, query, given) => {
    const event = {
      ...recorded('post-json.json'),
      path: `/api_v2/blocks/${name}`,
      multiValueQueryStringParameters: query === '' ? null : { cache: ['false'] },
      queryStringParameters: query === '' ? null : { cache: 'false' },
      body: JSON.stringify(given),
    };
    const answer = await invoke(event, name, cacheBytes);
    const local = await service.post(name, given, { query: query === '' ? '' : `?${query}` });
    expect([answer.status, answer.body]).toEqual([200, local.text]);
    const { params = JSON.parse(answer.body) } = JSON.parse(answer.body);
    expect(params.name ?? params.results[0]).toBeTruthy();
    expect('_blockspring_spec' in params).toBe(query !== '');
  });
});

describe('a function that cannot be answered for', () => {
  test('without its environment it does not start', async () => {
    await expect(import('../../functions/census-neighborhoods/handler.ts')).rejects.toThrow(
      'SERVICE_NAME must be set.',
    );
    const { TABLE_NAME: _, ...env } = environments.get('census-neighborhoods') ?? {};
    expect(() => datasetHandler(import.meta.url, env, functionSettings(env))).toThrow(
      'TABLE_NAME must be set.',
    );
  });
});
