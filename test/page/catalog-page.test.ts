import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { oneOf, seededRandom, wholeNumber } from '../../bench/data/seeded-random.ts';
import type { Thumbnail } from '../../src/block/manifest.ts';
import { MOST_DRAWN } from '../../src/figure/thumbnail.ts';
import { LANGUAGES } from '../../src/languages/languages.ts';
import { BLOCKS_ON_PAGE, renderCatalogPage } from '../../src/page/catalog-page.tsx';
import type { FoundBlock } from '../../src/page/listed-block.ts';

const random = seededRandom(17);
const whole = (most: number) => wholeNumber(random, 0, most - 1);

/** As many different words as a catalogue of a city may have. */
const VOCABULARY = Array.from({ length: 2000 }, () =>
  Array.from({ length: 3 + whole(8) }, () => String.fromCharCode(97 + whole(26))).join(''),
);

function words(count: number): string {
  return Array.from({ length: count }, () => oneOf(random, VOCABULARY)).join(' ');
}

function foundBlock(title: string, more: Partial<FoundBlock['listed']> = {}): FoundBlock {
  const name = words(2).replace(' ', '-');
  const summary = { id: name, name, title, description: words(22), url: `/api_v2/blocks/${name}` };
  return {
    listed: { summary, rows: whole(1e6), noun: 'trees', date: '2020-01', ...more },
    hits: [],
  };
}

const VIEW = {
  ...{ language: LANGUAGES.en, search: '', unused: [], before: 0, today: '2026-11-28' },
  ...{ url: 'http://127.0.0.1/', toRoot: './' },
};

const render = (blocks: readonly FoundBlock[], more: object = {}) =>
  renderCatalogPage({ ...VIEW, blocks, found: blocks.length, all: blocks.length, ...more });

const WORDS = { form: 'line', measured: {}, by: [{ part: 'month' }] } as const;

/** A line of as many characters as there may be. */
function line(): Thumbnail {
  let path = 'M0 0';
  while (path.length < MOST_DRAWN - 6) path += `l1 ${whole(60)}`;
  return { ...WORDS, kind: 'plot', width: 200, height: 60, paths: [['l', path]] };
}

/** A map of which a third of all cells has something, anywhere. */
function squares(): Thumbnail {
  const shade = () => (whole(3) === 0 ? 1 + whole(5) : 0);
  const cells = Array.from({ length: 450 }, () => (6 * shade() + shade()).toString(36)).join('');
  return { ...WORDS, by: [], kind: 'map', columns: 36, rows: 25, cells };
}

