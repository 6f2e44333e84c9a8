import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { Problem } from '../../src/problem/errors.ts';
import type { RowStore } from '../../src/query/row-store.ts';
import { setApart } from '../../src/text/wording.ts';
import type { Row } from '../../src/values/field-type.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { serve } from '../support/serving.ts';

/** Trees: a note that most lack, two columns without any value, and ids, dates, kinds, heights. */
const block = datasetBlock({
  ...{ id: 'trees', name: 'trees', title: 'Trees', description: 'Made.', noun: 'trees' },
  examples: [],
  fields: [
    { type: 'number', name: 'lon', title: 'Longitude' },
    { type: 'number', name: 'lat', title: 'Latitude' },
    { type: 'text', name: 'note', title: 'Note', main: true },
    { type: 'text', name: 'tree', title: 'Tree' },
    { type: 'text', name: 'kind', title: 'Kind' },
    { type: 'date', name: 'planted', title: 'Planted' },
    { type: 'integer', name: 'height', title: 'Height', unit: 'm' },
    { type: 'text', name: 'felled', title: 'Felled by' },
    { type: 'boolean', name: 'old', title: 'Old' },
    { type: 'number', name: 'sold', title: 'Sold for' },
    { type: 'text', name: 'owner', title: 'Owner' },
  ],
  keyFields: ['note', 'tree', 'planted'],
  geometry: { kind: 'points', longitude: 'lon', latitude: 'lat' },
});

const COUNT = 1300;
const KINDS = ['oak', 'elm', 'oak', 'شجرة', 'oak', 'ash'];
const rows: Row[] = Array.from({ length: COUNT }, (_, i) => ({
  ...{ lon: 13 + ((i * 13) % 101) / 500, lat: 52 + ((i * 29) % 97) / 500 },
  note: i % 4 === 0 ? 'leans' : null,
  tree: `t${i}`,
  kind: KINDS[i % KINDS.length] as string,
  planted: new Date(Date.UTC(2018, 9, 6 + (i % 15))).toISOString().slice(0, 10),
  height: i % 10 === 0 ? null : (i * 37) % 91,
  ...{ felled: null, sold: null },
  old: i % 3 === 0,
  owner: `owner ${i % 7}`,
}));

const { request } = serve(block, rows);

async function textAt(query: string, ask = request): Promise<string> {
  const answer = await ask(`/api_v2/blocks/trees?_format=html&_view=table&${query}`);
  expect(answer.status).toBe(200);
  return answer.text();
}

const words = (html = '') =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();

/** A table's page as a person sees it: its heads, what these say, its cells, its pages. */
async function tableAt(query: string, ask = request) {
  const html = await textAt(query, ask);
  const [, table = ''] = /<table class="(?:rows|groups)"[^>]*>(.*?)<\/table>/s.exec(html) ?? [];
  const heads = [...table.matchAll(/<th scope="col"([^>]*)>(.*?)<\/th>/gs)].map(
    ([, attributes = '', inside = '']) => ({
      title: words(/<(?:a [^>]*|span)>(.*?)<\/(?:a|span)>/s.exec(inside)?.[1]),
      said: words(/<small[^>]*>(.*?)<\/small>/s.exec(inside)?.[1]),
      all: words(/<div title="([^"]*)"/.exec(inside)?.[1]),
      from: /\bw[123]\b/.exec(attributes)?.[0] ?? '',
      sorts: /_sort=([^&#"]*)/.exec(inside)?.[1],
      hasFigure: inside.includes('<svg'),
    }),
  );
  const [, body = ''] = /<tbody>(.*?)<\/tbody>/s.exec(table) ?? [];
  const cells = [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => words(cell)),
  );
  const [, nav = ''] = /<nav class="pages"[^>]*>(.*?)<\/nav>/s.exec(html) ?? [];
  const linkOf = (rel: string) => {
    const [, href] = new RegExp(`<a rel="${rel}" href="\\?([^"#]*)`).exec(nav) ?? [];
    return href?.replaceAll('&amp;', '&');
  };
  const place = /^(\S+) of ([\d,]+)/.exec(words(nav))?.[1];
  return {
    html,
    heads,
    cells,
    nav: words(nav),
    place,
    previous: linkOf('prev'),
    next: linkOf('next'),
  };
}

const titlesOf = ({ heads }: { heads: readonly { title: string }[] }) =>
  heads.map(({ title }) => title);

