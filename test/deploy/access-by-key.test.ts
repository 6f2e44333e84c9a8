import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commandBody, signed } from '../slack/signed-request.ts';
import { cleanUp } from '../support/process.ts';
import { type Answer, type Service, startService } from '../support/service.ts';
import { inTime } from '../support/slack-channel.ts';
import {
  type Deployed,
  DYNAMODB,
  deploy,
  deployWell,
  resourcesOf,
  SLACK,
} from './deployed-service.ts';
import { askAws, type Call, theEmulator } from './emulator.ts';

const emulator = theEmulator();
const ADDRESS = '/api_v2/blocks/rgb-to-color-name?R=255&G=127&B=80';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Key = { readonly id: string; readonly value: string };

let service: Service;
let deployed: Deployed;
let plan: string;
let secretArn: string;
const keys: Key[] = [];

/** Makes a key and, in a usage plan, lets it in: what the documents say to do. */
async function issueKey(usagePlanId: string | undefined, enabled = true): Promise<Key> {
  const [key] = await askAws(emulator, [
    ['apigateway', 'create_api_key', { name: `key ${keys.length}`, enabled }],
  ]);
  keys.push(key);
  if (usagePlanId !== undefined) {
    await askAws(emulator, [
      ['apigateway', 'create_usage_plan_key', { usagePlanId, keyId: key.id, keyType: 'API_KEY' }],
    ]);
  }
  return key;
}

/** A usage plan of the test's own. */
async function planWith(limits: object): Promise<string> {
  const { hostname, pathname } = new URL(deployed.address ?? '');
  const apiStages = [{ apiId: hostname.split('.')[0], stage: pathname.slice(1) }];
  const [{ id }] = await askAws(emulator, [
    ['apigateway', 'create_usage_plan', { name: 'of a test', apiStages, ...limits }],
  ]);
  return id;
}

const withKey = (value: string) => service.get(ADDRESS, { 'x-api-key': value });

beforeAll(async () => {
  const [{ ARN: slackSecret }] = await askAws(emulator, [
    ['secretsmanager', 'create_secret', { Name: 'slack', SecretString: SLACK.value }],
  ]);
  secretArn = slackSecret;
  const context = { access: 'keys', slackSecret };
  // test/lib tries CloudFormation's rules on one with keys.
  deployed = await deployWell(emulator, DYNAMODB, { context, isBundled: true });
  service = await startService(DYNAMODB.cacheBytes);
  [plan = ''] = Object.values(await resourcesOf(emulator, DYNAMODB, 'AWS::ApiGateway::UsagePlan'));
});

afterAll(async () => {
  const [{ items }] = await askAws(emulator, [['apigateway', 'get_usage_plans']]);
  const own = items.filter(({ name }: { name: string }) => name === 'of a test');
  const calls: Call[] = [
    ...keys.map(({ id }): Call => ['apigateway', 'delete_api_key', { apiKey: id }]),
    ['secretsmanager', 'delete_secret', { SecretId: secretArn, ForceDeleteWithoutRecovery: true }],
    ...own.map(({ id }: Key): Call => ['apigateway', 'delete_usage_plan', { usagePlanId: id }]),
  ];
  await askAws(emulator, calls);
  await cleanUp();
});

/** The refusal's own words; whose run it was is no part of them. */
function refusalOf({ status, headers, text }: Answer): unknown[] {
  const runId = headers.get('x-run-id') ?? '';
  expect(runId).toMatch(UUID);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  const body = JSON.parse(text);
  expect(body).toMatchObject({ status, instance: `urn:uuid:${runId}`, _blockspring_spec: true });
  expect(body._errors[0].title).not.toBe('');
  return [status, text.replaceAll(runId, 'run'), headers.get('retry-after')];
}

