import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { serve } from '../support/serving.ts';

const block = datasetBlock({
  ...{ id: 'finds', name: 'finds', title: 'Finds', description: 'Made.', noun: 'finds' },
  fields: [
    { type: 'text', name: 'find', title: 'Find' },
    { type: 'number', name: 'lon', title: 'Longitude' },
    { type: 'number', name: 'lat', title: 'Latitude' },
  ],
  ...{ primaryKey: ['find'], keyFields: ['find'], examples: [] },
  geometry: { kind: 'points', longitude: 'lon', latitude: 'lat' },
});

/** Four of five are in France or beside it, some in New Zealand, and some nowhere. */
const rows: Row[] = Array.from({ length: 3000 }, (_, i) => {
  const find = `find ${i}`;
  if (i % 50 === 0) return { find, lon: null, lat: null };
  if (i % 5 === 0) return { find, lon: 170 + ((i * 7) % 90) / 10, lat: -45 + ((i * 11) % 90) / 10 };
  return { find, lon: -2 + ((i * 37) % 997) / 111, lat: 43 + ((i * 91) % 991) / 142 };
});
const placed = rows.filter(({ lon }) => lon !== null) as { lon: number; lat: number }[];
const { request } = serve(block, rows);
const AT = '/api_v2/blocks/finds';

const FRANCE = '-5,42,9,51';
const PARIS = '1,48,4,49.5';

async function pageAt(query: string): Promise<string> {
  const answer = await request(`${AT}?${query}`, { headers: { accept: 'text/html' } });
  expect([answer.status, query]).toEqual([200, query]);
  return answer.text();
}

const captionOf = (page: string) =>
  /id="caption">(.*?)<\/p>/s.exec(page)?.[1]?.replace(/<[^>]*>/g, '') ?? '';

/** How many rows are on the map, outside of it and without a place. */
function countsIn(page: string): number[] {
  const [, ...said] =
    /([\d,]+|none) (?:is|are) on the map, (\S+) outside it, (\S+) without/.exec(captionOf(page)) ??
    [];
  return said.map((text) => (text === 'none' ? 0 : Number(text.replaceAll(',', ''))));
}