describe('the columns of a table', () => {
  test('are in order of use: what names a row and is not blank, the key fields, what is asked about, the rest', async () => {
    expect(titlesOf(await tableAt(''))).toEqual([
      ...['Tree', 'Note', 'Planted', 'Kind', 'Height m', 'Old', 'Owner', 'Longitude', 'Latitude'],
    ]);
    expect(titlesOf(await tableAt('owner=owner+3&_sort=-height'))).toEqual([
      ...['Tree', 'Note', 'Planted', 'Height m', 'Owner', 'Kind', 'Old', 'Longitude', 'Latitude'],
    ]);
  });

  test('begin with what the row’s page is named by, not with a place as text', async () => {
    const seen = datasetBlock({
      ...{ id: 'seen', name: 'seen', title: 'Seen', description: 'Made.', examples: [] },
      fields: [
        { type: 'text', name: 'place', title: 'Place', main: true },
        { type: 'text', name: 'animal', title: 'Animal ID' },
      ],
      keyFields: ['place', 'animal'],
    });
    const all = Array.from({ length: 30 }, (_, i) => {
      return { place: `POINT (13.${100 + i} 52.5)`, animal: `10A-${i}` };
    });
    const { request: ask } = serve(seen, all);
    const get = async (address: string) => (await ask(address)).text();
    const html = await get('/api_v2/blocks/seen?_format=html&_view=table');
    const [, link = '', name] = /<a class="row" href="([^"]*)">([^<]*)</.exec(html) ?? [];
    const { pathname } = new URL(link.replaceAll('&amp;', '&'), 'http://a/api_v2/blocks/seen');
    expect(name).toBe('10A-0');
    expect(await get(`${pathname}?_format=html`)).toContain('<h1 dir="auto">10A-0</h1>');
  });

  test('that have no value are left out, and that is said once', async () => {
    const { html, heads } = await tableAt('');
    expect(titlesOf({ heads })).not.toContain('Felled by');
    expect(words(html).match(/2 empty columns are not shown/g)).toHaveLength(1);
    expect(titlesOf(await tableAt('_fields=felled,tree'))).toEqual(['Felled by', 'Tree']);
  });

  test('are in the dataset’s order in JSON and in files', async () => {
    const names = block.fields.map(({ name }) => name);
    const json = await request('/api_v2/blocks/trees?_limit=1&owner=owner+3');
    const { params } = JSON.parse(await json.text());
    expect(Object.keys(params.results[0])).toEqual(names);
    const csv = await request('/api_v2/blocks/trees?_format=csv&owner=owner+3');
    expect((await csv.text()).split('\r\n')[0]).toBe(names.join(','));
  });

  test('fit the window: a wider one shows those of a narrower one and more', async () => {
    const many = Array.from({ length: 60 }, (_, i) => `f${i}`);
    const wide = datasetBlock({
      ...{ id: 'wide', name: 'trees', title: 'Wide', description: 'Made.', examples: [] },
      fields: many.map((name) => ({ type: 'text', name, title: `Field ${name}` })),
      keyFields: many.slice(0, 12),
    });
    const values = [0, 1, 2].map((n) => Object.fromEntries(many.map((f) => [f, `value ${n}`])));
    const ask = serve(wide, values).request;
    const { heads } = await tableAt('f59=value+1&_sort=f58', ask);
    expect(heads.length).toBeGreaterThan(8);
    const counts = ['', 'w1', 'w2', 'w3'].map(
      (_, at, all) => heads.filter(({ from }) => all.indexOf(from) <= at).length,
    );
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(new Set(counts).size).toBe(4);
    // What is filtered and sorted stands behind the key fields, and is there in each window.
    const asked = heads.filter(({ title }) => /f5[89]$/.test(title));
    expect(asked.map(({ from }) => from)).toEqual(['', '']);
    expect(titlesOf({ heads }).indexOf('Field f58')).toBeGreaterThanOrEqual(
      heads.filter(({ from, title }) => from === '' && /f(?:\d|1[01])$/.test(title)).length,
    );
  });
});

describe('a cell', () => {
  test('without a value is a dash, yes stands out, and text from the right is marked', async () => {
    const { html, cells } = await tableAt('_sort=tree&_limit=200');
    expect(cells[0]?.slice(0, 2)).toEqual(['t0', 'leans']);
    expect(html).toMatch(/<td[^>]*><span class="quiet">–<\/span><\/td>/);
    expect(html).toContain('<b>yes</b>');
    expect(html).toContain('<span class="quiet">no</span>');
    expect(html).toMatch(/<td[^>]* dir="auto">شجرة/);
  });

  test('that its width may cut has its whole text as a title', async () => {
    const long = 'a text that goes on & on, much longer than any column is wide';
    const some = rows.slice(0, 50).map((row, i) => ({ ...row, owner: i === 1 ? long : 'me' }));
    const { html } = await tableAt('', serve(block, some).request);
    const escaped = long.replace('&', '&amp;');
    expect(html).toContain(`title="${escaped}">${escaped}</td>`);
    expect(html).not.toContain('title="me"');
  });

  test('of a card names its field; what a filter fixes is not on cards', async () => {
    const labels = (html: string) =>
      [...(/<tbody><tr>(.*?)<\/tr>/s.exec(html)?.[1] ?? '').matchAll(/data-l="([^"]*)"/g)].map(
        ([, label]) => label,
      );
    expect(labels(await textAt(''))).toEqual(['Note', 'Planted', 'Kind', 'Height']);
    expect(labels(await textAt('kind=oak&_sort=owner'))).toEqual([
      ...['Note', 'Planted', 'Owner', 'Height'],
    ]);
    // Several values differ from row to row.
    expect(labels(await textAt('kind=oak&kind=elm'))).toContain('Kind');
  });
});

