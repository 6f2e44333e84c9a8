import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DatasetBlock, datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { distanceOf } from '../support/naive.ts';
import { randomArguments } from '../support/random-arguments.ts';
import { serve } from '../support/serving.ts';
import { sampleSpots, spotsBlock } from '../support/spots-block.ts';

const HOSTILE = '<b onload="x">&amp;\u202e';

/** Rides with ties, blanks, an id, a year, and a theme. */
const block = datasetBlock({
  ...{ id: 'rides', name: 'rides', title: 'Rides', description: 'Made.', noun: 'rides' },
  examples: [],
  keyFields: ['ride', 'km', 'mail'],
  fields: [
    { type: 'text', name: 'ride', title: 'Ride' },
    { type: 'text', name: 'kind', title: `Kind ${HOSTILE}` },
    { type: 'number', name: 'km', title: 'Length', unit: 'km' },
    { type: 'integer', name: 'riders', title: 'Riders', theme: 'People' },
    { type: 'integer', name: 'staff', title: 'Staff', theme: 'People' },
    { type: 'integer', name: 'year', title: 'Year' },
    { type: 'integer', name: 'order_id', title: 'Order ID' },
    { type: 'text', name: 'mail', title: 'Mail' },
    { type: 'phone', name: 'phone', title: 'Phone' },
    { type: 'link', name: 'site', title: 'Site' },
    { type: 'text', name: 'note', title: 'Note' },
    { type: 'text', name: 'nothing', title: 'Nothing at all' },
    { type: 'number', name: 'lon', title: 'Longitude' },
    { type: 'number', name: 'lat', title: 'Latitude' },
  ],
  primaryKey: ['ride'],
  geometry: { kind: 'points', longitude: 'lon', latitude: 'lat' },
});

const ridesOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, i) => ({
    ride: `r/${i}`,
    kind: ['bus', 'tram', HOSTILE][i % 3] as string,
    km: i % 7 === 0 ? null : ((i * 37) % 23) / 4 - 1,
    riders: (i * 13) % 17,
    staff: i % 5 === 0 ? null : -((i * 7) % 11),
    year: 1990 + (i % 20),
    order_id: i * 31,
    mail: i % 2 === 0 ? `a+b${i}@example.org` : 'no@ mail',
    phone: ['+49 (30) 1234567', '718-624-7581 x12', '12'][i % 3] as string,
    site: `https://example.org/${'long/'.repeat(20)}${i}`,
    note: i === 3 ? HOSTILE : 'short',
    nothing: null,
    lon: i % 9 === 0 ? null : 13 + ((i * 13) % 101) / 500,
    lat: i % 9 === 0 ? null : 52 + ((i * 29) % 97) / 500,
  }));

/** Serves a block of these rows, and asks for its pages. */
function serving(of: DatasetBlock, rows: readonly Row[], rowsPerChunk = 64) {
  const { request: ask, manifest } = serve(of, rows, { rowsPerChunk });
  const page = async (address: string) => {
    const answer = await ask(address, { headers: { accept: 'text/html' } });
    return { status: answer.status, html: await answer.text() };
  };
  return { ask, page, manifest };
}

const RIDES = '/api_v2/blocks/rides';
const segmentOf = (i: number) => `r~2F${i}`;
const rowOf = (i: number) => `${RIDES}/rows/${segmentOf(i)}`;

const plain = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');

/** The address that a link leads to, seen from a page. */
const followed = (href: string, from: string) => {
  const { pathname, search } = new URL(href.replaceAll('&amp;', '&'), `http://localhost${from}`);
  return pathname + search;
};

/** The links of a row's page to the rows beside it, and back. */
function waysIn(html: string, from: string) {
  const to = (pattern: RegExp) => {
    const [, href] = pattern.exec(html) ?? [];
    return href === undefined ? undefined : followed(href, from);
  };
  return {
    back: to(/<div class="crumb"><a href="([^"]*)"/) ?? '',
    previous: to(/<a rel="prev" href="([^"]*)"/),
    next: to(/<a rel="next" href="([^"]*)"/),
  };
}

