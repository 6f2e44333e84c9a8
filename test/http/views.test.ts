import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { naiveGroups } from '../support/naive-groups.ts';
import { serve } from '../support/serving.ts';

const HOSTILE = '<b onload="x">&amp;\u202e';
const block = datasetBlock({
  ...{ id: 'rides', name: 'rides', title: 'Rides', description: 'Made.', noun: 'rides' },
  examples: [],
  fields: [
    { type: 'text', name: 'ride', title: 'Ride' },
    { type: 'date', name: 'day', title: 'Day' },
    { type: 'text', name: 'kind', title: `Kind ${HOSTILE}` },
    { type: 'number', name: 'km', title: 'Length', unit: 'km' },
    { type: 'number', name: 'lon', title: 'Longitude' },
    { type: 'number', name: 'lat', title: 'Latitude' },
  ],
  primaryKey: ['ride'],
  geometry: { kind: 'points', longitude: 'lon', latitude: 'lat' },
});

const COUNT = 1500;
const dayOf = (i: number) =>
  new Date(Date.UTC(2023, 0, 1 + ((i * 7) % 400))).toISOString().slice(0, 10);
const rows: Row[] = Array.from({ length: COUNT }, (_, i) => ({
  ride: `r${i}`,
  day: i % 50 === 0 ? null : dayOf(i),
  kind: ['bus', 'tram', HOSTILE][i % 3] as string,
  km: (i * 37) % 91,
  lon: i % 40 === 0 ? null : 13 + ((i * 13) % 101) / 500,
  lat: i % 40 === 0 ? null : 52 + ((i * 29) % 97) / 500,
}));
const { request } = serve(block, rows);

async function pageAt(query: string, ask = request) {
  const answer = await ask(`/api_v2/blocks/rides?_format=html&${query}`);
  const html = await answer.text();
  expect(answer.status).toBe(200);
  const [, opened = ''] = /aria-current="page">(\w+)</.exec(html) ?? [];
  return { html, opened, total: answer.headers.get('x-total-count') };
}

const words = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');

/** The first table of numbers of a page, as texts. */
function numbersIn(html: string): string[][] {
  const [, section = ''] = /<div class="numbers".*?<tbody>(.*?)<\/tbody>/s.exec(html) ?? [];
  return [...section.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => words(cell)),
  );
}

describe('a page opens', () => {
  test.each([
    ['_view=chart', 'Chart'],
    ['_view=map', 'Map'],
    ['_view=table', 'Table'],
    ['_view=columns', 'Columns'],
    ['_view=api&kind=bus', 'API'],
    ['_group=kind', 'Chart'],
    ['_measure=avg:km&_group=day.month', 'Chart'],
    ['_group=place.5km', 'Map'],
    ['_sort=km', 'Table'],
    ['_fields=km', 'Table'],
    ['_limit=3', 'Table'],
    ['_near=13.1,52.1', 'Map'],
    ['_bbox=13,52,13.1,52.1', 'Map'],
    ['_view=table&_group=kind', 'Table'],
    ['_view=chart&_sort=-lon&_fields=km&_limit=2', 'Chart'],
    // What the strip of a map of circles sends.
    ['_group=&_group=&_mark=dots', 'Map'],
    // A figure has a dimension; one number of all rows is a table.
    ['_measure=avg:km', 'Table'],
  ])('with %s its view %s', async (query, name) => {
    expect((await pageAt(query)).opened).toBe(name);
  });

  test('with a figure if nothing is asked, of what the filters leave', async () => {
    const all = await pageAt('');
    expect(all.html).toContain('<figure id="figure"');
    expect(words(all.html)).toContain('All 1,500 rides');
    const some = await pageAt('kind=bus');
    expect(words(some.html)).toContain('500 of 1,500 rides');
    expect(some.total).toBe('500');
  });

  test('with what its publisher chose, and with the best of another view', async () => {
    const first = { _view: 'chart', _group: 'kind,day.year', _measure: ['avg:km'] };
    const ask = serve({ ...block, first }, rows).request;
    const { html } = await pageAt('km_min=3', ask);
    expect(words(html)).toContain('Average of Length, by Kind');
    expect((await pageAt('_view=map', ask)).opened).toBe('Map');
    expect((await pageAt('_view=table', ask)).opened).toBe('Table');
  });

  test('each view from each other one, and keeps what was filtered', async () => {
    for (const query of ['kind=bus', 'kind=bus&_group=day.month', 'kind=bus&_sort=-km&_limit=5']) {
      const { html } = await pageAt(query);
      const [, tabs = ''] = /<nav class="tabs"[^>]*>(.*?)<\/nav>/s.exec(html) ?? [];
      const links = [...tabs.matchAll(/href="\?([^"]*)"/g)].map(([, href = '']) => href);
      expect(links).toHaveLength(5);
      const names = [];
      for (const href of links) {
        const asked = new URLSearchParams(href.replaceAll('&amp;', '&'));
        expect(asked.get('kind')).toBe('bus');
        names.push((await pageAt(`${asked}`)).opened);
      }
      expect(names).toEqual(['Chart', 'Map', 'Table', 'Columns', 'API']);
    }
  });
});

