import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../bench/data/seeded-random.ts';
import { datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { serve } from '../support/serving.ts';

const block = datasetBlock({
  ...{ id: 'films', name: 'films', title: 'Films', description: 'Made.', noun: 'films' },
  examples: [],
  fields: [
    { type: 'text', name: 'film', title: 'Film' },
    { type: 'text', name: 'kind', title: 'Kind' },
    { type: 'integer', name: 'budget', title: 'Budget', unit: '$' },
    { type: 'number', name: 'gross', title: 'Gross', unit: '$' },
    { type: 'number', name: 'change', title: 'Change' },
    { type: 'integer', name: 'zeros', title: 'Zeros ($& here)' },
    { type: 'number', name: 'mostly', title: 'Mostly' },
  ],
  keyFields: ['film'],
  primaryKey: ['film'],
});

const random = seededRandom(59);
const rows: Row[] = Array.from({ length: 1400 }, (_, i) => ({
  film: `film ${i}`,
  kind: i % 4 === 0 ? 'short' : 'long',
  // Many are round, and so where a square begins.
  budget: i % 30 === 0 ? null : Number((10 ** (3 + 4 * random())).toPrecision(i % 2 === 0 ? 1 : 4)),
  gross: Number((10 ** (2 + 4 * random())).toFixed(2)),
  change: Number((random() * 2 - 1).toFixed(3)),
  zeros: i % 50 === 0 ? 0 : i * i,
  mostly: i % 10 === 0 ? 0 : i + 0.5,
}));
const { request } = serve(block, rows);

async function pageAt(query: string, status = 200) {
  const answer = await request(`/api_v2/blocks/films?_format=html&${query}`);
  const html = await answer.text();
  expect(answer.status).toBe(status);
  const links = [...html.matchAll(/<a href="([^"]*)" tabindex="-1"><title>([^<]*)<\/title>/g)].map(
    ([, href = '', title = '']) => ({ href: href.replaceAll('&amp;', '&'), title }),
  );
  return { html, links };
}