describe('a service for holders of a key', () => {
  test('answers 401 where there is no key', async () => {
    const without: Record<string, string>[] = [
      {},
      { 'x-api-key': '' },
      { authorization: 'Bearer  ' },
    ];
    for (const headers of without) {
      const answer = await service.get(ADDRESS, headers);
      expect([answer.status, JSON.parse(answer.text).code]).toEqual([401, 'key-missing']);
      refusalOf(answer);
    }
  });

  test('gives a file to holders of a key alone, also at its short address, which keeps the key', async () => {
    const { value } = await issueKey(plan);
    const block = '/api_v2/blocks/business-directory';
    for (const file of [`${block}.csv`, `${block}/files/current.csv`]) {
      expect([file, (await service.get(file)).status]).toEqual([file, 401]);
      const answer = await fetch(`${service.url}${file}?api_key=${value}`);
      const [first] = (await answer.text()).split(',');
      expect([file, answer.status, first]).toEqual([file, 200, 'business']);
    }
  });

  test('tells search engines to stay away without a key, and portals nothing', async () => {
    const robots = await service.get('/robots.txt');
    expect([robots.status, robots.text]).toEqual([200, 'User-agent: *\nDisallow: /\n']);
    const { value } = await issueKey(plan);
    for (const document of [
      'catalog.jsonld',
      '.well-known/api-catalog',
      'llms.txt',
      'sitemap.xml',
    ]) {
      const statuses = [
        (await service.get(`/${document}`)).status,
        (await service.get(`/${document}`, { 'x-api-key': value })).status,
      ];
      expect([document, ...statuses]).toEqual([document, 401, 200]);
    }
  });

  test('a page keeps the key in its links, its form, its assets and its snippets', async () => {
    const { value } = await issueKey(plan);
    const browser = { accept: 'text/html' };
    expect((await service.get(ADDRESS, browser)).status).toBe(401);
    const page = await service.get(`${ADDRESS}&api_key=${value}`, browser);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const at = new URL(`${service.url}${ADDRESS}&api_key=${value}`);
    const links = [
      ...page.text.matchAll(/<(?!link rel="canonical")[^>]*(?:href|src)="([^"#d][^"]*)"/g),
    ];
    expect(links.length).toBeGreaterThan(7);
    for (const [, link = ''] of links) {
      const to = new URL(link.replaceAll('&amp;', '&'), at);
      // Where the data come from: somebody else's, who is told no key.
      if (to.host !== at.host) {
        expect(link).not.toContain(value);
        continue;
      }
      expect([link, to.searchParams.get('api_key')]).toEqual([link, value]);
      expect([link, (await fetch(to)).status]).toEqual([link, 200]);
    }
    expect(page.text).toContain(`<input type="hidden" name="api_key" value="${value}"/>`);
    expect(page.text).toContain(`x-api-key: ${value}`);
    expect(/<link rel="canonical" href="([^"]*)"/.exec(page.text)?.[1]).not.toContain(value);
  });

  test('takes a key from each of its three places', async () => {
    const { value } = await issueKey(plan);
    const answers = [
      await withKey(value),
      await service.get(ADDRESS, { authorization: `Bearer ${value}` }),
      await service.get(`${ADDRESS}&api_key=${value}`),
      await service.post(
        'rgb-to-color-name',
        { R: 255, G: 127, B: 80 },
        { query: `?api_key=${value}` },
      ),
    ];
    for (const { status, body } of answers) {
      expect([status, body?.params?.name]).toEqual([200, 'Coral']);
    }
  });

  test('refuses a wrong, a disabled, a deleted and a plan-less key in the same words', async () => {
    const disabled = await issueKey(plan, false);
    const planless = await issueKey(undefined);
    const deleted = await issueKey(plan);
    expect((await withKey(deleted.value)).status).toBe(200);
    await askAws(emulator, [['apigateway', 'delete_api_key', { apiKey: deleted.id }]]);
    keys.pop();
    const wrong = ['x', 'a'.repeat(40), 'é'.repeat(30), 'a b'.repeat(10)].map(encodeURIComponent);
    const refused: unknown[][] = [];
    for (const value of [...wrong, disabled.value, planless.value, deleted.value]) {
      refused.push(refusalOf(await withKey(value)));
    }
    expect(refused[0]).toEqual([403, expect.stringContaining('"code":"key-refused"'), null]);
    expect(new Set(refused.map(String)).size).toBe(1);
  });

  test('lets a browser ask, without a key, whether it may send one', async () => {
    for (const path of [
      '/api_v2/blocks/rgb-to-color-name',
      '/api_v2/blocks',
      '/api_v2/blocks/nope',
    ]) {
      const { status, headers } = await service.send(path, {
        method: 'OPTIONS',
        headers: { origin: 'https://example.org', 'access-control-request-method': 'POST' },
      });
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    }
  });

  test('guards every address: the list, descriptions, what is not there', async () => {
    const { value } = await issueKey(plan);
    for (const path of [
      '/',
      '/api_v2/blocks',
      '/api_v2/blocks/rgb-to-color-name',
      '/mcp',
      '/integrations/slack',
      '/nope',
    ]) {
      expect((await service.get(path)).status).toBe(401);
      expect((await service.get(path, { 'x-api-key': value })).status).not.toBe(401);
    }
  });

  test('answers 429, with when to try again, to a key whose day is used up', async () => {
    const { value } = await issueKey(await planWith({ quota: { limit: 2, period: 'DAY' } }));
    expect([(await withKey(value)).status, (await withKey(value)).status]).toEqual([200, 200]);
    const [status, text, retryAfter] = refusalOf(await withKey(value));
    expect([status, retryAfter]).toEqual([429, '3600']);
    expect(text).toContain('"code":"quota-exceeded"');
  });

  test('answers 429 to a key that is used too fast', async () => {
    const limits = { throttle: { rateLimit: 0.01, burstLimit: 1 } };
    const { value } = await issueKey(await planWith(limits));
    expect((await withKey(value)).status).toBe(200);
    const [status, text, retryAfter] = refusalOf(await withKey(value));
    expect([status, retryAfter]).toEqual([429, '1']);
    expect(text).toContain('"code":"too-many-requests"');
  });

  test('asks tools of LLMs for a key, and a Slack command for a key and its signature', async () => {
    const { value } = await issueKey(plan);
    const list = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    };
    expect((await service.send('/mcp', list)).body.code).toBe('key-missing');
    const tools = await service.send('/mcp', {
      ...list,
      headers: { ...list.headers, 'x-api-key': value },
    });
    expect([tools.status, tools.text.includes('"rgb-to-color-name"')]).toEqual([200, true]);

    const command = signed(commandBody('rgb #ff7f50'));
    const forged = signed(commandBody('rgb #ff7f50'), { secret: 'another' });
    const address = `/integrations/slack?api_key=${value}`;
    expect((await service.send('/integrations/slack', command)).body.code).toBe('key-missing');
    expect((await service.send(address, forged)).body.code).toBe('signature-refused');
    const answer = await inTime(() => service.send(address, command));
    expect([answer.status, answer.text.includes('Coral')]).toEqual([200, true]);
    expect(answer.text).not.toContain(value);
  });

  test('is not deployed without its slackSecret by --reset, unless that is said', async () => {
    const context = { access: 'keys', slackSecret: '' };
    const words = ['--reset'];
    const { code, output } = await deploy(emulator, DYNAMODB, { context, words, isBundled: true });
    expect(code).toBe(1);
    expect(output).toContain('blockyard-dynamodb has slackSecret, and it is not given. Say -c ');
    expect(output).toContain('-c slackSecret=none to do without.');
  });

  test('has no secret in any function or template', async () => {
    const functions = await resourcesOf(emulator, DYNAMODB, 'AWS::Lambda::Function');
    const settings = await askAws(emulator, [
      ...Object.values(functions).map(
        (FunctionName): Call => ['lambda', 'get_function_configuration', { FunctionName }],
      ),
      ['cloudformation', 'get_template', { StackName: DYNAMODB.stackName }],
    ]);
    const text = JSON.stringify(settings);
    expect(text).toContain(secretArn);
    expect(text).not.toContain(SLACK.value);
  });

  test('writes no key to any log', async () => {
    const groups = await resourcesOf(emulator, DYNAMODB, 'AWS::Logs::LogGroup');
    const logs = await askAws(
      emulator,
      Object.values(groups).map((logGroupName) => ['logs', 'filter_log_events', { logGroupName }]),
    );
    const lines = logs.flatMap(({ events }) =>
      events.map(({ message }: { message: string }) => message),
    );
    expect(lines.join('\n')).toContain('"service":"blockyard-dynamodb"');
    for (const value of [...keys.map((key) => key.value), SLACK.value]) {
      expect(lines.filter((line: string) => line.includes(value))).toEqual([]);
    }
  });
});