describe('a number of a row has its place among all', () => {
  test.each([
    ['of few rows, each with a stroke', 150],
    ['of many rows', 900],
  ])('%s', async (_, count) => {
    const rows = ridesOf(count);
    const { page } = serving(block, rows);
    for (let i = 0; i < count; i += 41) {
      const { html } = await page(rowOf(i));
      for (const { name, title } of block.fields) {
        const value = rows[i]?.[name];
        const [, fact = ''] =
          new RegExp(`<dt><bdi>${title}</bdi>.*?</dt>(.*?)</dd>`, 's').exec(html) ?? [];
        const [, small = ''] = /<small>([^<]*)<\/small>/.exec(fact) ?? [];
        const place = /^(\d+)(?:st|nd|rd|th) of (\d+)$/.exec(small.replaceAll(',', ''));
        if (!['km', 'riders', 'staff'].includes(name) || value === null) {
          expect([name, place]).toEqual([name, null]);
          continue;
        }
        const all = rows.flatMap((row) => (typeof row[name] === 'number' ? [row[name]] : []));
        const greater = all.filter((other) => other > (value as number)).length;
        expect([name, i, place?.slice(1).map(Number)]).toEqual([
          name,
          i,
          [greater + 1, all.length],
        ]);
        const [, strokes = ''] = /<path d="(M[^"]*)"/.exec(fact) ?? [];
        const drawn = strokes === '' ? 0 : strokes.split('v').length - 1;
        expect([name, drawn]).toEqual([name, count <= 200 ? all.length : 0]);
      }
      expect(html.includes('class="bins"')).toBe(count > 200);
    }
  });

  test('that is written in words', async () => {
    const { page } = serving(block, ridesOf(150));
    const { html } = await page(rowOf(1));
    expect(plain(html)).toMatch(/\d+(?:1st|2nd|3rd|\dth) of 128/);
    expect(plain(html)).toContain('equal ones share the better place');
  });
});

