import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { block } from '../../functions/rgb-to-color-name/block.ts';
import { serveValue } from '../../src/http/served-block.ts';
import { localAccess } from '../../src/local/local-access.ts';
import { localServer } from '../../src/local/local-server.ts';

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

describe('a server with it', () => {
  const app = serveValue(block, () => ({ name: 'Coral' }));
  const server = localServer([app], { build: 'test', record: () => {}, ...localAccess() });
  let port: number;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const ask = (path: string, headers: Record<string, string>, method = 'GET') =>
    new Promise<{ status?: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
      (resolve, reject) => {
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
        request.end();
      },
    );
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
});
