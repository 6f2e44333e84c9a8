import { afterAll, describe, expect, test } from '@jest/globals';
import { tryService } from '../aws/try.ts';
import { cleanUp } from '../support/process.ts';
import { callers, startService } from '../support/service.ts';
import { zipOf } from '../support/zip-of.ts';
import { type DeployedService, DYNAMODB, MEMORY, resourcesOf } from './deployed-service.ts';
import { askAws, theEmulator } from './emulator.ts';

const emulator = theEmulator();
afterAll(cleanUp);

/** How many items a table holds, each of them read. */
async function countOf(table: string): Promise<number> {
  const [{ Count }] = await askAws(emulator, [['dynamodb', 'scan', { TableName: table }]]);
  return Count;
}

test('npm run try:aws finds each answer as it is expected', async () => {
  const { url } = await startService();
  const lines: string[] = [];
  await tryService(url, undefined, (line) => lines.push(line));
  const entries = lines.flatMap((line, i) =>
    line.endsWith(': DIFFERENT') ? [`${line}\n${lines[i + 2]}`] : [],
  );
  expect(entries).toEqual([]);
});

describe.each([MEMORY, DYNAMODB])('the stack $stackName', (stack) => {
  test('every table holds as many items as its dataset has rows and columns, and a head', async () => {
    const service = await startService(stack.cacheBytes);
    const { body } = await service.get('/api_v2/blocks');
    const rows: number[] = [];
    for (const { name } of body.blocks) {
      const description = (await service.get(`/api_v2/blocks/${name}`)).body;
      if (description.dataset === undefined) continue;
      const [row] = (await service.post(name, { _limit: 1 })).body.params.results;
      rows.push(description.dataset.rows + Object.keys(row).length + 1);
    }
    const tables = await resourcesOf(emulator, stack, 'AWS::DynamoDB::Table');
    const counts = await Promise.all(Object.values(tables).map(countOf));
    expect(counts.sort()).toEqual(rows.sort());
    expect(rows).toHaveLength(2);
  });
});

/**
 * Calls until the log of the function whose logical id begins so has this text: the emulator may
 * give what a call has written to the log of a later call. Only Jest's time-out ends it.
 */
async function untilLogged(
  text: string,
  where: { readonly stack: DeployedService; readonly prefix: RegExp; readonly from: number },
  call: () => Promise<void>,
): Promise<void> {
  do await call();
  while (!(await logOf(where.stack, where.prefix, where.from)).includes(text));
}

/** What is in the log of the function whose logical id begins so, from a moment on. */
async function logOf(stack: DeployedService, prefix: RegExp, startTime: number): Promise<string> {
  const groups = await resourcesOf(emulator, stack, 'AWS::Logs::LogGroup');
  const [, logGroupName] = Object.entries(groups).find(([id]) => prefix.test(id)) ?? [];
  const asked = { logGroupName, startTime };
  const [{ events }] = await askAws(emulator, [['logs', 'filter_log_events', asked]]);
  return events.map(({ message }: { message: string }) => message).join('\n');
}

test('what a function writes is in its own log, with the run id that the caller was given', async () => {
  const from = Date.now() - 1000;
  const service = await startService();
  const call = () => service.post('rgb-to-color-name', { R: 1, G: 2, B: 3 });
  const runId = (await call()).headers.get('x-run-id') as string;
  await untilLogged(runId, { stack: MEMORY, prefix: /^rgbtocolorname/, from }, async () => {
    await call();
  });
});

test.each([';', '|', '{', '}'])(
  'a query is answered with an escaped %s, and refused with a raw one',
  async (sign) => {
    const { url } = await startService();
    const statusOf = async (business: string) => {
      const { status } = await fetch(
        `${url}/api_v2/blocks/business-directory?business=${business}`,
      );
      return status;
    };
    expect(await statusOf(encodeURIComponent(`a${sign}b`))).toBe(200);
    expect(await statusOf(`a${sign}b`)).toBe(400);
  },
);

test('a function that may not read its table answers 503, and only its log says why', async () => {
  const service = await startService(0);
  const roles = await resourcesOf(emulator, DYNAMODB, 'AWS::IAM::Role');
  const [, RoleName] = Object.entries(roles).find(([id]) => /^businessdirectory/.test(id)) ?? [];
  const [{ PolicyNames }] = await askAws(emulator, [['iam', 'list_role_policies', { RoleName }]]);
  const PolicyName = PolicyNames.find((name: string) => /DatasetRead/.test(name));
  const policy = { RoleName, PolicyName };
  const [{ PolicyDocument }] = await askAws(emulator, [['iam', 'get_role_policy', policy]]);
  await askAws(emulator, [['iam', 'delete_role_policy', policy]]);
  const where = { stack: DYNAMODB, prefix: /^businessdirectory/, from: Date.now() - 1000 };
  // A 503 is what is expected here: no call is repeated.
  const { post } = callers(service.url);
  try {
    await untilLogged('AccessDeniedException', where, async () => {
      const { status, text, headers } = await post('business-directory', {});
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      expect(text).not.toMatch(/AccessDenied|not authorized|arn:/);
    });
  } finally {
    const document = JSON.stringify(PolicyDocument);
    await askAws(emulator, [['iam', 'put_role_policy', { ...policy, PolicyDocument: document }]]);
  }
  expect((await service.post('business-directory', {})).status).toBe(200);
});