describe('the rows beside a row are those of the question that led to it', () => {
  const rows = ridesOf(150);
  const { ask, page } = serving(block, rows, 32);

  test('of any question, from the links of its table to the last row, and back', async () => {
    let walked = 0;
    await fc.assert(
      fc.asyncProperty(randomArguments(block, rows), async ({ _fields, _limit, ...given }) => {
        const pairs = Object.entries(given).flatMap(([name, value]) =>
          [value].flat().map((one): [string, string] => [name, String(one)]),
        );
        const query = new URLSearchParams([...pairs, ['api_key', 'k&1']]);
        const asked = `${RIDES}?${query}`;
        if (query.size < 2 || query.toString().length > 500) return;
        const { params } = await (await ask(asked)).json();
        const names = params.results.map(({ ride }: Row) => String(ride));
        const list = await page(`${asked}&_view=table`);
        const links = [...list.html.matchAll(/<a class="row" href="([^"]*)"/g)].map(([, href]) =>
          followed(href as string, RIDES),
        );
        for (const at of [0, Math.floor(links.length / 2), links.length - 1]) {
          const address = links[at];
          if (address === undefined) continue;
          const { status, html } = await page(address);
          expect([asked, status]).toEqual([asked, 200]);
          expect(html).toContain(`<h1 dir="auto">${names[at]}</h1>`);
          expect(plain(html)).toContain(`${at + 1} of ${names.length} rides`);
          const { back, previous, next } = waysIn(html, address);
          for (const [link, index] of [
            [previous, at - 1],
            [next, at + 1],
          ] as const) {
            const beside = names[index];
            expect([asked, link === undefined]).toEqual([asked, beside === undefined]);
            if (link === undefined) continue;
            walked++;
            const other = (await page(link)).html;
            expect(other).toContain(`<h1 dir="auto">${beside}</h1>`);
            // It is a row of the same question, and so leads on.
            expect(plain(other)).toContain(`${index + 1} of ${names.length} rides`);
            expect(waysIn(other, link).back).toBe(back);
            expect(other).toContain('api_key=k%261');
          }
          const answer = await ask(`${back}&_format=json`);
          expect((await answer.json()).params.total).toBe(names.length);
          expect(back).toContain('api_key=k%261');
        }
      }),
      { seed: 89, numRuns: 60 },
    );
    expect(walked).toBeGreaterThan(50);
  });

  test('in the order of the data, without a question', async () => {
    const { html } = await page(rowOf(1));
    const { back, previous, next } = waysIn(html, rowOf(1));
    expect([previous, next]).toEqual([rowOf(0), rowOf(2)]);
    expect(back).toBe(`${RIDES}?_view=table`);
    expect(plain(html)).toContain('Back to all 150 rides');
    expect(waysIn((await page(rowOf(0))).html, rowOf(0)).previous).toBeUndefined();
    expect(waysIn((await page(rowOf(149))).html, rowOf(149)).next).toBeUndefined();
  });

  test('never of a question that does not find the row, which the page says', async () => {
    const { status, html } = await page(`${rowOf(1)}?kind=bus&_sort=-km`);
    expect(status).toBe(200);
    expect(plain(html)).toContain('Not among these 50 rides, but one of all 150');
    expect(plain(html)).toContain('Back to 50 of 150 rides where');
    const { previous, next } = waysIn(html, rowOf(1));
    expect([previous, next]).toEqual([undefined, undefined]);
    expect(html).toContain('<h1 dir="auto">r/1</h1>');
  });

  test('and back to the map, from a map', async () => {
    const { html } = await page(`${RIDES}?_view=map&kind=bus`);
    const [, href = ''] = /href="([^"]*\/rows\/[^"]*)"/.exec(html) ?? [];
    const row = followed(href, RIDES);
    const { back } = waysIn((await page(row)).html, row);
    const asked = new URLSearchParams(back.replace(/^[^?]*\?/, ''));
    expect([asked.get('kind'), asked.get('_view')]).toEqual(['bus', 'map']);
  });

  test.each([
    '_limit=7',
    'kind=bus&_sort=-km&_limit=7',
    '_near=13.1,52&_limit=9&_fields=km,ride,kind',
    '_fields=ride,km&_fields=year&_sort=ride',
  ])('and back to the very page of results, from any of its rows: %s', async (asked) => {
    let address = `${RIDES}?${asked}&_view=table`;
    for (let pages = 0; pages < 3; pages++) {
      const { html } = await page(address);
      const rowsOf = (text: string) =>
        [...text.matchAll(/<a class="row" href="([^"]*)"/g)].map(([, href = '']) => href);
      const links = rowsOf(html);
      for (const link of [links[0], links[links.length - 1]]) {
        const row = followed(link as string, RIDES);
        const { html: shown } = await page(row);
        const { back, next = '' } = waysIn(shown, row);
        const { status, html: again } = await page(back);
        const namesIn = (text: string) => [
          ...text.matchAll(/name="_fields" value="(\w+)" checked/g),
        ];
        expect([back, status, rowsOf(again)]).toEqual([back, 200, links]);
        expect(namesIn(again).map(([, name]) => name)).toEqual(
          namesIn(html).map(([, name]) => name),
        );
        // The row beside it leads back there, too; and all facts are shown, not the columns alone.
        expect(waysIn((await page(next)).html, next).back).toBe(back);
        expect(shown).toContain('<bdi>Riders</bdi>');
        expect(row.length).toBeLessThan(RIDES.length + 600);
      }
      const [, next] = /<a rel="next" href="([^"]*)"/.exec(html) ?? [];
      address = followed(next as string, `${RIDES}?`);
    }
  });

  test('and back to the first page, if the page is of an older version or is none', async () => {
    const older = serving(block, ridesOf(140), 32);
    const cursorOf = async (from: typeof older, asked: string) =>
      (await (await from.ask(`${RIDES}?${asked}&_limit=20`)).json()).params.next;
    for (const cursor of [
      await cursorOf(older, 'kind=bus'),
      await cursorOf({ ask } as typeof older, 'kind=tram'),
      'damaged',
    ]) {
      const row = `${rowOf(3)}?kind=bus&_limit=20&_cursor=${cursor}&_columns=km,gone`;
      const { status, html } = await page(row);
      expect(status).toBe(200);
      expect(html).toContain('<h1 dir="auto">r/3</h1>');
      const { back, next } = waysIn(html, row);
      expect(back).toBe(`${RIDES}?kind=bus&_limit=20&_fields=km&_view=table`);
      expect(next).toMatch(/rows\/r~2F6\?kind=bus/);
    }
  });

  test('but what makes a question long is not in each link of a list', async () => {
    const kinds = (count: number) =>
      Array.from({ length: count }, (_, i) => `kind=kind+number+${i}`).join('&');
    const linkAt = async (query: string) => {
      const { html } = await page(`${RIDES}?kind=bus&${query}&_view=table`);
      return /<a class="row" href="([^"]*)"/.exec(html)?.[1] ?? '';
    };
    expect(await linkAt(`${kinds(60)}&_limit=9&_fields=km`)).toBe(
      '../../api_v2/blocks/rides/rows/r~2F0',
    );
    const most = await linkAt(`${kinds(19)}&_limit=9&_fields=${'km,'.repeat(30)}ride`);
    expect(most).toContain('kind+number+18');
    expect(most).toMatch(/_limit=9$/);
  });

  test('search engines see one page, and programs the row alone', async () => {
    const asked = `${rowOf(3)}?_sort=-km&_view=map&_limit=3&_columns=km`;
    const { html } = await page(asked);
    expect(html).toContain(`<link rel="canonical" href="http://localhost${rowOf(3)}"`);
    const { params, _warnings } = await (await ask(asked)).json();
    const { params: bare } = await (await ask(rowOf(3))).json();
    expect(params).toEqual(bare);
    expect(_warnings.map(({ parameter }: Row) => parameter)).toEqual([
      ...['_sort', '_view', '_limit', '_columns'],
    ]);
    const { status } = await ask(`${rowOf(3)}?kind=bus`);
    expect(status).toBe(400);
  });
});

