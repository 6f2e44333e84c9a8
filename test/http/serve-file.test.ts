import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Random, seededRandom, wholeNumber } from '../../bench/data/seeded-random.ts';
import { fileKindsOf, type VersionFiles } from '../../src/formats/files.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serviceOf } from '../../src/http/service.ts';
import { KeptFiles } from '../../src/local/kept-files.ts';
import type { Row } from '../../src/values/field-type.ts';
import { SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { HOSTILE_ROWS, hostileBlock, hostileDataset } from '../support/hostile-dataset.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { readParquet } from '../support/read-parquet.ts';
import { requestOf } from '../support/request-of.ts';
import { tinyBlock } from '../support/tiny-block.ts';

const { manifest } = hostileDataset;
const BLOCK = `/api_v2/blocks/${hostileBlock.name}`;
const CURRENT = `${BLOCK}.csv`;
const ofVersion = (extension: string, version = manifest.version) =>
  `${BLOCK}/files/${version}.${extension}`;
const KINDS = fileKindsOf(hostileBlock.formats).map(({ extension }) => extension);

let request: ReturnType<typeof requestOf>;
/** What a service of these rows answers, with files in a folder of its own. */
async function serving(
  block: Parameters<typeof makeDataset>[0],
  rows: readonly Row[],
): Promise<typeof request> {
  const made = makeDataset(block, rows, { title: 'Made by a test' });
  const files = new KeptFiles({ folder: await temporaryFolder(), code: 'a test' });
  const served = serveDataset(
    { block, manifest: made.manifest, store: memoryRows(block.fields, made.rows) },
    { profile: () => made.profile, files: files.of(block, made.manifest) },
  );
  const publication = { address: () => 'http://localhost/' };
  return requestOf(serviceOf(blockRoutes(served), { ...SETTINGS, publication }));
}

/** All bytes of the file that the tests of ranges ask for. */
let whole: Buffer;
let etag: string;
beforeAll(async () => {
  request = await serving(hostileBlock, HOSTILE_ROWS);
  const answer = await request(CURRENT);
  whole = Buffer.from(await answer.arrayBuffer());
  etag = answer.headers.get('etag') ?? '';
});
afterAll(cleanUp);

const get = (headers: Record<string, string>, address = CURRENT, method = 'GET') =>
  request(address, { method, headers });
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
const headersOf = ({ headers }: Response, names: readonly string[]) =>
  names.map((name) => headers.get(name));

test('there is a file for each format with rows alone, and NDJSON also by gzip', () => {
  expect(KINDS).toEqual(expect.arrayContaining(['csv', 'ndjson', 'ndjson.gz', 'parquet']));
  expect(KINDS).not.toContain('json');
});

describe('a file has all rows, with the values of JSON', () => {
  const all = async () => {
    const answer = await request(BLOCK, { method: 'POST', body: '{"_limit":1000}' });
    return (await answer.json()).params.results as Row[];
  };

  test('NDJSON, and compressed by gzip', async () => {
    const plain = await bytesOf(await get({}, `${BLOCK}.ndjson`));
    const rows = plain.toString().trimEnd().split('\n');
    expect(rows.map((row) => JSON.parse(row))).toEqual(await all());
    const packed = await get({}, `${BLOCK}.ndjson.gz`);
    expect(headersOf(packed, ['content-type', 'content-encoding'])).toEqual([
      'application/gzip',
      null,
    ]);
    expect(gunzipSync(await bytesOf(packed)).equals(plain)).toBe(true);
  });

  test('CSV has texts as they are, also those that a spreadsheet would run', async () => {
    expect(whole.toString()).toContain('\r\n=1+1,');
    const raw = await request(`${BLOCK}?_format=csv&_raw=true`);
    expect((await bytesOf(raw)).equals(whole)).toBe(true);
  });

  test('Parquet', async () => {
    const bytes = await bytesOf(await get({}, `${BLOCK}.parquet`));
    const asked = await bytesOf(await request(`${BLOCK}?_format=parquet`));
    expect(await readParquet(bytes)).toEqual(await readParquet(asked));
  });

  test('a dataset without rows has them too', async () => {
    const none = await serving(tinyBlock, []);
    const answer = await none('/api_v2/blocks/tiny.ndjson', { headers: { range: 'bytes=0-' } });
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '0']);
  });
});

