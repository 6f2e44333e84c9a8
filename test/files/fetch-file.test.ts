import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type http from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { FetchError } from '../../src/fetch/fetch-address.ts';
import { FetchClock, fileBody } from '../../src/fetch/fetch-answer.ts';
import { type FetchOptions, fetchFile } from '../../src/fetch/fetch-file.ts';
import { selfSigned } from '../support/certificate.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT } from '../support/service.ts';
import { NOT_TIMEOUTS } from '../support/test-clock.ts';
import {
  atHome,
  CA,
  type FileServer,
  LOCAL_HTTP_REACH,
  LOCAL_REACH,
  serve,
  serveBytes,
  serveTls,
} from './file-server.ts';

const TEXT = 'id,name\n1,Canton\n2,Fells Point\n';

let folder: string;
let to: string;
const servers: FileServer[] = [];

beforeEach(async () => {
  folder = await temporaryFolder();
  to = path.join(folder, 'data');
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
afterAll(cleanUp);

async function started(server: Promise<FileServer>): Promise<FileServer> {
  const running = await server;
  servers.push(running);
  return running;
}

const tls = (answer: http.RequestListener, given?: Parameters<typeof serveTls>[1]) =>
  started(serveTls(answer, given));

function get(address: string, options: Partial<FetchOptions> = {}) {
  return fetchFile(address, { to, reach: LOCAL_REACH, resolve: atHome, ca: CA, ...options });
}

/** The error of a fetch, which leaves at most a part of its own file. */
async function failure(address: string, options: Partial<FetchOptions> = {}): Promise<FetchError> {
  const error = await get(address, options).then(
    (done) => {
      throw new Error(`Fetched: ${JSON.stringify(done)}`);
    },
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof FetchError)) throw error;
  expect(error.message).not.toMatch(/\n|undefined|null|\[object/);
  expect(readdirSync(folder).filter((name) => name !== 'data')).toEqual([]);
  return error;
}

const withoutPorts = ({ code, message }: FetchError) =>
  `${code} ${message.replace(/:\d{4,5}\//g, '/')}`;

describe('a file', () => {
  test('is written whole, with what its server says of it', async () => {
    const { port, asked } = await tls((_request, response) => {
      response.writeHead(200, {
        'content-length': TEXT.length,
        'content-disposition': 'attachment; filename="inspections.csv"',
        etag: '"v1"',
        'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT',
      });
      response.end(TEXT);
    });
    const address = `https://data.test:${port}/export?format=csv`;
    expect(await get(address)).toEqual({
      etag: '"v1"',
      lastModified: 'Sat, 21 Nov 2026 10:00:00 GMT',
      fileName: 'inspections.csv',
      isEndKnown: true,
    });
    expect(readFileSync(to, 'utf8')).toBe(TEXT);
    expect(readdirSync(folder)).toEqual(['data']);
    expect(asked).toEqual([
      {
        path: '/export?format=csv',
        headers: {
          host: `data.test:${port}`,
          accept: '*/*',
          'accept-encoding': 'gzip',
          'user-agent': 'blockyard',
          connection: 'close',
        },
        servername: 'data.test',
      },
    ]);
  });

  test('of any bytes, in any pieces, packed or not, arrives as it is', async () => {
    let answer: http.RequestListener = () => {};
    const { port } = await started(serve((request, response) => answer(request, response)));
    const pieces = fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(pieces, fc.boolean(), fc.boolean(), async (parts, isGzip, hasLength) => {
        const whole = Buffer.concat(parts);
        const sent = isGzip ? gzipSync(whole) : whole;
        answer = (_request, response) => {
          if (isGzip) response.setHeader('content-encoding', 'gzip');
          if (hasLength) response.setHeader('content-length', sent.length);
          for (const piece of isGzip ? [sent] : parts) response.write(piece);
          response.end();
        };
        await get(`http://data.test:${port}/`, { reach: LOCAL_HTTP_REACH });
        expect(readFileSync(to).equals(whole)).toBe(true);
      }),
      { seed: 31, numRuns: 60 },
    );
  });

  test.each([
    ['', TEXT, false],
    ['Content-Encoding: identity\r\n', TEXT, false],
    ['Content-Encoding: gzip\r\n', gzipSync(TEXT), true],
    [`Content-Length: ${TEXT.length}\r\n`, TEXT, true],
    ['Transfer-Encoding: chunked\r\n', `1f\r\n${TEXT}\r\n0\r\n\r\n`, true],
  ])('with the header %j: its end is known, or not', async (header, body, isEndKnown) => {
    const { port } = await started(
      serveBytes((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n`);
        socket.end(body);
      }),
    );
    const done = await get(`http://data.test:${port}/`, { reach: LOCAL_HTTP_REACH });
    expect(done).toMatchObject({ isEndKnown });
    expect(readFileSync(to, 'utf8')).toBe(TEXT);
  });

  test("is not fetched again if the server says that it is the earlier fetch's", async () => {
    const { port, asked } = await tls((request, response) => {
      response.setHeader('etag', '"v2"');
      response.writeHead(request.headers['if-none-match'] === '"v2"' ? 304 : 200).end();
    });
    const address = `https://data.test:${port}/`;
    const earlier = { etag: '"v2"', lastModified: 'Sat, 21 Nov 2026 10:00:00 GMT' };
    expect(await get(address, { earlier })).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
    expect(asked[0]?.headers).toMatchObject({
      'if-none-match': '"v2"',
      'if-modified-since': earlier.lastModified,
    });
    const changed = { etag: '"v1"', lastModified: 'of an\r\nedited: file' };
    expect(await get(address, { earlier: changed })).toBeDefined();
    expect(asked[1]?.headers['if-modified-since']).toBeUndefined();
  });
});

describe('redirects', () => {
  test('are followed, with what the last answer says, and lead to relative addresses', async () => {
    const { port, asked } = await tls(({ url }, response) => {
      if (url === '/a') response.writeHead(302, { location: `https://other.test:${port}/b` });
      else if (url === '/b') response.writeHead(308, { location: 'c.csv?x=1' });
      response.end(url?.startsWith('/c.csv') ? TEXT : 'elsewhere');
    });
    const done = await get(`https://data.test:${port}/a`, { earlier: { etag: '"v1"' } });
    expect(done).toMatchObject({ fileName: 'c.csv' });
    expect(readFileSync(to, 'utf8')).toBe(TEXT);
    expect(asked.map(({ servername, path }) => [servername, path])).toEqual([
      ['data.test', '/a'],
      ['other.test', '/b'],
      ['other.test', '/c.csv?x=1'],
    ]);
  });

  test('are read as UTF-8, as most servers write them', async () => {
    const { port, asked } = await tls(({ url }, response) => {
      const location = Buffer.from('/straße.csv').toString('latin1');
      if (url === '/') response.writeHead(302, { location });
      response.end(TEXT);
    });
    expect(await get(`https://data.test:${port}/`)).toMatchObject({ fileName: 'straße.csv' });
    expect(asked.map(({ path }) => path)).toEqual(['/', '/stra%C3%9Fe.csv']);
  });

  test.each([301, 302, 303, 307, 308])('%d is one; five of them are followed', async (status) => {
    const { port } = await tls(({ url = '' }, response) => {
      const left = Number(url.slice(1));
      if (left > 0) response.writeHead(status, { location: `/${left - 1}` });
      response.end(TEXT);
    });
    expect(await get(`https://data.test:${port}/5`)).toBeDefined();
    expect(withoutPorts(await failure(`https://data.test:${port}/6`))).toBe(
      'too-many-redirects https://data.test/6: more than 5 redirects; it may want cookies or ' +
        'a login: save the file with a browser and give that file',
    );
  });

  test('to an address that is not public is refused before it is asked', async () => {
    const hidden = await tls((_request, response) => response.end('secret'), {
      address: '127.0.0.2',
    });
    const { port } = await tls((_request, response) =>
      response.writeHead(302, { location: `https://127.0.0.2:${hidden.port}/secret` }).end(),
    );
    expect(withoutPorts(await failure(`https://data.test:${port}/`))).toBe(
      `not-public https://127.0.0.2/secret, to which data.test:${port} redirects: ` +
        'not an address of the public internet; save the file with a browser and give that file',
    );
    expect(hidden.asked).toEqual([]);
  });

  test('to http is refused, even where http is taken', async () => {
    const plain = await started(serve((_request, response) => response.end(TEXT)));
    const { port } = await tls((_request, response) =>
      response.writeHead(301, { location: `http://data.test:${plain.port}/x.csv` }).end(),
    );
    const error = await failure(`https://data.test:${port}/`, { reach: LOCAL_HTTP_REACH });
    expect(withoutPorts(error)).toBe(
      'bad-address https://data.test/: redirects to http://data.test/x.csv, which is not ' +
        'encrypted; save the file with a browser and give that file',
    );
    expect(plain.asked).toEqual([]);
  });

  test.each([
    ['https://user:secret@data.test/', 'bad-address'],
    ['file:///etc/passwd', 'bad-address'],
    ['data:text/csv,id', 'bad-address'],
    ['https://', 'bad-answer'],
    ['', 'bad-answer'],
  ])('to %j is refused', async (location, code) => {
    const { port } = await tls((_request, response) => response.writeHead(302, { location }).end());
    const error = await failure(`https://data.test:${port}/`);
    expect(error.code).toBe(code);
    expect(error.message).not.toContain('secret');
  });
});

describe('addresses', () => {
  test('are asked for once a request, and the connection goes to what was checked', async () => {
    const hidden = await tls((_request, response) => response.end('secret'), {
      address: '127.0.0.2',
    });
    // The same port at the public address, so that only the address tells them apart.
    const { port } = await tls((_request, response) =>
      response.writeHead(302, { location: '/again' }).end(),
    );
    const hosts: string[] = [];
    const rebinding = async (host: string) => {
      hosts.push(host);
      return [hosts.length === 1 ? '127.0.0.1' : '127.0.0.2'];
    };
    const error = await failure(`https://data.test:${port}/`, { resolve: rebinding });
    expect(withoutPorts(error)).toBe(
      `not-public https://data.test/again, to which data.test:${port} redirects: not an address ` +
        'of the public internet (data.test is at "127.0.0.2"); save the file with a browser and ' +
        'give that file',
    );
    expect(hosts).toEqual(['data.test', 'data.test']);
    expect(hidden.asked).toEqual([]);
  });

  test('with a private one among them are all refused', async () => {
    const { port, asked } = await tls((_request, response) => response.end(TEXT));
    const resolve = async () => ['127.0.0.1', '10.0.0.1'];
    expect((await failure(`https://data.test:${port}/`, { resolve })).code).toBe('not-public');
    expect(asked).toEqual([]);
  });

  test('of which one takes no connection leave the next', async () => {
    const { port } = await tls((_request, response) => response.end(TEXT));
    const reach = { ...LOCAL_REACH, takesAddress: () => true };
    const resolve = async () => ['127.0.0.3', '127.0.0.1'];
    await get(`https://data.test:${port}/`, { reach, resolve });
    expect(readFileSync(to, 'utf8')).toBe(TEXT);
  });

  test.each([
    ['http://data.test/', 'bad-address', 'http is not encrypted; try the same address with https'],
    ['ftp://data.test/', 'bad-address', 'ftp: is not fetched; expected an address'],
    ['file:///etc/passwd', 'bad-address', 'file: is not fetched'],
    ['javascript:alert(1)', 'bad-address', 'javascript: is not fetched'],
    ['https://ann@data.test/', 'bad-address', 'an address with a user or password'],
    ['https://:pw@data.test/', 'bad-address', 'an address with a user or password'],
    ['https://data.test:8443/', 'bad-address', 'port 8443 is not fetched from'],
    ['https://data.test:22/', 'bad-address', 'port 22 is not fetched from'],
    ['inspections.csv', 'bad-address', 'not an address; expected one such as'],
    ['https://ann:pw@', 'bad-address', 'not an address; expected one such as'],
    ['https://127.0.0.1/', 'not-public', 'not an address of the public internet;'],
    ['https://127.1/', 'not-public', 'not an address of the public internet;'],
    ['https://0x7f.1/', 'not-public', 'not an address of the public internet;'],
    ['https://0177.0.0.1/', 'not-public', 'not an address of the public internet;'],
    ['https://2130706433/', 'not-public', 'not an address of the public internet;'],
    ['https://１２７。0。0。1/', 'not-public', 'not an address of the public internet;'],
    ['https://0/', 'not-public', 'not an address of the public internet;'],
    ['https://169.254.169.254/latest/', 'not-public', 'not an address of the public internet;'],
    ['https://[::1]/', 'not-public', 'not an address of the public internet;'],
    ['https://[::]/', 'not-public', 'not an address of the public internet;'],
    ['https://[::ffff:127.0.0.1]/', 'not-public', 'not an address of the public internet;'],
    ['https://[::127.0.0.1]/', 'not-public', 'not an address of the public internet;'],
    ['https://[64:ff9b::7f00:1]/', 'not-public', 'not an address of the public internet;'],
    ['https://[fd00:ec2::254]/', 'not-public', 'not an address of the public internet;'],
    ['https://[fe80::1]/', 'not-public', 'not an address of the public internet;'],
    ['https://[2002:7f00:1::]/', 'not-public', 'not an address of the public internet;'],
    ['https://data.test/', 'not-public', '(data.test is at "10.0.0.1")'],
    ['https://DATA.test./', 'not-public', '(data.test. is at "10.0.0.1")'],
  ])('%s: %s, unless told otherwise', async (address, code, part) => {
    const options = { to, resolve: async () => ['10.0.0.1'] };
    const error = await fetchFile(address, options).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringContaining(part) });
    expect(String(error)).not.toMatch(/pw|ann@/);
  });

  test('of the same machine are not reached by their name', async () => {
    const { port, asked } = await tls((_request, response) => response.end(TEXT));
    const reach = { ...LOCAL_REACH, takesAddress: () => false };
    const error = await fetchFile(`https://localhost:${port}/`, { to, reach, ca: CA }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'not-public' });
    expect(asked).toEqual([]);
  });

  test('that are IP addresses, and names that end in a dot, have their certificates', async () => {
    const { port, asked } = await tls((_request, response) => response.end(TEXT));
    await get(`https://127.0.0.1:${port}/`);
    await get(`https://dotted.test.:${port}/`);
    expect(asked.map(({ servername }) => servername)).toEqual([false, 'dotted.test']);
  });

  test.each([
    ['nobody', []],
    ['words', ['localhost']],
    ['an empty text', ['']],
  ])('that DNS gives as %s are refused', async (_what, addresses) => {
    const error = await failure('https://data.test/', { resolve: async () => addresses });
    expect(['no-such-host', 'not-public']).toContain(error.code);
  });

  test('that do not exist are told as such', async () => {
    const resolve = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    };
    expect(withoutPorts(await failure('https://data.test/x.csv', { resolve }))).toBe(
      'no-such-host https://data.test/x.csv: there is no host of this name; check the name, and ' +
        'that this machine is online',
    );
  });
});