describe('whatever stands in the address of a row', () => {
  const { page } = serving(block, ridesOf(150));

  test.each([
    ['km_min=many', 400],
    ['km_min=5&km_max=1', 400],
    ['_sort=nowhere', 400],
    ['_view=sideways', 400],
    ['_near=here', 400],
    ['_or.1.nowhere=1', 400],
    ['_or=1', 400],
    ['kmm_min=1', 400],
    ['_srot=km', 400],
    ['_empty=km&km_min=1', 400],
    ['_within=5km', 400],
    [`kind=${'*a'.repeat(120)}*`, 200],
    ['_q=bus', 200],
    ['nowhere=1', 200],
    ['_sort=-km&_limit=3&_group=kind', 200],
    ['_sort=&kind=&_q=', 200],
    ['_bbox=13,52,13.1,52.1&_near=13.1,52&_within=900km', 200],
  ])('a page says what is wrong with it: %s', async (query, expected) => {
    const { status, html } = await page(`${rowOf(1)}?${query}`);
    expect([query, status]).toEqual([query, expected]);
    expect(html).toContain(expected === 200 ? '<h1 dir="auto">r/1</h1>' : 'class="refused"');
  });

  test('what was not used is said', async () => {
    expect(plain((await page(`${rowOf(1)}?nowhere=1`)).html)).toContain('Not used: nowhere');
  });
});

describe('the facts of a row', () => {
  const rows = ridesOf(150);
  const { page } = serving(block, rows);

  test('are in the order in which people look for them, with what is seldom looked for folded', async () => {
    const { html } = await page(rowOf(5));
    const [seen = '', folded = ''] = html.split('<details class="more-facts">');
    const titles = (part: string) =>
      [...part.matchAll(/<dt><bdi>(.*?)<\/bdi>/g)].map(([, title = '']) => plain(title));
    const heads = [...seen.matchAll(/<h2 class="block"[^>]*>(.*?)<\/h2>/g)].map(([, h = '']) => h);
    expect(heads).toEqual(['Main facts', 'Other facts', 'People']);
    expect(titles(seen)).toEqual([
      ...['Length', 'Mail', 'Phone', 'Site', `Kind ${HOSTILE}`, 'Year', 'Note'],
      'Riders',
    ]);
    expect(titles(folded).slice(0, 3)).toEqual(['Order ID', 'Longitude', 'Latitude']);
    expect(plain(folded)).toContain('No value: Staff, Nothing at all.');
    expect(plain(folded)).toMatch(/^5 more facts, 2 of them blank/);
  });

  test('say that no phone and no site is known, unless the whole column is empty', async () => {
    const without = ridesOf(20).map((row, i) =>
      i === 4 ? { ...row, phone: null, site: '' } : row,
    );
    const factsOf = async (all: readonly Row[]) => {
      const [seen = ''] = (await serving(block, all).page(rowOf(4))).html.split('<details');
      return [...seen.matchAll(/<dt><bdi>(.*?)<\/bdi>.*?<dd[^>]*>(.*?)<\/dd>/gs)].map(
        ([, title = '', value = '']) => [title, plain(value)],
      );
    };
    expect(await factsOf(without)).toEqual(
      expect.arrayContaining([
        ['Phone', '–'],
        ['Site', '–'],
      ]),
    );
    const titles = (await factsOf(without.map((row) => ({ ...row, phone: null })))).map(
      ([title]) => title,
    );
    expect(titles).not.toContain('Phone');
  });

  test('lead to what they are: a mailbox, a phone, a site, a place', async () => {
    const { html } = await page(rowOf(6));
    expect(html).toContain('href="mailto:a%2Bb6@example.org"');
    expect(html).toContain('href="tel:+49301234567"');
    expect(html).toContain(`>${rows[6]?.site}</a>`);
    expect(html).toContain(`href="geo:${rows[6]?.lat},${rows[6]?.lon}"`);
    const { html: none } = await page(rowOf(1));
    expect(none).not.toContain('mailto:');
    expect(none).not.toContain('tel:');
  });

  test('are texts, never markup', async () => {
    for (const i of [2, 3]) expect((await page(rowOf(i))).html).not.toContain('<b onload');
  });

  test('are those that are asked for, if any are', async () => {
    const { html } = await page(`${rowOf(5)}?_fields=lon,km`);
    const titles = [...html.matchAll(/<dt><bdi>(.*?)<\/bdi>/g)].map(([, title]) => title);
    expect(titles).toEqual(['Longitude', 'Length']);
  });
});