describe('a figure', () => {
  test.each(['', '&_limit=2', '&_sort=-avg_km', '&_sort=day_month&_limit=1'])(
    'of months has all groups, as anybody would count them, with “%s”',
    async (more) => {
      const { html } = await pageAt(
        `_view=chart&_group=day.month&_measure=avg:km&kind=tram${more}`,
      );
      const matching = rows.filter(({ kind }) => kind === 'tram');
      const asked = { _group: ['day.month'], _measure: ['avg:km', 'count'] };
      const groups = naiveGroups(block.fields, matching, asked).filter((g) => g.day_month !== null);
      const shown = numbersIn(html).map(([, value]) => Number(value));
      expect(shown).toHaveLength(groups.length);
      for (const [i, value] of shown.entries()) {
        expect(value).toBeCloseTo(Number(groups[i]?.avg_km), 1);
      }
      const undated = matching.filter(({ day }) => day === null).length;
      expect(words(html)).toContain(`${undated} rides have no “Day”.`);
    },
  );

  test('of days that are too many for a heat table takes longer periods, and says so', async () => {
    const { html } = await pageAt('_group=day.day,kind&_mark=heat');
    expect(words(html)).toContain('By day there would be too many columns, so it is by month.');
  });

  test('of counts has a share of the rest, and each bar leads to its rows', async () => {
    const { html } = await pageAt('_group=day.day&_mark=bars');
    expect(html).toMatch(/<table class="barlist">/);
    const { html: kinds } = await pageAt('_group=kind');
    const [, href = ''] = /<table class="barlist">.*?<a href="\?([^"]*)"/s.exec(kinds) ?? [];
    const asked = new URLSearchParams(href.replaceAll('&amp;', '&'));
    expect(asked.get('_view')).toBe('table');
    const table = await pageAt(`${asked}`);
    expect([table.opened, table.total]).toEqual(['Table', '500']);
  });

  test('that cannot be drawn as is asked is drawn otherwise, the largest first', async () => {
    for (const more of ['_mark=line', '_view=map', '_mark=dots']) {
      const { html } = await pageAt(`_group=kind&_measure=sum:km&${more}`);
      const asked = { _group: ['kind'], _measure: ['sum:km'] };
      const sums = naiveGroups(block.fields, rows, asked).map(({ sum_km }) => Number(sum_km));
      const [, bars = ''] = /<table class="barlist">.*?<tbody>(.*?)<\/tbody>/s.exec(html) ?? [];
      const shown = [...bars.matchAll(/<td class="n">([\d,]+)</g)].map(([, text = '']) =>
        Number(text.replaceAll(',', '')),
      );
      expect(shown).toEqual(sums.toSorted((a, b) => b - a));
    }
  });

  test('of several lines leads from a period to the rows of all of them', async () => {
    for (const filter of ['', '&kind=bus']) {
      const { html } = await pageAt(`_group=day.month,kind${filter}`);
      const [, href = ''] = /<div class="numbers".*?<a href="\?([^"]*)"/s.exec(html) ?? [];
      const asked = new URLSearchParams(href.replaceAll('&amp;', '&'));
      const month = asked.get('day') ?? '?';
      const those = rows.filter(({ day, kind }) => {
        return String(day).startsWith(month) && (filter === '' || kind === 'bus');
      });
      expect((await pageAt(`${asked}`)).total).toBe(String(those.length));
      expect(those.length).toBeGreaterThan(0);
    }
  });

  describe('of a field that is called count has its values, not its rows', () => {
    const counted = datasetBlock({
      ...{ id: 'counted', name: 'rides', title: 'Counted', description: '', examples: [] },
      fields: [
        { type: 'text', name: 'count', title: 'Count' },
        { type: 'number', name: 'km', title: 'Length' },
        { type: 'date', name: 'day', title: 'Day' },
      ],
    });

    test('as bars', async () => {
      const { request: ask } = serve(
        counted,
        ['a', 'a', 'b'].map((count, km) => ({ count, km, day: null })),
      );
      const { html } = await pageAt('_group=count&_measure=max:km', ask);
      const [bars = ''] = /<table class="barlist">.*?<\/table>/s.exec(html) ?? [];
      expect(words(bars)).toMatch(/b2.*a1/);
    });

    test('in longer periods than were asked for', async () => {
      const { request: ask } = serve(
        counted,
        Array.from({ length: 300 }, (_, i) => ({
          ...{ count: i % 2 === 0 ? 'a' : 'b', km: i % 2, day: dayOf(i) },
        })),
      );
      const { html } = await pageAt('_group=day.day,count&_measure=max:km&_mark=heat', ask);
      expect(words(html)).toContain('so it is by month');
      expect(numbersIn(html).map(([name]) => name)).toEqual(['a', 'b']);
      const all = new Set(numbersIn(html).flatMap(([, ...cells]) => cells));
      expect([...all].sort()).toEqual(['0', '1']);
      expect(html).toMatch(/title="a, [^"]*: 0, \d+ rows"/);
    });
  });

  test('whose address is long has fewer links, and says so', async () => {
    const kinds = Array.from({ length: 300 }, (_, i) => `kind=kind+number+${i}`).join('&');
    const { html } = await pageAt(`_view=map&_mark=cells&kind=bus&kind=tram&${kinds}`);
    expect(html.length).toBeLessThan(5_000_000);
    expect(words(html)).toContain('only some marks of the figure lead to their rows');
  });

  test('alone says of which rows it is, and what of its address was not used', async () => {
    const { html } = await pageAt('_group=day.month&kind=bus&_embed=true&utm=x');
    expect(words(html)).toMatch(/500 of 1,500 rides in \d+ months where Kind .* is “bus”/);
    expect(words(html)).toContain('Not used: utm');
    const { html: table } = await pageAt('_view=table&_group=kind&_embed=true');
    expect(words(table)).toContain('All 1,500 rides');
  });

  test('shows names of data as texts, never as markup', async () => {
    for (const query of ['_group=kind', '_group=day.month,kind', '_view=columns']) {
      const { html } = await pageAt(query);
      expect(html).not.toContain('<b onload');
      expect(words(html)).toContain(HOSTILE);
    }
  });
});