describe('certificates', () => {
  const day = 24 * 3600_000;
  const from = new Date(Date.now() - 3 * day);
  test.each([
    ['has expired', { names: ['data.test'], from, until: new Date(Date.now() - day) }],
    ['is not valid yet', { names: ['data.test'], from: new Date(Date.now() + day / 2) }],
    ['is for another name', { names: ['elsewhere.test'] }],
  ])('one that %s is refused', async (words, wanted) => {
    const certificate = selfSigned(wanted);
    const { port, asked } = await tls((_request, response) => response.end(TEXT), { certificate });
    const error = await failure(`https://data.test:${port}/`, { ca: certificate.cert });
    expect(error).toMatchObject({
      code: 'bad-certificate',
      message: expect.stringContaining(`the server's certificate ${words}`),
    });
    expect(asked).toEqual([]);
  });

  test('one of no known authority is refused', async () => {
    const { port, asked } = await tls((_request, response) => response.end(TEXT));
    const other = selfSigned({ names: ['data.test'] }).cert;
    const error = await failure(`https://data.test:${port}/`, { ca: other });
    expect(error).toMatchObject({
      code: 'bad-certificate',
      message: expect.stringContaining('no authority known here has signed'),
    });
    expect(asked).toEqual([]);
  });

  test('it is, and its server is asked without a proxy, whatever the environment says', async () => {
    const { port, asked } = await tls((_request, response) => response.end(TEXT));
    const program = `
      import { fetchFile } from './src/fetch/fetch-file.ts';
      import { LOCAL_REACH as reach } from './test/files/file-server.ts';
      const address = 'https://127.0.0.1:${port}/';
      await fetchFile(address, { to: ${JSON.stringify(to)}, reach }).catch(({ code }) => console.log(code));
    `;
    const proxy = 'http://127.0.0.1:1';
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', program],
      {
        cwd: ROOT,
        env: {
          PATH: process.env.PATH,
          NODE_TLS_REJECT_UNAUTHORIZED: '0',
          NODE_USE_ENV_PROXY: '1',
          HTTPS_PROXY: proxy,
          https_proxy: proxy,
        },
      },
    );
    expect(stdout).toBe('bad-certificate\n');
    expect(asked).toEqual([]);
  });

  test('a server without TLS is told as such', async () => {
    const { port } = await started(serve((_request, response) => response.end(TEXT)));
    const error = await failure(`https://data.test:${port}/`);
    expect(error).toMatchObject({
      code: 'bad-answer',
      message: expect.stringContaining('no encrypted connection can be made'),
    });
  });
});

