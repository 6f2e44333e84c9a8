import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { packedRows } from '../../src/columns/memory-rows.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serviceOf } from '../../src/http/service.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { commandBody, signed } from '../slack/signed-request.ts';
import { SETTINGS } from '../support/ample.ts';
import { channelsOf } from '../support/channels.ts';
import { makeDataset } from '../support/datasets.ts';
import { requestOf } from '../support/request-of.ts';
import { ROOT } from '../support/service.ts';
import { suiteService } from '../support/suite-service.ts';
import { typeLine } from '../terminal/type-line.ts';

// The README: "A typo gets an error with a suggestion; it never gets all rows."

const blocks = (await loadBlocks(path.join(ROOT, 'functions'))).map(({ block }) => block);
const directory = blocks.find(({ name }) => name === 'business-directory');
if (directory === undefined) throw new Error('the directory is one of the blocks');
/** A line that a person types is tried below: what writes such lines knows the block's names. */
const channels = Object.entries(channelsOf(directory)).filter(
  ([channel]) => !/Slack|command line/.test(channel),
);

const BLOCK = '/api_v2/blocks/business-directory';
const BROWSER = { accept: 'text/html' };

describe('a name that the block does not have', () => {
  const service = suiteService();

  /** Deliveries may bring members of their own beside a parameter, and name what they ignored. */
  const isLenient = (channel: string) => /webhook|event/i.test(channel);

  test.each(channels)('%s: gets no rows for a typo, but its correction', async (_, ask) => {
    const given = { catgory: 'retail' };
    const refusal = await ask({ service, block: directory, arguments: given }).then(
      ({ rows }) => `${rows.length} rows`,
      (error: Error) => error.message,
    );
    expect(refusal).toMatch(/Did you mean \W*category/);
  });

  test.each(channels)('%s: gets no rows for a stranger', async (channel, ask) => {
    const strange: Readonly<Record<string, string>>[] = [
      { colour: 'red' },
      { category: 'retail', colour: 'red' },
    ];
    for (const given of strange) {
      const told = await ask({ service, block: directory, arguments: given }).then(
        ({ rows }) => `${rows.length} rows`,
        (error: Error) => error.message,
      );
      if (channel === 'the page') expect(told).toBe(`${given.category ? 61 : 120} rows`);
      else if (isLenient(channel) && given.category) expect(told).toBe('61 rows');
      else expect(told).toMatch(/colour (?:is not a parameter|picks nothing)/);
    }
  });

  test.each(['catgory:retail', 'colour:red'])('a typed line gets no rows for %s', async (typo) => {
    const line = await typeLine(['run', 'directory', typo], { url: service.url });
    expect([line.exit, line.out]).toEqual([1, '']);
    expect(line.err).toContain(typo.split(':')[0]);
    const sent = signed(commandBody(`directory ${typo}`));
    const { body } = await service.send('/integrations/slack', sent);
    expect(JSON.stringify(body.blocks)).not.toContain('data_table');
  });

  const get = (query: string) => service.get(`${BLOCK}${query}`, BROWSER);

  test('a page applies the rest, and says first what it did not use', async () => {
    const { status, text } = await get('?category=retail&colour=red&utm_source=mail&_view=map');
    expect(status).toBe(200);
    const notice = text.indexOf('<p class="unused">');
    expect(notice).toBeGreaterThan(0);
    expect(notice).toBeLessThan(text.indexOf('<h2 id="found"'));
    expect(text.slice(notice)).toMatch(
      /^<p class="unused"><strong>Not used: <\/strong><code>colour<\/code>\. This block has no parameter of this name: what is below is not filtered by it\./,
    );
    expect(text).toContain('61 of 120 businesses');
    // Neither a link, a file, a program nor the form repeats it.
    expect(text.match(/colour/g)).toHaveLength(1);
    expect(text).not.toContain('utm_source');
  });

  test('a page with strangers alone is shown, and one of the colours too', async () => {
    const all = await get('?colour=red');
    expect([all.status, all.text.includes('<code>colour</code>')]).toEqual([200, true]);
    const color = await service.get('/api_v2/blocks/rgb-to-color-name?hue=3', BROWSER);
    expect([color.status, color.text.includes('<code>hue</code>')]).toEqual([200, true]);
    expect(color.text).toContain('try an example');
  });

  test('a page names ten strangers, and how many more there are', async () => {
    const query = Array.from({ length: 1200 }, (_, i) => `x${i}=1`).join('&');
    const { text } = await get(`?${query}`);
    expect(text).toContain('<code>x9</code> and 1,190 more.');
    expect(text).not.toContain('x10');
  });

  test('a page that refuses a typo links to its correction, and to the page without it', async () => {
    const { status, text } = await get('?catgory=retail&business=*a*&colour=red');
    expect(status).toBe(400);
    expect(text).toContain(
      '<a class="button" href="?category=retail&amp;business=*a*">Use category</a>',
    );
    expect(text).toContain('<a class="button" href="?business=*a*">Leave it out</a>');
    expect(text).toContain('<code>colour</code>');
  });

  test("a row's page says what it did not use, and its data are refused", async () => {
    const row = '/api_v2/blocks/census-neighborhoods/rows/Canton?colour=red';
    const shown = await service.get(row, BROWSER);
    expect([shown.status, shown.text.includes('<code>colour</code>')]).toEqual([200, true]);
    expect((await service.get(row)).status).toBe(400);
    const typo = await service.get(`${row}&_feilds=neighborhood_1`, BROWSER);
    expect(typo.status).toBe(400);
    expect(typo.text).toContain('<a class="button" href="?_fields=neighborhood_1">Use _fields</a>');
    expect(typo.text).toContain('<a class="button" href="?">Leave it out</a>');
  });

  test('a Data Package takes no filter', async () => {
    const refused = await service.get(`${BLOCK}/datapackage.json?category=retail`);
    expect([refused.status, refused.body.errors[0].parameter]).toEqual([400, 'category']);
    expect((await service.get(`${BLOCK}/datapackage.json?utm_source=x&_=1`)).status).toBe(200);
  });

  test('the list of blocks is not longer for a typo', async () => {
    for (const query of ['?Q=census', '?search=census', '?q=census&tag=x']) {
      const refused = await service.get(`/api_v2/blocks${query}`);
      expect([query, refused.status, refused.body.errors[0].code]).toEqual([
        query,
        400,
        'unknown-parameter',
      ]);
      const page = await service.get(`/${query}`, BROWSER);
      expect([query, page.status, page.text.includes('class="unused"')]).toEqual([
        query,
        200,
        true,
      ]);
    }
    expect((await service.get('/api_v2/blocks?q=census&utm_source=x&_=1')).status).toBe(200);
  });
});

