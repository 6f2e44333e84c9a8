import { describe, expect, test } from '@jest/globals';
import { rowSegment } from '../../src/block/row-key.ts';
import type { Row } from '../../src/values/field-type.ts';
import { PATHS } from '../support/service.ts';
import { shippedBlock } from '../support/shipped-blocks.ts';
import { suiteService } from '../support/suite-service.ts';

const BLOCKS = '/api_v2/blocks';

describe.each(PATHS)('Addresses of rows on the %s path', (_, cacheBytes) => {
  const service = suiteService(cacheBytes);

  test.each(['business-directory', 'census-neighborhoods'] as const)(
    'lead to each row of %s, in each of its formats',
    async (name) => {
      const { block } = await shippedBlock(name);
      const { dataset } = (await service.get(`${BLOCKS}/${name}`)).body;
      const rows: Row[] = (await service.post(name, {})).body.params.results;
      const features = (await service.get(`${BLOCKS}/${name}?_format=geojson&_limit=1000`)).body;
      for (const [position, row] of rows.entries()) {
        if (position % 20 > 0) continue;
        const segment = rowSegment(block, dataset, row, position);
        const address = `${BLOCKS}/${name}/rows/${segment}`;
        const { body } = await service.get(address);
        expect(body.params.row).toEqual(row);
        expect(new URL(body.params.address).pathname.endsWith(address)).toBe(true);
        const geojson = await service.get(address, { Accept: 'application/geo+json' });
        expect(geojson.headers.get('content-type')).toBe('application/geo+json');
        const { id, ...feature } = geojson.body;
        expect([id, feature]).toEqual([decodeURIComponent(segment), features.features[position]]);
      }
    },
  );

  test('tell what no row has, and which row is near', async () => {
    const { status, body } = await service.get(`${BLOCKS}/census-neighborhoods/rows/canton`);
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'unknown-row', errors: [{ suggestion: 'Canton' }] });
  });

  /** At any address of the service, whose own may have a stage in its path. */
  const read = async (address: string) => (await (await fetch(address)).json()).params;
  const pageOf = async (address: string) => {
    const { status, headers, text } = await service.get(`${BLOCKS}/${address}`, {
      accept: 'text/html',
    });
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    return { status, etag: headers.get('etag'), text };
  };

  test('are a page for a person, with all that is known of the row and where it is', async () => {
    const { status, text, etag } = await pageOf('census-neighborhoods/rows/Canton?api_key=a%26b');
    expect(status).toBe(200);
    expect(text).toContain('<title>Canton – Census neighborhoods</title>');
    expect(text).toMatch(/<link rel="canonical" href="http[^"]*\/rows\/Canton"/);
    const { block } = await shippedBlock('census-neighborhoods');
    const [, blank = ''] = /No value: (.*?)<\/p>/.exec(text) ?? [];
    for (const { name, title } of block.fields) {
      const isSaid = text.includes(`<dt><bdi>${title}</bdi>`);
      // The name stands above, and a blank field is named behind the others.
      const isBlank = blank.includes(`<bdi>${title}</bdi>`);
      expect([name, isSaid || isBlank]).toEqual([name, name !== 'neighborhood_1']);
    }
    expect(text).toContain('<dt><bdi>Vacant units</bdi><small> housing units</small></dt>');
    expect(text).toMatch(/<dd><b>663<\/b>.*?<small>28th of 56<\/small>/);
    expect(text).toMatch(/<svg[^>]* aria-label="Map with Canton">/);
    expect(text).toMatch(/<code>curl -H [^<]*<\/code>|<code>curl http[^<]*rows\/Canton<\/code>/);
    expect(text).toContain('rel="prev"');
    expect(text).toContain('href="../../../../api_v2/blocks/census-neighborhoods?api_key=a%26b"');
    expect(text).toContain('href="?api_key=a%26b&amp;_format=geojson"');
    const known = { accept: 'text/html', 'if-none-match': etag as string };
    const address = `${BLOCKS}/census-neighborhoods/rows/Canton?api_key=a%26b`;
    expect((await service.get(address, known)).status).toBe(304);
  });

  test.each(['business-directory', 'census-neighborhoods'])(
    'are in an answer of %s that is asked for them, which is else the same',
    async (name) => {
      const place = name === 'business-directory' ? 'parsed_address' : 'households';
      for (const asked of [{}, { _limit: 3, _sort: `-${place}` }, { _limit: 2, _fields: place }]) {
        const { params } = (await service.post(name, asked)).body;
        const headers = { Prefer: 'handling=strict, row-addresses' };
        const answer = await service.post(name, asked, { headers });
        expect(answer.headers.get('preference-applied')).toBe(headers.Prefer);
        const { addresses, ...same } = answer.body.params;
        expect(same).toEqual(params);
        expect(addresses).toHaveLength(params.results.length);
        // A row with a key is not named by its position, though its key was not asked for.
        expect(addresses.join()).not.toContain('~-');
        for (const [i, address] of addresses.slice(0, 5).entries()) {
          const { href } = new URL(address, `${service.url}${BLOCKS}/${name}`);
          expect((await read(href)).row).toMatchObject(params.results[i]);
        }
      }
    },
  );

  test('are no part of groups, which are no rows of the dataset', async () => {
    const headers = { Prefer: 'row-addresses' };
    for (const asked of [{ _group: 'category' }, { _group: 'category', _fields: 'count' }]) {
      const { body } = await service.post('business-directory', asked);
      const preferring = await service.post('business-directory', asked, { headers });
      expect([preferring.body, preferring.headers.get('preference-applied')]).toEqual([body, null]);
    }
    const page = await pageOf('business-directory?_group=category');
    expect(page.text).not.toContain('class="row"');
  });

  test('are no part of a value, nor of other formats', async () => {
    const headers = { Prefer: 'row-addresses' };
    const asked = { R: 255, G: 127, B: 80, _fields: 'name' };
    const { params } = (await service.post('rgb-to-color-name', asked, { headers })).body;
    expect(params).toEqual({ name: 'Coral' });
    const csv = `${BLOCKS}/census-neighborhoods?_format=csv&_fields=households`;
    expect((await service.get(csv, headers)).text).toBe((await service.get(csv)).text);
  });

  test.each(['business-directory', 'census-neighborhoods'])(
    'are linked from each row of the page of %s',
    async (name) => {
      const place = name === 'business-directory' ? 'location_1_location' : 'households';
      for (const query of [
        '_limit=40',
        `_sort=-${place}&_limit=3&api_key=k`,
        `_fields=${place}&_limit=2`,
      ]) {
        const asked = `${name}?${query}`;
        const { text } = await pageOf(asked);
        const { results } = (await service.get(`${BLOCKS}/${asked}`)).body.params;
        const links = [...text.matchAll(/<a class="row" href="([^"]+)"/g)].map(([, href]) => href);
        expect(links).toHaveLength(results.length);
        for (const [i, href] of links.slice(0, 5).entries()) {
          const link = (href as string).replaceAll('&amp;', '&');
          const address = new URL(link, `${service.url}${BLOCKS}/${asked}`).href;
          expect((await read(address)).row).toMatchObject(results[i]);
        }
      }
    },
  );

  test('show the fields asked for alone', async () => {
    const { text } = await pageOf('census-neighborhoods/rows/Canton?_fields=vacant_units');
    expect(text).toContain('<bdi>Vacant units</bdi>');
    expect(text).not.toContain('<bdi>Households</bdi>');
  });

  test('lead a person on from where no row is', async () => {
    const { status, text, etag } = await pageOf('census-neighborhoods/rows/canton');
    expect([status, etag]).toEqual([404, null]);
    expect(text).toContain('Did you mean Canton?');
    expect(text).toContain('href="../../../../api_v2/blocks/census-neighborhoods/rows/Canton"');
    const gone = await pageOf('business-directory/rows/00000000000000000000-3');
    expect(gone.status).toBe(410);
    expect(gone.text).toContain('is no longer served');
    const wrong = await pageOf('census-neighborhoods/rows/Canton?_fields=vacant');
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('_fields');
  });

  test('are of datasets alone', async () => {
    const { status, body } = await service.get(`${BLOCKS}/rgb-to-color-name/rows/Coral`);
    expect([status, body.code]).toEqual([404, 'not-found']);
  });
});
