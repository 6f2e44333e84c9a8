import { expect, test } from '@jest/globals';
import { suiteService } from '../support/suite-service.ts';

const service = suiteService();

type Cell = { readonly count: number; readonly [name: string]: unknown };
const get = (block: string, query: string, headers = {}) =>
  service.get(`/api_v2/blocks/${block}?${query}`, headers);
const PAGE = { Accept: 'text/html' };

test.each([
  ['business-directory', '_group=place.0.5km', 'place_0_5km'],
  ['business-directory', 'category=retail&_q=st&_group=place.300m', 'place_300m'],
  ['census-neighborhoods', '_group=place.1mi&_measure=count', 'place_1mi'],
])(
  '%s?%s: the box of each cell finds its rows, and its centre is in the box',
  async (block, query, name) => {
    const { body } = await get(block, query);
    const cells = (body.params.results as Cell[]).filter((cell) => cell[name] !== null);
    expect(cells.length).toBeGreaterThan(3);
    for (const { count, [name]: centre, [`${name}_box`]: box } of cells) {
      const filters = query.replace(/&?_group.*/, '');
      const { body: found } = await get(block, `${filters}&_bbox=${box}`);
      expect([box, found.params.total]).toEqual([box, count]);
      const { body: again } = await get(block, `${query}&_bbox=${box}`);
      expect(again.params.results.map((cell: Cell) => cell[name])).toEqual([centre]);
    }
  },
);

test('cells are measured, sorted, paged and combined with other groups', async () => {
  const query = '_group=place.500m,category&_measure=count,distinct:type_of_business&_sort=-count';
  const { body } = await get('business-directory', `${query}&_limit=3`);
  expect(Object.keys(body.params.results[0])).toEqual([
    ...['place_500m', 'place_500m_box', 'category', 'count', 'distinct_type_of_business'],
  ]);
  const { body: next } = await get(
    'business-directory',
    `${query}&_limit=3&_cursor=${body.params.next}`,
  );
  const counts = [...body.params.results, ...next.params.results].map(({ count }) => count);
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
});

test.each([
  ['business-directory', 'place.5m'],
  ['business-directory', 'place.2'],
  ['business-directory', 'place'],
  ['rgb-to-color-name', 'place.2km'],
])('%s does not take %s', async (block, text) => {
  const { body, status } = await get(block, `_group=${text}&R=1&G=1&B=1`);
  expect(status).toBe(400);
  if (text !== 'place.2km') expect(body.errors[0].suggestion ?? 'place.2km').toBe('place.2km');
});

test('a page offers cells, draws them, and links each to its rows', async () => {
  const { text: rows } = await get('business-directory', '_view=map', PAGE);
  const [, offered = ''] = /<option value="(place\.[^"]+)"/.exec(rows) ?? [];
  expect(offered).toMatch(/^place\.0\.\dkm$/);
  const { text } = await get('business-directory', `_group=${offered}`, PAGE);
  expect(text).toMatch(/<h2 [^>]*>Businesses, in squares of 0\.\d km<\/h2>/);
  expect(text).toMatch(/<rect class="s\d" x="[\d.]+" y="[\d.]+" width="[\d.]+"/);
  const { body } = await get('business-directory', `_group=${offered}&_sort=-count`);
  const [first] = body.params.results;
  const box = first[`${offered.replaceAll('.', '_')}_box`];
  expect(text).toContain(`_bbox=${encodeURIComponent(box)}`);
});
