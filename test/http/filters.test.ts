import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { serve } from '../support/serving.ts';

const block = datasetBlock({
  ...{ id: 'trees', name: 'trees', title: 'Trees', description: 'Made.', noun: 'trees' },
  examples: [],
  fields: [
    { type: 'text', name: 'kind', title: 'Kind' },
    { type: 'text', name: 'park', title: 'Park' },
    { type: 'boolean', name: 'old', title: 'Old' },
    { type: 'date', name: 'planted', title: 'Planted' },
    { type: 'integer', name: 'height', title: 'Height' },
    { type: 'number', name: 'lon', title: 'Longitude' },
    { type: 'number', name: 'lat', title: 'Latitude' },
  ],
  geometry: { kind: 'points', longitude: 'lon', latitude: 'lat' },
});
const KINDS = ['oak', 'elm', 'ash', 'fir*'];
const rows: Row[] = Array.from({ length: 400 }, (_, i) => ({
  kind: KINDS[i % 4] as string,
  park: i % 5 === 0 ? null : `park ${i % 23}`,
  old: i % 3 === 0,
  planted: new Date(Date.UTC(2015, 0, 1 + ((i * 37) % 3000))).toISOString().slice(0, 10),
  height: i % 10 === 0 ? null : (i * 37) % 91,
  ...{ lon: 13 + ((i * 13) % 101) / 500, lat: 52 + ((i * 29) % 97) / 500 },
}));
const { request } = serve(block, rows);

async function htmlAt(query: string): Promise<string> {
  return (await request(`/api_v2/blocks/trees?_format=html&${query}`)).text();
}

/** What a choice says that it would find, by its label. */
function countsIn(html: string, name: string): Record<string, string | undefined> {
  const labels = html.matchAll(
    new RegExp(
      `<input type="checkbox"[^>]* name="${name}"[^>]*/><bdi>(.*?)</bdi> ?(.*?)</label>`,
      'gs',
    ),
  );
  return Object.fromEntries(
    [...labels].map(([, label = '', rest = '']) => [label, /^<span[^>]*>([\d,]+)/.exec(rest)?.[1]]),
  );
}

const countOf = (passes: (row: Row) => boolean) => String(rows.filter(passes).length);

describe('a choice tells what it would find', () => {
  test.each([
    ['', () => true],
    ['kind=oak', () => true],
    ['old=true', (row: Row) => row.old === true],
    ['height_min=50&kind=elm', (row: Row) => Number(row.height ?? -1) >= 50],
    ['_not.kind=oak', (row: Row) => row.kind !== 'oak'],
    ['_empty=park', (row: Row) => row.park === null],
    ['_or.1.kind=oak&_or.2.old=true', (row: Row) => row.kind === 'oak' || row.old === true],
  ] as const)('with %j', async (query, passes) => {
    const all = KINDS.map((kind) => [kind, countOf((row) => row.kind === kind && passes(row))]);
    for (const view of ['table', 'chart']) {
      const counts = countsIn(await htmlAt(`${query}&_view=${view}`), 'kind');
      expect(counts).toEqual(Object.fromEntries(all));
    }
  });

  test('and nothing where the page is refused, but keeps what was chosen', async () => {
    const html = await htmlAt('old=yes&kind=oak&height_min=high');
    expect(countsIn(html, 'kind')).toEqual({
      oak: undefined,
      elm: undefined,
      ash: undefined,
      'fir*': undefined,
    });
    expect(html).toMatch(/name="old" value="true" checked/);
    expect(html).toMatch(/name="kind" value="oak" checked/);
    expect(html).not.toContain('The median is');
  });

  test('a field of more values than are listed has a box for a text', async () => {
    expect(await htmlAt('old=true')).toMatch(/<input type="text" id="f-park" name="park"/);
  });
});

describe('a range', () => {
  test('tells the median of all rows only where these are shown, and the blanks of those that are', async () => {
    const note = async (query: string) => /id="n-height">(.*?)</.exec(await htmlAt(query))?.[1];
    expect(await note('_view=table')).toBe('40 blank. The median is 45.');
    const blank = countOf((row) => row.height === null && row.old === true);
    expect(await note('old=true&_view=table')).toBe(`${blank} blank.`);
  });

  test('links to its years, each with the rows of one', async () => {
    const html = await htmlAt('old=true&_view=table');
    const [, periods = ''] = /id="p-planted">(.*?)<\/small>/s.exec(html) ?? [];
    const links = [...periods.matchAll(/href="([^"]*)"[^>]*>(.*?)<\/a>/g)];
    expect(links.map(([, , text]) => text).slice(0, 3)).toEqual(['Last 12 months', '2023', '2022']);
    const [, href = ''] = links[2] ?? [];
    const asked = href.replaceAll('&amp;', '&').replace(/^\?/, '').replace('_format=html&', '');
    const answer = await request(`/api_v2/blocks/trees?${asked}`);
    expect(answer.headers.get('x-total-count')).toBe(
      countOf((row) => row.old === true && String(row.planted).startsWith('2022')),
    );
  });
});

test('the way to a row near a place is its direction, however the place is written', async () => {
  const waysAt = async (query: string) =>
    [
      ...(await htmlAt(`${query}&_view=table&_limit=20`)).matchAll(
        /<\/data> (\w+) <a class="narrow"/g,
      ),
    ].map(([, way]) => way);
  const ways = await waysAt('_near=13.1,52.1');
  expect(new Set(ways).size).toBeGreaterThan(3);
  expect(await waysAt('_near=13.1&_near=52.1')).toEqual(ways);
  expect(await waysAt('_near=13.1,52.1&_fields=kind')).toEqual(ways);
  expect(await htmlAt('_near=13.1,52.1&_view=table')).not.toContain('_sort=-_distance');
});
