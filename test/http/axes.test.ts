import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { serve } from '../support/serving.ts';

const block = datasetBlock({
  id: 'rides',
  name: 'rides',
  title: 'Rides',
  description: 'Made.',
  noun: 'rides',
  examples: [],
  fields: [
    { type: 'text', name: 'ride', title: 'Ride' },
    { type: 'date', name: 'day', title: 'Day' },
    { type: 'text', name: 'kind', title: 'Kind' },
    { type: 'number', name: 'km', title: 'Length', unit: 'km' },
    { type: 'number', name: 'gain', title: 'Gain' },
  ],
  primaryKey: ['ride'],
});

/** Trams drive 40 times as far as buses, and gains are of both signs. */
const rows: Row[] = Array.from({ length: 600 }, (_, i) => ({
  ride: `r${i}`,
  day: new Date(Date.UTC(2023, 0, 1 + (i % 300))).toISOString().slice(0, 10),
  kind: i < 300 ? 'bus' : 'tram',
  km: (i < 300 ? 1 : 40) * (1 + (i % 30) / 30),
  gain: (i % 7) - 3,
}));
const { request } = serve(block, rows);
const AT = '/api_v2/blocks/rides';
const OF_KINDS = '_group=day.month,kind&_measure=sum:km';

async function pageAt(query: string) {
  const answer = await request(`${AT}?_format=html&${query}`);
  expect(answer.status).toBe(200);
  return answer.text();
}

type Choice = {
  readonly text: string;
  readonly isCurrent: boolean;
  readonly asked: URLSearchParams;
};

/** The links of a page to the axes of its figure. */
function choicesIn(html: string): Choice[] {
  // Heat tables have links to their orders there.
  return linksIn(html).filter(({ asked }) => asked.has('_axis'));
}

function linksIn(html: string): Choice[] {
  const [, nav = ''] = /<nav class="choices"[^>]*>(.*?)<\/nav>/s.exec(html) ?? [];
  return [...nav.matchAll(/<a href="([^"]*)"([^>]*)>(.*?)<\/a>/gs)].map(
    ([, href = '', more = '', text = '']) => ({
      text,
      isCurrent: more.includes('aria-current'),
      asked: new URLSearchParams(href.replaceAll('&amp;', '&').replace(/^[^?]*\?/, '')),
    }),
  );
}

const hintIn = (html: string) => /<p class="hint">(.*?)<\/p>/s.exec(html)?.[1];

describe('the page of a figure', () => {
  test('has its axes as links, which keep the question and the filters', async () => {
    const choices = choicesIn(await pageAt(`${OF_KINDS}&km_min=1.5&_lang=en`));
    expect(choices.map(({ text, isCurrent }) => [text, isCurrent])).toEqual([
      ['from 0', true],
      ['logarithmic', false],
      ['Jan 2023 = 100', false],
      ['share of the 2', false],
    ]);
    for (const { asked } of choices) {
      expect(asked.get('km_min')).toBe('1.5');
      expect(asked.getAll('_group').join()).toBe('day.month,kind');
      expect(asked.get('_measure')).toBe('sum:km');
    }
    expect(choices.map(({ asked }) => asked.get('_axis'))).toEqual([
      'zero',
      'log',
      'index',
      'share',
    ]);
  });

  test('leads from each axis to each other one, whatever mark was asked for', async () => {
    for (const mark of ['', '&_mark=line']) {
      let seen = 0;
      for (const first of choicesIn(await pageAt(OF_KINDS + mark))) {
        const html = await pageAt(`${first.asked}`);
        expect(hintIn(html)).toBeUndefined();
        const there = choicesIn(html);
        expect(there.map(({ text }) => text)).toEqual(
          choicesIn(await pageAt(OF_KINDS)).map(({ text }) => text),
        );
        expect(there.filter(({ isCurrent }) => isCurrent).map(({ text }) => text)).toEqual([
          first.text,
        ]);
        seen++;
      }
      expect(seen).toBe(4);
    }
  });

  test('draws shares as stacked areas, without a word about marks in the address', async () => {
    const html = await pageAt(`${OF_KINDS}&_axis=share`);
    expect(html).toContain('as shares</h2>');
    expect(html).toMatch(/<option value="areas" selected/);
    expect(html).toMatch(/class="layer c1"/);
  });

  test('has no links where there is no choice', async () => {
    expect(choicesIn(await pageAt('_group=kind'))).toEqual([]);
    expect(choicesIn(await pageAt('_group=day.month,kind&_mark=heat'))).toEqual([]);
  });

  test.each([
    ['sum:km', 'by all', '-sum_km'],
    ['avg:km', 'by highest', '-avg_km'],
  ])('that is a heat table has orders of its rows as links: %s', async (measure, title, sort) => {
    const asked = `_group=kind,day.month&_measure=${measure}&_mark=heat`;
    const html = await pageAt(asked);
    const links = linksIn(html);
    expect(links.map(({ text }) => text)).toEqual(['by name', title, 'by Oct 2023']);
    expect(links.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false]);
    const rowsIn = (html: string) =>
      [...html.matchAll(/<th scope="row"><bdi>(.*?)<\/bdi>/g)].map(([, name]) => name);
    expect(rowsIn(html)).toEqual(['bus', 'tram']);
    expect(links[1]?.asked.get('_sort')).toBe(sort);
    const sorted = await pageAt(`${links[1]?.asked}`);
    expect(rowsIn(sorted)).toEqual(['tram', 'bus']);
    expect(linksIn(sorted).map(({ isCurrent }) => isCurrent)).toEqual([false, true, false]);
  });

  test('says why it is not on the axis that was asked for, and has its figure', async () => {
    const html = await pageAt('_group=day.month,kind&_measure=sum:gain&_axis=log');
    expect(hintIn(html)).toBe(
      'Some of these numbers are 0 or less, and those have no logarithm. The figure is drawn as usual.',
    );
    expect(html).toContain('class="plot line lines"');
    const german = await pageAt('_group=kind&_axis=index&_lang=de');
    expect(hintIn(german)).toMatch(/^Nur Linien über die Zeit .* wie üblich gezeichnet\.$/);
    const embedded = await pageAt('_group=kind&_axis=index&_embed=true');
    expect(hintIn(embedded)).toContain('Only lines over time');
  });

  test('asks another question without the axis, and leads to rows and files without it', async () => {
    const html = await pageAt(`${OF_KINDS}&_axis=log`);
    const [, strip = ''] = /<form class="ask strip"(.*?)<\/form>/s.exec(html) ?? [];
    expect(strip).toContain('name="_group"');
    expect(strip).not.toContain('name="_axis"');
    const [, csv = ''] = /class="plate".*?href="(\?[^"]*_format=csv[^"]*)"/s.exec(html) ?? [];
    expect(csv).not.toContain('_axis');
    const [, svg = ''] = /class="plate".*?href="(\?[^"]*_format=svg[^"]*)"/s.exec(html) ?? [];
    expect(svg).toContain('_axis=log');
    const [, numbers = ''] = /<div class="numbers"(.*?)<\/table>/s.exec(html) ?? [];
    expect(numbers).toContain('day=2023-01');
    expect(numbers).not.toContain('_axis');
  });
});

