import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { serve } from '../support/serving.ts';

const block = datasetBlock({
  ...{ id: 'air', name: 'air', title: 'Air', description: 'Made.', noun: 'readings' },
  examples: [],
  fields: [
    { type: 'date', name: 'day', title: 'Day' },
    { type: 'text', name: 'city', title: 'City' },
    { type: 'text', name: 'stop', title: 'Stop' },
    { type: 'boolean', name: 'wet', title: 'Wet' },
    { type: 'number', name: 'temp_min', title: 'Temp min', unit: '°C' },
    { type: 'number', name: 'temp_max', title: 'Temp max', unit: '°C' },
    { type: 'number', name: 'rain', title: 'Rain', unit: 'mm' },
  ],
});

const CITIES = Array.from({ length: 40 }, (_, i) => `City ${String(i).padStart(2, '0')}`);
const rows: Row[] = [0, 1, 2, 3, 4, 5].flatMap((month) =>
  CITIES.map((city, i) => ({
    day: `2024-0${month + 1}-15`,
    city,
    stop: `Stop ${(month * 40 + i) % 150}`,
    wet: i % 2 === 0,
    temp_min: i + month,
    temp_max: i + month + 5,
    rain: (i * 7 + month) % 31,
  })),
);
const { request } = serve(block, rows);

async function pageAt(query: string) {
  const answer = await request(`/api_v2/blocks/air?_format=html&${query}`);
  const html = await answer.text();
  expect(answer.status).toBe(200);
  return { html, figure: /<figure id="figure".*?<\/figure>/s.exec(html)?.[0] ?? '' };
}

const words = (html = '') =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
const queryIn = (href = '') => new URLSearchParams(href.replaceAll('&amp;', '&'));
const chipsIn = (html: string) =>
  [...html.matchAll(/<a class="(chip[^"]*)" href="\?([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(
    ([, look = '', href, inside]) => ({
      look: look.trim(),
      name: words(inside).replace(' ×', ''),
      without: queryIn(href),
    }),
  );
const pick = (...cities: number[]) => cities.map((i) => `city=${CITIES[i]}`).join('&');
const SPLIT = '_group=day.month,city&_measure=avg:temp_min';

describe('a line over time that is split by a field', () => {
  test('of many values is quiet, and offers five of them, a link each', async () => {
    const { html, figure } = await pageAt(SPLIT);
    const [, hint = ''] = /<p class="hint">(.*?)<\/p>/s.exec(html) ?? [];
    expect(words(hint)).toBe(
      'Pick up to 8 to see them in colour: City 39 City 29 City 19 City 10 City 00',
    );
    expect(figure.match(/class="l quiet"/g)).toHaveLength(1);
    const [, first] = /href="\?([^"]*)"/.exec(hint) ?? [];
    expect(queryIn(first).getAll('city')).toEqual(['City 39']);
    const { html: one } = await pageAt(`${queryIn(first)}`);
    expect(one).not.toContain('class="hint"');
    expect(chipsIn(one).map(({ look, name }) => [look, name])).toEqual([['chip', 'City 39']]);
    expect(words(one)).toContain('where City is “City 39”');
    expect(words(one)).toContain('Grey: the other 39 values of City.');
  });

  test('has the picks in the order of the address, and the others in its list', async () => {
    const { html } = await pageAt(`${SPLIT}&${pick(9, 3, 30)}`);
    expect(chipsIn(html).map(({ look, name }) => [look, name])).toEqual([
      ['chip c1', 'City 09'],
      ['chip c2', 'City 03'],
      ['chip c3', 'City 30'],
    ]);
    expect(words(html)).toContain('in 6 months, 3 of 40 values of City');
    const missing = await pageAt(`${SPLIT}&${pick(9, 3)}&city=Zzz`);
    expect(words(missing.html)).toContain('2 of 40 values of City');
    expect(chipsIn(html)[1]?.without.getAll('city')).toEqual(['City 09', 'City 30']);
    const [, list = ''] = /<datalist id="ask-picks">(.*?)<\/datalist>/s.exec(html) ?? [];
    expect(list.match(/<option/g)).toHaveLength(37);
    expect(list).not.toContain('City 09');
    expect(html).toMatch(
      /<input[^>]*id="ask-pick"[^>]*name="city"|<input[^>]*name="city"[^>]*id="ask-pick"/,
    );
  });

  test('has the field of the picks first among the filters, with how many are picked', async () => {
    const filtersOf = ({ html }: { html: string }) =>
      words(html.slice(html.indexOf('id="filters"'))).replace(/^.*?Search all texts /, '');
    expect(filtersOf(await pageAt(SPLIT))).toMatch(/^Day/);
    expect(filtersOf(await pageAt(`${SPLIT}&${pick(9, 3)}`))).toMatch(/^City 2 picked, 40 values/);
    expect(filtersOf(await pageAt(`${SPLIT}&city=City*`))).toMatch(/^Day/);
  });

  test('leaves the others out of what it reads but for the lines, and of a file', async () => {
    const asked = `${SPLIT}&${pick(1, 2)}`;
    const answer = await request(`/api_v2/blocks/air?${asked}`);
    const { params } = (await answer.json()) as { params: { results: Row[] } };
    expect(new Set(params.results.map(({ city }) => city))).toEqual(
      new Set(['City 01', 'City 02']),
    );
    const svg = await (await request(`/api_v2/blocks/air?${asked}&_format=svg`)).text();
    expect(svg).toContain('City 01');
    expect(svg).toContain('Grey: the other 38 values of City.');
  });

  test('of nine to 24 picks is small plots, also without a split in the address, and three chips', async () => {
    const asked = `_group=day.month&_measure=avg:temp_min&${pick(...Array(12).keys())}`;
    const { html, figure } = await pageAt(asked);
    expect(figure).toContain('class="plots"');
    expect(figure.match(/<li><a /g)).toHaveLength(12);
    expect(chipsIn(html)).toHaveLength(3);
    expect(words(html)).toContain('and 9 more');
    const svg = await (await request(`/api_v2/blocks/air?${asked}&_format=svg`)).text();
    for (const city of CITIES.slice(0, 12)) expect(svg).toContain(`>${city}<`);
  });

  test('of more is a heat table', async () => {
    const { figure } = await pageAt(`${SPLIT}&${pick(...Array(25).keys())}`);
    expect(figure).toContain('class="heat');
  });

  test('says how many others are too many to be drawn', async () => {
    const { html, figure } = await pageAt('_group=day.month,stop&_measure=avg:rain&stop=Stop 149');
    expect(words(html)).toContain('The other 149 values of Stop are not drawn.');
    expect(figure).not.toContain('l quiet');
    // Other filters may leave fewer, and a pick that is not there is none of them.
    for (const more of ['rain_min=-1000', 'stop=Zzz']) {
      const other = words(
        (await pageAt(`_group=day.month,stop&_measure=avg:rain&stop=Stop 149&${more}`)).html,
      );
      expect(other).toContain('Other values of Stop are not drawn.');
      expect(other).not.toMatch(/other \d+ values/);
    }
    // What can be chosen may be a part of all: that it is not in that part says nothing.
    expect(html).not.toContain('class="hint"');
  });

  test('tells a word that is no value, with the value that it is like', async () => {
    const { html } = await pageAt(`${SPLIT}&city=Citty 11&${pick(3, 4)}`);
    const [, hint = ''] = /<p class="hint">(.*?)<\/p>/s.exec(html) ?? [];
    expect(words(hint)).toBe('There is no City “Citty 11” here. City 11');
    const [, href] = /href="\?([^"]*)"/.exec(hint) ?? [];
    expect(queryIn(href).getAll('city')).toEqual(['City 11', 'City 03', 'City 04']);
    // The colours are those of the lines.
    expect(chipsIn(html).map(({ look, name }) => [look, name])).toEqual([
      ['chip', 'Citty 11'],
      ['chip c1', 'City 03'],
      ['chip c2', 'City 04'],
    ]);
  });

  test('by yes or no has a list to choose from', async () => {
    const { html } = await pageAt('_group=day.month,wet&_measure=avg:rain&wet=true');
    expect(chipsIn(html).map(({ name }) => name)).toEqual(['yes']);
    const [, list = ''] = /<select id="ask-pick"[^>]*>(.*?)<\/select>/s.exec(html) ?? [];
    expect(list).toContain('<option value="false">no</option>');
    expect(list).not.toContain('value="true"');
  });

  test('has no picks where a filter is a pattern', async () => {
    const { html } = await pageAt(`${SPLIT}&city=*City 1*`);
    expect(html).not.toContain('id="ask-pick"');
  });
});

