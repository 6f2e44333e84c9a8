import { describe, expect, test } from '@jest/globals';
import { wideBlock, wideRows } from '../../bench/hostile/wide-set.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serviceOf } from '../../src/http/service.ts';
import { SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { requestOf } from '../support/request-of.ts';

const COUNT = 1200;
const { manifest, rows, profile } = makeDataset(wideBlock, wideRows(COUNT), { title: 'Made' });
const store = memoryRows(wideBlock.fields, rows);
const FIELDS = wideBlock.fields.map(({ name }) => name);

/** A service that has answered nothing yet. */
const fresh = () => {
  const served = serveDataset({ block: wideBlock, manifest, store }, { profile: () => profile });
  return requestOf(serviceOf(blockRoutes(served), SETTINGS));
};
const request = fresh();

/** What a person sees of a page's table, and what is said of the rest. */
async function pageAt(query: string) {
  const answer = await request(`/api_v2/blocks/wide?_format=html&${query}`);
  const html = await answer.text();
  expect(answer.status).toBe(200);
  const lines = html.match(/<tr>.*?<\/tr>/gs) ?? [];
  const [head = '', ...body] = lines;
  const text = (part: string | undefined) => part?.replace(/<[^>]+>/g, '').trim();
  return {
    html,
    rows: body.length,
    columns: head.match(/<th /g)?.length ?? 0,
    cells: html.match(/<td[ >]|<th scope="row"/g)?.length ?? 0,
    first: body.map((line) => text(/<th scope="row"[^>]*>(.*?)<\/th>/s.exec(line)?.[1])),
    leftOut: text(/<p class="left-out">(.*?)<\/p>/s.exec(html)?.[1]),
    next: /<a rel="next" href="\?([^"#]+)/.exec(html)?.[1]?.replaceAll('&amp;', '&'),
  };
}

const PAGE_HAS = 'a page has at most 4,000 cells.';
describe('a page of 401 columns has at most 4,000 cells and says what it leaves out', () => {
  test.each([
    ['_sort=place', 40, 14, undefined],
    [
      '_limit=1000',
      285,
      14,
      `This table has 285 rows, not the 1,000 that were asked for: ${PAGE_HAS} The next page goes on after them. The files have all.`,
    ],
    ['_limit=9', 9, 14, undefined],
    ['place=Place+7&_view=table', 1, 14, undefined],
    ['_fields=place,figure_2,figure_1', 40, 3, undefined],
    ['_fields=place,figure_2,figure_1&_limit=1000', 1000, 3, undefined],
    [
      `_fields=${FIELDS.slice(0, 8)}&_limit=1000`,
      500,
      8,
      `This table has 500 rows, not the 1,000 that were asked for: ${PAGE_HAS} The next page goes on after them. The files have all.`,
    ],
    ['_group=place&_view=table', 200, 2, undefined],
    ['_group=place&_limit=1000&_view=table', 1000, 2, undefined],
    [
      `_group=place&_measure=${[1, 2, 3, 5, 6].map((n) => `sum:figure_${n}`)}&_limit=1000&_view=table`,
      666,
      6,
      `This table has 666 groups, not the 1,000 that were asked for: ${PAGE_HAS} The next page goes on after them. The files have all.`,
    ],
    // All that match are there, though more were asked for.
    [
      '_limit=1000&place=Place+1*&_fields=place,figure_1,figure_2,figure_3,figure_5',
      311,
      5,
      undefined,
    ],
  ])('%s', async (query, shownRows, shownColumns, said) => {
    const { rows, columns, cells, leftOut } = await pageAt(query);
    expect({ rows, columns, leftOut }).toEqual({
      rows: shownRows,
      columns: shownColumns,
      leftOut: said,
    });
    expect(cells).toBe(rows * columns);
    expect(cells).toBeLessThanOrEqual(4000);
  });
});

test('the columns beyond the table are in the page of a row, and where _fields asks for them', async () => {
  const last = FIELDS.at(-1) as string;
  const { html } = await pageAt('_limit=10&_sort=place');
  expect(html).not.toContain(`_sort=${last}`);
  const [, row] = /href="([^"]*\/rows\/[^"]*)"/.exec(html) ?? [];
  const address = new URL(row as string, 'http://localhost/api_v2/blocks/wide').pathname;
  const answer = await request(address, { headers: { accept: 'text/html' } });
  expect((await answer.text()).match(/<bdi>Figure/g)).toHaveLength(400);
  expect((await pageAt(`_fields=place,${last}`)).html).toContain(`_sort=${last}`);
});

test('the next links of short pages lead through all rows, each once and in order', async () => {
  const seen: (string | undefined)[] = [];
  let query: string | undefined = `_limit=1000&_fields=${FIELDS.slice(0, 40)}`;
  while (query !== undefined) {
    const page: Awaited<ReturnType<typeof pageAt>> = await pageAt(query);
    expect(page.rows).toBeLessThanOrEqual(100);
    seen.push(...page.first);
    query = page.next;
  }
  expect(seen).toEqual(Array.from({ length: COUNT }, (_, row) => `Place ${row}`));
});

test('the form has a box for each of the columns, and those that were asked for are filled in', async () => {
  const { html } = await pageAt('figure_1_min=5&figure_4=grade+3');
  for (const name of FIELDS) expect(html).toContain(` id="e-${name}"`);
  expect(html).toContain('name="figure_1_min" value="5"');
  expect(html).toMatch(/value="grade 3" checked=""/);
  const without = await pageAt('figure_2_min=7');
  expect(without.html).toContain('name="figure_1_min" value=""');
  expect(without.html).toContain('name="figure_2_min" value="7"');
});

test('a page is the same whether or not others were rendered before it', async () => {
  const query = '/api_v2/blocks/wide?_format=html&figure_2_min=7';
  const alone = await (await fresh()(query)).text();
  await request('/api_v2/blocks/wide?_format=html&_group=figure_4&figure_3_min=1');
  expect(await (await request(query)).text()).toBe(alone);
});
