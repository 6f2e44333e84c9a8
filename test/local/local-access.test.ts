import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import os from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { block } from '../../functions/rgb-to-color-name/block.ts';
import { serveValue } from '../../src/http/served-block.ts';
import { localAccess } from '../../src/local/local-access.ts';
import { localServer } from '../../src/local/local-server.ts';
import { ERA_NAMES, messageOf } from '../mcp/send-message.ts';
import { SETTINGS } from '../support/ample.ts';

describe('whether a Host is this machine', () => {
  const { isForeignHost } = localAccess();

  test.each<[string, string | undefined, boolean]>([
    ['127.0.0.1', 'localhost', false],
    ['127.0.0.1', 'LOCALHOST:8787', false],
    ['127.0.0.1', 'localhost.:8787', false],
    ['127.0.0.1', 'a.localhost', false],
    ['127.0.0.1', '127.8.8.8:80', false],
    ['::1', '[::1]:8787', false],
    ['127.0.1.1', os.hostname(), false],
    ['127.0.0.1', undefined, false],
    ['127.0.0.1', 'example.com', true],
    ['::1', 'example.com', true],
    ['::ffff:127.0.0.1', 'example.com', true],
    ['127.0.0.1', 'localhost.example.com', true],
    ['127.0.0.1', '192.168.0.7', true],
    ['127.0.0.1', '2130706433.example.com', true],
    ['127.0.0.1', '', true],
    ['127.0.0.1', 'not a host', true],
    ['127.0.0.1', 'example.com@localhost', true],
    ['127.0.0.1', 'localhost/example.com', true],
    ['192.168.0.7', '192.168.0.7:8787', false],
    ['192.168.0.7', '[fe80::1]', false],
    ['192.168.0.7', 'example.com', true],
  ])('come to %s for %s: it is foreign: %s', (address, host, isForeign) => {
    expect(isForeignHost(host, address)).toBe(isForeign);
  });

  test('names that are forwarded here are let through by ALLOW_HOST, and no others', () => {
    const allowed = localAccess({ allowHost: 'Data.Example.org, tunnel.example:8443' });
    const isForeign = (host: string) => allowed.isForeignHost(host, '127.0.0.1');
    expect(['data.example.org', 'DATA.example.org:80', 'tunnel.example'].map(isForeign)).toEqual([
      false,
      false,
      false,
    ]);
    expect(['example.org', 'x.data.example.org'].map(isForeign)).toEqual([true, true]);
    const any = localAccess({ allowHost: '*' });
    expect(any.isForeignHost('example.com', '127.0.0.1')).toBe(false);
  });

  test('the name that is listened on is ours', () => {
    const { isForeignHost: of } = localAccess({ host: 'Box.lan' });
    expect([of('box.lan:8787', '192.168.0.7'), of('bax.lan', '::1')]).toEqual([false, true]);
  });
});

describe('whose pages may read an answer', () => {
  const reads = (texts: Parameters<typeof localAccess>[0], origin: string) => {
    const { allowOrigin } = localAccess(texts);
    return allowOrigin === '*' || allowOrigin(origin);
  };

  test.each([
    ['http://localhost', true],
    ['http://localhost:3000', true],
    ['https://127.0.0.1:8443', true],
    ['http://[::1]:81', true],
    ['http://user@localhost', false],
    ['http://2130706433', false],
    ['null', false],
    ['https://example.com', false],
    ['http://localhost.example.com', false],
    ['file://', false],
    ['chrome-extension://localhost', false],
    ['', false],
  ])('by default, %s: %s', (origin, isAllowed) => {
    expect(reads({}, origin)).toBe(isAllowed);
  });

  test('those of ALLOW_ORIGIN too', () => {
    const allowOrigin = 'https://data.example.org,null';
    expect(reads({ allowOrigin }, 'https://data.example.org')).toBe(true);
    expect(reads({ allowOrigin }, 'null')).toBe(true);
    expect(reads({ allowOrigin }, 'http://localhost:1')).toBe(true);
    expect(reads({ allowOrigin }, 'http://data.example.org')).toBe(false);
    expect(localAccess({ allowOrigin: ' * ' }).allowOrigin).toBe('*');
  });

  test.each(['example.org', 'https://example.org/', 'https://a.org *', 'https://EXAMPLE.org'])(
    'ALLOW_ORIGIN=%s stops the start, with what to write',
    (allowOrigin) => {
      expect(() => localAccess({ allowOrigin })).toThrow(
        /^ALLOW_ORIGIN is .*; expected origins such as https:\/\/data\.example\.org/,
      );
    },
  );

  test('so does a blank or a broken name in ALLOW_HOST', () => {
    expect(() => localAccess({ allowHost: 'http://x' })).toThrow(/^ALLOW_HOST has "http:\/\/x"/);
  });
});