describe('a link', () => {
  /** The query of the first link with a text. */
  const linkIn = (html: string, text: string) => {
    const found = [...html.matchAll(/<a href="\?([^"]*)"[^>]*>(.*?)<\/a>/gs)];
    const [, href = ''] = found.find(([, , inside = '']) => words(inside).startsWith(text)) ?? [];
    return new URLSearchParams(href.replaceAll('&amp;', '&'));
  };

  test('to a column’s rows drops the question', async () => {
    const { html } = await pageAt('_view=columns&_group=kind&kind=bus');
    const asked = linkIn(html, 'Length');
    expect(Object.fromEntries(asked)).toEqual({ _view: 'table', _sort: '-km', kind: 'bus' });
  });

  test('to the chart brings the question back, and to a file has one order', async () => {
    const { html } = await pageAt('_view=api&_group=day.month&_measure=avg:km');
    expect(linkIn(html, 'Chart').get('_group')).toBe('day.month');
    const { html: chart } = await pageAt('_view=chart&_sort=-lon');
    expect(linkIn(chart, 'CSV').getAll('_sort').length).toBeLessThan(2);
    const file = await request(`/api_v2/blocks/rides?${linkIn(chart, 'CSV')}`);
    expect(file.status).toBe(200);
  });
});

describe('a map', () => {
  /** What the caption says of rows on it, outside of it and without a place. */
  async function placesAt(query: string) {
    const { html, total } = await pageAt(query);
    const said = /([\d,]+) (?:is|are) on the map, ([\d,]+|none) outside it, ([\d,]+|none) without/;
    const [, ...counts] = said.exec(words(html.slice(html.indexOf('<figcaption>')))) ?? [];
    const numbers = counts.map((text) => (text === 'none' ? 0 : Number(text.replaceAll(',', ''))));
    return { html, total: Number(total), sum: numbers.reduce((a, b) => a + b, 0), numbers };
  }

  test.each([
    ['', 'cells'],
    ['kind=bus', 'dots'],
    ['kind=bus&_mark=cells', 'cells'],
    ['km_min=10', 'cells'],
    ['_bbox=13.05,52.05,13.1,52.1', 'dots'],
    ['_near=13.1,52.1&_within=5km', 'dots'],
    ['_near=13.1,52.1', 'cells'],
    ['_group=place.2km&_measure=avg:km', 'cells'],
  ])('of %s is of all rows that match, each of them told once', async (query, mark) => {
    const { html, total, sum } = await placesAt(`_view=map&${query}`);
    const answer = await request(
      `/api_v2/blocks/rides?_format=json&${query.replace(/_group.*|&?_mark=\w+/, '')}`,
    );
    const { params } = JSON.parse(await answer.text());
    expect(sum).toBe(params.total);
    if (!query.includes('_group')) expect(total).toBe(params.total);
    expect(html).toContain(mark === 'dots' ? '<g class="dots">' : '<g class="cells">');
  });

  test('has a circle for each row, which leads to it', async () => {
    const { html, numbers } = await placesAt('_view=map&kind=bus');
    expect(html.match(/<circle class="dot"/g)).toHaveLength(numbers[0] as number);
    const [, href = ''] = /<a href="([^"]*\/rows\/[^"]*)"[^>]*><title>/.exec(html) ?? [];
    expect(href).toMatch(/^rides\/rows\/r\d+\?kind=bus&amp;_view=map$/);
  });
});

