import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { serve } from '../support/serving.ts';

const block = datasetBlock({
  ...{ id: 'shops', name: 'shops', title: 'Shops', description: 'Made.', noun: 'shops' },
  examples: [],
  fields: [
    { type: 'text', name: 'shop', title: 'Shop' },
    { type: 'text', name: 'kind', title: 'Kind of shop' },
    { type: 'text', name: 'street', title: 'Street' },
    { type: 'integer', name: 'size', title: 'Size' },
    { type: 'integer', name: '_25_34', title: 'Aged 25 to 34' },
  ],
});

const KINDS = ['Laundries', 'Bakeries', 'Stress*relief'];
const rows: Row[] = Array.from({ length: 60 }, (_, i) => ({
  shop: i === 4 ? 'The old laundry' : `Shop number ${i} ${'abcdefgh'[i % 8]}`,
  kind: KINDS[i % 3] as string,
  street: i % 2 === 0 ? 'Court Street' : 'Main Street',
  size: i,
  _25_34: i,
}));
const { request } = serve(block, rows);

/** The hints of a page: what each says, and how many rows are at its address. */
async function hintsAt(query: string) {
  const text = await (await request(`/api_v2/blocks/shops?_format=html&${query}`)).text();
  const [, hint = ''] = /<p class="hint">(.*?)<\/p>/s.exec(text) ?? [];
  const links = [...hint.matchAll(/href="([^"]*)"><bdi>(.*?)<\/bdi>/gs)];
  return Promise.all(
    links.map(async ([, href = '', said = '']) => {
      const asked = href.replaceAll('&amp;', '&').replace(/^\?/, '');
      const answer = await request(`/api_v2/blocks/shops?${asked.replace(/_format=html&?/, '')}`);
      return { said, rows: Number(answer.headers.get('x-total-count')) };
    }),
  );
}

describe('a search', () => {
  test.each(['_q=laundry&_view=table', '_q=laundry', '_q=LAUNDRY&_view=chart'])(
    'that finds little tells of a value like its word, with the rows that it has: %s',
    async (query) => {
      expect(await hintsAt(query)).toEqual([{ said: 'Kind of shop is Laundries: 20', rows: 20 }]);
    },
  );

  test('keeps its other words, and the filters', async () => {
    expect(await hintsAt('_q=court+laundry&_view=table')).toEqual([
      { said: 'Kind of shop is Laundries and “court”: 10', rows: 10 },
    ]);
    for (const filter of ['size_max=9', '_25_34_max=9']) {
      expect(await hintsAt(`_q=laundry&${filter}&_view=table`)).toEqual([
        { said: 'Kind of shop is Laundries: 4', rows: 4 },
      ]);
    }
  });

  test.each([
    ['a word that finds as much itself', '_q=laundries&_view=table'],
    ['a value that is asked for already', '_q=laundry&kind=laundries&_view=table'],
    ['a word that only begins alike', '_q=street&_view=table&size_max=0'],
    ['two letters', '_q=la&_view=table'],
    ['what a filter leaves nothing of', '_q=laundry&size_min=999&_view=table'],
    ['a call', '_q=laundry&_view=api'],
    ['no search', '_view=table'],
  ])('has no hint for %s', async (_, query) => {
    expect(await hintsAt(query)).toEqual([]);
  });

  test('its answer has the same rows with a hint as programs get', async () => {
    const text = await (
      await request('/api_v2/blocks/shops?_format=html&_q=laundry&_view=table')
    ).text();
    expect(text.match(/<tr>/g)).toHaveLength(2);
    const data = await (await request('/api_v2/blocks/shops?_q=laundry')).json();
    expect(data.params.total).toBe(1);
  });
});