describe('bounds', () => {
  const BIG = Buffer.alloc(200_000, 'a');

  test.each([
    ['that says its length', { 'content-length': String(BIG.length) }, BIG],
    ['in pieces', {}, BIG],
    ['packed', { 'content-encoding': 'gzip' }, gzipSync(BIG)],
  ])(
    'a file %s of more than the most bytes is refused, and of as many taken',
    async (_how, headers, sent) => {
      const { port } = await tls((_request, response) => {
        response.writeHead(200, headers as Record<string, string>);
        response.write(sent);
        response.end();
      });
      const address = `https://data.test:${port}/`;
      expect(withoutPorts(await failure(address, { mostBytes: BIG.length - 1 }))).toBe(
        'too-large https://data.test/: more than 199,999 bytes, the most that is fetched; save the ' +
          'file with a browser and give that file',
      );
      await get(address, { mostBytes: BIG.length });
      expect(readFileSync(to)).toHaveLength(BIG.length);
    },
  );

  test('a length above the most is refused before anything of the file is read', async () => {
    const { port } = await tls((_request, response) => {
      response.writeHead(200, { 'content-length': '1000000' }).flushHeaders();
    });
    const error = await failure(`https://data.test:${port}/`, { mostBytes: 999_999 });
    expect(error.code).toBe('too-large');
  });

  test('a bomb is cut off as it unpacks: 50 MB in 50 KB', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20));
    const { port } = await tls((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const error = await failure(`https://data.test:${port}/`, { mostBytes: 2 ** 20 });
    expect(error.code).toBe('too-large');
  });

  test('packed bytes that unpack to nothing are counted too', async () => {
    const nothing = gzipSync('');
    const { port } = await tls((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const write = () => {
        while (!response.destroyed && response.write(nothing));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    const error = await failure(`https://data.test:${port}/`, { mostBytes: 100_000 });
    expect(error.code).toBe('too-large');
  });

  test('headers of more than 16 KB are refused', async () => {
    const { port } = await tls((_request, response) => {
      response.writeHead(200, { 'x-long': 'a'.repeat(17_000) }).end(TEXT);
    });
    expect(withoutPorts(await failure(`https://data.test:${port}/`))).toBe(
      "bad-answer https://data.test/: the answer's headers are too long; save the file with a " +
        'browser and give that file',
    );
  });

  test('a server that answers nothing is waited for only so long', async () => {
    const { port } = await tls(() => {});
    expect(withoutPorts(await failure(`https://data.test:${port}/`, { headersMs: 100 }))).toBe(
      'too-slow https://data.test/: no answer within 0.1 s; try again later, or save the file ' +
        'with a browser and give that file',
    );
  });

  test('so is a server that sends its headers byte by byte, and one that never greets', async () => {
    const drip = await started(
      serveBytes((socket) => {
        const timer = setInterval(() => socket.write('X'), 10);
        socket.on('close', () => clearInterval(timer));
        socket.write('HTTP/1.1 200 OK\r\nX: ');
      }),
    );
    const mute = await started(serveBytes(() => {}));
    const options = { headersMs: 150, reach: LOCAL_HTTP_REACH };
    expect((await failure(`http://data.test:${drip.port}/`, options)).code).toBe('too-slow');
    expect((await failure(`https://data.test:${mute.port}/`, options)).code).toBe('too-slow');
  });

  test('so is DNS', async () => {
    const options = { headersMs: 50, resolve: () => new Promise<string[]>(() => {}) };
    expect((await failure('https://data.test/', options)).code).toBe('too-slow');
  });

  test('so is each piece of a file', async () => {
    const { port } = await tls((_request, response) => {
      response.write(TEXT);
    });
    expect(withoutPorts(await failure(`https://data.test:${port}/`, { idleMs: 100 }))).toBe(
      'too-slow https://data.test/: nothing came for 0.1 s in the middle of the file; try again ' +
        'later',
    );
  });

  test('as long as pieces come, the wait for the next one begins anew', async () => {
    const pieces = Readable.from(['a', 'b', 'c', 'd', 'e']);
    const answer = Object.assign(pieces, { headers: {} }) as unknown as http.IncomingMessage;
    jest.useFakeTimers({ doNotFake: NOT_TIMEOUTS });
    try {
      const clock = new FetchClock(10_000, () => new Error('late'));
      let read = '';
      for await (const piece of fileBody(answer, '', { mostBytes: 9, idleMs: 100, clock })) {
        read += piece;
        jest.advanceTimersByTime(60);
      }
      expect([read, clock.signal.aborted]).toEqual(['abcde', false]);
      clock.stop();
    } finally {
      jest.useRealTimers();
    }
  });

  test('a file that comes drop by drop ends with the deadline', async () => {
    const { port } = await tls((_request, response) => {
      const timer = setInterval(() => response.write('a'), 10);
      response.on('close', () => clearInterval(timer));
    });
    const options = { deadlineMs: 300, idleMs: 60_000 };
    expect(withoutPorts(await failure(`https://data.test:${port}/`, options))).toBe(
      'too-slow https://data.test/: not done within 0.3 s; try again later, or save the file ' +
        'with a browser and give that file',
    );
  });
});

describe('an answer', () => {
  test.each([
    [202, 'the server is still making the file; try again in a few minutes'],
    [204, 'not a file; save the file with a browser and give that file'],
    [206, 'not a file; save the file with a browser and give that file'],
    [300, 'not a file; save the file with a browser and give that file'],
    [304, 'not a file; save the file with a browser and give that file'],
    [401, 'the server wants a login; save the file with a browser and give that file'],
    [403, 'the server does not give this file to programs, or wants a login; save the file with'],
    [404, 'no file has this address; check it'],
    [410, "the file is gone; look for its new address on the publisher's site"],
    [418, 'not a file; save the file with a browser and give that file'],
    [429, 'too many requests; try again later'],
    [500, 'a fault of the server; try again later'],
    [503, 'a fault of the server; try again later'],
  ])('of status %d is not the file', async (status, reason) => {
    const { port } = await tls((_request, response) => response.writeHead(status).end());
    const error = await failure(`https://data.test:${port}/a/b.csv?token=secret`);
    expect(withoutPorts(error)).toContain(
      `refused https://data.test/a/b.csv: status ${status}: ${reason}`,
    );
    expect(error.message).not.toContain('secret');
  });

  test.each([
    ['breaks off', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nid,na'],
    ['breaks off in pieces', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nid,na\r\n'],
    ['breaks off before it begins', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'],
    ['is nothing', ''],
  ])('that %s is not the file', async (_how, sent) => {
    const { port } = await started(serveBytes((socket) => socket.end(sent)));
    const options = { reach: LOCAL_HTTP_REACH };
    expect(withoutPorts(await failure(`http://data.test:${port}/`, options))).toBe(
      'broken-off http://data.test/: the connection broke off; try again',
    );
  });

  test.each([
    ['of another coding', 'br', Buffer.from(TEXT), 'bad-answer'],
    ['of two codings', 'gzip, gzip', gzipSync(gzipSync(TEXT)), 'bad-answer'],
    ['that is no gzip', 'gzip', Buffer.from(TEXT), 'bad-answer'],
    ['whose gzip is cut off', 'gzip', gzipSync(randomBytes(1000)).subarray(0, 500), 'broken-off'],
    ['whose gzip is damaged', 'gzip', damaged(gzipSync(randomBytes(1000))), 'bad-answer'],
  ])('%s is not the file', async (_how, coding, sent, code) => {
    const { port } = await tls((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(sent);
    });
    expect((await failure(`https://data.test:${port}/`)).code).toBe(code);
  });

  function damaged(bytes: Buffer): Buffer {
    const copy = Buffer.from(bytes);
    copy.fill(copy[500] === 0 ? 1 : 0, 500, 501);
    return copy;
  }

  test.each(['identity', 'x-gzip', 'GZIP'])('coded as %s is unpacked', async (coding) => {
    const { port } = await tls((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding });
      response.end(coding === 'identity' ? TEXT : gzipSync(TEXT));
    });
    await get(`https://data.test:${port}/`);
    expect(readFileSync(to, 'utf8')).toBe(TEXT);
  });

  test.each([
    ['garbage', '\x16\x03\x01\x00garbage\r\n\r\n'],
    [
      'a protocol that was not asked for',
      'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    ],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a length below zero', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nab'],
  ])('that is %s is refused', async (_what, sent) => {
    const { port } = await started(serveBytes((socket) => socket.end(sent)));
    const options = { reach: LOCAL_HTTP_REACH };
    const error = await failure(`http://data.test:${port}/`, options);
    expect(['bad-answer', 'broken-off']).toContain(error.code);
  });

  test('damaged anywhere is the file, or a FetchError', async () => {
    const packed = gzipSync(TEXT);
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`;
    const whole = Buffer.concat([Buffer.from(head), packed]);
    let sent: Uint8Array = whole;
    const { port } = await started(serveBytes((socket) => socket.end(sent)));
    const edit = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        sent = Buffer.from(whole);
        for (const [place, byte] of edits) sent[place] = byte;
        const options = { reach: LOCAL_HTTP_REACH, headersMs: 2000, idleMs: 2000 };
        const outcome = await get(`http://data.test:${port}/`, options).catch((error) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(FetchError);
        expect(readdirSync(folder).filter((name) => name !== 'data')).toEqual([]);
      }),
      { seed: 32, numRuns: 300 },
    );
  });
});

test('a folder that is not there is told by the disk', async () => {
  const { port } = await tls((_request, response) => response.end(TEXT));
  const options = { to: path.join(folder, 'none', 'data') };
  await expect(get(`https://data.test:${port}/`, options)).rejects.toMatchObject({
    code: 'ENOENT',
  });
});