describe('who may embed a page', () => {
  const OWN = "'self' http://localhost:* http://127.0.0.1:*";

  test.each([
    ['', OWN],
    ['*', '*'],
    ['none', "'none'"],
    [
      'https://a.example.org http://b.example.org:81',
      `${OWN} https://a.example.org http://b.example.org:81`,
    ],
  ])('with ALLOW_FRAMES=%s: %s', (allowFrames, sources) => {
    expect(localAccess({ allowFrames }).frameAncestors).toBe(sources);
  });

  test.each(['null', 'https://a.example.org/', 'https://a;script-src', '* https://a.example.org'])(
    'ALLOW_FRAMES=%s stops the start, with what to write',
    (allowFrames) => {
      expect(() => localAccess({ allowFrames })).toThrow(
        /^ALLOW_FRAMES is .*; expected origins such as https:\/\/data\.example\.org/,
      );
    },
  );
});

describe('which proxy is believed', () => {
  test.each<[string, string | undefined, boolean]>([
    ['', '127.0.0.1', false],
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '::ffff:127.0.0.1', true],
    ['127.0.0.1', '127.0.0.2', false],
    ['127.0.0.1', undefined, false],
    ['::1, 10.1.0.0/16', '10.1.200.3', true],
    ['::1, 10.1.0.0/16', '10.2.0.1', false],
    ['::1, 10.1.0.0/16', '::1', true],
  ])('with TRUST_PROXY=%s, %s: %s', (trustProxy, address, isTrusted) => {
    expect(localAccess({ trustProxy }).isTrustedProxy(address)).toBe(isTrusted);
  });

  test.each(['*', 'localhost', '10.0.0.0/33', '10.0.0.0/', '1.2.3'])(
    'TRUST_PROXY=%s stops the start, with what to write',
    (trustProxy) => {
      expect(() => localAccess({ trustProxy })).toThrow(
        /^TRUST_PROXY has .*; expected IP addresses such as 127\.0\.0\.1/,
      );
    },
  );
});

type Asked = { status?: number; headers: NodeJS.Dict<string | string[]>; text: string };

/** A server with one block; `texts` are the settings of who may ask it. */
function serverWith(texts: Parameters<typeof localAccess>[0]) {
  const app = serveValue(block, () => ({ name: 'Coral' }));
  const runs: unknown[] = [];
  const server = localServer([app], {
    ...SETTINGS,
    record: ({ block: name }) => runs.push(name),
    ...localAccess(texts),
  });
  let port: number;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const ask = (path: string, headers: Record<string, string>, method = 'GET', body?: string) =>
    new Promise<Asked>((resolve, reject) => {
      const request = httpRequest({ port, path, headers, method, agent: false }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode as number, headers: response.headers, text }),
        );
      });
      request.on('error', reject);
      request.end(body);
    });
  /** The whole answer to bytes that need not be HTTP. */
  const send = (bytes: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(text));
    });
  return { ask, send, runs };
}

