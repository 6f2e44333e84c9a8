import { beforeAll, describe, expect, test } from '@jest/globals';
import { messageOf } from '../mcp/send-message.ts';
import { recipes, TREES } from '../support/recipes.ts';
import { type Answer, callers, type Service } from '../support/service.ts';

const BLOCK = '/api_v2/blocks/trees';
const OAKS = TREES.filter(({ kind }) => kind === 'oak').length + 1;
const FACT = new RegExp(`<b>${OAKS} of \\d+ rows</b> where `);

let service: Service;
const page = (query: string): Promise<Answer> =>
  service.get(`${BLOCK}?${query}`, { accept: 'text/html' });

/** What a page has to copy, by its label. */
function copied(html: string, label: string): string {
  const [, value = ''] = new RegExp(`${label}<input [^>]*value="([^"]*)"`).exec(html) ?? [];
  return value.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

beforeAll(async () => {
  const { url } = await recipes();
  service = { ...callers(url), log: [], close: async () => {} };
});

describe('a view is a file, its name and a line: facts are', () => {
  test('a tab of each page, which keeps the filters and drops the groups', async () => {
    const { text } = await page('kind=oak&_group=kind&_view=chart');
    expect(text).toContain('<a href="?kind=oak&amp;_view=facts">Facts</a>');
  });

  test('at their address, as the page that is shown', async () => {
    const { status, headers, text } = await page('kind=oak&_view=facts');
    expect([status, headers.get('x-total-count')]).toEqual([200, String(OAKS)]);
    expect(text).toMatch(FACT);
    expect(text).toContain('aria-current="page">Facts</a>');
    expect(text).toContain('<a class="skip" href="#answer">To the facts</a>');
    expect(text).toContain('name="_view" value="facts"');
  });

  test('in what is shared: a link, and a frame that shows them alone', async () => {
    const { text } = await page('kind=oak&_view=facts');
    expect(copied(text, 'Link to this view')).toMatch(/\?kind=oak&_view=facts$/);
    const [, query = ''] = /src="[^"?]*\?([^"]*)"/.exec(copied(text, 'In another page')) ?? [];
    expect(query.replaceAll('&amp;', '&')).toBe('kind=oak&_view=facts&_embed=true');
    const embedded = await page('kind=oak&_view=facts&_embed=true');
    expect(embedded.text).toMatch(FACT);
    expect(embedded.text).not.toContain('class="tabs"');
  });

  test('with files of their rows', async () => {
    const { text } = await page('kind=oak&_view=facts');
    const [, href = ''] = /<a href="([^"]*)">CSV<\/a>/.exec(text) ?? [];
    const csv = await service.get(BLOCK + href.replaceAll('&amp;', '&'));
    expect(csv.text.trim().split('\r\n')).toHaveLength(1 + OAKS);
  });

  test('described, and refused by a name that is nearly theirs', async () => {
    const { body } = await service.get(BLOCK);
    expect(body.input_schema.properties._view.enum).toContain('facts');
    const refused = await service.get(`${BLOCK}?_view=fact`);
    expect(refused.body.errors[0].suggestion).toBe('facts');
  });

  test('no figure: SVG is refused with their name', async () => {
    const { status, body } = await service.get(`${BLOCK}?_view=facts&_format=svg`);
    expect([status, body.errors[0].code]).toEqual([400, 'no-figure']);
    expect(body.detail).toContain('opens its facts');
  });

  test("at the address that a receipt of MCP's has, as a tab", async () => {
    const params = { name: 'trees', arguments: { kind: 'oak' } };
    const message = messageOf('2025-11-25', { method: 'tools/call', params });
    const { text } = await service.send('/mcp', { method: 'POST', ...message });
    const [, query] = /The same at: [^ ?]*\?(.*?)\\n/.exec(text) ?? [];
    const { text: html } = await page(`${query}`);
    expect(html).toMatch(/<a href="\?kind=oak&amp;[^"]*_view=facts">Facts<\/a>/);
  });
});