test('a first question of weeks is of days where a filter leaves two of them', async () => {
  const { geometry: _, ...events } = block;
  const early = rows.map((row, i) => ({ ...row, day: dayOf(((i * i) % 400) * (i % 3)) }));
  const { request: ofEvents } = serve(datasetBlock(events), early);
  expect(words((await pageAt('', ofEvents)).html)).toMatch(/by week/);
  const { html } = await pageAt('day_min=2023-03-20&day_max=2023-03-28', ofEvents);
  expect(words(html)).toMatch(/by day/);
  const [, csv = ''] = /class="plate".*?href="\?([^"]*_format=csv[^"]*)"/s.exec(html) ?? [];
  expect(new URLSearchParams(csv.replaceAll('&amp;', '&')).get('_group')).toBe('day.day');
});

describe('a filter that names a few values', () => {
  const picked = '_group=day.month&_measure=avg:km&kind=bus&kind=tram';
  const titleOf = (html: string) => words(/<h2 id="found"[^>]*>(.*?)<\/h2>/s.exec(html)?.[1] ?? '');

  test('shows a line of each, with a link to one of all', async () => {
    const { html } = await pageAt(picked);
    expect(titleOf(html)).toBe(`Average of Length, by month and Kind ${HOSTILE}`);
    expect(html).toMatch(/class="plot [^"]*lines/);
    const [, asOne = ''] = /href="\?([^"]*)">as one</.exec(html) ?? [];
    const one = await pageAt(asOne.replaceAll('&amp;', '&'));
    expect(titleOf(one.html)).toBe('Average of Length, by month');
    const [, each = ''] = /href="\?([^"]*)">a line for each Kind/.exec(one.html) ?? [];
    expect(titleOf((await pageAt(each.replaceAll('&amp;', '&'))).html)).toBe(titleOf(html));
  });

  test('is chips on the second line of the question, each with a link to the page without it', async () => {
    const { html } = await pageAt(picked);
    const strip = html.slice(html.indexOf('<fieldset class="picks"'));
    const chips = [...strip.matchAll(/<a class="chip (c\d)" href="\?([^"]*)"[^>]*>(.*?)<\/a>/gs)];
    expect(chips.map(([, look, , inside]) => [look, words(inside ?? '')])).toEqual([
      ['c1', 'bus×'],
      ['c2', 'tram×'],
    ]);
    const [, , without = ''] = chips[0] ?? [];
    const left = new URLSearchParams(without.replaceAll('&amp;', '&'));
    expect(left.getAll('kind')).toEqual(['tram']);
    expect(left.getAll('_group')).toEqual(['day.month', 'kind']);
    const one = await pageAt(`${left}`);
    expect(one.html).toContain('class="l quiet"');
    expect(words(one.html)).toContain('Grey: the other');
  });

  test('has one control that adds, in the same form, whose first option adds nothing', async () => {
    const { html } = await pageAt(picked);
    const form = /<form class="ask strip".*?<\/form>/s.exec(html)?.[0] ?? '';
    expect([...form.matchAll(/type="hidden" name="kind" value="(\w+)"/g)]).toHaveLength(2);
    const [, adder = ''] =
      /<select id="ask-pick" name="kind"[^>]*>(.*?)<\/select>/s.exec(form) ?? [];
    expect(adder).toMatch(/^<option value="">add one<\/option>/);
    expect(adder).not.toContain('value="bus"');
    const sent = await pageAt(`${picked}&kind=`);
    expect(titleOf(sent.html)).toBe(titleOf(html));
  });

  test('tells a word that is no value, with what it may have meant', async () => {
    const { html } = await pageAt(`${picked}&kind=trams`);
    const hint = /<p class="hint">(.*?)<\/p>/s.exec(html)?.[1] ?? '';
    expect(words(hint)).toContain('“trams” here.');
    expect(words(hint)).toContain('tram');
  });

  test('is one line if it names one, or leaves values out; of a pattern too', async () => {
    for (const filter of ['kind=bus', '_not.kind=bus&_not.kind=tram', 'kind=b*&kind=t*']) {
      const { html } = await pageAt(`_group=day.month&_measure=avg:km&${filter}`);
      expect(titleOf(html)).toBe('Average of Length, by month');
    }
  });

  test('leads to the same groups as a file and as a call', async () => {
    const { html } = await pageAt(picked);
    const [, csv = ''] = /class="plate".*?href="\?([^"]*_format=csv[^"]*)"/s.exec(html) ?? [];
    const groups = new URLSearchParams(csv.replaceAll('&amp;', '&')).getAll('_group');
    expect(groups.join()).toBe('day.month,kind');
  });
});