describe('the head of a table', () => {
  test('sorts: a number by its first click the greatest first, then the least, a text from A', async () => {
    const sortsOf = async (query: string, title: string) =>
      (await tableAt(query)).heads.find((head) => head.title === title)?.sorts;
    expect(await sortsOf('', 'Height m')).toBe('-height');
    expect(await sortsOf('_sort=-height', 'Height m')).toBe('height');
    expect(await sortsOf('_sort=height', 'Height m')).toBe('-height');
    expect(await sortsOf('', 'Kind')).toBe('kind');
    expect(await sortsOf('_sort=kind', 'Kind')).toBe('-kind');
  });

  const share = (part: number, all: number) => `${Math.round((100 * part) / all)} %`;

  /** What is said of columns, computed by going over the rows. */
  function saidOf(some: readonly Row[]) {
    const heights = some.flatMap(({ height }) => (height === null ? [] : [Number(height)]));
    heights.sort((a, b) => a - b);
    const [low, high] = [Math.floor((heights.length - 1) / 2), Math.floor(heights.length / 2)];
    const median = ((heights[low] as number) + (heights[high] as number)) / 2;
    const counts = new Map<unknown, number>();
    for (const { kind } of some) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const [most] = [...counts].toSorted((a, b) => b[1] - a[1]);
    const days = some.map(({ planted }) => String(planted)).sort();
    const [first, last] = [days[0], days.at(-1)].map((day) => Number(day?.slice(-2)));
    return {
      Tree: `${some.length.toLocaleString('en')} values`,
      'Height m': `median ${median}, ${share(some.length - heights.length, some.length)} blank`,
      // What is written from the right is set apart from its share.
      Kind: `${setApart(String(most?.[0]))} ${share(most?.[1] ?? 0, some.length)}`,
      Old: `${share(some.filter(({ old }) => old).length, some.length)} yes`,
      Planted: first === last ? `${first} Oct 2018` : `${first}–${last} Oct 2018`,
    };
  }

  test.each<[string, (row: Row) => boolean]>([
    ['', () => true],
    ['kind=elm', ({ kind }) => kind === 'elm'],
    ['old=true&height_min=40', ({ old, height }) => old === true && Number(height ?? -1) >= 40],
    ['planted_max=2018-10-09', ({ planted }) => String(planted) <= '2018-10-09'],
    ['owner=owner+3&_sort=height&_limit=5', ({ owner }) => owner === 'owner 3'],
    ['tree=t17', ({ tree }) => tree === 't17'],
  ])('says of the rows that match “%s”, and of no others', async (query, isAsked) => {
    const { heads } = await tableAt(query);
    const said = Object.fromEntries(heads.map(({ title, all }) => [title, all]));
    const wanted = saidOf(rows.filter(isAsked));
    const some = rows.filter(isAsked);
    expect(said).toMatchObject({
      ...wanted,
      ...(some.length === 1 ? { Tree: '1 value' } : {}),
      ...(some.some(({ height }) => height === null)
        ? {}
        : { 'Height m': wanted['Height m'].replace(/,.*/, '') }),
    });
    expect(heads.find(({ title }) => title === 'Height m')?.hasFigure).toBe(true);
  });

  test('says nothing where that would take too much work, and never what is of all rows', async () => {
    const { manifest, rows: packed } = makeDataset(block, rows, { title: 'Made' });
    const store = memoryRows(block.fields, packed);
    const group: RowStore['group'] = (predicate, groupings, ...others) => {
      if (groupings.every(({ option }) => option === '_facets'))
        return store.group(predicate, groupings, ...others);
      return Promise.reject(new Problem('too-much-work', 'Too much.'));
    };
    expect(manifest.rows).toBe(COUNT);
    const { heads, cells } = await tableAt(
      'kind=elm',
      serve(block, rows, { store: { group } }).request,
    );
    expect(cells).toHaveLength(40);
    expect(heads.map(({ said, hasFigure }) => [said, hasFigure])).toEqual(
      heads.map(() => ['', false]),
    );
  });
});

