import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../bench/data/seeded-random.ts';
import { buildAssets } from '../../src/assets/build-assets.ts';
import { datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { ROOT } from '../support/service.ts';
import { serve } from '../support/serving.ts';

/** What a first opening of a figure of two numbers fetches: the page, its style and its script. */

const MOST = 52 * 1024;

const block = datasetBlock({
  ...{ id: 'sites', name: 'sites', title: 'Sites', description: 'Made.', noun: 'sites' },
  fields: [
    { type: 'text', name: 'code', title: 'Code' },
    { type: 'text', name: 'site', title: 'Site' },
    { type: 'number', name: 'income', title: 'Income', unit: '$' },
    { type: 'number', name: 'rent', title: 'Rent', unit: '$' },
    { type: 'number', name: 'lon', title: 'Longitude' },
    { type: 'number', name: 'lat', title: 'Latitude' },
  ],
  ...{ primaryKey: ['code'], keyFields: ['site'], examples: [] },
  geometry: { kind: 'points', longitude: 'lon', latitude: 'lat' },
});

const random = seededRandom(928);
const below = (most: number) => Math.floor(most * random());

const FIRST =
  'ash ber cal dor el fen gar hal in jor kel lan mor nor ost per quin ros sal ter ul ver wes yar zel';
const LAST = ['ton', 'ham', 'ford', 'wick', 'ley', 'by', 'worth', 'field'];
const WORDS = FIRST.split(' ').flatMap((first) => LAST.map((last) => first + last));

const rows: Row[] = Array.from({ length: 928 }, () => ({
  code: Array.from({ length: 12 }, () => below(10)).join(''),
  site: Array.from({ length: 4 }, () => WORDS[below(WORDS.length)]).join(' '),
  income: Number((20_000 + 200_000 * random()).toFixed(2)),
  rent: Number((500 + 4000 * random()).toFixed(2)),
  lon: Number((-180 + 360 * random()).toFixed(6)),
  lat: Number((-60 + 130 * random()).toFixed(6)),
}));
const { request } = serve(block, rows);

const SENT = ['assets/page.css', 'assets/page.js'];
let assets = 0;
beforeAll(async () => {
  const built = await buildAssets(ROOT);
  for (const name of SENT) assets += gzipSync(built[name]?.text ?? '').length;
});

async function pageAt(query: string): Promise<string> {
  const headers = { accept: 'text/html' };
  const answer = await request(`/api_v2/blocks/sites?${query}`, { headers });
  expect(answer.status).toBe(200);
  return answer.text();
}

const CIRCLES = /<a href="([^"]*)" tabindex="-1"><title>([^<]*)<\/title><circle [^>]*>/g;

describe('two numbers of 928 rows with keys of 12 digits and names of four words', () => {
  test.each([
    ['as asked', '_xy=income,rent'],
    ['with filters', '_xy=income,rent&income_min=100&_not.site=none'],
    ['in German', '_xy=income,rent&_lang=de'],
  ])('are 52 KB at most with style and script: %s', async (_, query) => {
    const page = await pageAt(query);
    expect(gzipSync(page).length + assets).toBeLessThanOrEqual(MOST);
    // Each circle says its name and both numbers.
    const titles = [...page.matchAll(CIRCLES)].map(([, , title = '']) => title);
    expect(titles).toHaveLength(rows.length);
    for (const title of titles) {
      expect(title).toMatch(
        /^\w+ \w+ \w+ \w+: Rent [\d.,]+(k| Tsd\.)? \$, Income [\d.,]+(k| Tsd\.)? \$$/,
      );
    }
  });

  test('lead to their rows, from the circle and from the table', async () => {
    const page = await pageAt('_xy=income,rent');
    const [first] = [...page.matchAll(CIRCLES)];
    const [, listed = ''] = /<tbody><tr><th scope="row"><a href="([^"]*)"/.exec(page) ?? [];
    const [, href = '', title = ''] = first ?? [];
    const highest = rows.reduce((a, b) => (Number(b.rent) > Number(a.rent) ? b : a));
    expect(title.startsWith(`${highest.site}: `)).toBe(true);
    for (const link of [href, listed]) {
      const { pathname, search } = new URL(
        link.replaceAll('&amp;', '&'),
        'http://x/api_v2/blocks/sites?_xy=income,rent',
      );
      const answer = await request(`${pathname}${search}&_format=json`);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain(`"${highest.code}"`);
    }
  });

  test('say how many of their numbers are below them, and have all in a table', async () => {
    const page = await pageAt('_xy=income,rent');
    expect(/The first 12 of 928\..*?All in a table/s.test(page)).toBe(true);
  });

  test('suggest no values if each row has another one: sixty of 928 are no list', async () => {
    const page = await pageAt('_xy=income,rent');
    const [, input] = /<input type="text" id="f-site"([^>]*)>/.exec(page) ?? [];
    expect(input).toContain('name="site"');
    expect(input).not.toContain('list=');
  });
});
