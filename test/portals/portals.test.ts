import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { wideBlock, wideRows } from '../../bench/hostile/wide-set.ts';
import { datasetOf } from '../../src/block/block.ts';
import { datasetScript } from '../../src/portals/dataset-ld.ts';
import { publicationOf } from '../../src/portals/publication.ts';
import { makeDataset } from '../support/datasets.ts';
import { HOSTILE, startForPortals } from '../support/portals-service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is of any shape
type Any = any;

const ROOT = 'https://data.example.org/open/';

/** Whose publisher has said all, at an address of its own; and one of which nobody said anything. */
let service: Awaited<ReturnType<typeof startForPortals>>;
let silent: typeof service;
beforeAll(async () => {
  service = await startForPortals(
    publicationOf({
      PUBLIC_URL: 'https://data.example.org/open',
      PUBLISHER: 'Made City',
      PUBLISHER_URL: 'https://city.example',
      PUBLISHER_EMAIL: 'data@city.example',
    }),
  );
  silent = await startForPortals({});
});
afterAll(() => {
  service?.close();
  silent?.close();
});

const names = () => service.blocks.map(({ block }) => block.name);
const datasets = () =>
  service.blocks.flatMap(({ block, manifest }) => (manifest ? [block.name] : []));

const DOCUMENTS = [
  '/catalog.jsonld',
  '/.well-known/api-catalog',
  '/llms.txt',
  '/robots.txt',
  '/sitemap.xml',
  '/api_v2/blocks/typed/croissant.json',
];

/** What a server answers to a request for any host. */
async function textFor(url: string, headers: Record<string, string>): Promise<string> {
  const asked = request(url, { headers }).end();
  const [answer] = await once(asked, 'response');
  return text(answer);
}