describe('fields with the names of what tools append', () => {
  const fields = ['utm_source', 'gclid', 'expiry_date', 'cached'].map(
    (name) => ({ type: 'text', name, title: name }) as const,
  );
  const block = datasetBlock({
    id: 'id',
    name: 'links',
    title: '',
    description: '',
    fields,
    examples: [],
  });
  const rows = ['a', 'b'].map((text) => Object.fromEntries(fields.map(({ name }) => [name, text])));
  const { manifest, columns } = makeDataset(block, rows, { title: '' });
  const served = serveDataset({ block, manifest, store: packedRows(fields, columns) });
  const ask = requestOf(serviceOf(blockRoutes(served), SETTINGS));
  const totalOf = async (query: string, init = {}) => {
    const answer = await ask(`/api_v2/blocks/links${query}`, init);
    return answer.status === 200 ? (await answer.json()).params.total : answer.status;
  };

  test('are filters, and what is appended beside them still passes', async () => {
    expect(await totalOf('?utm_source=a')).toBe(1);
    expect(await totalOf('?gclid=b&utm_medium=mail&fbclid=x')).toBe(1);
  });

  test('a name like theirs that is near such a field is refused', async () => {
    for (const name of ['utm_sourc', 'utm_sources', 'utm_Source', 'utm_source_min', 'GCLID']) {
      expect([name, await totalOf(`?${name}=a&gclid=a`)]).toEqual([name, 400]);
      const posted = await totalOf(`?${name}=a`, { method: 'POST', body: '{"gclid":"a"}' });
      expect([name, posted]).toEqual([name, 400]);
    }
    expect(await totalOf('?utm_id=a&utm_source_platform=x&utm_mine=1&gclid=a')).toBe(1);
  });

  test("an old client's own name that is near a field is refused in a GET alone", async () => {
    expect(await totalOf('?expiry=2020&gclid=a')).toBe(400);
    const flat = await (await ask('/api_v2/blocks/links?cache=a&gclid=a')).json();
    expect([flat.results, flat._errors.length]).toEqual([undefined, 1]);
    expect(await totalOf('?expiry=2020', { method: 'POST', body: '{"gclid":"a"}' })).toBe(1);
  });
});