describe('a line over time', () => {
  const optionsIn = (html: string) => {
    const [, list = ''] = /<select id="ask-and"[^>]*>(.*?)<\/select>/s.exec(html) ?? [];
    return [...list.matchAll(/<optgroup label="([^"]*)">(.*?)<\/optgroup>/gs)].map(
      ([, label, options = '']) => [
        label,
        [...options.matchAll(/value="([^"]*)"/g)].map(([, value]) => value).join(),
      ],
    );
  };

  test('offers measures of its unit in the same figure, and others in a plot of their own', async () => {
    const { html } = await pageAt('_group=day.month&_measure=avg:temp_min');
    expect(optionsIn(html)).toEqual([
      ['in °C: same figure', 'avg:temp_max'],
      ['in mm: a plot of its own', 'avg:rain'],
    ]);
    expect(chipsIn(html)).toEqual([]);
  });

  test('of several has a chip for each, which takes it away, and one function for all', async () => {
    const { html, figure } = await pageAt(
      '_group=day.month&_measure=avg:temp_max&_measure=avg:rain',
    );
    const chips = chipsIn(html);
    expect(chips.map(({ look, name }) => [look, name])).toEqual([
      ['chip c1', 'Temp max'],
      ['chip c2', 'Rain'],
    ]);
    expect(chips[0]?.without.get('_measure')).toBe('avg:rain');
    expect(figure).toContain('class="plot line lines long two"');
    expect(html).toContain('value="sum:temp_max,sum:rain"');
    expect(optionsIn(html)).toEqual([['in °C: same figure', 'avg:temp_min']]);
    const { html: mixed } = await pageAt('_group=day.month&_measure=avg:temp_max,sum:rain');
    expect(chipsIn(mixed).map(({ name }) => name)).toEqual(['average of Temp max', 'sum of Rain']);
  });

  test('of the lowest and the highest is a band, and lines if these are asked for', async () => {
    const asked = '_group=day.month&_measure=avg:temp_min,avg:temp_max';
    const { html, figure } = await pageAt(asked);
    expect(figure).toContain('class="band"');
    expect(chipsIn(html).map(({ look }) => look)).toEqual(['chip c0', 'chip c0']);
    const { figure: lines } = await pageAt(`${asked}&_mark=line`);
    expect(lines).not.toContain('class="band"');
    expect(lines).toContain('l c2');
  });

  test('offers none where a figure has one number: of two fields, or bars', async () => {
    for (const asked of [`${SPLIT}`, '_group=city&_measure=avg:rain']) {
      expect((await pageAt(asked)).html).not.toContain('ask-and');
    }
  });
});