describe('a figure as a file', () => {
  test.each(['log', 'index', 'share', 'zero'])('has the axis %s of its page', async (axis) => {
    const query = `${OF_KINDS}&_axis=${axis}`;
    const answer = await request(`${AT}?_format=svg&${query}`);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    const [, title = ''] = /<h2 id="found"[^>]*>(.*?)<\/h2>/s.exec(await pageAt(query)) ?? [];
    expect(text).toContain(title);
    const other = await request(
      `${AT}?_format=svg&${OF_KINDS}&_axis=${axis === 'log' ? 'zero' : 'log'}`,
    );
    expect(await other.text()).not.toBe(text);
  });

  test.each([
    ['_group=day.month,kind&_measure=sum:gain&_axis=log', /^Some of these numbers are 0 or less/],
    ['_group=day.month,kind&_measure=avg:km&_axis=share', /^Only counts, and sums/],
    ['_group=day.month,kind&_measure=sum:gain&_axis=share', /^Only counts, and sums/],
    ['_group=day.month&_measure=avg:km&_axis=index', /^There is one line/],
    ['_group=kind&_axis=near', /^Only lines have an axis that begins near their numbers/],
    ['_group=day.month,kind&_mark=line&_axis=share', /^Only counts, and sums/],
    ['_group=day.month,kind&_mark=heat&_axis=zero', /^Only lines, areas/],
  ])('on an axis that cannot be is refused with what can: %s', async (query, detail) => {
    for (const more of ['', '&_lang=de']) {
      const answer = await request(`${AT}?_format=svg&${query}${more}`);
      expect(answer.status).toBe(400);
      const { errors } = await answer.json();
      expect(errors).toEqual([
        { code: 'no-figure', parameter: '_axis', detail: expect.stringMatching(detail) },
      ]);
      expect(errors[0].detail).toMatch(/eave _axis out\.$/);
    }
  });
});

test('an axis that is none is refused, and answers in other formats are the same with one', async () => {
  const refused = await request(`${AT}?${OF_KINDS}&_axis=cubic`);
  expect(refused.status).toBe(400);
  const plain = await (await request(`${AT}?_format=csv&${OF_KINDS}`)).text();
  expect(await (await request(`${AT}?_format=csv&${OF_KINDS}&_axis=log`)).text()).toBe(plain);
  const posted = await request(AT, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'image/svg+xml' },
    body: JSON.stringify({
      _group: ['day.month', 'kind'],
      _measure: ['sum:km'],
      _axis: 'log',
      _format: 'svg',
    }),
  });
  expect(posted.status).toBe(200);
  expect(await posted.text()).toContain('The axis is logarithmic');
});
