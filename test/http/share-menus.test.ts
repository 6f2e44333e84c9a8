import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serviceOf } from '../../src/http/service.ts';
import type { Row } from '../../src/values/field-type.ts';
import { SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { requestOf } from '../support/request-of.ts';

const block = datasetBlock({
  ...{ id: 'trees', name: 'trees', title: 'Trees & "shrubs"', description: 'Made.' },
  ...{ noun: 'trees', examples: [] },
  fields: [
    { type: 'text', name: 'tree', title: 'Tree' },
    { type: 'text', name: 'kind', title: 'Kind' },
    { type: 'integer', name: 'height', title: 'Height', unit: 'cm' },
    { type: 'date', name: 'planted', title: 'Planted' },
    { type: 'boolean', name: 'tall', title: 'Tall' },
    { type: 'number', name: 'lon', title: 'Longitude' },
    { type: 'number', name: 'lat', title: 'Latitude' },
  ],
  primaryKey: ['tree'],
  geometry: { kind: 'points', longitude: 'lon', latitude: 'lat' },
});
const rows: Row[] = Array.from({ length: 1200 }, (_, i) => ({
  tree: `tree ${i}`,
  kind: ['oak', 'hornbeam & beech', 'elm'][i % 3] as string,
  height: i % 7 === 0 ? null : (i * 37) % 2000,
  planted: new Date(Date.UTC(1990, 0, 1 + i * 5)).toISOString().slice(0, 10),
  tall: i % 2 === 0,
  lon: 13 + ((i * 13) % 101) / 500,
  lat: 52 + ((i * 29) % 97) / 500,
}));
const { manifest, profile, columns } = (() => {
  const made = makeDataset(block, rows, { title: 'Made', publisher: 'A city' });
  return { ...made, columns: made.rows };
})();
const served = serveDataset(
  { block, manifest, store: memoryRows(block.fields, columns) },
  { profile: () => profile },
);
const at = (frameAncestors = '*') =>
  requestOf(serviceOf(blockRoutes(served), { ...SETTINGS, frameAncestors }));
const request = at();

const unescaped = (text: string) =>
  text.replace(/&(?:lt|gt|quot|amp|#39);/g, (found) => {
    return { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }[found] ?? '&';
  });
const wordsOf = (html: string) => unescaped(html.replace(/<[^>]+>/g, ' ')).replace(/\s+/g, ' ');

/** The menus of a page: what can be copied, by its label, and the links to files, by their texts. */
async function menusAt(query: string, ask = request) {
  const html = await (await ask(`/api_v2/blocks/trees?_format=html&${query}`)).text();
  const [menus = ''] = /<div id="acts">.*?<\/header>/s.exec(html) ?? [];
  const [, share = '', download = ''] = menus.split('<details class="pop"');
  const copied = new Map(
    [...share.matchAll(/<label>(.*?)<input[^>]* value="([^"]*)"[^>]*\/?>/gs)].map(
      ([, label = '', value = '']) => [wordsOf(label).trim(), unescaped(value)],
    ),
  );
  const files = new Map(
    [...download.matchAll(/<a href="([^"]*)">(.*?)<\/a>([^<]*)/gs)].map(
      ([, href = '', text = '', note = '']) => [text, { href: unescaped(href), note }],
    ),
  );
  return { html, share, copied, download: wordsOf(download), files };
}

const pathOf = (address: string) => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};
const FRAME = 'The figure in another page';
/** Of what is no figure. */
const FRAME_OF_TABLE = 'In another page';
/** The address of the figure as a picture. */
const pictureIn = (share: string) => unescaped(/<a href="([^"]*)">SVG<\/a>/.exec(share)?.[1] ?? '');
const LINK = 'Link to this view';
const SAID = 'What it says, with source and link';

