import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { oneOf, seededRandom, wholeNumber } from '../../bench/data/seeded-random.ts';
import type { SmallPicture } from '../../src/block/manifest.ts';
import { MOST_DRAWN } from '../../src/figure/small-picture.ts';
import { LANGUAGES } from '../../src/languages/languages.ts';
import { BLOCKS_ON_PAGE, renderCatalogPage } from '../../src/page/catalog-page.tsx';
import type { FoundBlock } from '../../src/portals/listed-block.ts';

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

const SAID = { title: 'Trees, by month', statement: 'From 1 in May to 9 in June.' };

const withPicture = (svg: string, said = SAID): SmallPicture => ({
  svg,
  said: { en: said, de: { title: 'Bäume' }, es: said },
});

/** A picture of a path of as many characters as there may be. */
function picture(begin: string, next: () => string): SmallPicture {
  let path = begin;
  while (path.length < MOST_DRAWN - 40) path += next();
  return withPicture(
    `<svg class="picture" viewBox="0 0 200 60"><path class="s1" d="${path}"/></svg>`,
  );
}

const line = () => picture('M0 0l', () => `1 ${whole(60)} `);

/** Units anywhere. */
const units = () => picture('M0 0', () => `m${1 + whole(9)} 0h${1 + whole(4)}`);

test.each([
  ['lines', line],
  ['maps', units],
])('a page of %s as large as they may be is 30 KB at most', async (_, draw) => {
  const blocks = Array.from({ length: BLOCKS_ON_PAGE }, () =>
    foundBlock(words(3), { picture: draw() }),
  );
  const html = await render(blocks);
  expect(html.match(/<svg class="picture/g)).toHaveLength(BLOCKS_ON_PAGE);
  expect(gzipSync(html).length).toBeLessThanOrEqual(30 * 1024);
});

test.each([
  ['en', '<b>Trees &lt;i&gt;</b> From 1 in May to 9 in June.'],
  ['de', '<b>Bäume</b> '],
])('a picture is followed by what it shows, in %s', async (name, expected) => {
  const language = LANGUAGES[name as keyof typeof LANGUAGES];
  const of = withPicture('<svg class="picture"/>', { ...SAID, title: 'Trees <i>' });
  const html = await render([foundBlock('Trees', { picture: of })], { language });
  expect(/<svg class="picture"\/><p class="quiet" dir="auto">(.*?)<\/p>/.exec(html)?.[1]).toBe(
    expected,
  );
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
