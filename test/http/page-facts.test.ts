import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import type { DataSource } from '../../src/block/manifest.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serviceOf } from '../../src/http/service.ts';
import type { Row } from '../../src/values/field-type.ts';
import { SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { requestOf } from '../support/request-of.ts';

const block = datasetBlock({
  ...{ id: 'films', name: 'films', title: 'Films', description: 'Made.', noun: 'films' },
  examples: [{ title: 'The first rows', arguments: { _limit: 10 } }],
  fields: [
    { type: 'text', name: 'film', title: 'Film' },
    { type: 'date', name: 'released', title: 'Released' },
    { type: 'date', name: 'seen', title: 'Seen' },
  ],
});

/** A page of such films, without its tags. */
async function pageOf(rows: readonly Row[], query = '', source: Partial<DataSource> = {}) {
  const {
    manifest,
    profile,
    rows: packed,
  } = makeDataset(block, rows, { title: 'Made', ...source });
  const served = serveDataset(
    { block, manifest, store: memoryRows(block.fields, packed) },
    { profile: () => profile },
  );
  const request = requestOf(serviceOf(blockRoutes(served), SETTINGS));
  const html = await (await request(`/api_v2/blocks/films?_format=html&${query}`)).text();
  const words = html
    .replace(/<script.*?<\/script>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
  return { html, words };
}

const ROWS = [
  { film: 'Metropolis', released: '1927-01-10', seen: '2019-05-01' },
  { film: 'Big Fish', released: '2203-12-10', seen: '2020-01-02' },
];

describe('dates that are yet to come', () => {
  test('are told in the period, and at their column, which leads to their rows', async () => {
    const { words } = await pageOf(ROWS, '_view=table');
    expect(words).toContain('10 Jan 1927 – 10 Dec 2203 (some after today)');
    const { html } = await pageOf(ROWS, '_view=columns');
    const flags = [...html.matchAll(/<a href="([^"]*)">Some are after today\.<\/a>/g)];
    expect(flags).toHaveLength(1);
    const [, href = ''] = flags[0] ?? [];
    const query = href.replaceAll('&amp;', '&').slice(1);
    const { words: found } = await pageOf(ROWS, query);
    expect(found).toContain('1 of 2 films');
    expect(found).toContain('Big Fish 2203-12-10');
    expect(found).not.toContain('Metropolis 1927-01-10');
  });

  test('are not told of days that have been', async () => {
    const past = ROWS.slice(0, 1);
    expect((await pageOf(past, '_view=columns')).words).not.toContain('after today');
    expect((await pageOf(past, '_view=table')).words).not.toContain('after today');
  });
});

describe('a table without rows', () => {
  test.each(['', '_view=table', '_view=columns', '_view=api', 'film=x'])(
    'says that it is empty, and leads to no rows: “%s”',
    async (query) => {
      const { words, html } = await pageOf([], query);
      expect(words).toContain('This table is empty: its file has no rows.');
      expect(words).not.toMatch(/All 0|All films|The first rows/);
      expect(html).not.toContain('aria-label="Examples"');
    },
  );

  test('is not said of rows that a filter leaves out', async () => {
    const { words } = await pageOf(ROWS, 'film=x&_view=table');
    expect(words).toContain('0 of 2 films');
    expect(words).not.toContain('is empty');
  });
});

test('one row is one', async () => {
  const { words } = await pageOf(ROWS.slice(0, 1), '_view=table');
  expect(words).toContain('1 row × 3 columns');
  expect(words).not.toMatch(/\b1 rows/);
});

describe('the licence', () => {
  test.each([
    ['CC BY 4.0', 'CC BY 4.0'],
    [
      'Public domain: a work of the US Government (17 USC 105); cite the Bureau all the same',
      'Public domain',
    ],
    [
      'Administrative Code of the City of New York, section 23-502 (d), without any limits',
      'Administrative Code of the City of New York',
    ],
  ])('%s is called %s at the top, and is whole below', async (license, called) => {
    const { html, words } = await pageOf(ROWS, '_view=table', { license });
    const [facts = ''] = /<dl class="facts">.*?<\/dl>/s.exec(html) ?? [];
    expect(facts.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')).toContain(`Licence ${called} `);
    expect(facts).not.toContain('…');
    expect(words).toContain(license);
  });
});

describe('the call of a page', () => {
  test('of all rows is a GET without a body, and says that it is answered by a first page', async () => {
    const rows = Array.from({ length: 1200 }, (_, i) => ({ ...ROWS[0], film: `film ${i}` }) as Row);
    const { words } = await pageOf(rows, '_view=api');
    expect(words).toContain('curl http://localhost/api_v2/blocks/films -G -d _format=json');
    expect(words).toContain('The first page: 1,000 of 1,200. “next” leads to the next one.');
    // Lines of JSON break between its members, not within words.
    expect(words).toContain('{ &quot;film&quot;: &quot;film 0&quot;, &quot;released&quot;:');
    expect((await pageOf(ROWS, '_view=api')).words).not.toContain('The first page');
  });

  test('is for the rows or for the groups, each a link from the other', async () => {
    const other = (html: string) => {
      const [, nav = ''] =
        /<nav aria-label="What the call asks for">(.*?)<\/nav>/s.exec(html) ?? [];
      const [, href = '', text] = /<a href="([^"]*)">([^<]*)<\/a>/.exec(nav) ?? [];
      return { query: href.replaceAll('&amp;', '&').slice(1), text };
    };
    const many = Array.from({ length: 900 }, (_, i) => ({
      film: ['Big Fish', 'Metropolis', 'Her'][i % 3] ?? '',
      released: new Date(Date.UTC(2001, 0, (i * i) % 700)).toISOString().slice(0, 10),
      seen: '2020-01-02',
    }));
    const { html } = await pageOf(many, '_view=api&film=Big+Fish&_group=seen.year');
    const rows = other(html);
    expect(rows.text).toBe('the rows');
    const ofRows = await pageOf(many, rows.query);
    expect(ofRows.words).toContain('blocks/films -G -d film=Big+Fish');
    expect(ofRows.words).not.toContain('_group');
    const groups = other(ofRows.html);
    expect(groups.text).toBe('the groups');
    expect((await pageOf(many, groups.query)).words).toMatch(/-G -d film=Big\+Fish -d _group=\w+/);
  });
});
