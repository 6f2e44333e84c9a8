import { request as httpRequest } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { suiteService } from '../support/suite-service.ts';
import { ERA_NAMES, HEADERS, messageOf, replyOf } from './send-message.ts';

const MOST_BODY_BYTES = 262_144;

const service = suiteService();

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = HEADERS) =>
  service.send('/mcp', { method: 'POST', headers, body });

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

describe('the address', () => {
  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])('does not take %s', async (method) => {
    const { status, headers } = await service.send('/mcp', { method, headers: HEADERS });
    expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(headers.get('content-type')).toBe('application/problem+json');
  });

  test('may be asked by a page of any origin, and says the run', async () => {
    const { status, headers } = await post(LIST, { ...HEADERS, origin: 'https://example.com' });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(headers.get('x-run-id')).toMatch(/^[0-9a-f-]{36}$/);
    const preflight = await service.send('/mcp', {
      method: 'OPTIONS',
      headers: { 'access-control-request-headers': 'mcp-protocol-version, mcp-method' },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toBe(
      'mcp-protocol-version, mcp-method',
    );
  });

  test.each([
    ['a notification', { method: 'notifications/initialized' }],
    ['an answer to nothing', { id: 9, result: {} }],
  ])('takes %s, and has no answer to it', async (_, message) => {
    const { status, text } = await post(JSON.stringify({ jsonrpc: '2.0', ...message }));
    expect([status, text]).toEqual([202, '']);
  });

  test('keeps no stream open for one that listens to changes: there are none', async () => {
    const params = { notifications: { toolsListChanged: true } };
    const sent = messageOf('2026-07-28', { method: 'subscriptions/listen', params });
    const { status, text } = await post(sent.body, sent.headers);
    expect(status).toBe(200);
    expect(text).toContain('"resultType":"complete"');
  });
});

describe('what is no message', () => {
  const padded = (bytes: number) => LIST + ' '.repeat(bytes - LIST.length);

  test('a body may have 262,144 bytes and no more, whatever its length is said to be', async () => {
    expect((await post(padded(MOST_BODY_BYTES))).status).toBe(200);
    const { status, body } = await post(padded(MOST_BODY_BYTES + 1));
    expect([status, body.code]).toEqual([413, 'body-too-large']);
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(padded(MOST_BODY_BYTES + 1)));
        controller.close();
      },
    });
    const chunked = { method: 'POST', headers: HEADERS, body: stream, duplex: 'half' };
    const refused = await service.send('/mcp', chunked as RequestInit);
    expect([refused.status, refused.body.code]).toEqual([413, 'body-too-large']);
  });

  test.each<[string, string | Uint8Array<ArrayBuffer>, number, number]>([
    ['an empty body', '', 400, -32700],
    ['text that is not JSON', 'tools/list', 400, -32700],
    ['JSON that ends too soon', LIST.slice(0, -1), 400, -32700],
    ['null', 'null', 400, -32600],
    ['a number', '5', 400, -32600],
    ['an object that is no message', '{"a":1}', 400, -32600],
    ['a batch', `[${LIST},${LIST}]`, 400, -32600],
    ['an empty batch', ' []', 400, -32600],
    ['a message 65 deep', `{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 400, -32600],
    [
      'a message 100,000 deep',
      LIST.replace('1,', `1,"params":{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}},`),
      400,
      -32600,
    ],
  ])('%s is an error of JSON-RPC', async (_, sent, status, code) => {
    const answer = await post(sent);
    expect([answer.status, answer.body?.error?.code]).toEqual([status, code]);
  });

  test('brackets within a text are not depth', async () => {
    const params = { name: 'business-directory', arguments: { business: `\\"${'['.repeat(200)}` } };
    const { body, headers } = messageOf('2025-11-25', { method: 'tools/call', params });
    const answer = await post(body, headers);
    expect(replyOf(answer).result.content[0].text).toMatch(/^0 of 120 businesses /);
  });

  test.each<[string, string | Uint8Array<ArrayBuffer>, Record<string, string>, number]>([
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), {}, 400],
    ['a compressed body', LIST, { 'content-encoding': 'gzip' }, 415],
    ['another type', LIST, { 'content-type': 'text/plain' }, 415],
    ['no wish for an event stream', LIST, { accept: 'application/json' }, 406],
    ['a revision that nobody knows', LIST, { 'mcp-protocol-version': '1999-01-01' }, 400],
  ])('%s is refused', async (_, sent, headers, status) => {
    expect((await post(sent, { ...HEADERS, ...headers })).status).toBe(status);
  });

  test.each(ERA_NAMES)('a method that is not there is an error in %s', async (revision) => {
    const { body, headers } = messageOf(revision, { method: 'resources/list' });
    expect(replyOf(await post(body, headers)).error.code).toBe(-32601);
  });

  test('a call whose arguments are null has none, as some clients write it', async () => {
    const params = { name: 'business-directory', arguments: null };
    const { body, headers } = messageOf('2025-11-25', { method: 'tools/call', params });
    expect(replyOf(await post(body, headers)).result.content[0].text).toMatch(/^All 120 /);
  });

  test.each([['no arguments', {}]])('a call with %s is refused by its block', async (_, more) => {
    const params = { name: 'rgb-to-color-name', ...more };
    const { body, headers } = messageOf('2025-11-25', { method: 'tools/call', params });
    const { result } = replyOf(await post(body, headers));
    expect(result?.content[0].text).toContain('(invalid-arguments)');
  });

  const NO_NAME = 'The call names no tool: params.name is to be a text.';
  const NO_OBJECT = 'params.arguments is to be an object, such as {"name": "value"}.';
  test.each([
    ['without a name', { arguments: {} }, NO_NAME],
    ['whose name is a number', { name: 5 }, NO_NAME],
    ['whose arguments are a list', { name: 'rgb-to-color-name', arguments: [1] }, NO_OBJECT],
    ['whose arguments are a text', { name: 'rgb-to-color-name', arguments: 'R=1' }, NO_OBJECT],
  ])('a call %s is told so in plain words', async (_, params, message) => {
    // The later era says first that a header is missing.
    const { body, headers } = messageOf('2025-11-25', { method: 'tools/call', params });
    const { error } = replyOf(await post(body, headers));
    expect(error).toMatchObject({ code: -32602, message });
  });
});