test.each([
  ['', /Average of Height, by month – Trees .* From 130 in January 1990 .* A city\. Link/],
  ['kind=oak', /where Kind is “oak” – Trees .* From 167 in January 1990/],
  ['_group=kind&_measure=avg:height', /Average of Height, by Kind/],
  ['_view=map&kind=oak', /on the map/],
])('a figure is shared as what it is, with its sentence: “%s”', async (query, said) => {
  const { copied, share, html } = await menusAt(query);
  expect([...copied.keys()]).toEqual([LINK, SAID, FRAME, 'How to cite']);
  expect(wordsOf(share)).toMatch(said);
  const title = /<h2 id="found"[^>]*>(.*?)<\/h2>/s.exec(html)?.[1];
  for (const address of [
    copied.get(LINK) ?? '',
    unescaped(/src="([^"]*)"/.exec(copied.get(FRAME) ?? '')?.[1] ?? ''),
  ]) {
    const shown = await (
      await request(pathOf(address), { headers: { accept: 'text/html' } })
    ).text();
    expect(
      /<h[12][^>]*>([^<]*)<\/h[12]>\s*(?:<div class="above">)?<p class="state"/.exec(shown)?.[1],
    ).toBe(title);
  }
  // Relative to the page, whose path a proxy may change.
  const file = new URL(pictureIn(share), copied.get(LINK)).href;
  const picture = await request(pathOf(file));
  expect([picture.status, picture.headers.get('content-type')]).toEqual([
    200,
    'image/svg+xml; charset=utf-8',
  ]);
  expect(unescaped(await picture.text())).toContain(unescaped(title ?? '?'));
  expect(copied.get('How to cite')).toMatch(/^A city, Made, Trees & "shrubs", version \w+\. http/);
});

test('a table is shared as a table, and its frame is markup that a page can hold', async () => {
  for (const query of ['_view=table&kind=oak', '_view=api&kind=oak', '_view=columns&kind=oak']) {
    const { copied, share } = await menusAt(query);
    expect([...copied.keys()]).toEqual([LINK, SAID, FRAME_OF_TABLE, 'How to cite']);
    expect(share).not.toContain('As a picture');
    expect(copied.get(FRAME_OF_TABLE)).toMatch(
      /^<iframe src="http[^"<>]*&amp;[^"<>]*_view=table[^"<>]*_embed=true" width="600" height="400" style="border:0;width:100%" title="Trees &amp; &quot;shrubs&quot;"><\/iframe>$/,
    );
  }
});

test('nothing that is shared has the page’s key; what only a key opens is no frame and no picture', async () => {
  for (const query of ['', '_view=table', '_view=api', '_view=map']) {
    const { share, copied, files } = await menusAt(`api_key=SECRET&kind=oak&${query}`);
    expect(wordsOf(share)).toContain('Only a key opens these data: no other page can show them.');
    expect(share).not.toContain('SECRET');
    expect([...copied.keys()]).toEqual([LINK, SAID, 'How to cite']);
    expect(pictureIn(share)).toBe('');
    expect(copied.get(LINK)).toContain('kind=oak');
    // The reader himself goes on with it.
    expect(files.get('CSV')?.href).toContain('api_key=SECRET');
  }
});

test('where nobody may frame a page, no frame is offered, but the picture is', async () => {
  for (const frames of ["'none'", "'self' https://a.example"]) {
    const { copied, html, share } = await menusAt('', at(frames));
    expect(html).not.toContain('iframe');
    expect([...copied.keys()]).toEqual([LINK, SAID, 'How to cite']);
    expect(wordsOf(share)).toContain('In another page This server lets no other page show');
    expect(pictureIn(share)).toContain('_format=svg');
    const { html: api } = await menusAt('_view=api', at(frames));
    expect(api).not.toContain('iframe');
    // In the menu, and where programmers look for it.
    const said = /This server lets no other page show its figures\. Take the picture\./g;
    expect(api.match(said)).toHaveLength(2);
  }
});

