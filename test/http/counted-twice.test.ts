import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { serve } from '../support/serving.ts';

const block = datasetBlock({
  ...{ id: 'people', name: 'people', title: 'People', description: 'Made.', noun: 'rows' },
  fields: [
    { type: 'integer', name: 'year', title: 'Year' },
    { type: 'text', name: 'region', title: 'Region' },
    { type: 'text', name: 'sex', title: 'Sex' },
    { type: 'integer', name: 'people', title: 'People' },
  ],
  examples: [],
});

const rows: Row[] = Array.from({ length: 6 * 4 }, (_, i) => {
  const [women, men] = [1000 + 37 * i, 900 + 41 * i];
  const of = { year: 2015 + (i >> 2), region: 'NESW'[i % 4] as string };
  return [
    { ...of, sex: 'Women & girls', people: women },
    { ...of, sex: 'Men & boys', people: men },
    { ...of, sex: 'Both <all>', people: women + men },
  ];
}).flat();
const { request } = serve(block, rows);

async function pageAt(query: string): Promise<string> {
  const headers = { accept: 'text/html' };
  const answer = await request(`/api_v2/blocks/people?${query}`, { headers });
  expect(answer.status).toBe(200);
  return answer.text();
}

const TWICE =
  /<li>“<bdi>Both &lt;all&gt;<\/bdi>” in <bdi>Sex<\/bdi> is the total of the others, and is counted beside them. <a href="([^"]*)">Leave it out<\/a><\/li>/;

describe('a row that is the total of others', () => {
  test('is no part of the first figure, which says nothing of it', async () => {
    const page = await pageAt('');
    expect(page).toContain('Both &lt;all&gt;');
    expect(page).not.toContain('counted beside them');
  });

  test('is told of where a person asks for what counts it too, with the way to leave it out', async () => {
    const asked = '_view=chart&_group=region&_measure=sum:people';
    const [, link = ''] = TWICE.exec(await pageAt(asked)) ?? [];
    const sent = new URLSearchParams(link.replaceAll('&amp;', '&'));
    expect(sent.get('_not.sex')).toBe('Both <all>');
    expect([sent.get('_group'), sent.get('_measure')]).toEqual(['region', 'sum:people']);
    expect(await pageAt(String(sent))).not.toContain('counted beside them');
  });

  test('is warned of in an answer to a program, unless it is left out or asked for', async () => {
    const warnings = async (query: string) => {
      const answer = await request(`/api_v2/blocks/people?${query}`);
      return ((await answer.json()) as { _warnings: object[] })._warnings;
    };
    const asked = '_group=region&_measure=sum:people';
    expect(await warnings(asked)).toEqual([
      {
        title: 'Counted twice',
        message:
          '"Both <all>" in sex is the total of the others, and is counted beside them. _not.sex=Both <all> leaves it out.',
      },
    ]);
    for (const more of ['&_not.sex=Both+<all>', '&sex=Men*', '&_group=sex', '&sex=Both+<all>']) {
      expect([more, await warnings(asked + more)]).toEqual([more, []]);
    }
    expect(await warnings('region=N&_limit=30')).toEqual([]);
  });

  test('is a bar of its own, or what is asked for, where nothing counts it beside the others', async () => {
    const bars = await pageAt('_view=chart&_group=sex&_measure=sum:people');
    expect(bars).not.toContain('counted beside them');
    const women = await pageAt('_view=chart&_group=region&_measure=sum:people&sex=Women*');
    expect(women).not.toContain('counted beside them');
  });
});