/** Every address that a document has. */
const addressesIn = (text: string) => [
  ...new Set(text.match(/https?:\/\/[^\s"<>)]+/g)?.map((one) => one.replaceAll('&amp;', '&'))),
];

const scriptsIn = (html: string) => html.match(/<script\b[^>]*>/g) ?? [];
const jsonLdIn = (html: string) => {
  const [, text] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  return text === undefined ? undefined : JSON.parse(text);
};
const pageOf = async (block: string, of = service) =>
  (await of.get(`/api_v2/blocks/${block}`, { accept: 'text/html' })).text;

describe('the documents', () => {
  test.each(DOCUMENTS)(
    '%s has addresses below the public one, which are all answered',
    async (path) => {
      const { status, headers, text } = await service.get(path);
      expect(status).toBe(200);
      expect(headers.get('etag')).toMatch(/^W\//);
      const unchanged = await service.get(path, { 'if-none-match': headers.get('etag') as string });
      expect(unchanged.status).toBe(304);
      const ours = addressesIn(text).filter((address) =>
        address.startsWith('https://data.example'),
      );
      expect(ours.length).toBeGreaterThan(0);
      for (const address of ours) {
        expect(address.startsWith(ROOT)).toBe(true);
        const below = address.slice(ROOT.length - 1).replace(/#.*/, '');
        // What they lead to, but for MCP, which is asked by POST.
        if (below !== '/mcp')
          expect([address, (await service.get(below)).status]).toEqual([address, 200]);
      }
    },
  );

  test.each(DOCUMENTS)('%s is the same, whatever host is asked for', async (path) => {
    const evil = 'evil.example';
    const forwarded = { 'x-forwarded-host': evil, forwarded: `host=${evil}` };
    const answered = await textFor(`${silent.url}${path}`, { host: evil, ...forwarded });
    expect(answered).toBe((await silent.get(path)).text);
    expect(answered).not.toContain(evil);
  });

  test.each([
    ['/catalog.jsonld', 'application/ld+json'],
    [
      '/.well-known/api-catalog',
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    ],
    ['/llms.txt', 'text/markdown; charset=utf-8'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
    ['/sitemap.xml', 'application/xml; charset=utf-8'],
    ['/api_v2/blocks/typed/croissant.json', 'application/ld+json'],
  ])('%s is %s', async (path, type) => {
    expect((await service.get(path)).headers.get('content-type')).toBe(type);
  });

  test('a value block has no Croissant', async () => {
    expect((await service.get('/api_v2/blocks/rgb-to-color-name/croissant.json')).status).toBe(404);
  });
});

describe('the catalogue of interfaces (RFC 9727)', () => {
  test('has each block with its OpenAPI document, its page, and the descriptions of a dataset', async () => {
    const { text, headers } = await service.get('/.well-known/api-catalog');
    expect(headers.get('link')).toBe('<>; rel="api-catalog"');
    const [all, ...each] = JSON.parse(text).linkset;
    const pages = names().map((name) => `${ROOT}api_v2/blocks/${name}`);
    expect(all.item.map(({ href }: Any) => href)).toEqual(pages);
    expect(each.map(({ anchor }: Any) => anchor)).toEqual(pages);
    for (const one of each) {
      expect(one['service-desc'][0].href).toBe(`${one.anchor}/openapi.json`);
      expect(one['service-meta'] !== undefined).toBe(
        datasets().includes(one.anchor.split('/').at(-1)),
      );
    }
  });
});

describe('search engines', () => {
  test('may read what has no query, and find each page', async () => {
    const { text } = await service.get('/robots.txt');
    expect(text).toBe(`User-agent: *\nDisallow: /open/*?\n\nSitemap: ${ROOT}sitemap.xml\n`);
    const map = (await service.get('/sitemap.xml')).text;
    const pages = [...map.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
    expect(pages).toEqual([ROOT, ...names().map((name) => `${ROOT}api_v2/blocks/${name}`)]);
  });

  test.each([
    ['/api_v2/blocks/typed?_view=table', 200, 'noindex, nofollow'],
    ['/api_v2/blocks/typed?no_such=1', 200, 'noindex, nofollow'],
    ['/api_v2/blocks/typed?score=x', 400, 'noindex, nofollow'],
    ['/?q=made', 200, 'noindex, nofollow'],
    ['/api_v2/blocks/nothing?x=1', 404, 'noindex, nofollow'],
    ['/api_v2/blocks/typed', 200, null],
    ['/', 200, null],
  ])('%s: %i, robots: %s', async (path, status, robots) => {
    const answer = await service.get(path, { accept: 'text/html' });
    expect([answer.status, answer.headers.get('x-robots-tag')]).toEqual([status, robots]);
  });
});

describe("a dataset in its page's head", () => {
  test('is what its block and its import say', async () => {
    const found = jsonLdIn(await pageOf('census-neighborhoods'));
    const page = `${ROOT}api_v2/blocks/census-neighborhoods`;
    expect(found).toMatchObject({
      '@context': 'https://schema.org/',
      '@type': 'Dataset',
      '@id': page,
      name: 'Census neighborhoods',
      license: 'https://www.usa.gov/government-copyright',
      publisher: { '@type': 'Organization', name: 'US Census Bureau' },
      dateModified: '2010-04-01',
      includedInDataCatalog: {
        '@id': ROOT,
        publisher: { name: 'Made City', url: 'https://city.example/' },
      },
    });
    expect(found.distribution[0].contentUrl).toBe(`${page}.csv`);
    expect(found.variableMeasured.at(1)).toEqual({
      '@type': 'PropertyValue',
      name: 'under_5',
      alternateName: 'Under 5 years',
      unitText: 'people',
      minValue: 9,
      maxValue: 1711,
    });
    expect(found.variableMeasured.at(-1)).toBe(`and 10 more columns: ${page}/croissant.json`);
  });

  test('has nothing that nobody stated', async () => {
    const found = jsonLdIn(await pageOf('nameless', silent));
    for (const member of ['license', 'publisher', 'dateModified', 'isBasedOn']) {
      expect(found).not.toHaveProperty(member);
    }
    expect(found.includedInDataCatalog).not.toHaveProperty('publisher');
    const { text } = await silent.get('/catalog.jsonld');
    expect(text).not.toContain('contactPoint');
    const nameless = JSON.parse(text)['dcat:dataset'].find(
      (one: Any) => one['dct:title'] === HOSTILE,
    );
    for (const member of ['dct:publisher', 'dct:modified', 'foaf:page', 'dct:provenance']) {
      expect(nameless).not.toHaveProperty(member);
    }
    for (const file of nameless['dcat:distribution']) {
      expect(file).not.toHaveProperty('dct:license');
      expect(file).not.toHaveProperty('dct:rights');
    }
  });

  test('runs nothing and ends nothing, whatever texts it has', async () => {
    const html = await pageOf('nameless');
    expect(scriptsIn(html).map((tag) => tag.replace(/src="[^"]*"/, 'src'))).toEqual([
      '<script type="module" src>',
      '<script type="application/ld+json">',
    ]);
    expect(jsonLdIn(html)).toMatchObject({ name: HOSTILE, description: HOSTILE });
    const { text } = await service.get('/llms.txt');
    expect(text).toContain('](x) &'.replace(']', '\\]'));
    expect(text).not.toContain('<script>');
  });

  test('is on pages without a query alone, and of datasets alone', async () => {
    for (const below of ['typed?_view=table', 'typed?score=x', 'rgb-to-color-name']) {
      expect(jsonLdIn(await pageOf(below))).toBeUndefined();
    }
  });

  test('of 401 columns names 30, and says where the others are', () => {
    const { manifest } = makeDataset(wideBlock, wideRows(9), { title: 'Made' });
    const text = datasetScript(wideBlock, manifest, {}, ROOT);
    const { variableMeasured } = JSON.parse(text);
    expect(variableMeasured).toHaveLength(31);
    expect(variableMeasured.at(-1)).toMatch(/^and 371 more columns: https:/);
    expect(gzipSync(text).length).toBeLessThan(1500);
  });
});

test('the catalogue has each file at its address, with its length once it is written', async () => {
  const file = '/api_v2/blocks/typed.csv';
  const lengthIn = async () => {
    const { 'dcat:dataset': all } = JSON.parse((await service.get('/catalog.jsonld')).text);
    const { 'dcat:distribution': files } = all.find((one: Any) =>
      one['@id'].endsWith('/typed#dataset'),
    );
    const found = files.find((one: Any) => one['@id'] === new URL(file.slice(1), ROOT).href);
    return found['dcat:byteSize']?.['@value'];
  };
  const { text } = await service.get(file);
  expect(await lengthIn()).toBe(String(Buffer.byteLength(text)));
});

describe('Croissant', () => {
  test('has every column with its type, and its unit', async () => {
    const { text } = await service.get('/api_v2/blocks/census-neighborhoods/croissant.json');
    const { recordSet, distribution, isLiveDataset } = JSON.parse(text);
    const served = service.blocks.find(({ block }) => block.name === 'census-neighborhoods');
    const { fields = [] } = (served && datasetOf(served.block)) ?? {};
    expect(recordSet[0].field.map(({ name }: Any) => name)).toEqual(fields.map(({ name }) => name));
    const [, underFive] = recordSet[0].field;
    expect([underFive.dataType, underFive.description]).toEqual([
      'sc:Integer',
      'Under 5 years. Unit: people.',
    ]);
    expect(distribution.map((file: Any) => file['@id'])).toEqual([
      'csv',
      'xlsx',
      'ndjson',
      'ndjson.gz',
      'parquet',
      'geojson',
    ]);
    expect(isLiveDataset).toBe(true);
  });

  test('takes no filter', async () => {
    const { status, text } = await service.get('/api_v2/blocks/typed/croissant.json?score=1');
    expect([status, JSON.parse(text).code]).toEqual([400, 'invalid-arguments']);
  });
});

describe('the settings', () => {
  test.each([
    [{ PUBLIC_URL: 'data.example.org' }, /^PUBLIC_URL is "data.example.org"; expected an address/],
    [{ PUBLIC_URL: 'https://data.example.org/?a=1' }, /^PUBLIC_URL is .*without a query/],
    [{ PUBLIC_URL: 'javascript:alert(1)' }, /^PUBLIC_URL is/],
    [{ PUBLISHER_URL: 'https://user@city.example' }, /^PUBLISHER_URL is/],
    [{ PUBLISHER_EMAIL: 'nobody' }, /^PUBLISHER_EMAIL is "nobody"; expected an e-mail address/],
  ])('%j are refused', (settings, message) => {
    expect(() => publicationOf(settings)).toThrow(message);
  });

  test('that are blank count as absent', () => {
    expect(publicationOf({ PUBLISHER: ' ', PUBLIC_URL: '' })).toEqual({});
  });
});

test('the documents are compressed for who takes that', async () => {
  const answer = await fetch(`${service.url}/catalog.jsonld`, {
    headers: { 'accept-encoding': 'gzip' },
  });
  expect(answer.headers.get('content-encoding')).toBe('gzip');
});