test('the five nearest rows are those that anybody would measure, without the row itself', async () => {
  const rows = sampleSpots(90, 11);
  const { page, manifest } = serving(spotsBlock, rows, 16);
  const { geometry } = spotsBlock;
  for (const [position, row] of rows.entries()) {
    const at = `/api_v2/blocks/spots/rows/${manifest.version}-${position}`;
    const { html } = await page(at);
    const [, list = ''] = /<ol class="near">(.*?)<\/ol>/s.exec(html) ?? [];
    const links = [...list.matchAll(/href="[^"]*-(\d+)"/g)].map(([, end]) => Number(end));
    const far = (i: number) => distanceOf(rows[i] as Row, `${row.lon},${row.lat}`, geometry);
    const hasPlace = distanceOf(row, '0,0', geometry) !== undefined;
    const others = [...rows.keys()].filter((i) => i !== position && far(i) !== undefined);
    const nearest = others.sort((a, b) => (far(a) ?? 0) - (far(b) ?? 0) || a - b).slice(0, 5);
    expect([position, links]).toEqual([position, hasPlace ? nearest : []]);
  }
});

test('a row that was found near a place says first how far it is, and where to', async () => {
  const rows = ridesOf(150);
  const { page } = serving(block, rows);
  const near = '13.1,52.1';
  for (const i of [1, 40, 77]) {
    const { html } = await page(`${rowOf(i)}?_near=${near}`);
    const [, first = ''] = /<p class="lede">(.*?)<\/p>/s.exec(html) ?? [];
    const metres = distanceOf(rows[i] as Row, near, block.geometry) as number;
    expect(plain(first)).toMatch(/^[\d.,]+ k?m [NESW]{1,2}, \d+ of 133 rides found/);
    const [, said, unit] = /^([\d.]+) (k?m)/.exec(plain(first)) ?? [];
    expect(Number(said) * (unit === 'km' ? 1000 : 1)).toBeCloseTo(metres, -2);
  }
  expect(plain((await page(`${rowOf(1)}?_sort=km`)).html)).not.toMatch(/\d k?m [NESW]{1,2},/);
});

test('a row without a place, in a block without places, has neither a map nor rows near it', async () => {
  const { page } = serving(block, ridesOf(150));
  const { html } = await page(rowOf(0));
  expect(html).not.toContain('Nearby');
  expect(html).not.toMatch(/Where<|geo:|<svg[^>]*role="img"/);
  const fields = block.fields.filter(({ name }) => name !== 'lon' && name !== 'lat');
  const { geometry: _, ...declared } = block;
  const { page: placeless } = serving(datasetBlock({ ...declared, fields }), ridesOf(20));
  expect((await placeless(rowOf(4))).html).not.toMatch(/Where<|Nearby|geo:/);
});
