import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Random, seededRandom } from '../../bench/data/seeded-random.ts';
import { buildAssets } from '../../src/assets/build-assets.ts';
import { datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { ROOT } from '../support/service.ts';
import { serve } from '../support/serving.ts';

/** What a first opening of a map fetches: the page, its style and its script. */

const KB = 1024;
const MOST = 52 * KB;

const block = datasetBlock({
  ...{ id: 'finds', name: 'finds', title: 'Finds', description: 'Made.', noun: 'finds' },
  fields: [
    { type: 'text', name: 'find', title: 'Find' },
    { type: 'text', name: 'kind', title: 'Kind' },
    { type: 'text', name: 'state', title: 'State' },
    { type: 'date', name: 'day', title: 'Day' },
    { type: 'number', name: 'length', title: 'Length', unit: 'km' },
    { type: 'number', name: 'cost', title: 'Cost' },
    { type: 'number', name: 'lon', title: 'Longitude' },
    { type: 'number', name: 'lat', title: 'Latitude' },
  ],
  ...{ primaryKey: ['find'], keyFields: ['find'], examples: [] },
  geometry: { kind: 'points', longitude: 'lon', latitude: 'lat' },
});

const random = seededRandom(52);
const KINDS = ['axe', 'bowl', 'coin', 'door', 'edge', 'flag'];

/** Rows all over a part of the earth, as even as its area is. */
function rowsIn([west, south, east, north]: readonly [number, number, number, number]): Row[] {
  const sine = (degrees: number) => Math.sin((degrees * Math.PI) / 180);
  const between = (random: Random, from: number, to: number) => from + (to - from) * random();
  return Array.from({ length: 20_000 }, (_, i) => ({
    find: `find ${i}`,
    kind: KINDS[i % 6] ?? null,
    state: `S${i % 40}`,
    day: `${2000 + (i % 24)}-0${1 + (i % 9)}-1${i % 10}`,
    length: Number((10 ** between(random, -1, 3)).toFixed(4)),
    cost: Number((10 ** between(random, -1, 3)).toFixed(2)),
    lon: Number(between(random, west, east).toFixed(6)),
    lat: Number(
      ((Math.asin(between(random, sine(south), sine(north))) * 180) / Math.PI).toFixed(6),
    ),
  }));
}

const EARTH = serve(block, rowsIn([-180, -90, 180, 90]));
const AMERICA = serve(block, rowsIn([-124, 25, -67, 49]));

let assets = 0;
beforeAll(async () => {
  const built = await buildAssets(ROOT);
  for (const name of ['assets/page.css', 'assets/map.js']) {
    assets += gzipSync(built[name]?.text ?? '').length;
  }
});

/** A page with its style and its script, in bytes as they are sent, and its squares that are links. */
async function weighed({ request }: typeof EARTH, query: string) {
  const headers = { accept: 'text/html' };
  const answer = await request(`/api_v2/blocks/finds?${query}`, { headers });
  expect(answer.status).toBe(200);
  const page = await answer.text();
  const [, squares = ''] = /<g class="cells">(.*?)<\/g>/s.exec(page) ?? [];
  const links = squares.match(/<a href="[^"]*_bbox=[^"]*" tabindex="-1"><title>/g)?.length ?? 0;
  return { bytes: gzipSync(page).length + assets, links, page };
}

describe('a map is 52 KB at most with its style and its script', () => {
  test.each([
    ['as it opens', EARTH, '_view=map'],
    ['with as many squares as there may be', EARTH, '_group=place.870km'],
    ['of averages, in Spanish', EARTH, '_group=place.870km&_measure=avg:cost&_lang=es'],
    ['of the United States', AMERICA, '_group=place.145km'],
    ['with filters', AMERICA, '_group=place.145km&kind=axe*&_not.state=S3&cost_min=0.2'],
  ])('%s', async (_, of, query) => {
    const { bytes, links, page } = await weighed(of, query);
    expect(bytes).toBeLessThanOrEqual(MOST);
    expect(links).toBeGreaterThan(450);
    // Each says its place and its number.
    expect(page.match(/<title>[\d.,]+° [NS], [\d.,]+° [EOW]: [^<]+<\/title>/g)).toHaveLength(links);
  });

  test('of squares that were asked for too narrow, whose title and sentence say how wide they are', async () => {
    const { bytes, links, page } = await weighed(EARTH, '_group=place.520km');
    expect(bytes).toBeLessThanOrEqual(MOST);
    expect(links).toBeGreaterThan(450);
    expect(page).toContain('Finds, in squares of 999 km</h2>');
    expect(page).toContain('There are more than 700 squares of 520 km, so they are of 999 km.');
  });
});