test.each([
  ['lets no other page show it', { frameAncestors: "'none'" }],
  ['has a bound for long answers', { streamBytes: 10_000 }],
  ['sends them in one piece', { streamBytes: 10_000, inOnePiece: true }],
])('a page that a browser keeps is sent again once the service %s', async (_, settings) => {
  const path = '/api_v2/blocks/trees?_format=html&_view=table';
  const now = requestOf(serviceOf(blockRoutes(served), { ...SETTINGS, ...settings }));
  const asBefore = { streamBytes: 'inOnePiece' in settings ? 10_000 : undefined };
  const before = requestOf(serviceOf(blockRoutes(served), { ...SETTINGS, ...asBefore }));
  const etag = (await before(path)).headers.get('etag') ?? '';
  const kept = { headers: { 'If-None-Match': etag } };
  expect((await before(path, kept)).status).toBe(304);
  expect((await now(path, kept)).status).toBe(200);
});

describe('files', () => {
  const UNITS: Readonly<Record<string, number>> = { bytes: 1, KB: 1e3, MB: 1e6 };

  test.each([
    ['', 'All 1,200 trees', 1200, 5],
    ['kind=oak', '400 of 1,200 trees', 400, 5],
    ['_group=kind&planted_min=2000', 'of 1,200 trees', undefined, 5],
    ['_view=map&kind=oak', '400 of 1,200 trees', 400, 5],
    ['_view=columns&kind=oak', 'All 1,200 trees', 1200, 5],
    ['_view=table&kind=oak&_limit=40', '400 of 1,200 trees', 400, 5],
    ['_view=table&_group=kind', '3 groups', 3, 4],
  ])('of “%s” are of %s, each about as long as it says', async (query, said, count, formats) => {
    const { files, download } = await menusAt(query);
    expect(download).toContain(said);
    const names = ['CSV', 'NDJSON', 'Parquet', 'GeoJSON', 'JSON'];
    const found = names.filter((name) => files.has(name));
    expect(found).toHaveLength(formats);
    for (const name of found) {
      const { href = '', note = '' } = files.get(name) ?? {};
      const answer = await request(`/api_v2/blocks/trees${href}`);
      const bytes = (await answer.arrayBuffer()).byteLength;
      expect([name, answer.status]).toEqual([name, 200]);
      if (count !== undefined) expect(answer.headers.get('x-total-count')).toBe(String(count));
      const [, size, unit = ''] = /about ([\d.]+) (\w+)/.exec(note) ?? [];
      if (name === 'CSV' || name === 'NDJSON') expect(size).toBeDefined();
      // JSON has an envelope, which is most of a short answer.
      if (size === undefined || name === 'JSON') continue;
      const share = (Number(size) * (UNITS[unit] as number)) / bytes;
      // The import has counted the bytes of all rows; others are told by a sample.
      const [least, most] = count === 1200 ? [0.95, 1.05] : [0.65, 1.4];
      expect([name, share > least && share < most ? '' : share]).toEqual([name, '']);
    }
  });

  test('of a figure are also its numbers', async () => {
    const { files } = await menusAt('_group=kind&_measure=avg:height&kind=oak,elm');
    const { href = '' } = files.get('The numbers of this figure') ?? {};
    const answer = await request(`/api_v2/blocks/trees${href}`);
    expect((await answer.text()).split('\n')[0]?.trim()).toBe('kind,avg_height');
  });

  test('say what they are for, and JSON that it has the first rows', async () => {
    const { download, files } = await menusAt('_view=table');
    expect(download).toMatch(
      /CSV , about .* For other spreadsheets, and programs .* For Excel: dates, codes .* For R, Python and DuckDB/,
    );
    expect(files.get('JSON')?.note).toContain('the first 1,000');
  });
});

test('the menus speak the page’s language', async () => {
  const { share, download } = await menusAt('_lang=es');
  expect(wordsOf(share)).toMatch(/Compartir .*Enlace a esta vista.*Cómo citar/);
  expect(download).toMatch(/Descargar .*Para Excel: fechas, códigos y enlaces tal como son/);
});

test('a page that is refused has nothing to take away', async () => {
  const { share } = await menusAt('height_min=x');
  expect(share).toBe('');
});