const hrefsIn = (page: string, look: RegExp) =>
  [...page.matchAll(/<a [^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => look.test(tag))
    .map((tag) => /href="([^"]*)"/.exec(tag)?.[1]?.replaceAll('&amp;', '&') ?? '');

describe('a part of the map', () => {
  test('leaves out no rows, and counts those outside and those without a place', async () => {
    const whole = await pageAt('_view=map');
    const part = await pageAt(`_view=map&_frame=${FRANCE}`);
    for (const page of [whole, part]) {
      expect(page).toContain('All 3,000 finds');
      expect(countsIn(page).reduce((sum, count) => sum + count, 0)).toBe(3000);
      expect(countsIn(page)[2]).toBe(60);
    }
    expect(countsIn(whole)).toEqual([2940, 0, 60]);
    const inFrance = placed.filter(({ lon }) => lon < 10).length;
    expect(countsIn(part)).toEqual([inFrance, 2940 - inFrance, 60]);
  });

  test('has finer squares, and circles where at most 1,000 rows are inside', async () => {
    const widthOf = (page: string) => Number(/in squares of (\d+) km/.exec(page)?.[1]);
    const [whole, part] = [await pageAt('_view=map'), await pageAt(`_view=map&_frame=${FRANCE}`)];
    expect(widthOf(whole)).toBe(500);
    expect(widthOf(part)).toBeLessThan(60);
    const near = await pageAt(`_view=map&_frame=${PARIS}`);
    const circles = near.match(/<circle class="dot"/g) ?? [];
    const [on = 0, outside = 0, nowhere] = countsIn(near);
    expect(circles).toHaveLength(on);
    const inside = placed.filter(({ lon, lat }) => lon > 1 && lon < 4 && lat > 48 && lat < 49.5);
    expect(on).toBeGreaterThanOrEqual(inside.length);
    expect(on).toBeLessThan(1000);
    expect([on + outside, nowhere]).toEqual([2940, 60]);
    expect(near).toContain('All 3,000 finds');
    expect(hrefsIn(near, /rows\//).length).toBeGreaterThanOrEqual(on);
  });

  test('is moved by links, which keep the filters', async () => {
    const filter = 'find=find+1*';
    const home = await pageAt(`_view=map&${filter}`);
    expect(hrefsIn(home, /aria-label="(?:Wider|The whole map)"/)).toEqual([]);
    const [closer = ''] = hrefsIn(home, /aria-label="Closer"/);
    expect(closer).toMatch(/^\?find=find\+1\*&_view=map&_frame=[-\d.%C]+#figure$/);
    const part = await pageAt(closer.slice(1).replace('#figure', ''));
    const [wider = ''] = hrefsIn(part, /aria-label="Wider"/);
    const [all] = hrefsIn(part, /aria-label="The whole map"/);
    expect(wider).toContain(filter);
    expect(all).toBe(`?${filter}&_view=map#figure`);
    const boxes = hrefsIn(part, /_bbox/);
    // Wider again is the whole map.
    expect(wider).toBe(all);
    expect(boxes[0]).toContain(`_bbox=${/_frame=([^#]*)/.exec(closer)?.[1]}`);
    // Closer ten times is a city or the sea, and still a map.
    let query = closer.slice(1);
    for (let i = 0; i < 10; i++) {
      const page = await pageAt(query.replace('#figure', ''));
      [query = ''] = hrefsIn(page, /aria-label="Closer"/).map((href) => href.slice(1));
      expect(countsIn(page).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    }
  });

  test('shows groups that are places with the widths that were asked for', async () => {
    const page = await pageAt(`_group=place.100km&_measure=count&_frame=${FRANCE}`);
    expect(page).toContain('in squares of 100 km');
    expect(countsIn(page).reduce((sum, count) => sum + count, 0)).toBe(3000);
    // A filter of groups leaves squares out, whose rows are counted.
    const fuller = await pageAt(
      `_group=place.100km&_measure=count&_having.count_min=30&_frame=${FRANCE}`,
    );
    const more = /(\S+) more are in squares/.exec(captionOf(fuller))?.[1]?.replace(',', '');
    expect(Number(more)).toBeGreaterThan(0);
    expect(countsIn(fuller).reduce((sum, count) => sum + count, Number(more))).toBe(3000);
  });

  test('with a box or a place is a part of what these leave', async () => {
    const page = await pageAt(`_view=map&_bbox=-5,40,10,46&_frame=${PARIS}`);
    expect(countsIn(page)[0] ?? 0).toBe(0);
    const south = placed.filter(({ lon, lat }) => lon < 10 && lat <= 46).length;
    expect(page).toContain(`${south.toLocaleString('en-US')} of 3,000 finds`);
  });

  test('is what the file of the same address shows', async () => {
    const answer = await request(`${AT}?_format=svg&_view=map&_frame=${FRANCE}`);
    const text = await answer.text();
    expect(text).toContain('France');
    expect(text).toContain('Land and borders: Natural Earth');
  });

  test('changes nothing of other formats', async () => {
    const [with_, without] = await Promise.all(
      [`?_frame=${PARIS}&_limit=5`, '?_limit=5'].map(async (query) => {
        const { data } = (await (await request(AT + query)).json()) as { data: unknown };
        return data;
      }),
    );
    expect(with_).toEqual(without);
  });

  test.each([
    ['1,2,3', 'not-a-place', undefined],
    ['a,b,c,d', 'not-a-place', undefined],
    ['0,51,9,42', 'min-above-max', '0,42,9,51'],
    ['0,42,999,51', 'out-of-range', undefined],
  ])('%s is refused in words', async (frame, code, suggestion) => {
    const answer = await request(`${AT}?_frame=${frame}`);
    const { errors } = (await answer.json()) as {
      errors: { code: string; parameter: string; suggestion?: string; detail: string }[];
    };
    expect(answer.status).toBe(400);
    expect(errors[0]).toMatchObject({ code, parameter: '_frame' });
    expect(errors[0]?.suggestion).toBe(suggestion);
    const page = await request(`${AT}?_view=map&_frame=${frame}`, {
      headers: { accept: 'text/html' },
    });
    expect(page.status).toBe(400);
  });
});

test('a chart has all rows, whatever part of a map was looked at before', async () => {
  const plain = await pageAt('_view=chart&_group=lat.5&_measure=count');
  const moved = await pageAt(`_view=chart&_group=lat.5&_measure=count&_frame=${PARIS}`);
  const numbersOf = (html: string) => html.match(/<td class="n">[^<]*<\/td>/g);
  expect(numbersOf(plain)?.length).toBeGreaterThan(5);
  expect(numbersOf(moved)).toEqual(numbersOf(plain));
});

test('squares that become wider in a part of a map are still of all rows', async () => {
  const caption = captionOf(await pageAt(`_view=map&_group=place.100m&_frame=${FRANCE}`));
  const [on = 0, outside = 0, nowhere = 0] = (
    caption.match(/[\d,]+ (?:are|outside|without)/g) ?? []
  ).map((text) => Number.parseInt(text.replaceAll(',', ''), 10));
  expect([on + outside + nowhere, caption]).toEqual([rows.length, caption]);
});
