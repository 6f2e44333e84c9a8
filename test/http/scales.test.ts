import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { serve } from '../support/serving.ts';

// Films: most take little, a few very much. Each third takes nothing abroad.
const GROSSES = ['us_gross', 'worldwide_gross'] as const;
const films = (count: number): Row[] =>
  Array.from({ length: count }, (_, i) => {
    const gross = 10_000 + Math.round(7e8 / (i + 1) ** 1.4);
    const [us_gross, worldwide_gross] = [gross, i % 3 === 2 ? gross : Math.round(gross * 1.5)];
    return { film: `Film ${i}`, us_gross, worldwide_gross, minutes: 80 + (i % 90) };
  });
const block = datasetBlock({
  ...{ id: 'films', name: 'films', title: 'Films', description: 'Made.', examples: [] },
  ...{ noun: 'films', primaryKey: ['film'] },
  fields: [
    { type: 'text', name: 'film', title: 'Film' },
    ...GROSSES.map((name) => ({ type: 'integer' as const, name, title: name })),
    { type: 'integer', name: 'minutes', title: 'Minutes' },
  ],
});

const pageOf = async (rows: Row[], address: string) => {
  const answer = await serve(block, rows).request(`/api_v2/blocks/films${address}`, {
    headers: { accept: 'text/html' },
  });
  expect(answer.status).toBe(200);
  return answer.text();
};

describe('a logarithmic scale is said where it stands', () => {
  test.each([
    ['in the filters', '?_view=table', /<small id="i-us_gross">[^<]*, log scale<\/small>/],
    ['in the heads of a table', '?_view=table', /<small class="log">log scale<\/small>/],
    ['in Columns', '?_view=columns', /greatest, log scale<\/small>/],
    ['below the strips of a row', '/rows/Film%205', /Log scale: us_gross, worldwide_gross\./],
  ])('%s', async (_, address, said) => {
    const page = await pageOf(films(600), address);
    expect(page).toMatch(said);
    // That of the minutes is even, and says nothing.
    expect(page).not.toMatch(/id="i-minutes">[^<]*log scale|Log scale:[^.]*minutes/);
  });
});

describe('columns of alike values have one scale', () => {
  test.each([150, 600])('the same value stands at the same place, of %d rows', async (count) => {
    const page = await pageOf(films(count), '/rows/Film%205');
    const marks = [...page.matchAll(/<rect class="mark" x="([\d.-]+)"/g)].map(([, x]) => x);
    // Film 5 took the same at home as worldwide.
    expect(marks).toHaveLength(3);
    expect(marks[0]).toBe(marks[1]);
  });

  test('and one slider, from the decade of the least value on', async () => {
    const page = await pageOf(films(600), '?_view=table');
    const [us, worldwide, minutes] = [...page.matchAll(/data-edges="([^"]+)"/g)].map(
      ([, edges]) => edges,
    );
    expect(us).toBe(worldwide);
    expect(us?.split(' ')[0]).toBe('100000');
    expect(minutes).not.toBe(us);
  });
});
