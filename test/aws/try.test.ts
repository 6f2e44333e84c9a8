import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { command } from '../support/command.ts';
import { cleanUp, startServer, temporaryFolder } from '../support/process.ts';
import { ROOT, type Service, startService } from '../support/service.ts';
import { tryService } from './try.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
  await cleanUp();
});

const proxies: { close(): void }[] = [];
afterEach(() => {
  for (const proxy of proxies.splice(0)) proxy.close();
});

type Change = (from: IncomingMessage, to: ServerResponse, asked: IncomingMessage) => void;

/** Something between the caller and the service: what API Gateway might do there. */
async function through(
  change: Change,
  refuse: (asked: IncomingMessage, to: ServerResponse) => boolean = () => false,
): Promise<string> {
  const proxy = createServer((asked, to) => {
    if (refuse(asked, to)) {
      asked.resume();
      return;
    }
    const { method, headers, url: path } = asked;
    const { hostname, port, host } = new URL(service.url);
    const sent = request(
      { hostname, port, method, path, headers: { ...headers, host } },
      (answered) => change(answered, to, asked),
    );
    sent.on('error', () => {
      if (!to.headersSent) to.destroy();
    });
    asked.pipe(sent);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  proxies.push({
    close: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

const pass: Change = (from, to) => {
  to.writeHead(from.statusCode ?? 500, from.headers);
  from.pipe(to);
};

function problem(to: ServerResponse, status: number, code: string, headers: object = {}): void {
  to.writeHead(status, {
    ...{ 'X-Run-Id': crypto.randomUUID(), 'Access-Control-Allow-Origin': '*', ...headers },
  });
  to.end(JSON.stringify({ code, errors: [] }));
}

/** How many answers differed, and what was asked in them. */
async function tried(url: string, key?: string) {
  const lines: string[] = [];
  const different = await tryService(url, key, (line) => lines.push(line));
  const named = lines.flatMap((line) => /^\s*\d+ (.*): DIFFERENT$/.exec(line)?.[1] ?? []);
  expect(different).toBe(named.length);
  return { named, lines };
}

test('npm start answers each question as it is expected, by one command that ends with 0', async () => {
  const server = await startServer({ DATA_DIR: await temporaryFolder() });
  const words = ['run', '--silent', 'try:aws', '--', server.url];
  const { code, output } = await command('npm', words, { cwd: ROOT, env: process.env });
  server.kill('SIGTERM');
  await server.ended();
  expect(output).toMatch(/\n29 as expected, 0 different, 1 not tried here\.\n/);
  expect(code).toBe(0);
  const asked = output.match(/^\s*\d+ .*: (?:as expected|not tried)$/gm) ?? [];
  expect(asked).toHaveLength(30);
  for (const member of ['expected', 'came', 'document']) {
    expect(output.match(new RegExp(`^ {3}${member}: .+$`, 'gm'))).toHaveLength(30);
  }
});

test('an address that is none, or that no server answers at, ends it with 2 and a line', async () => {
  for (const url of ['nothing', 'http://127.0.0.1:9']) {
    const words = ['run', '--silent', 'try:aws', '--', url];
    const { code, output } = await command('npm', words, { cwd: ROOT, env: process.env });
    expect([code, output.trim().split('\n').length]).toEqual([2, 1]);
  }
});

describe('what differs is named', () => {
  test('a Content-Encoding that is lost on the way', async () => {
    const url = await through((from, to) => {
      const { 'content-encoding': _, ...headers } = from.headers;
      to.writeHead(from.statusCode ?? 500, headers);
      from.pipe(to);
    });
    expect((await tried(url)).named).toEqual([
      'a page that is compressed in a stream (Accept-Encoding: gzip)',
    ]);
  });

  test('a download that is cut, and bytes that are changed to text', async () => {
    const url = await through((from, to, { url: path = '' }) => {
      const isWhole = path.includes('_limit');
      if (!isWhole && path.includes('_format=ndjson')) {
        to.writeHead(200, { 'Transfer-Encoding': 'chunked', 'X-Run-Id': 'a' });
        from.once('data', (piece) => to.write(piece.subarray(0, 99), () => to.destroy()));
        return;
      }
      if (!path.includes('_format=parquet')) return pass(from, to, from);
      to.writeHead(200);
      from.setEncoding('ascii');
      from.on('data', (text) => to.write(`?${text}`));
      from.on('end', () => to.end());
    });
    expect((await tried(url)).named).toEqual(['all rows as NDJSON', 'Parquet, as bytes']);
  });

  test('at AWS, a HEAD that says 0 bytes; anywhere, a 500 where an address has nothing', async () => {
    const url = await through((from, to, { method, url: path }) => {
      if (path === '/api_v2/blocks') to.setHeader('x-amz-apigw-id', 'a');
      const { 'transfer-encoding': _, ...headers } = from.headers;
      if (method === 'HEAD') to.writeHead(200, { ...headers, 'content-length': '0' }).end();
      else if (path === '/nothing-is-here') to.writeHead(500).end();
      else pass(from, to, from);
    });
    expect((await tried(url)).named).toEqual(
      expect.arrayContaining(['HEAD of a page', 'an address that nothing is at']),
    );
  });

  test('at AWS, what its documents say and the service does not', async () => {
    const url = await through((from, to) => {
      to.setHeader('x-amz-apigw-id', 'a');
      pass(from, to, from);
    });
    expect((await tried(url)).named).toEqual([
      'a raw ; in a query',
      'a raw | in a query',
      'a raw { in a query',
    ]);
  });
});

describe('a service with keys', () => {
  const KEY = 'a-key-of-the-test';
  const asksForKeys = () =>
    through(pass, ({ method, headers }, to) => {
      const { 'x-api-key': key } = headers;
      if (method === 'OPTIONS' || key === KEY) return false;
      if (key === undefined) problem(to, 401, 'key-missing');
      else problem(to, 403, 'key-refused');
      return true;
    });

  test('is asked with the key of the environment, and without one where it should refuse', async () => {
    expect((await tried(await asksForKeys(), KEY)).named).toEqual([]);
  });

  test('is not asked without a key: a line says where it goes', async () => {
    await expect(tried(await asksForKeys())).rejects.toThrow('BLOCKYARD_KEY');
  });

  test('differs if a page of another origin cannot read why it is refused', async () => {
    const url = await through(pass, ({ headers }, to) => {
      if (headers['x-api-key'] === KEY) return false;
      problem(to, 401, 'key-missing', { 'Access-Control-Allow-Origin': 'null' });
      return true;
    });
    expect((await tried(url, KEY)).named).toEqual([
      'a request without a key, by a page of another origin',
      'a request with a wrong key',
      "a browser's OPTIONS without a key",
    ]);
  });
});

test('a throttle is as expected in our words, and different in others', async () => {
  for (const [headers, named] of [
    [{ 'Retry-After': '1' }, []],
    [{}, ['150 requests at once']],
  ] as const) {
    let count = 0;
    const url = await through(pass, ({ url: path = '' }, to) => {
      if (!/_limit=1$/.test(path) || ++count < 100) return false;
      problem(to, 429, 'too-many-requests', headers);
      return true;
    });
    expect((await tried(url)).named).toEqual(named);
  }
});
