import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { readParquet, typedRow } from '../support/read-parquet.ts';
import { PATHS } from '../support/service.ts';
import { shippedBlock } from '../support/shipped-blocks.ts';
import { suiteService } from '../support/suite-service.ts';

const DIRECTORY = '/api_v2/blocks/business-directory';
const CENSUS = '/api_v2/blocks/census-neighborhoods';
const COLOR = '/api_v2/blocks/rgb-to-color-name';
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe.each(PATHS)('formats on the %s path', (_, cacheBytes) => {
  const service = suiteService(cacheBytes);
  const typeOf = ({ headers }: { headers: Headers }) => headers.get('content-type');

  test('a format has its type, its file name and its version; a HEAD has them too', async () => {
    const { body } = await service.get(CENSUS);
    const name = `census-neighborhoods-${body.dataset.version}`;
    for (const [format, type] of [
      ['csv', 'text/csv; charset=utf-8; header=present'],
      ['ndjson', 'application/x-ndjson; charset=utf-8'],
      ['parquet', 'application/vnd.apache.parquet'],
      ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
      ['geojson', 'application/geo+json'],
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await service.send(`${CENSUS}?_format=${format}&_limit=2`, { method });
        expect([answer.status, typeOf(answer)]).toEqual([200, type]);
        expect(answer.headers.get('content-disposition')).toBe(
          `attachment; filename="${name}.${format}"`,
        );
        expect(answer.headers.get('x-total-count')).toBe('56');
        expect(answer.text === '').toBe(method === 'HEAD');
      }
    }
  });

  test('all pages of a CSV, by their links, are all rows, each once', async () => {
    const found: string[] = [];
    let next = '?_format=csv&_limit=17&_fields=neighborhood_1';
    for (;;) {
      const answer = await service.get(`${CENSUS}${next}`);
      expect(answer.status).toBe(200);
      found.push(
        ...parse(answer.text, { columns: true }).map((row) => Object.values(row as object)[0]),
      );
      const link = /^<(\?[^>]*)>; rel="next"$/.exec(answer.headers.get('link') ?? '');
      if (link === null) break;
      next = link[1] as string;
    }
    const { body } = await service.post('census-neighborhoods', {});
    expect(found).toEqual(
      body.params.results.map((row: { neighborhood_1: string }) => row.neighborhood_1),
    );
  });

  test.each([
    ['business-directory', ['csv', 'xlsx', 'ndjson', 'parquet', 'geojson', 'datapackage']],
    ['census-neighborhoods', ['csv', 'xlsx', 'ndjson', 'parquet', 'geojson', 'datapackage']],
    ['rgb-to-color-name', undefined],
  ])('the description of %s names its files: %j', async (name, formats) => {
    const { body } = await service.get(`/api_v2/blocks/${name}`);
    const { downloads } = body;
    expect(downloads && Object.keys(downloads)).toEqual(formats);
    for (const [format, address] of Object.entries<string>(downloads ?? {})) {
      const { status, headers } = await service.send(address, { method: 'HEAD' });
      const file = headers.get('content-disposition');
      expect([address, status, file]).toEqual([
        address,
        200,
        format === 'datapackage'
          ? null
          : `attachment; filename="${name}-${body.dataset.version}.${format}"`,
      ]);
    }
  });

  test.each([
    ['business-directory', {}],
    ['business-directory', { category: 'nothing of the kind' }],
    ['business-directory', { category: 'retail', _sort: '-business', _limit: '7', _explain: '1' }],
    ['census-neighborhoods', { _fields: 'vacant_units,neighborhood_1', vacant_units_min: '500' }],
  ] as const)('Parquet has the rows of JSON: %s %j', async (name, given) => {
    const { block } = await shippedBlock(name);
    const { body } = await service.post(name, given);
    const address = `/api_v2/blocks/${name}?${new URLSearchParams(given)}`;
    const { _explain, ...asked } = given as Record<string, string>;
    const places = await service.post(name, { ...asked, _format: 'geojson' });
    const accept = 'application/vnd.apache.parquet, text/csv;q=0.5';
    for (const [query, headers] of [
      ['&_format=parquet', {}],
      ['', { accept }],
    ] as const) {
      const answer = await fetch(service.url + address + query, { headers });
      const { rows, metadata } = await readParquet(new Uint8Array(await answer.arrayBuffer()));
      const results: Row[] = body.params.results;
      expect(rows).toEqual(
        results.map((row, i) => {
          const names = Object.keys(row);
          const fields = names.map((one) => block.fields.find((f) => f.name === one) as Field);
          const { geometry } = places.body.features[i];
          return { ...typedRow(fields, row, metadata), geometry };
        }),
      );
      expect(metadata.num_rows).toBe(BigInt(body.params.count));
      expect(answer.headers.get('x-total-count')).toBe(String(body.params.total));
    }
  });

  test('each format has an ETag of its own, and answers 304 to it alone', async () => {
    const tags: string[] = [];
    for (const format of ['json', 'csv', 'xlsx', 'ndjson', 'parquet', 'geojson', 'html', 'svg']) {
      const address = `${DIRECTORY}?category=retail&_format=${format}`;
      const { headers } = await service.get(address);
      const etag = headers.get('etag') as string;
      expect(headers.get('vary')).toMatch(/\bAccept\b/);
      expect((await service.get(address, { 'if-none-match': etag })).status).toBe(304);
      tags.push(etag);
    }
    expect(new Set(tags).size).toBe(8);
    const [json = ''] = tags;
    const csv = `${DIRECTORY}?category=retail&_format=csv`;
    expect((await service.get(csv, { 'if-none-match': json })).status).toBe(200);
    const polygons = (await service.get(`${CENSUS}?_format=geojson`)).headers.get('etag') as string;
    const points = `${CENSUS}?_format=geojson&_geometry=point`;
    expect((await service.get(points, { 'if-none-match': polygons })).status).toBe(200);
  });

  test.each(['json', 'xlsx', 'ndjson', 'parquet', 'geojson', 'html', 'svg'])(
    'exact texts are for CSV alone: %s with _raw is refused',
    async (format) => {
      const address = `${DIRECTORY}?category=retail&_format=${format}`;
      expect((await service.get(`${address}&_raw=false`)).status).toBe(200);
      for (const option of ['_raw', '_bom']) {
        const { status, text } = await service.get(`${address}&${option}=true`);
        expect(status).toBe(400);
        expect(text).toContain(`${option} is for CSV alone, and this answer is ${format}.`);
      }
    },
  );

  test('CSV begins with a byte order mark if it is asked for', async () => {
    const address = `${DIRECTORY}?category=retail&_format=csv&_limit=2`;
    const bytesAt = async (query: string) => {
      const answer = await fetch(service.url + address + query);
      return Buffer.from(await answer.arrayBuffer());
    };
    const [plain, marked] = [await bytesAt(''), await bytesAt('&_bom=true')];
    expect(marked).toEqual(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain]));
    const tags = await Promise.all(['', '&_bom=true'].map((query) => service.get(address + query)));
    expect(new Set(tags.map(({ headers }) => headers.get('etag'))).size).toBe(2);
  });

  test('exact texts have an ETag of their own', async () => {
    const address = `${DIRECTORY}?category=retail&_format=csv`;
    const [plain, raw] = await Promise.all([
      service.get(address),
      service.get(`${address}&_raw=true`),
    ]);
    expect(raw.text).toBe(plain.text);
    expect(raw.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    const { headers } = await service.get(`${DIRECTORY}?_raw=1`, { accept: 'text/csv' });
    expect(headers.get('content-type')).toMatch(/^text\/csv/);
  });

  test('GET without arguments describes to programs, and gives rows to who names a format', async () => {
    expect((await service.get(DIRECTORY)).body.input_schema).toBeDefined();
    const csv = await service.get(DIRECTORY, { accept: 'text/csv' });
    expect(parse(csv.text, { columns: true })).toHaveLength(120);
    const page = await service.get(DIRECTORY, BROWSER);
    expect([page.status, typeOf(page)]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('All 120 businesses');
  });

  test("somebody else's form gets JSON, unless it asks for a page", async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...BROWSER };
    const body = 'type_of_business=laundries';
    const plain = await service.post('business-directory', body, { headers: form });
    expect(plain.body.params.count).toBe(22);
    const page = await service.post('business-directory', `${body}&_format=html`, {
      headers: form,
    });
    expect(typeOf(page)).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('22 of 120 businesses');
  });

  test("an old client's Accept changes nothing; a named format does", async () => {
    const flat = await service.get(`${DIRECTORY}?category=retail&cache=false`, BROWSER);
    expect(flat.body._blockspring_spec).toBe(true);
    const csv = await service.get(`${DIRECTORY}?category=retail&cache=false&_format=csv`);
    expect(typeOf(csv)).toMatch(/^text\/csv/);
  });

  test('what is refused is a problem in every format, and a page for a browser', async () => {
    for (const format of ['csv', 'xlsx', 'ndjson', 'parquet', 'geojson']) {
      const answer = await service.get(`${CENSUS}?_format=${format}&total_population_min=5,000`);
      expect([answer.status, answer.body.errors[0].suggestion]).toEqual([400, '5000']);
      expect(answer.headers.get('content-disposition')).toBeNull();
    }
    const page = await service.get(`${CENSUS}?total_population_min=5,000`, BROWSER);
    expect([page.status, typeOf(page)]).toEqual([400, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<title>Error: Census neighborhoods</title>');
    expect(page.text).toContain('href="#f-total_population_min"');
    for (const format of ['parquet', 'geojson', 'svg']) {
      const none = await service.get(`${COLOR}?R=1&G=2&B=3&_format=${format}`);
      expect([none.status, none.body.errors[0].code]).toEqual([400, 'not-a-choice']);
    }
  });

  test('a form that nothing was put into is a form; a name that is nearly one is refused', async () => {
    for (const query of ['', '?_format=html', '?utm_source=x', '?R=&G=&B=']) {
      const { status, text } = await service.get(`${COLOR}${query}`, BROWSER);
      expect([query, status, text.includes('try an example')]).toEqual([
        query,
        query.includes('R=') ? 400 : 200,
        !query.includes('R='),
      ]);
    }
    for (const query of ['?r=255&g=127&b=80', '?lst=css', '?alternatives=3']) {
      expect([query, (await service.get(`${COLOR}${query}`, BROWSER)).status]).toEqual([
        query,
        400,
      ]);
    }
    const posted = await service.post('rgb-to-color-name', { _format: 'html', colour: 1 });
    expect([posted.status, typeOf(posted)]).toEqual([400, 'text/html; charset=utf-8']);
  });

  test('a page that refuses is nobody’s to keep; one of rows says how many, and where more are', async () => {
    const refused = await service.get(`${DIRECTORY}?categry=x`, BROWSER);
    expect([refused.headers.get('cache-control'), refused.headers.get('etag')]).toEqual([
      'no-store',
      null,
    ]);
    const { headers } = await service.get(`${CENSUS}?_limit=2`, BROWSER);
    expect(headers.get('x-total-count')).toBe('56');
    expect(headers.get('link')).toMatch(/^<\?_limit=2&_cursor=[^>]*>; rel="next"$/);
  });

  test('a page keeps what a body says, but for a key, which stays out of addresses', async () => {
    const { text } = await service.post(
      'census-neighborhoods',
      { neighborhood_1: ['canton', 'hampden'], api_key: 'SECRET', _format: 'html', _view: 'table' },
      { query: '?neighborhood_1=' },
    );
    expect(text).toContain('?neighborhood_1=canton&amp;neighborhood_1=hampden&amp;_format=csv');
    expect(text).not.toContain('SECRET');
  });

  test('a repair changes what was wrong and nothing else', async () => {
    const page = async (query: string) => (await service.get(`${CENSUS}?${query}`, BROWSER)).text;
    expect(await page('_fields=households,vacant_unit')).toContain(
      'href="?_fields=households&amp;_fields=vacant_units"',
    );
    const color = await service.get(`${COLOR}?r=1&G=2&B=3&R=4`, BROWSER);
    expect(color.text).not.toContain('Use R');
    const chosen = await service.get(`${COLOR}?R=1&G=2&B=3&list=FULL`, BROWSER);
    expect(chosen.text).toContain('<option value="full" selected');
  });

  test('markup in a value is text on a page', async () => {
    const hostile = '"><script>alert(1)</script>';
    const query = new URLSearchParams({ business: hostile, _format: 'html' });
    const { text } = await service.get(`${DIRECTORY}?${query}`);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('&lt;script&gt;');
    const wrong = new URLSearchParams({ parsed_address_min: hostile, _format: 'html' });
    expect((await service.get(`${DIRECTORY}?${wrong}`)).text).not.toContain('<script>alert');
  });

  test('a page says nothing of the run, loads nothing from elsewhere, and may be compressed', async () => {
    const page = await service.get(CENSUS, BROWSER);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    const loaded = [...page.text.matchAll(/(?:src|href)="((?:https?:)?\/\/[^"]*)"/g)].map(
      ([, address]) => address,
    );
    // By its path: an emulator of AWS tells a function neither its port nor where it is on it.
    const own = loaded.filter((address) => new URL(address as string).pathname.endsWith(CENSUS));
    expect(own).toHaveLength(1);
    // The source of the data: in the head of the page, and where it is told in full.
    const others = new Set(loaded.filter((address) => !own.includes(address)));
    expect([...others]).toEqual([expect.stringContaining('census.gov')]);
  });

  test('the catalogue is a page for a browser and JSON for programs', async () => {
    const page = await service.get('/', BROWSER);
    expect(typeOf(page)).toBe('text/html; charset=utf-8');
    for (const name of ['business-directory', 'census-neighborhoods', 'rgb-to-color-name']) {
      expect(page.text).toContain(`href="./api_v2/blocks/${name}"`);
    }
    expect((await service.get('/')).body.blocks).toHaveLength(3);
    expect((await service.get('/api_v2/blocks', BROWSER)).text).toContain(
      'href="../api_v2/blocks/',
    );
  });

  test.each([
    ['business-directory', ''],
    ['business-directory', 'type_of_business=laundries&_sort=-business&_fields=business,category'],
    ['business-directory', '_group=type_of_business'],
    ['census-neighborhoods', ''],
    ['census-neighborhoods', 'neighborhood_1=canton'],
    ['census-neighborhoods', '_sort=-vacant_units&_limit=20'],
  ])(
    'the page of %s with “%s” tells its rows, and its files’ sizes by a factor of 1.5 at most',
    async (name, query) => {
      const block = `/api_v2/blocks/${name}?${query}`;
      const { text } = await service.get(`${block}&_view=table`, BROWSER);
      const told = [...text.matchAll(/_format=(\w+)">\w+<\/a>, about ([\d.]+) (bytes|KB|MB)/g)];
      expect(told.map(([, format]) => format)).toEqual(['csv', 'ndjson', 'json']);
      for (const [, format, size, unit = ''] of told) {
        const whole = block.replace(/&_limit=\d+/, '');
        const file = await service.get(`${whole}&_format=${format}`);
        // The envelope of JSON has some more.
        const bytes = Buffer.byteLength(file.text) - (format === 'json' ? 200 : 0);
        const ratio = (Number(size) * 1000 ** ['bytes', 'KB', 'MB'].indexOf(unit)) / bytes;
        expect(ratio).toBeGreaterThan(2 / 3);
        expect(ratio).toBeLessThan(3 / 2);
      }
      const [, total] = /Download<\/summary><div><b>(?:All )?([\d,]+)/.exec(text) ?? [];
      const { body } = await service.get(`${block}&_format=json`);
      expect(Number(total)).toBe(body.params.total);
    },
  );

  test.each([
    ['house', ['business-directory', 'census-neighborhoods']],
    ['HOUSEholds census', ['census-neighborhoods']],
    ['laundry', ['business-directory']],
    [' ', ['business-directory', 'census-neighborhoods', 'rgb-to-color-name']],
    ['tulips', []],
  ])('the catalogue finds blocks by “%s”, as a page and as JSON', async (words, names) => {
    const address = `/?q=${encodeURIComponent(words)}`;
    const { body } = await service.get(address);
    expect(body.blocks.map(({ name }: { name: string }) => name)).toEqual(names);
    const { status, text } = await service.get(address, BROWSER);
    expect(status).toBe(200);
    const linked = [...text.matchAll(/<a href="\.\/api_v2\/blocks\/([^"?]+)(\?[^"]+)?"/g)];
    expect([...new Set(linked.map(([, name]) => name))]).toEqual(names);
    const [, name, query = ''] = linked.find(([, , query]) => query?.includes('Laundries')) ?? [];
    expect(text.includes('None of the 3 blocks is about “tulips”.')).toBe(names.length === 0);
    expect(name).toBe(words === 'laundry' ? 'business-directory' : undefined);
    if (name === undefined) return;
    const found = await service.get(
      `/api_v2/blocks/${name}${query.replaceAll('&amp;', '&')}&_format=json`,
    );
    expect(text).toContain(`: <bdi>Laundries</bdi> (${found.body.params.total})`);
  });

  test.each([
    ['!', 'no-words', 'q is "!", which has no letter or digit'],
    ['a b c d e f g h i j k l m n o p q', 'list-too-long', 'q has 17 words; expected at most 16.'],
  ])('the catalogue refuses to look for “%s”', async (words, code, detail) => {
    const address = `/api_v2/blocks?q=${encodeURIComponent(words)}`;
    const { status, body } = await service.get(address);
    expect([status, body.errors[0].code, body.errors[0].parameter]).toEqual([400, code, 'q']);
    const page = await service.get(address, BROWSER);
    expect([page.status, typeOf(page)]).toEqual([400, 'text/html; charset=utf-8']);
    expect(page.text).toContain(detail.replaceAll('"', '&quot;'));
  });

  test.each([
    ['/assets/page.css', 'text/css; charset=utf-8'],
    ['/assets/page.js', 'text/javascript; charset=utf-8'],
    ['/client.js', 'text/javascript; charset=utf-8'],
  ])('%s is there, for any origin, and cached', async (address, type) => {
    const answer = await service.get(address);
    expect([answer.status, typeOf(answer)]).toEqual([200, type]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const etag = answer.headers.get('etag') as string;
    expect((await service.get(address, { 'if-none-match': etag })).status).toBe(304);
    expect((await service.send(address, { method: 'POST' })).status).toBe(405);
  });
});