async function rowsAt(href: string) {
  const asked = href.replace('?_view=table', '?').replace('&_view=table', '');
  const answer = await request(`/api_v2/blocks/films${asked}&_limit=1000`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as { params: { total: number; results: Row[] } };
}

describe('the page of two numbers', () => {
  test('has a form whose lists are in the order of the address, and works without a script', async () => {
    const { html } = await pageAt('_xy=budget,gross&kind=short&_scale=log,linear');
    const [, form = ''] = /<form class="ask strip"(.*?)<\/form>/s.exec(html) ?? [];
    const controls = [...form.matchAll(/<(?:select|input)[^>]* name="([^"]*)"/g)].map(
      ([, name]) => name,
    );
    expect(controls).toEqual(['kind', '_scale', '_xy', '_xy', '_mark']);
    // What is drawn unasked is not asked for by the next question.
    expect([...form.matchAll(/<option value="(\w*)" selected/g)].map(([, one]) => one)).toEqual([
      'budget',
      'gross',
      '',
    ]);
    expect(form).not.toContain('style=');
  });

  test('a circle leads to its row, and says its name and both numbers', async () => {
    const { html, links } = await pageAt('_xy=budget,gross&kind=short');
    expect(html).toContain('<h2 id="found" tabindex="-1">Gross against Budget</h2>');
    const short = rows.filter(({ kind, budget }) => kind === 'short' && budget !== null);
    expect(links).toHaveLength(short.length);
    const highest = short.reduce((a, b) => (Number(b.gross) > Number(a.gross) ? b : a));
    expect(links[0]?.title.startsWith(`${highest.film}: Gross `)).toBe(true);
    expect(links[0]?.href).toContain(`/rows/${encodeURIComponent(String(highest.film))}`);
  });

  test.each([
    '_xy=budget,gross',
    '_xy=change,gross',
    '_xy=budget,gross&budget_min=1200&change_max=0.9',
  ])('each square of %s leads to exactly its rows', async (query) => {
    const { links } = await pageAt(query);
    expect(links.length).toBeGreaterThan(50);
    for (let i = 0; i < links.length; i += 23) {
      const { href, title } = links[i] as (typeof links)[0];
      const { params } = await rowsAt(href);
      const [, count = '1'] = /^([\d,]+) films/.exec(title) ?? [];
      expect([title, params.total]).toEqual([title, Number(count.replace(',', ''))]);
    }
  });

  test('offers scales and a line of medians as links, which keep the question', async () => {
    const { html } = await pageAt('_xy=budget,gross&_medians=true');
    const choices = [...html.matchAll(/<nav class="choices"[^>]*>(.*?)<\/nav>/gs)].map(
      ([, nav = '']) =>
        [...nav.matchAll(/<a href="([^"]*)"( aria-current="true")?>([^<]*)</g)].map(
          ([, href = '', current, title]) => [title, current !== undefined, href.includes('_xy=')],
        ),
    );
    expect(choices).toEqual([
      [
        ['as they are', false, true],
        ['logarithmic', true, true],
      ],
      [
        ['no line', false, true],
        ['line of medians', true, true],
      ],
    ]);
    const negative = await pageAt('_xy=change,gross&_scale=linear');
    expect(negative.html).toContain('%2Clog');
    // Zeros are left out of it, and the way back to it is there.
    const zeros = await pageAt('_xy=zeros,gross&_scale=linear');
    expect(zeros.html).toContain('_scale=log%2Clog');
    // Of each tenth row they are too many.
    expect((await pageAt('_xy=mostly,gross&_scale=linear')).html).not.toContain('log%2Clog');
    const { html: log } = await pageAt('_xy=zeros,gross&_scale=log,log');
    expect(log).toContain('with a 0, which has no logarithm');
    // A title is a text, also if it has signs of a pattern.
    expect(/<h2 id="found"[^>]*>(.*?)<\/h2>/s.exec(log)?.[1]).toBe(
      'Gross against Zeros ($&amp; here)',
    );
  });

  test('is one link away from groups, which are one link away from it; both keep the filters', async () => {
    const linkOf = (html: string, title: string) =>
      [...html.matchAll(/<a class="small" href="([^"]*)"[^>]*>([^<]*)<\/a>/g)]
        .find(([, , text]) => text === title)?.[1]
        ?.replaceAll('&amp;', '&') ?? '';
    const { html } = await pageAt('_group=kind&_measure=avg:gross&kind=short&_sort=-kind');
    const pairs = new URLSearchParams(linkOf(html, 'compare two numbers'));
    expect([...pairs]).toEqual([
      ['kind', 'short'],
      ['_xy', 'budget,gross'],
    ]);
    const { html: back } = await pageAt(String(pairs));
    const groups = new URLSearchParams(linkOf(back, 'compare groups'));
    expect([...groups]).toEqual([
      ['kind', 'short'],
      ['_group', 'kind'],
    ]);
    await pageAt(String(groups));
  });

  test('its other tabs and its links to rows drop the question', async () => {
    const { html } = await pageAt('_xy=budget,gross&kind=short');
    const [, tabs = ''] = /<nav class="tabs"[^>]*>(.*?)<\/nav>/s.exec(html) ?? [];
    const links = [...tabs.matchAll(/href="\?([^"]*)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    );
    for (const href of links) {
      await pageAt(href);
      expect([href, href.includes('kind=short')]).toEqual([href, true]);
      expect(href.includes('_xy')).toBe(/_view=(?:chart|api)/.test(href));
    }
  });

  test('is refused in words with a view that has no place for it, and with groups', async () => {
    for (const query of ['_view=table&_xy=budget,gross', '_view=columns&_xy=budget,gross']) {
      const { html } = await pageAt(query, 400);
      expect(html).toContain('ask for different answers');
    }
    await pageAt('_xy=budget,gross&_group=kind', 400);
    await pageAt('_xy=budget', 400);
    await pageAt('_view=api&_xy=budget,gross');
  });
});

describe('files of two numbers', () => {
  test('are the points or the squares, and the figure', async () => {
    const csv = await (
      await request('/api_v2/blocks/films?_xy=budget,gross&kind=short&_format=csv')
    ).text();
    expect(csv.split('\r\n')[0]).toBe('film,budget,gross');
    const squares = await request('/api_v2/blocks/films?_xy=budget,gross&_format=ndjson');
    const lines = (await squares.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.reduce((sum, { count }) => sum + count, 0)).toBe(
      rows.filter(({ budget }) => budget !== null).length,
    );
    const svg = await (await request('/api_v2/blocks/films?_xy=budget,gross&_format=svg')).text();
    expect(svg.match(/<title>/g)?.length).toBe(lines.length);
    expect((await request('/api_v2/blocks/films?_xy=budget,gross&_format=parquet')).status).toBe(
      200,
    );
  });

  test('are the same by GET and by POST, and a client that has them gets a 304', async () => {
    const got = await request('/api_v2/blocks/films?_xy=budget,gross&_medians=true');
    const posted = await request('/api_v2/blocks/films', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ _xy: ['budget', 'gross'], _medians: true }),
    });
    expect(await posted.json()).toEqual(await got.json());
    const etag = got.headers.get('etag') ?? '';
    const headers = { 'if-none-match': etag };
    const path = '/api_v2/blocks/films?_xy=budget,gross';
    expect((await request(`${path}&_medians=true`, { headers })).status).toBe(304);
    expect((await request(path, { headers })).status).toBe(200);
    expect((await request(`${path}&_medians=true&_scale=linear`, { headers })).status).toBe(200);
  });
});
