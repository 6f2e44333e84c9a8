import { describe, expect, test } from '@jest/globals';
import { SaxesParser } from 'saxes';
import { datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { naiveGroups } from '../support/naive-groups.ts';
import { serve } from '../support/serving.ts';

const HOSTILE = '</svg><script>alert(1)</script>]]>&amp;<!--\u0000\u0008\uffff" onload="x';
const TURNED = 'left\u202eright\u2066';
const block = datasetBlock({
  ...{ id: 'rides', name: 'rides', title: `Rides ${HOSTILE}`, description: 'Made.' },
  ...{ noun: 'rides', examples: [] },
  fields: [
    { type: 'text', name: 'ride', title: 'Ride' },
    { type: 'date', name: 'day', title: 'Day' },
    { type: 'text', name: 'kind', title: `Kind ${HOSTILE}` },
    { type: 'number', name: 'km', title: 'Length', unit: `km${HOSTILE}` },
    { type: 'number', name: 'lon', title: 'Longitude' },
    { type: 'number', name: 'lat', title: 'Latitude' },
  ],
  primaryKey: ['ride'],
  geometry: { kind: 'points', longitude: 'lon', latitude: 'lat' },
});
const KINDS = ['bus', TURNED, HOSTILE];
const rows: Row[] = Array.from({ length: 900 }, (_, i) => ({
  ride: `${HOSTILE}${i}`,
  day: new Date(Date.UTC(2023, 0, 1 + ((i * 7) % 400))).toISOString().slice(0, 10),
  kind: KINDS[i % 4 === 0 ? 0 : i % 3] as string,
  km: (i * 37) % 91,
  lon: 13 + ((i * 13) % 101) / 500,
  lat: 52 + ((i * 29) % 97) / 500,
}));
const { request } = serve(block, rows);
const AT = '/api_v2/blocks/rides?_format=svg&';

/** A file's texts, read as XML; anything that is no SVG fails. */
function textsIn(svg: string): string[] {
  const texts: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  const open: string[] = [];
  parser.on('opentag', ({ local, uri, attributes }) => {
    expect([local, uri]).toEqual([
      expect.stringMatching(/^(?:svg|g|path|rect|circle|line|text|tspan|title)$/),
      'http://www.w3.org/2000/svg',
    ]);
    expect(Object.keys(attributes).filter((name) => /^on|href|style|class/.test(name))).toEqual([]);
    open.push(local);
    if (local === 'text') texts.push('');
  });
  parser.on('text', (text) => {
    if (open.includes('text')) texts.push(`${texts.pop()}${text}`);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(svg).close();
  return texts;
}

async function svgAt(query: string, ask = request) {
  const answer = await ask(`${AT}${query}`);
  const text = await answer.text();
  expect([answer.status, query, text.slice(0, 4)]).toEqual([200, query, '<svg']);
  return { text, texts: textsIn(text), headers: answer.headers };
}

test('a map near a place on the 180th meridian is framed by what is within the distance', async () => {
  const places = rows.slice(0, 40).map((row, i) => ({ ...row, lon: i % 2 ? 179.9 : -179.9 }));
  const islands = serve(block, places).request;
  const { texts } = await svgAt('_view=map&_near=180,52&_within=500km', islands);
  expect(texts.join(' ')).toContain('Land and borders: Natural Earth');
  expect(texts.join(' ')).toContain('40 are on the map, none outside it');
});

test('a figure has the numbers that anybody would count, and says of which rows they are', async () => {
  const { texts, headers } = await svgAt('_group=kind&_measure=count&km_min=50');
  const matching = rows.filter(({ km }) => Number(km) >= 50);
  const groups = naiveGroups(block.fields, matching, { _group: ['kind'], _measure: ['count'] });
  const counts = groups.map(({ count }) => Number(count)).sort((a, b) => b - a);
  expect(texts.filter((text) => /^\d+$/.test(text)).map(Number)).toEqual(counts);
  const all = texts.join(' ');
  expect(all).toContain(`${matching.length} of 900 rides`);
  expect(all).toMatch(/where Length is at least 50/);
  expect(headers.get('x-total-count')).toBe(String(groups.length));
});

test('a filter on groups is in the file', async () => {
  const { texts } = await svgAt('_group=kind&_having.count_min=200');
  expect(texts.join(' ')).toMatch(/only groups whose Number of rows is at least 200/);
});

/** The title of a page's figure or of a file. */
const titleOf = async (query: string) => {
  const html = await (await request(`${AT.replace('svg', 'html')}${query}`)).text();
  return /<h2 id="found"[^>]*>(.*?)<\/h2>/s.exec(html)?.[1];
};

test.each([
  '',
  'kind=bus',
  '_view=chart&_sort=-km',
  '_view=map',
  '_view=map&_mark=cells',
  '_group=day.month&_measure=avg:km&_mark=line',
  '_group=day.month,kind&_mark=heat',
  '_group=km.10',
  '_near=13.1,52.1&_within=5km',
  'km_min=1000',
  '_group=kind&_sort=-ride',
])(
  '“%s” is the figure of its page: nothing in a cell is markup, and it loads nothing',
  async (query) => {
    const { text, texts } = await svgAt(query);
    const [title = ''] = texts;
    const shown = (await titleOf(query))?.replaceAll('&quot;', '"').replaceAll('&lt;', '<') ?? '';
    expect(title.slice(0, 12)).toBe(shown.slice(0, 12));
    expect(text).not.toMatch(/<script|<!|http(?!:\/\/www\.w3\.org\/2000\/svg")|url\(|@import/);
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  },
);

test('its headers let it run nothing; it is kept as long as nothing changes', async () => {
  const { headers, text } = await svgAt('_group=kind');
  expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; sandbox(?:;|$)/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('vary')).toMatch(/\bAccept\b/);
  const etag = headers.get('etag') as string;
  const known = { headers: { 'if-none-match': etag } };
  expect((await request(`${AT}_group=kind`, known)).status).toBe(304);
  for (const other of ['kind=bus&_group=kind', '_group=kind&_lang=de', '_group=kind&_mark=line']) {
    expect((await request(`${AT}${other}`, known)).status).toBe(200);
  }
  // As an <img> asks for it.
  const image = await request('/api_v2/blocks/rides?_group=kind', {
    headers: { accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8' },
  });
  expect(await image.text()).toBe(text);
  const posted = await request('/api_v2/blocks/rides', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ _format: 'svg', _group: ['kind'] }),
  });
  expect([await posted.text(), posted.headers.get('etag')]).toEqual([text, null]);
});

test('it speaks the language that is asked for', async () => {
  const { texts } = await svgAt('_group=day.month&_measure=avg:km&_lang=de&kind=bus');
  expect(texts.join(' ')).toMatch(/Durchschnitt.* von 900 rides .*mit Kind/s);
});

describe('refused is', () => {
  test.each([
    ['_view=table', 'no-figure', '_view', /opens its table. Ask for _view=chart/],
    ['_view=columns', 'no-figure', '_view', /opens its columns/],
    ['_view=api', 'no-figure', '_view', /opens its api/],
    ['_sort=km', 'no-figure', '_format', /opens its table/],
    ['_limit=3', 'no-figure', '_format', /opens its table/],
    ['_measure=avg:km', 'no-figure', '_format', /Ask for numbers by at least one field/],
    ['_group=ride,kind,day&_measure=min:km', 'no-figure', '_format', /for fewer groups/],
    ['_facets=kind', 'option-of-another-format', '_facets', /JSON and pages/],
    ['_raw=true', 'option-of-another-format', '_raw', /CSV alone/],
    ['knid=bus', 'unknown-parameter', 'knid', /kind/],
    ['_lang=fr', 'not-a-choice', '_lang', /en/],
  ])('%s: %s of %s', async (query, code, parameter, detail) => {
    const answer = await request(`${AT}${query}`);
    const { errors } = JSON.parse(await answer.text());
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      400,
      'application/problem+json',
    ]);
    expect(errors).toEqual([
      expect.objectContaining({ code, parameter, detail: expect.stringMatching(detail) }),
    ]);
  });

  test('a map of a block without places', async () => {
    const { geometry: _, ...flat } = block;
    const { request: ask } = serve(datasetBlock({ ...flat, fields: block.fields }), rows);
    const answer = await ask(`${AT}_view=map`);
    expect(answer.status).toBe(400);
  });
});
