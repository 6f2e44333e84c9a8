import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { createClient } from '../../src/dynamodb/client.ts';
import { type EmbeddedDynamodb, startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { AMPLE_MS } from '../support/ample.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { shippedBlock } from '../support/shipped-blocks.ts';
import { type Invoked, invokeFunction, type Written } from './invoke-function.ts';
import { seededEnvironment } from './seeded-environment.ts';

const DIRECTORY = 'lambda/dataset.ts';
const COLORS = 'functions/rgb-to-color-name/handler.ts';

let emulator: EmbeddedDynamodb;
let client: DynamoDBClient;
let seeded: Record<string, string>;
beforeAll(async () => {
  emulator = await startEmbeddedDynamodb();
  client = createClient({ ...emulator, requestTimeout: AMPLE_MS });
  const loaded = await shippedBlock('business-directory');
  seeded = {
    ...(await seededEnvironment(loaded, client, await temporaryFolder())),
    DYNAMODB_ENDPOINT: emulator.endpoint,
  };
});
afterAll(async () => {
  client?.destroy();
  await emulator?.stop();
  await cleanUp();
});

/** A recorded event as a request of its own. */
function recorded(file: string, more: Partial<APIGatewayProxyEvent> = {}): APIGatewayProxyEvent {
  const event = JSON.parse(readFileSync(path.join(import.meta.dirname, 'events', file), 'utf8'));
  const requestContext = { ...event.requestContext, requestId: randomUUID() };
  return { ...event, requestContext, ...more };
}

const colorsOf = (body: object) =>
  recorded('post-json.json', {
    path: '/api_v2/blocks/rgb-to-color-name',
    body: JSON.stringify(body),
  });

/** The members that every line of a function's log has. */
const logged = (level: string, run: object) => ({
  level,
  message: 'run',
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  service: 'the-stack',
  durationMs: expect.any(Number),
  ...run,
});

const UNITS: Record<string, string> = { Duration: 'Milliseconds' };

/** A line of the embedded metric format, with these metrics. */
const measured = (metrics: object, dimensions: object, members: object) => ({
  _aws: {
    Timestamp: expect.any(Number),
    CloudWatchMetrics: [
      {
        Namespace: 'blockyard',
        Dimensions: [['service', ...Object.keys(dimensions)]],
        Metrics: Object.keys(metrics).map((Name) => ({ Name, Unit: UNITS[Name] ?? 'Count' })),
      },
    ],
  },
  service: 'the-stack',
  ...dimensions,
  ...members,
  ...metrics,
});

/** The lines of a run: its log, its metrics, and those of its refusal. */
function linesOf(
  { answer }: Written,
  level: string,
  run: { block?: string; code?: string; [member: string]: unknown },
  metrics: object,
): object[] {
  const runId = Object.entries(answer.headers ?? {}).find(([name]) =>
    /^x-run-id$/i.test(name),
  )?.[1];
  const { block, code } = run;
  const members = { runId, ...(block === undefined ? {} : { block }) };
  return [
    logged(level, { runId, ...run }),
    measured({ Duration: expect.any(Number), Runs: 1, ...metrics }, {}, members),
    ...(code === undefined ? [] : [measured({ Refusals: 1 }, { code }, members)]),
  ];
}

const writtenAll = ({ stdout, stderr }: Written) => [...stderr, ...stdout];

describe('what a block of a dataset writes', () => {
  const block = 'business-directory';
  const cold = { ColdStarts: 1 };
  let resident: Invoked;
  let stored: Invoked;
  beforeAll(async () => {
    const events = [
      recorded('post-json.json'),
      recorded('post-unknown-name.json'),
      recorded('get-flat-refused.json'),
      recorded('another-address.json'),
      recorded('delete.json'),
      recorded('trace.json'),
      recorded('host-that-is-none.json'),
      recorded('method-that-is-none.json'),
      recorded('get-description.json'),
      recorded('options-preflight.json'),
    ];
    resident = await invokeFunction(DIRECTORY, events, seeded);
    stored = await invokeFunction(DIRECTORY, events.slice(0, 1), {
      ...seeded,
      COLUMN_CACHE_BYTES: '0',
    });
  });

  test('rows, what they cost, and the cold start, which is counted once', () => {
    const [run] = resident.runs as [Written];
    const rows = JSON.parse(run.answer.body).params.count;
    expect(rows).toBeGreaterThan(0);
    expect(writtenAll(run)).toEqual(
      linesOf(
        run,
        'INFO',
        {
          ...{ block, method: 'POST', status: 200 },
          ...{
            rows,
            path: 'columns',
            chunksRead: 13,
            itemsRead: 13,
            capacityUnits: expect.any(Number),
          },
          steps: run.stdout[0].steps,
        },
        { Rows: rows, CapacityUnits: run.stdout[0].capacityUnits, ...cold },
      ),
    );
    expect(resident.text.match(/"ColdStarts":/g)).toHaveLength(1);
  });

  test('rows of a function that holds nothing in memory, with what they cost', () => {
    const [run] = stored.runs as [Written];
    const rows = JSON.parse(run.answer.body).params.count;
    const { capacityUnits, chunksRead, itemsRead, steps } = run.stdout[0];
    expect(capacityUnits).toBeGreaterThan(0);
    expect(itemsRead).toBeGreaterThan(0);
    expect(writtenAll(run)).toEqual(
      linesOf(
        run,
        'INFO',
        {
          ...{ block, method: 'POST', status: 200 },
          rows,
          path: 'columns',
          chunksRead,
          itemsRead,
          capacityUnits,
          steps,
        },
        { Rows: rows, CapacityUnits: capacityUnits, ...cold },
      ),
    );
  });

  test.each([
    [1, 'a refusal', 'POST', 400, 'invalid-arguments', ['unknown-parameter']],
    [2, 'a refusal in the flat form', 'GET', 200, 'invalid-arguments', ['not-a-number']],
    [3, 'an address that is not the block', 'GET', 404, 'not-found', ['not-found']],
    [4, 'a method that is not taken', 'DELETE', 405, 'method-not-allowed', ['method-not-allowed']],
    [5, 'a method that no Request has', 'TRACE', 405, 'method-not-allowed', ['method-not-allowed']],
    [6, 'a host that is none', 'GET', 400, 'bad-request', ['bad-request']],
    [7, 'a method that is none', 'other', 400, 'bad-request', ['bad-request']],
  ])('%i: %s', (index, _, method, status, code, faults) => {
    const run = resident.runs[index] as Written;
    expect(run.answer.statusCode).toBe(status);
    expect(writtenAll(run)).toEqual(
      linesOf(run, 'INFO', { ...{ block, method, status }, ...{ code, faults } }, {}),
    );
  });

  test('a description', () => {
    const run = resident.runs[8] as Written;
    expect(writtenAll(run)).toEqual(
      linesOf(run, 'INFO', { block, method: 'GET', status: 200 }, {}),
    );
  });

  test('nothing for a preflight, and nothing beside', () => {
    const run = resident.runs[9] as Written;
    expect([run.answer.statusCode, writtenAll(run)]).toEqual([204, []]);
    const lines = resident.runs.flatMap(writtenAll);
    expect(resident.text.trimEnd().split('\n')).toHaveLength(lines.length);
  });
});

test('what a block of a value writes', async () => {
  const events = [colorsOf({ R: 1, G: 2, B: 3 }), colorsOf({ R: 3, G: 2, B: 1 })];
  const { runs } = await invokeFunction(COLORS, events);
  const [first, second] = runs as [Written, Written];
  const run = {
    ...{ block: 'rgb-to-color-name', method: 'POST', status: 200 },
    ...{
      path: 'computed',
      chunksRead: 0,
      itemsRead: 0,
      capacityUnits: 0,
      steps: first.stdout[0].steps,
    },
  };
  expect(writtenAll(first)).toEqual(linesOf(first, 'INFO', run, { ColdStarts: 1 }));
  expect(writtenAll(second)).toEqual(linesOf(second, 'INFO', run, {}));
});

test('what a function of no block writes', async () => {
  const events = [recorded('another-address.json')];
  const { runs } = await invokeFunction('test/lambda/catalog-function.ts', events);
  const [run] = runs as [Written];
  const code = 'not-found';
  expect(writtenAll(run)).toEqual(
    linesOf(
      run,
      'INFO',
      { method: 'GET', status: 404, code, faults: [code] },
      {
        ColdStarts: 1,
      },
    ),
  );
});

describe('a store that cannot be read', () => {
  test.each(['0', '1000000'])('with %s bytes in memory: an error with its cause', async (bytes) => {
    const { runs } = await invokeFunction(DIRECTORY, [recorded('post-json.json')], {
      ...seeded,
      COLUMN_CACHE_BYTES: bytes,
      DYNAMODB_ENDPOINT: 'http://127.0.0.1:9',
    });
    const [run] = runs as [Written];
    const code = 'store-unavailable';
    const cause = expect.stringMatching(/ECONNREFUSED 127\.0\.0\.1:9.*\n +at /s);
    expect(writtenAll(run)).toEqual(
      linesOf(
        run,
        'ERROR',
        {
          ...{ block: 'business-directory', method: 'POST', status: 503 },
          ...{ code, faults: [code], cause },
        },
        { ServerErrors: 1, StoreFaults: 1, ColdStarts: 1 },
      ),
    );
    expect(run.stderr).toEqual([]);
    expect(run.answer.body).not.toMatch(/ECONN|127\.0\.0\.1|stack/);
  });
});

describe('what a caller sends is in no line', () => {
  const SECRET = 's3cr3t';
  const headers = {
    'Content-Type': ['application/json'],
    'x-api-key': [SECRET],
    Authorization: [`Bearer ${SECRET}`],
    Cookie: [SECRET],
    'User-Agent': [SECRET],
    'X-Amzn-Trace-Id': [`Root=${SECRET}`],
    [SECRET]: ['1'],
  };
  const post = (more: Partial<APIGatewayProxyEvent>) =>
    recorded('post-json.json', { multiValueHeaders: headers, body: '{}', ...more });
  const query = (values: Record<string, string[]>) => ({
    multiValueQueryStringParameters: { api_key: [SECRET], ...values },
  });
  const events = [
    post(query({ business: [SECRET] })),
    post({ ...query({}), body: JSON.stringify({ business: `*${SECRET}*` }) }),
    post({ body: JSON.stringify({ parsed_address_min: SECRET, _cursor: SECRET }) }),
    post({ body: JSON.stringify({ [SECRET]: SECRET, _sort: SECRET, _fields: [SECRET] }) }),
    post({ body: `{"${SECRET}` }),
    post({ ...query({ cache: [SECRET], [SECRET]: [SECRET] }) }),
    post({ path: `/api_v2/blocks/${SECRET}` }),
    post({ path: `/${SECRET}` }),
    post({ httpMethod: SECRET }),
    post({ httpMethod: `${SECRET} ${SECRET}` }),
    post({ multiValueHeaders: { ...headers, [`${SECRET} `]: [SECRET] } }),
    post(query({ business: [`${SECRET}\ud83d`] })),
    post({ requestContext: { ...post({}).requestContext, domainName: `${SECRET} ${SECRET}` } }),
    post({ requestContext: { ...post({}).requestContext, requestId: SECRET } }),
  ];
  const secretive = {
    _X_AMZN_TRACE_ID: `Root=${SECRET}`,
    AWS_ACCESS_KEY_ID: SECRET,
    AWS_SECRET_ACCESS_KEY: SECRET,
  };

  test.each([
    ['from memory', DIRECTORY, {}],
    ['from DynamoDB', DIRECTORY, { COLUMN_CACHE_BYTES: '0' }],
    [
      'from a store that cannot be read',
      DIRECTORY,
      { COLUMN_CACHE_BYTES: '0', DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' },
    ],
    ['of no block', 'test/lambda/catalog-function.ts', {}],
  ])('%s', async (_, handlerFile, env) => {
    const { runs, text } = await invokeFunction(handlerFile, events, {
      ...seeded,
      ...secretive,
      ...env,
    });
    for (const { stdout, stderr } of runs) {
      expect(stdout.length + stderr.length).toBeGreaterThanOrEqual(2);
    }
    expect(text.toLowerCase()).not.toContain(SECRET);
  });
});