describe('a message that is not as the protocol has it', () => {
  const clientInfo = { name: 'tests', version: '1' };
  const valid = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const AS = 'The message is not as the protocol has it: params';

  test.each<[string, object | undefined, string]>([
    ['initialize', undefined, `${AS} is to be an object.`],
    [
      'initialize',
      {},
      `${AS}.protocolVersion is to be a text, params.capabilities is to be an object, params.clientInfo is to be an object.`,
    ],
    ['initialize', { ...valid, protocolVersion: 5 }, `${AS}.protocolVersion is to be a text.`],
    [
      'initialize',
      { ...valid, capabilities: { roots: 5 } },
      `${AS}.capabilities.roots is to be an object.`,
    ],
    [
      'initialize',
      { ...valid, clientInfo: { ...clientInfo, icons: 5 } },
      `${AS}.clientInfo.icons is to be a list.`,
    ],
    ['tools/list', { cursor: 5 }, `${AS}.cursor is to be a text.`],
    [
      'tools/call',
      { name: 'rgb-to-color-name', arguments: {}, task: 5 },
      `${AS}.task is to be an object.`,
    ],
  ])('%s with %j is told so in a sentence', async (method, params, message) => {
    const sent = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const { error, id } = replyOf(await post(sent));
    expect({ id, error }).toEqual({ id: 1, error: { code: -32602, message } });
  });

  test('in the later era too, by its envelope', async () => {
    const { body, headers } = messageOf('2026-07-28', { method: 'tools/list' });
    const message = JSON.parse(body);
    message.params._meta['io.modelcontextprotocol/clientInfo'] = 5;
    const answer = await post(JSON.stringify(message), headers);
    expect([answer.status, answer.body.error]).toEqual([
      400,
      {
        code: -32602,
        message:
          'Invalid _meta envelope for protocol revision 2026-07-28: io.modelcontextprotocol/clientInfo is to be an object',
        data: { envelope: { key: expect.any(String), problem: 'is to be an object' } },
      },
    ]);
  });

  test('and one that is, is answered', async () => {
    const sent = { jsonrpc: '2.0', id: 'a', method: 'initialize', params: valid };
    expect(replyOf(await post(JSON.stringify(sent)))).toMatchObject({
      id: 'a',
      result: { protocolVersion: '2025-11-25', serverInfo: { name: 'blockyard' } },
    });
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    expect(replyOf(await post(JSON.stringify(ping)))).toEqual({
      ...{ jsonrpc: '2.0', id: 2, result: {} },
    });
  });

  test.each<[string, object, number]>([
    ['another version of JSON-RPC', { jsonrpc: '1.0' }, -32600],
    ['a version that is a number', { jsonrpc: 2 }, -32600],
    ['an id that is null', { id: null }, -32600],
    ['an id that is an object', { id: {} }, -32600],
    ['an id with a fraction', { id: 1.5 }, -32600],
    ['a method that is a number', { method: 5 }, -32600],
    ['params that are null', { params: null }, -32600],
    ['params that are a list', { params: [] }, -32600],
    ['params that are a text', { params: 'a' }, -32600],
    ['a member that no message has', { arguments: {} }, -32600],
    ['a method that is not there', { method: 'prompts/list' }, -32601],
    ['a method without a name', { method: '' }, -32601],
    ['a method of every object', { method: 'toString' }, -32601],
  ])('%s', async (_, members, code) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', ...members };
    const { error } = replyOf(await post(JSON.stringify(message)));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^[\w :-]+$/);
  });
});

