import { expect, test } from '@jest/globals';
import { request, trips } from '../support/random-trips.ts';

const AT = '/api_v2/blocks/trips';

const isWeekend = (day: string) => [0, 6].includes(new Date(day).getUTCDay());
const count = (is: boolean) => trips.filter(({ day }) => isWeekend(day) === is).length;
const WEEKDAYS = { day_weekend: 'weekday', count: count(false) };
const WEEKENDS = { day_weekend: 'weekend', count: count(true) };

async function groupsAt(query: string): Promise<unknown> {
  const answer = await request(`${AT}?${query}`);
  const { params, ...refused } = await answer.json();
  return params?.results ?? refused;
}

test('groups of a date by weekday or weekend have those two values', async () => {
  expect(await groupsAt('_group=day.weekend')).toEqual([WEEKDAYS, WEEKENDS]);
  expect(await groupsAt('_group=day.weekend&_sort=-day_weekend')).toEqual([WEEKENDS, WEEKDAYS]);
  expect(await groupsAt('_group=day.weekend&_having.day_weekend=weekend')).toEqual([WEEKENDS]);
  expect(await groupsAt('_group=day.weekend&_having.day_weekend=WEEKEND*')).toEqual([WEEKENDS]);
  const posted = await request(AT, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ _group: ['day.weekend'] }),
  });
  expect((await posted.json()).params.results).toEqual([WEEKDAYS, WEEKENDS]);
});

test('beside another part of the date, each of its groups has a number for each', async () => {
  const groups = (await groupsAt('_group=day.year,day.weekend')) as { count: number }[];
  expect(groups.length).toBe(6);
  expect(groups.reduce((sum, one) => sum + one.count, 0)).toBe(trips.length);
});

test('a filter by it is refused, as it is no field', async () => {
  expect(await groupsAt('day.weekend=weekend')).toMatchObject({ status: 400 });
});

test('a page of both has the colour of each, and a link to each weekday and back', async () => {
  const linesOf = async (query: string) => {
    const html = await (await request(`${AT}?_format=html&${query}`)).text();
    const [, days = ''] =
      /<fieldset class="picks" aria-label="Days">(.*?)<\/fieldset>/s.exec(html) ?? [];
    const chips = [...days.matchAll(/<span class="chip (c\d)">.*?<bdi>(.*?)<\/bdi>/gs)];
    const [, href = '', title] = /<a class="small" href="([^"]*)">(.*?)<\/a>/.exec(days) ?? [];
    return { chips: chips.map(([, look, name]) => `${look} ${name}`), href, title };
  };
  const both = await linesOf('_group=day.month,day.weekend');
  expect(both).toMatchObject({ chips: ['c1 Mon–Fri', 'c2 Sat, Sun'], title: 'each weekday' });
  const each = await linesOf(both.href.slice(1).replaceAll('&amp;', '&'));
  expect(each.chips).toHaveLength(7);
  expect(each.title).toBe('weekday or weekend');
  expect(await linesOf(each.href.slice(1).replaceAll('&amp;', '&'))).toEqual(both);
});