test('where a function cannot start, the channel answers in our words, and not in its own', async () => {
  const service = await startService();
  const functions = await resourcesOf(emulator, MEMORY, 'AWS::Lambda::Function');
  const [, FunctionName] = Object.entries(functions).find(([id]) => /^census/.test(id)) ?? [];
  const alias = { FunctionName, Name: 'live' };
  const [{ FunctionVersion }, { Environment }] = await askAws(emulator, [
    ['lambda', 'get_alias', alias],
    ['lambda', 'get_function_configuration', { FunctionName }],
  ]);
  const { TABLE_NAME: _, ...Variables } = Environment.Variables;
  await askAws(emulator, [
    ['lambda', 'update_function_configuration', { FunctionName, Environment: { Variables } }],
    ['lambda', 'update_alias', { ...alias, FunctionVersion: '$LATEST' }],
  ]);
  // A fault is what is expected here: no call is repeated.
  const { post } = callers(service.url);
  try {
    const { status, text, headers } = await post('census-neighborhoods', {});
    expect([500, 503]).toContain(status);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(JSON.parse(text)).toMatchObject({
      status,
      instance: `urn:uuid:${headers.get('x-run-id')}`,
      _errors: [{ title: expect.any(String), message: expect.any(String) }],
    });
    expect(text).not.toMatch(/TABLE_NAME|stack|Error:/);
  } finally {
    await askAws(emulator, [
      ['lambda', 'update_alias', { ...alias, FunctionVersion }],
      ['lambda', 'update_function_configuration', { FunctionName, Environment }],
    ]);
  }
  expect((await service.post('census-neighborhoods', {})).status).toBe(200);
});

test('without streaming, the same files come in one piece', async () => {
  const service = await startService();
  const functions = await resourcesOf(emulator, MEMORY, 'AWS::Lambda::Function');
  const [, FunctionName] = Object.entries(functions).find(([id]) => /^census/.test(id)) ?? [];
  const alias = { FunctionName, Name: 'live' };
  const [{ FunctionVersion }, { Environment }] = await askAws(emulator, [
    ['lambda', 'get_alias', alias],
    ['lambda', 'get_function_configuration', { FunctionName }],
  ]);
  const asked = ['csv', 'ndjson', 'parquet', 'html'].map((format) => `?_format=${format}`);
  const filesNow = async () =>
    Promise.all(
      asked.map(async (query) => {
        const answer = await service.get(`/api_v2/blocks/census-neighborhoods${query}`);
        return [
          answer.status,
          answer.text.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ''),
        ];
      }),
    );
  const streamed = await filesNow();
  const Variables = { ...Environment.Variables, STREAMING: 'false' };
  try {
    await askAws(emulator, [
      ['lambda', 'update_function_configuration', { FunctionName, Environment: { Variables } }],
      ['lambda', 'update_alias', { ...alias, FunctionVersion: '$LATEST' }],
    ]);
    expect(await filesNow()).toEqual(streamed);
    expect(streamed.map(([status]) => status)).toEqual([200, 200, 200, 200]);
  } finally {
    await askAws(emulator, [
      ['lambda', 'update_alias', { ...alias, FunctionVersion }],
      ['lambda', 'update_function_configuration', { FunctionName, Environment }],
    ]);
  }
});

test('the emulator refuses a response of over 6 MiB, as Lambda does', async () => {
  const code = zipOf({
    'index.js': "exports.handler = async ({ bytes }) => ({ body: 'x'.repeat(bytes) });",
  });
  const roles = await resourcesOf(emulator, MEMORY, 'AWS::IAM::Role');
  const [{ Role }] = await askAws(emulator, [
    ['iam', 'get_role', { RoleName: Object.values(roles)[0] }],
  ]);
  const FunctionName = 'responses-of-any-length';
  const call = (bytes: number) =>
    ['lambda', 'invoke', { FunctionName, Payload: JSON.stringify({ bytes }) }] as const;
  try {
    const [, short, long] = await askAws(emulator, [
      [
        'lambda',
        'create_function',
        {
          ...{ FunctionName, Runtime: 'nodejs24.x', Handler: 'index.handler', Role: Role.Arn },
          Code: { ZipFile: { base64: code.toString('base64') } },
        },
      ],
      call(6_291_456),
      call(6_291_600),
    ]);
    expect(short.FunctionError).toBeUndefined();
    expect(long.FunctionError).toBeDefined();
    expect(long.Payload).toContain('Response payload size exceeded');
  } finally {
    const logGroupName = `/aws/lambda/${FunctionName}`;
    await askAws(emulator, [
      ['lambda', 'delete_function', { FunctionName }],
      ['logs', 'delete_log_group', { logGroupName }],
    ]);
  }
});