describe('a server with it', () => {
  const { ask, send, runs } = serverWith({});
  const RUN = '/api_v2/blocks/rgb-to-color-name?R=1&G=2&B=3';

  test.each([
    RUN,
    '/',
    '/api_v2/blocks',
    '/api_v2/blocks/nope',
    '/nothing',
    '/mcp',
    '/integrations/slack',
  ])('%s for another host is a 403, in a problem', async (path) => {
    const { status, text } = await ask(path, { host: 'evil.example.com' });
    expect(status).toBe(403);
    expect(JSON.parse(text)).toMatchObject({ code: 'host-refused' });
    expect(text).toContain('ALLOW_HOST');
  });

  test('a whole address is for the host in it, whatever the header says', async () => {
    const of = async (address: string, host: string) =>
      (await ask(`${address}${RUN}`, { host })).status;
    expect(await of('http://evil.example.com', 'localhost')).toBe(403);
    expect(await of('HTTP://Localhost', 'evil.example.com')).toBe(200);
  });

  test('a preflight for another host too', async () => {
    const { status } = await ask(RUN, { host: 'evil.example.com' }, 'OPTIONS');
    expect(status).toBe(403);
  });

  test.each([RUN, '/', '/api_v2/blocks/nope', `${RUN}&R=x`])(
    '%s: this machine’s pages may read it, others not',
    async (path) => {
      const ours = await ask(path, { origin: 'http://localhost:3000' });
      expect(ours.headers['access-control-allow-origin']).toBe('http://localhost:3000');
      expect(ours.headers.vary).toMatch(/(?:^|, )Origin$/);
      for (const origin of ['https://example.com', 'null']) {
        const theirs = await ask(path, { origin });
        expect(theirs.headers['access-control-allow-origin']).toBeUndefined();
        expect(theirs.headers.vary).toMatch(/(?:^|, )Origin$/);
      }
      expect((await ask(path, {})).headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  test('a preflight of another’s page gets no leave', async () => {
    const headers = {
      origin: 'https://example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const { headers: found } = await ask(RUN, headers, 'OPTIONS');
    expect(found['access-control-allow-origin']).toBeUndefined();
    expect(found.vary).toBe('Access-Control-Request-Headers, Origin');
  });

  test('a GET says both what it varies by', async () => {
    expect((await ask(RUN, {})).headers.vary).toBe('Accept, Prefer, Origin');
  });

  test.each([
    RUN,
    `${RUN}&_format=html`,
    '/',
    '/api_v2/blocks',
    '/api_v2/blocks/nope',
    '/nothing',
    '/mcp',
  ])('no browser guesses the type of %s, whatever the method', async (path) => {
    const { headers } = await ask(path, {});
    expect(headers['x-content-type-options']).toBe('nosniff');
    const { etag = '' } = headers;
    const known = await ask(path, { 'if-none-match': String(etag) });
    expect(known.status).toBe(etag === '' ? known.status : 304);
    for (const { headers: others } of [
      known,
      await ask(path, {}, 'OPTIONS'),
      await ask(path, {}, 'PUT'),
    ]) {
      expect(others['x-content-type-options']).toBe('nosniff');
    }
  });

  test.each([
    'no HTTP\r\n\r\n',
    'CONNECT a:1 HTTP/1.1\r\n\r\n',
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  ])('nor that of the refusal of what cannot be read: %#', async (bytes) => {
    expect(await send(bytes)).toMatch(
      /^HTTP\/1\.1 4\d\d .*\r\nX-Content-Type-Options: nosniff\r\n/s,
    );
  });

  test('a page may be embedded on this machine alone', async () => {
    const { headers } = await ask('/', { accept: 'text/html' });
    expect(headers['content-security-policy']).toMatch(
      /; frame-ancestors 'self' http:\/\/localhost:\* http:\/\/127\.0\.0\.1:\*$/,
    );
  });

  const FORWARDED = {
    accept: 'text/html',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-prefix': '/evil',
    'x-forwarded-proto': 'https',
  };

  test('nobody changes the addresses on a page by what he says of a proxy', async () => {
    const { status, text } = await ask(`${RUN}`, FORWARDED);
    expect([status, text.includes('http://localhost')]).toEqual([200, true]);
    expect(text).not.toContain('evil');
    expect(text).not.toContain('https://localhost');
  });

  describe.each(ERA_NAMES)('a tool of MCP in %s', (revision) => {
    const call = {
      method: 'tools/call',
      params: { name: 'rgb-to-color-name', arguments: { R: 1, G: 2, B: 3 } },
    };
    const callFrom = (origin?: string) => {
      const { headers, body } = messageOf(revision, call);
      const from: Record<string, string> = origin === undefined ? {} : { origin };
      return ask('/mcp', { ...headers, ...from }, 'POST', body);
    };

    test.each([undefined, 'http://localhost:6274', 'http://127.0.0.1:8787'])(
      'runs for a page of %s',
      async (origin) => {
        const { status, text } = await callFrom(origin);
        expect([status, text.includes('Coral')]).toEqual([200, true]);
      },
    );

    test.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'file://'])(
      'does not run for a page of %s',
      async (origin) => {
        const before = runs.filter((name) => name === block.name).length;
        const { status, text } = await callFrom(origin);
        expect([status, JSON.parse(text).code]).toEqual([403, 'origin-refused']);
        expect(runs.filter((name) => name === block.name)).toHaveLength(before);
      },
    );
  });
});

describe('a server behind a proxy that it trusts', () => {
  const { ask } = serverWith({
    allowHost: 'data.example.org',
    trustProxy: '127.0.0.1',
    allowOrigin: 'https://app.example.org',
  });
  const pageBehind = (said: Record<string, string>) =>
    ask('/api_v2/blocks/rgb-to-color-name?R=1&G=2&B=3', {
      accept: 'text/html',
      'x-forwarded-host': 'data.example.org',
      'x-forwarded-proto': 'https',
      ...said,
    });

  test('shows the address that the proxy was asked for', async () => {
    const { text } = await pageBehind({ 'x-forwarded-prefix': '/open/data/' });
    expect(text).toContain('https://data.example.org/open/data/api_v2/blocks/rgb-to-color-name');
  });

  test('takes the last of several, which its own proxy has added', async () => {
    const { text } = await pageBehind({
      'x-forwarded-host': 'evil.example, data.example.org',
      'x-forwarded-prefix': '/evil, /open',
    });
    expect(text).toContain('https://data.example.org/open/api_v2');
    expect(text).not.toContain('evil');
  });

  test.each([
    { 'x-forwarded-prefix': '//evil' },
    { 'x-forwarded-prefix': '/a b' },
    { 'x-forwarded-prefix': 'x' },
  ])('does not use what is no prefix: %j', async (said) => {
    expect((await pageBehind(said)).text).toContain('https://data.example.org/api_v2/blocks/');
  });

  test('refuses another host that was asked for, as without the proxy', async () => {
    const { status, text } = await pageBehind({ 'x-forwarded-host': 'evil.example' });
    expect([status, JSON.parse(text).code]).toEqual([403, 'host-refused']);
  });

  test.each([
    ['https://data.example.org', 200],
    ['https://app.example.org', 200],
    ['http://data.example.org', 403],
  ])(
    'lets pages of its own address and of ALLOW_ORIGIN call tools: %s, %i',
    async (origin, wanted) => {
      const { headers, body } = messageOf('2026-07-28', { method: 'tools/list' });
      const seen = { 'x-forwarded-host': 'data.example.org', 'x-forwarded-proto': 'https' };
      const { status } = await ask('/mcp', { ...headers, ...seen, origin }, 'POST', body);
      expect(status).toBe(wanted);
    },
  );
});