describe('parts of one date', () => {
  test('month and year are a line a year over the months of the year', async () => {
    for (const groups of ['day.month,day.year', 'day.year,day.month']) {
      const { html } = await pageAt(`_group=${groups}`);
      expect(words(html)).toContain('Rides, by month of year');
    }
  });

  test('are offered together only where they show something', async () => {
    const offered = async (group: string) => {
      const { html } = await pageAt(`_group=${group}`);
      const [, list = ''] = /<select id="ask-split".*?>(.*?)<\/select>/s.exec(html) ?? [];
      return [...list.matchAll(/value="(day[^"]*)"/g)].map(([, value]) => value);
    };
    const [year, season, weekday] = ['day.year', 'day.month_of_year', 'day.weekday'];
    const weekend = 'day.weekend';
    expect(await offered('day.month')).toEqual([year, weekday, weekend]);
    expect(await offered('day.week')).toEqual([]);
    expect(await offered('day')).toEqual([]);
    expect(await offered('day.year')).toEqual([season, weekday, weekend]);
    expect(await offered(season)).toEqual([year, weekday, weekend]);
    expect(await offered(weekday)).toEqual([season]);
    expect(await offered(weekend)).toEqual([season]);
    expect(await offered('kind')).toEqual([year, season, weekday, weekend]);
  });
});

test('measures stand in lists by column, without sums of ids, years, coordinates or rates', async () => {
  const { request: of } = serve(
    datasetBlock({
      ...{ id: 'rides', name: 'rides', title: 'Rides', description: 'Made.', noun: 'rides' },
      examples: [],
      fields: [
        { type: 'integer', name: 'year', title: 'Year' },
        { type: 'integer', name: 'line_id', title: 'Line' },
        { type: 'number', name: 'lat', title: 'Lat' },
        { type: 'number', name: 'delay_rate', title: 'Delay rate' },
        { type: 'integer', name: 'riders', title: 'Riders' },
      ],
    }),
    Array.from({ length: 90 }, (_, i) => ({
      ...{ year: 2000 + (i % 20), line_id: 11 * i, lat: 50 + i / 100 },
      ...{ delay_rate: (i * 7) % 13, riders: (i * 37) % 91 },
    })),
  );
  const { html } = await pageAt('_group=year', of);
  const [, list = ''] = /<select id="ask-measure".*?>(.*?)<\/select>/s.exec(html) ?? [];
  expect([...list.matchAll(/<optgroup label="([^"]*)"/g)].map(([, label]) => label)).toEqual([
    'Delay rate',
    'Riders',
  ]);
  const sums = [...list.matchAll(/value="((?:sum|share:sum):[^"]*)"/g)].map(([, value]) => value);
  expect(sums).toEqual(['sum:riders', 'share:sum:riders']);
});

test('columns have the median that the block answers, halfway between two rows', async () => {
  const { request: ofFew } = serve(block, rows.slice(0, 4));
  const answer = await ofFew('/api_v2/blocks/rides?_format=json&_measure=median:km');
  // Of 0, 37, 74 and 20.
  expect(JSON.parse(await answer.text()).params.results).toEqual([{ median_km: 28.5 }]);
  const { html } = await pageAt('_view=columns', ofFew);
  expect(words(html)).toContain('28.5 median');
});