describe('whatever is sent', () => {
  const SEED = { seed: 12, numRuns: 150 };

  const faultless = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer;
    expect([200, 202, 400, 404, 406, 415]).toContain(status);
    expect(text).not.toMatch(
      /-32603|Invalid input|\\?"expected\\?"|internal|\bat \S+:\d+|node_modules/i,
    );
  };

  test('bytes', async () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(bytes, (sent) => faultless(post(Uint8Array.from(sent)))),
      SEED,
    );
  });

  test('JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), (sent) => faultless(post(sent))),
      SEED,
    );
  });

  test.each(ERA_NAMES)('calls with any arguments, in %s', async (revision) => {
    const name = fc.constantFrom(
      'business-directory',
      'rgb-to-color-name',
      'find',
      'describe',
      'query',
      'none',
    );
    const given = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom(
          ...['business', '_limit', '_cursor', '_sort', 'R', 'zip_code_min', '_format', '_fields'],
          ...['words', 'block', 'arguments', 'from', '_group', '_having', '_or', '_not', '_near'],
        ),
        fc.oneof(
          fc.jsonValue(),
          fc.constantFrom('business-directory', 'category', 'a.5', '{"_q":1}'),
        ),
      ),
    );
    await fc.assert(
      fc.asyncProperty(name, given, (tool, args) => {
        const params = { name: tool, arguments: args };
        const { body, headers } = messageOf(revision, { method: 'tools/call', params });
        return faultless(post(body, headers));
      }),
      SEED,
    );
  });

  test.each(ERA_NAMES)('messages whose members are of any kind, in %s', async (revision) => {
    const membersOfParams = fc.dictionary(
      fc.constantFrom('protocolVersion', 'capabilities', 'clientInfo', 'cursor', 'name', '_meta'),
      fc.jsonValue(),
    );
    const parts = fc.record(
      {
        jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
        id: fc.oneof(fc.constant(1), fc.jsonValue()),
        method: fc.oneof(
          fc.constantFrom('tools/list', 'tools/call', 'initialize', 'ping', 'server/discover'),
          fc.jsonValue(),
        ),
        params: fc.oneof(fc.jsonValue(), membersOfParams),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(parts, (message) => {
        const { headers } = messageOf(revision, { method: 'tools/list' });
        return faultless(post(JSON.stringify(message), headers));
      }),
      SEED,
    );
  });
});

describe('a host that is not this machine, on an address that is', () => {
  const ask = (host: string) =>
    new Promise<{ status: number | undefined; code?: string }>((resolve, reject) => {
      const headers = { ...HEADERS, host, 'content-length': LIST.length };
      const request = httpRequest(`${service.url}/mcp`, { method: 'POST', headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => {
          const { statusCode: status } = response;
          resolve(status === 200 ? { status } : { status, code: JSON.parse(text).code });
        });
      });
      request.on('error', reject);
      request.end(LIST);
    });

  test.each(['evil.example.com', 'evil.example.com:8787', 'localhost.example.com', '192.168.0.7'])(
    '%s is refused',
    async (host) => expect(await ask(host)).toEqual({ status: 403, code: 'host-refused' }),
  );

  test.each([
    'localhost',
    'LOCALHOST:8787',
    '127.0.0.1:80',
    '127.8.8.8',
    '[::1]:8787',
    'a.localhost',
    'localhost.:8787',
  ])('%s is answered', async (host) => expect(await ask(host)).toEqual({ status: 200 }));
});