test('all who ask at first wait for one writing, and it goes on if they leave', async () => {
  const made = makeDataset(tinyBlock, [{ street: 'a', number: 1 }], { title: 'Made by a test' });
  const store = memoryRows(tinyBlock.fields, made.rows);
  let read = 0;
  const counted = Object.assign(Object.create(store), {
    rest: (...asked: Parameters<typeof store.rest>) => {
      read++;
      return store.rest(...asked);
    },
  });
  const files = new KeptFiles({ folder: await temporaryFolder(), code: 'a test' });
  const served = serveDataset(
    { block: tinyBlock, manifest: made.manifest, store: counted },
    { files: files.of(tinyBlock, made.manifest) },
  );
  const service = serviceOf(blockRoutes(served), SETTINGS);
  const [staying, leaving] = [requestOf(service), requestOf(service, { isGone: () => true })];
  const answers = await Promise.all([
    leaving('/api_v2/blocks/tiny.csv'),
    staying('/api_v2/blocks/tiny.csv', { method: 'HEAD' }),
    staying('/api_v2/blocks/tiny.csv', { headers: { range: 'bytes=0-5' } }),
    staying('/api_v2/blocks/tiny.csv'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 206, 200]);
  expect(answers[1]?.headers.get('content-length')).toBe('20');
  expect(read).toBe(1);
});

describe('the address of a file', () => {
  test.each(KINDS)(
    'of the current version is to be asked again, and one of a version is kept for a year: %s',
    async (kind) => {
      const current = await get({}, `${BLOCK}.${kind}`);
      const kept = await get({}, ofVersion(kind));
      expect(current.headers.get('cache-control')).toBe('no-cache');
      expect(kept.headers.get('cache-control')).toBe('max-age=31536000, immutable');
      const same = ['etag', 'content-length', 'content-type', 'accept-ranges', 'x-total-count'];
      expect(headersOf(kept, same)).toEqual(headersOf(current, same));
      expect(headersOf(kept, ['accept-ranges', 'x-total-count'])).toEqual([
        'bytes',
        String(HOSTILE_ROWS.length),
      ]);
      expect(kept.headers.get('content-disposition')).toBe(
        `attachment; filename="${hostileBlock.name}-${manifest.version}.${kind}"`,
      );
      expect((await bytesOf(kept)).equals(await bytesOf(current))).toBe(true);
    },
  );

  test('of the current version says which one that is', async () => {
    const { headers } = await get({}, CURRENT, 'HEAD');
    const place = new URL(headers.get('content-location') ?? '', `http://localhost${CURRENT}`);
    expect(place.pathname).toBe(ofVersion('csv'));
    expect((await get({}, place.pathname)).headers.get('content-location')).toBe(null);
  });

  test('takes the id of the block too', async () => {
    const other = await get({}, `/api_v2/blocks/${hostileBlock.id}.csv`);
    expect(other.headers.get('etag')).toBe(etag);
  });

  test('of a version that is not kept is a 410 that leads to the current one', async () => {
    const gone = await get({}, ofVersion('csv', '0123456789abcdef0123'));
    expect(gone.status).toBe(410);
    const problem = await gone.json();
    expect(problem.code).toBe('version-expired');
    expect(problem.detail).toContain(ofVersion('csv'));
    const [, link] = /^<(.+)>; rel="latest-version"$/.exec(gone.headers.get('link') ?? '') ?? [];
    expect(new URL(link ?? '', `http://localhost${ofVersion('csv', '0')}`).pathname).toBe(
      ofVersion('csv'),
    );
  });

  test('of a version that is not kept is a page for a person', async () => {
    const gone = await get({ accept: 'text/html' }, ofVersion('csv', '0123456789abcdef0123'));
    expect([gone.status, gone.headers.get('content-type')]).toEqual([
      410,
      'text/html; charset=utf-8',
    ]);
    expect(await gone.text()).toContain(ofVersion('csv'));
  });

  test.each([
    ofVersion('csv', 'no-version'),
    ofVersion('txt'),
    ofVersion('geojson'),
    `${BLOCK}/files`,
    `${BLOCK}.geojson`,
  ])('that does not exist is a 404: %s', async (address) => {
    expect((await get({}, address)).status).toBe(404);
  });

  test('takes no filters, and says so', async () => {
    const answer = await get({}, `${CURRENT}?place=x`);
    expect([answer.status, (await answer.json()).errors]).toMatchObject([
      400,
      [{ code: 'unknown-parameter', parameter: 'place' }],
    ]);
    expect((await get({}, `${CURRENT}?api_key=x`)).status).toBe(200);
  });

  test('takes no POST', async () => {
    const answer = await get({}, CURRENT, 'POST');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('a HEAD', () => {
  test.each(KINDS)('has the headers of the GET, and no bytes: %s', async (kind) => {
    const [read, head] = [await get({}, ofVersion(kind)), await get({}, ofVersion(kind), 'HEAD')];
    const bytes = await bytesOf(read);
    const without = ({ headers }: Response) =>
      [...headers].filter(([name]) => !['server-timing', 'x-run-id'].includes(name));
    expect([head.status, without(head)]).toEqual([200, without(read)]);
    expect(head.headers.get('content-length')).toBe(String(bytes.length));
    expect((await bytesOf(head)).length).toBe(0);
  });

  test('knows no ranges, which are of a GET alone', async () => {
    const head = await get({ range: 'bytes=0-9' }, CURRENT, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.length)]);
  });
});

describe('a range', () => {
  /** A range, and the bytes that it means, by slicing. */
  function made(random: Random): { range: string; bytes: Buffer; from: number } {
    const size = whole.length;
    const near = () =>
      [0, 1, size - 1, size, size + 1, 2 * size, 9e15][wholeNumber(random, 0, 6)] as number;
    const position = () => (random() < 0.5 ? near() : wholeNumber(random, 0, size + 10));
    const [a, b] = [position(), position()];
    const kind = wholeNumber(random, 0, 2);
    if (kind === 0) return { range: `bytes=${a}-`, bytes: whole.subarray(a), from: a };
    if (kind === 1) {
      const bytes = a === 0 ? Buffer.alloc(0) : whole.subarray(-a);
      return { range: `bytes=-${a}`, bytes, from: size - bytes.length };
    }
    return { range: `bytes=${a}-${b}`, bytes: whole.subarray(a, Math.max(a, b + 1)), from: a };
  }

  test('has the bytes that slicing the whole has, and says which: 2,000 made at random', async () => {
    const random = seededRandom(61);
    const statuses = new Map<number, number>();
    for (let tried = 0; tried < 2000; tried++) {
      const { range, bytes, from } = made(random);
      const answer = await get({ range });
      const [length, type] = headersOf(answer, ['content-length', 'content-range']);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (bytes.length === 0) {
        expect([range, answer.status, type]).toEqual([range, 416, `bytes */${whole.length}`]);
        continue;
      }
      const to = from + bytes.length - 1;
      expect([range, answer.status, length, type, answer.headers.get('etag')]).toEqual([
        range,
        206,
        String(bytes.length),
        `bytes ${from}-${to}/${whole.length}`,
        etag,
      ]);
      expect((await bytesOf(answer)).equals(bytes)).toBe(true);
    }
    expect(Math.min(statuses.get(206) ?? 0, statuses.get(416) ?? 0)).toBeGreaterThan(300);
  });

  test('goes on with a download that was cut at any byte', async () => {
    const random = seededRandom(206);
    for (let tried = 0; tried < 50; tried++) {
      let got = Buffer.alloc(0);
      while (got.length < whole.length) {
        const headers = { range: `bytes=${got.length}-`, 'if-range': etag };
        const rest = await bytesOf(await get(headers));
        got = Buffer.concat([got, rest.subarray(0, wholeNumber(random, 1, rest.length))]);
      }
      expect(got.equals(whole)).toBe(true);
    }
  });

  test.each([
    ['several', 'bytes=0-9,20-29'],
    ['another unit', 'rows=0-9'],
    ['none', 'bytes='],
  ])('that is %s is answered with the whole', async (_, range) => {
    const answer = await get({ range });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([200, null]);
    expect((await bytesOf(answer)).equals(whole)).toBe(true);
  });

  test.each([
    'bytes=9-5',
    'bytes=a-b',
    'bytes=-',
    'bytes=--1',
    'bytes=1',
    'bytes=0x1-2',
    'bytes=99999999999999999999-',
  ])('that is not valid is a 416, as by nginx: %s', async (range) => {
    const answer = await get({ range });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([
      416,
      `bytes */${whole.length}`,
    ]);
    expect((await answer.json()).code).toBe('range-refused');
  });

  test('is of the bytes of the file, whatever encodings are accepted', async () => {
    const answer = await get({ range: 'bytes=5-5000', 'accept-encoding': 'gzip, br, zstd' });
    expect(headersOf(answer, ['content-encoding', 'vary'])).toEqual([null, null]);
    expect((await bytesOf(answer)).equals(whole.subarray(5, 5001))).toBe(true);
  });

  test('of the file that If-Range names, else the whole', async () => {
    const range = 'bytes=0-9';
    const status = async (ifRange: string) => (await get({ range, 'if-range': ifRange })).status;
    expect(await status(etag)).toBe(206);
    expect(await status('"another"')).toBe(200);
    expect(await status(`W/${etag}`)).toBe(200);
    expect(await status('Sat, 28 Nov 2026 20:00:00 GMT')).toBe(200);
  });
});

describe('a condition', () => {
  test('the ETag is strong, the same for every way to ask, and another for another file', async () => {
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    const etags = await Promise.all(
      KINDS.map(async (kind) => (await get({}, ofVersion(kind), 'HEAD')).headers.get('etag')),
    );
    expect(new Set(etags).size).toBe(KINDS.length);
    expect(etags[0]).toBe(etag);
  });

  test('If-None-Match: who has the file gets a 304, also for a range', async () => {
    for (const more of [[], [['range', 'bytes=0-9']]]) {
      const answer = await get(Object.fromEntries([['if-none-match', etag], ...more]));
      expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([
        304,
        etag,
        '',
      ]);
    }
    expect((await get({ 'if-none-match': '"another"' })).status).toBe(200);
  });

  test('If-Match: who asks for another file gets a 412', async () => {
    const answer = await get({ 'if-match': '"another"', range: 'bytes=0-9' });
    expect([answer.status, (await answer.json()).code]).toEqual([412, 'precondition-failed']);
    expect((await get({ 'if-match': `"another", ${etag}`, range: 'bytes=0-9' })).status).toBe(206);
    expect((await get({ 'if-match': '*' })).status).toBe(200);
    expect((await get({ 'if-match': `W/${etag}` })).status).toBe(412);
  });
});

describe('where long parts are elsewhere', () => {
  const ABOVE = 1000;
  const ELSEWHERE = 'https://bucket.example.org/signed?for=an-hour';
  let ask: typeof request;
  beforeAll(() => {
    const made = makeDataset(hostileBlock, HOSTILE_ROWS, { title: 'Made by a test' });
    const files: VersionFiles = {
      has: ({ extension }) => extension === 'csv',
      bytesOf: () => whole.length,
      open: async () => ({
        bytes: whole.length,
        etag,
        async *read(from, to) {
          yield whole.subarray(from, to);
        },
        elsewhere: { above: ABOVE, address: async () => ELSEWHERE },
      }),
    };
    const store = memoryRows(hostileBlock.fields, made.rows);
    const served = serveDataset({ block: hostileBlock, manifest: made.manifest, store }, { files });
    ask = requestOf(serviceOf(blockRoutes(served), SETTINGS));
  });
  const of = (headers: Record<string, string>, address = CURRENT, method = 'GET') =>
    ask(address, { method, headers, redirect: 'manual' });

  test('a GET of more is led there, and no cache keeps it', async () => {
    for (const headers of [{}, { range: `bytes=5-${5 + ABOVE}` }, { range: 'bytes=0-' }]) {
      const answer = await of(headers as Record<string, string>);
      expect([answer.status, ...headersOf(answer, ['location', 'cache-control', 'etag'])]).toEqual([
        302,
        ELSEWHERE,
        'private, no-store',
        null,
      ]);
    }
  });

  test('a part of no more is answered here, and so are HEAD and what the client has', async () => {
    const part = await of({ range: `bytes=5-${4 + ABOVE}` });
    expect([part.status, part.headers.get('etag')]).toEqual([206, etag]);
    expect((await bytesOf(part)).equals(whole.subarray(5, 5 + ABOVE))).toBe(true);
    const head = await of({}, CURRENT, 'HEAD');
    expect([head.status, ...headersOf(head, ['etag', 'content-length'])]).toEqual([
      200,
      etag,
      String(whole.length),
    ]);
    expect((await of({ 'if-none-match': etag })).status).toBe(304);
    expect((await of({ 'if-match': '"another"' })).status).toBe(412);
    expect((await of({ range: 'bytes=99999999-' })).status).toBe(416);
  });

  test('an old client is led nowhere', async () => {
    const answer = await of({}, `${CURRENT}?cache=1`);
    expect([answer.status, (await answer.json())._errors[0].message]).toEqual([
      200,
      expect.stringMatching(/has at most 1,000 with cache in the query\. Ask without it/),
    ]);
  });

  test('the description names the files that there are', async () => {
    const { files, versions } = await (await of({}, BLOCK)).json();
    expect(Object.keys(files)).toEqual(['csv']);
    expect(versions[0].files).toHaveLength(1);
  });
});

test('the current version has an address below its block too, the same in all but its Content-Location', async () => {
  const [above, below] = [await get({}), await get({}, `${BLOCK}/files/current.csv`)];
  expect(below.headers.get('content-location')).toBe(`${manifest.version}.csv`);
  expect(headersOf(below, ['etag', 'cache-control'])).toEqual(
    headersOf(above, ['etag', 'cache-control']),
  );
  expect((await bytesOf(below)).equals(await bytesOf(above))).toBe(true);
});

test('a page of another origin may ask for ranges, and read what a reader needs', async () => {
  const origin = 'https://example.org';
  const asked = { origin, 'access-control-request-headers': 'range,if-range' };
  const preflight = await get(asked, CURRENT, 'OPTIONS');
  expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
    204,
    'range,if-range',
  ]);
  const answer = await get({ origin, range: 'bytes=0-9' });
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const exposed = answer.headers.get('access-control-expose-headers')?.split(', ');
  expect(exposed).toEqual(
    expect.arrayContaining(['Accept-Ranges', 'Content-Length', 'Content-Range', 'ETag']),
  );
});

test('a block without files has none of these addresses', async () => {
  const { manifest: tiny, rows } = makeDataset(tinyBlock, [], { title: 'none' });
  const store = memoryRows(tinyBlock.fields, rows);
  const served = serveDataset({ block: tinyBlock, manifest: tiny, store });
  const ask = requestOf(serviceOf(blockRoutes(served), SETTINGS));
  for (const address of ['tiny.csv', `tiny/files/${tiny.version}.csv`]) {
    expect((await ask(path.posix.join('/api_v2/blocks', address))).status).toBe(404);
  }
});

describe('what tells of a block names its files, with the lengths that are known', () => {
  const block = `/api_v2/blocks/${hostileBlock.name}`;
  const root = 'http://localhost/';
  const inJson = async (address: string) => (await request(address)).json();

  test('the description, with each version that is kept', async () => {
    const { files, versions } = await inJson(block);
    expect(files).toEqual(Object.fromEntries(KINDS.map((kind) => [kind, `${block}.${kind}`])));
    const listed = await Promise.all(
      KINDS.map(async (kind) => {
        const { headers } = await get({}, ofVersion(kind), 'HEAD');
        const [length, type] = ['content-length', 'content-type'].map((name) => headers.get(name));
        return { url: ofVersion(kind), type, bytes: Number(length) };
      }),
    );
    expect(versions).toEqual([{ id: manifest.version, rows: HOSTILE_ROWS.length, files: listed }]);
  });

  test('the Data Package is of the CSV of its version, the same as the one that was asked for', async () => {
    const { resources } = await inJson(`${block}/datapackage.json`);
    expect(resources).toMatchObject([
      { path: `http://localhost${ofVersion('csv')}`, bytes: whole.length },
    ]);
  });

  test('Croissant, and the page for search engines', async () => {
    const { distribution } = await inJson(`${block}/croissant.json`);
    expect(distribution).toContainEqual(
      expect.objectContaining({
        '@id': 'csv',
        contentUrl: new URL(CURRENT, root).href,
        contentSize: `${whole.length} B`,
      }),
    );
    const page = await (await get({ accept: 'text/html' }, block)).text();
    const [, ld = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
    expect(JSON.parse(ld).distribution).toContainEqual(
      expect.objectContaining({ contentUrl: new URL(`${block}.parquet`, root).href }),
    );
  });

  test('its page: in the menu Download, and with programs in the view API', async () => {
    for (const view of ['table', 'api']) {
      const page = await (await get({}, `${block}?_format=html&_view=${view}`)).text();
      for (const kind of KINDS) {
        expect(page).toContain(`href="../../api_v2/blocks/${hostileBlock.name}.${kind}"`);
      }
      expect(page).toContain(`<dd>${(whole.length / 1000).toPrecision(3)} KB</dd>`);
      expect(page.includes('id="f-duckdb"')).toBe(view === 'api');
    }
  });

  test('a client that knows what was told before is told a length that is known now', async () => {
    const ask = await serving(tinyBlock, [{ street: 'a', number: 1 }]);
    const addresses = ['', '/datapackage.json', '/croissant.json', '?_format=html&_view=api'];
    for (const [i, address] of addresses.entries()) {
      const before = await ask(`/api_v2/blocks/tiny${address}`);
      const known = { headers: { 'if-none-match': before.headers.get('etag') ?? '' } };
      expect((await ask(`/api_v2/blocks/tiny${address}`, known)).status).toBe(304);
      await ask(`/api_v2/blocks/tiny.${KINDS[i]}`);
      expect((await ask(`/api_v2/blocks/tiny${address}`, known)).status).toBe(200);
    }
  });
});