test.each([
  ['lines', line],
  ['maps', squares],
])('a page of %s as large as they may be is 30 KB at most', async (_, draw) => {
  const blocks = Array.from({ length: BLOCKS_ON_PAGE }, () =>
    foundBlock(words(3), { thumbnail: draw() }),
  );
  const html = await render(blocks);
  expect(html.match(/<svg class="picture/g)).toHaveLength(BLOCKS_ON_PAGE);
  expect(gzipSync(html).length).toBeLessThanOrEqual(30 * 1024);
});

test.each([
  ['City trees. Along the streets.', 'Along the streets.'],
  ['City trees.', 'City trees.'],
  ['City trees by street.', 'City trees by street.'],
])('%s does not repeat the title above it, with which `add` begins', async (description, seen) => {
  const found = foundBlock('City trees');
  const summary = { ...found.listed.summary, description };
  const html = await render([{ ...found, listed: { ...found.listed, summary } }]);
  expect(html).toContain(`<p dir="auto">${seen}</p>`);
});

test('a card has no list of columns, which `add` writes where nobody says more', async () => {
  const found = foundBlock('City trees', { rows: 1 });
  const description = 'City trees. Each row has: Iata, Name, City.';
  const summary = { ...found.listed.summary, description };
  const html = await render([{ ...found, listed: { ...found.listed, summary } }]);
  expect(html).not.toContain('Iata');
  expect(html).toContain('<p class="quiet">1 row, as of 2020-01</p>');
});

test('the list says what it is for people: nobody has to know what a function is', async () => {
  const html = await render([foundBlock('City trees')]);
  expect(html).toContain('<h1>Data to look at, take and call</h1>');
  expect(html.replace(/<script.*/s, '')).not.toMatch(/as functions/);
});

describe('a thumbnail', () => {
  const bars: Thumbnail = {
    ...{ form: 'bars', measured: { message: 'Average of', field: 'Height' }, kind: 'bars' },
    by: [{ field: 'Kind' }],
    bars: [
      ['<b>Oak', 12.5],
      ['\u202eelm', 3],
      [null, -2],
      [true, 0],
    ],
    more: 7,
  };

  test('of bars has names, numbers, and how many more there are', async () => {
    const html = await render([foundBlock('Trees', { thumbnail: bars })]);
    const rows = [...html.matchAll(/<th scope="row">(.*?)<\/th><td[^>]*>(.*?)<\/td>/g)];
    expect(rows.map(([, name, number]) => [name, number])).toEqual([
      ['<bdi>&lt;b&gt;Oak</bdi>', '12.5'],
      ['<bdi>\u202eelm</bdi>', '3'],
      ['<bdi>blank</bdi>', '−2'],
      ['<bdi>yes</bdi>', '0'],
      ['and 7 more', ''],
    ]);
    const rects = [...html.matchAll(/<rect x="(.*?)%" width="(.*?)%"/g)];
    expect(rects.map(([, x, width]) => [Number(x), Number(width)])).toEqual([
      [13.8, 86.2],
      [13.8, 20.7],
      [0, 13.8],
      [13.8, 0],
    ]);
  });

  test.each<[string, Partial<Thumbnail>, string]>([
    ['en', {}, 'Average of Height, by Kind'],
    ['de', {}, 'Durchschnitt von Height, nach Kind'],
    [
      'en',
      { measured: {}, by: [{ part: 'month', field: 'Planted' }] },
      'Trees, by month of Planted',
    ],
    [
      'en',
      { measured: { field: 'Height' }, range: [0.123, 56789] },
      'Height, by Kind: 0.123 to 56,789',
    ],
    [
      'en',
      { measured: { field: 'Built' }, range: [1955, 2025], numbers: 'plain' },
      'Built, by Kind: 1955 to 2025',
    ],
    [
      'de',
      { measured: { field: 'Height' }, range: [0.25, 0.5], numbers: 'share' },
      'Height, nach Kind: 25 % bis 50 %',
    ],
    ['es', { measured: {}, by: [{ part: 'year' }] }, 'Trees, por año'],
  ])('says what it is of, in %s: %j', async (name, of, caption) => {
    const language = LANGUAGES[name as keyof typeof LANGUAGES];
    const thumbnail = { ...bars, ...of } as Thumbnail;
    const html = await render([foundBlock('Trees', { thumbnail })], { language });
    expect(/<p class="quiet" dir="auto">(.*?)<\/p>/.exec(html)?.[1]).toBe(caption);
  });

  test('of a map draws each cell by its class, and a surface without gaps', async () => {
    // Two in a digit: 1 and 1, 0 and 5, 0 and 0.
    const map: Thumbnail = { ...WORDS, by: [], kind: 'map', columns: 3, rows: 2, cells: '750' };
    const drawn = async (thumbnail: Thumbnail) =>
      [
        ...(await render([foundBlock('a', { thumbnail })])).matchAll(
          /<path class="(s\d)" d="(.*?)"/g,
        ),
      ].map(([, look, path]) => [look, path]);
    expect(await drawn(map)).toEqual([
      ['s1', 'M0 0h.8v.8h-.8zM1 0h.8v.8h-.8z'],
      ['s5', 'M0 1h.8v.8h-.8z'],
    ]);
    expect(await drawn({ ...map, isSurface: true })).toEqual([
      ['s1', 'M0 0h2v1h-2z'],
      ['s5', 'M0 1h1v1h-1z'],
    ]);
  });
});

test('what a search has found is below the title, and leads to its rows', async () => {
  const { listed } = foundBlock('Trees');
  const hits = [
    { query: { kind: '5\\* <i>' }, field: 'Kind', value: '5* <i>', rows: 1234 },
    { query: { age_min: 100 }, example: 'Old “trees”' },
  ];
  const html = await render([{ listed, hits }], { key: 'k' });
  const links = [...html.matchAll(/<a href="([^"]*?)">(<bdi>.*?)<\/a>/g)];
  const url = `.${listed.summary.url}`;
  expect(links.map(([, href, text]) => [href, text])).toEqual([
    [`${url}?kind=5%5C*+%3Ci%3E&amp;api_key=k`, '<bdi>Kind</bdi>: <bdi>5* &lt;i&gt;</bdi> (1,234)'],
    [`${url}?age_min=100&amp;api_key=k`, '<bdi>Old “trees”</bdi>'],
  ]);
});

test.each([
  [0, 24, 70, ['1–24', 'next ?q=tree&amp;page=2']],
  [24, 24, 70, ['25–48', 'prev ?q=tree', 'next ?q=tree&amp;page=3']],
  [48, 22, 70, ['49–70', 'prev ?q=tree&amp;page=2']],
  [0, 24, 24, []],
])('of many blocks, a page has those from %i on', async (before, count, found, expected) => {
  const blocks = Array.from({ length: count }, () => foundBlock('a'));
  const html = await render(blocks, { before, found, all: 300, search: 'tree' });
  const nav = /<nav class="pages".*?<\/nav>/s.exec(html)?.[0] ?? '';
  const links = [...nav.matchAll(/rel="(\w+)" href="(.*?)"/g)].map(([, rel, to]) => `${rel} ${to}`);
  expect([...nav.matchAll(/<b>(.*?)<\/b>/g)].map(([, text]) => text).concat(links)).toEqual(
    expected,
  );
});