describe('pages', () => {
  test.each([
    '',
    'kind=oak',
    '_sort=-height',
    'kind=oak&_sort=height,owner',
    '_near=13.1,52.1',
    '_near=13.1,52.1&kind=ash',
    '_group=tree',
    '_group=tree&_sort=-count',
    '_group=tree&_having.count_min=1',
  ])('of “%s” say which rows they have, and lead forth and back over each once', async (asked) => {
    const limit = 70;
    const first = `${asked}&_limit=${limit}`;
    const forth = [];
    let query: string | undefined = first;
    while (query !== undefined) {
      const page: Awaited<ReturnType<typeof tableAt>> = await tableAt(query);
      forth.push(page);
      query = page.next?.replace(/_view=table&?/, '');
    }
    const all = forth.flatMap(({ cells }) => cells.map(([name]) => name));
    expect(new Set(all).size).toBe(all.length);
    let from = 1;
    for (const { cells, place } of forth) {
      const [one, to] = [from, from + cells.length - 1].map((n) => n.toLocaleString('en'));
      expect(place).toBe(`${one}–${to}`);
      from += cells.length;
    }
    expect(forth.length).toBeGreaterThan(2);
    expect(forth[0]?.previous).toBeUndefined();
    for (let at = forth.length - 1; at > 0; at--) {
      const back = await tableAt(forth[at]?.previous?.replace(/_view=table&?/, '') ?? '?');
      expect(back.cells).toEqual(forth[at - 1]?.cells);
      expect(back.place).toBe(forth[at - 1]?.place);
    }
  });

  test('keep their first row when there are to be more of them', async () => {
    const { next = '' } = await tableAt('_sort=-height');
    const second = await tableAt(next.replace(/_view=table&?/, ''));
    expect(second.nav).toBe('41–80 of 1,300 Previous Next Rows: 40 100 200');
    const [, more = ''] = /href="\?([^"#]*_limit=100)#found"/.exec(second.html) ?? [];
    const longer = await tableAt(more.replaceAll('&amp;', '&').replace(/_view=table&?/, ''));
    expect(longer.place).toBe('41–140');
    expect(longer.cells.slice(0, 40)).toEqual(second.cells);
  });

  test('so deep that nobody counts what is before them lead to the first, and claim nothing', async () => {
    const { next = '' } = await tableAt('_sort=-height');
    const untold = serve(block, rows, { store: { before: async () => undefined } }).request;
    const page = await tableAt(next.replace(/_view=table&?/, ''), untold);
    expect(page.nav).toBe('40 of 1,300 First page Next Rows: 40 100 200');
    expect(page.previous).not.toContain('_cursor');
  });

  test('of a few rows have none', async () => {
    expect((await tableAt('tree=t17')).nav).toBe('');
  });
});

describe('the chooser of columns', () => {
  test('offers what can be asked for: not the distance, which is there by itself', async () => {
    const near = '_near=13.1,52.1';
    const { html, heads } = await tableAt(near);
    expect(titlesOf({ heads }).slice(0, 2)).toEqual(['Tree', 'Distance']);
    const offered = [...html.matchAll(/name="_fields" value="(\w+)"/g)].map(([, name]) => name);
    expect(offered).toHaveLength(block.fields.length);
    const chosen = await tableAt(`${near}&${offered.map((name) => `_fields=${name}`).join('&')}`);
    expect(titlesOf(chosen)).toContain('Distance');
  });

  test('has all columns, those checked that are shown, and keeps what else is asked', async () => {
    const html = await textAt('kind=oak&_sort=-height&_limit=100');
    const [, form = ''] = /<form [^>]*aria-label="Columns">(.*?)<\/form>/s.exec(html) ?? [];
    const kept = [...form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name, value]) => `${name}=${value}`,
    );
    expect(kept).toEqual(['_view=table', 'kind=oak', '_sort=-height', '_limit=100']);
    const boxes = [...form.matchAll(/name="_fields" value="(\w+)"( checked)?/g)];
    expect(boxes.map(([, name]) => name).toSorted()).toEqual(
      block.fields.map(({ name }) => name).toSorted(),
    );
    expect(boxes.filter(([, , checked]) => !checked).map(([, name]) => name)).toEqual([
      ...['felled', 'sold'],
    ]);
    const chosen = await tableAt('kind=oak&_fields=owner&_fields=tree');
    expect(titlesOf(chosen)).toEqual(['Owner', 'Tree']);
    expect(words(chosen.html)).toContain('Columns 2 of 11');
    expect(words(chosen.html)).toContain('The usual columns');
  });
});
