import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { LANGUAGE_NAMES } from '../../src/languages/names.ts';
import type { Row } from '../../src/values/field-type.ts';
import { serve } from '../support/serving.ts';

const FIELDS = [
  { type: 'text', name: 'ort', title: 'Ort' },
  { type: 'integer', name: 'einwohner', title: 'Einwohner' },
  { type: 'number', name: 'flaeche', title: 'Fläche', unit: 'km²' },
  { type: 'number', name: 'breite', title: 'Breite' },
  { type: 'date', name: 'seit', title: 'seit' },
] as const;
const declared = {
  ...{ id: 'orte', name: 'orte', title: 'iOrte der Schweiz', description: 'Gemeinden.' },
  ...{ noun: 'Orte', examples: [], fields: FIELDS },
};
const rows: Row[] = Array.from({ length: 60 }, (_, i) => ({
  ort: `Ort ${i}`,
  einwohner: 1000 + 234 * i,
  flaeche: 1.5 + 40.25 * i,
  breite: 46 + i / 100,
  seit: `18${String(10 + i)}-03-0${1 + (i % 9)}`,
}));
const german = serve(datasetBlock({ ...declared, lang: 'de-CH' }), rows);
const english = serve(datasetBlock(declared), rows);

const at = async (query: string, { request } = german) => {
  const answer = await request(`/api_v2/blocks/orte?_format=html&${query}`);
  return { status: answer.status, etag: answer.headers.get('ETag'), html: await answer.text() };
};
const langOf = (html: string) => /<html lang="(\w+)">/.exec(html)?.[1];

describe('the language of a page', () => {
  test.each([
    ['the block', '', 'de'],
    ['the reader', '_lang=es', 'es'],
    ['the reader, English', '_lang=en', 'en'],
  ])('is chosen by %s', async (_, query, lang) => {
    const { html, status } = await at(query);
    expect([status, langOf(html)]).toEqual([200, lang]);
    // The title is in the block's own language.
    expect(html.includes('<h1 dir="auto" lang="de-CH">')).toBe(lang !== 'de');
  });

  test('is English where the block says nothing, whatever the browser accepts', async () => {
    const answer = await english.request('/api_v2/blocks/orte?_format=html', {
      headers: { 'Accept-Language': 'de' },
    });
    expect(langOf(await answer.text())).toBe('en');
  });

  test('that no page speaks is refused with those that are, on a page in the language of the block', async () => {
    const { html, status } = await at('_lang=fr');
    expect([status, langOf(html)]).toEqual([400, 'de']);
    for (const name of LANGUAGE_NAMES) expect(html).toContain(name);
  });

  test('is part of the ETag, and of the links of the page', async () => {
    const pages = await Promise.all(['', '_lang=es', '_lang=en'].map((query) => at(query)));
    expect(new Set(pages.map(({ etag }) => etag)).size).toBe(3);
    const { html } = await at('_lang=es&_view=table');
    const links = [...html.matchAll(/href="(\?[^"]*|[^"]*\/rows\/[^"]*)"/g)].map(
      ([, link]) => link,
    );
    expect(links.length).toBeGreaterThan(40);
    expect(
      links.filter((link) => !link?.includes('_lang=es') && !link?.includes('_format')),
    ).toEqual([]);
  });

  test('changes no row, number or order of an answer in another format', async () => {
    const [plain, spanish] = await Promise.all(
      ['?_limit=60', '?_limit=60&_lang=es'].map(async (query) =>
        (await german.request(`/api_v2/blocks/orte${query}`)).text(),
      ),
    );
    expect(spanish).toBe(plain);
  });
});

test('a table has the numbers, the dates and the words of the language', async () => {
  const { html } = await at('_view=table&_sort=-flaeche&einwohner_min=12000');
  expect(html).toContain('>14.806<');
  expect(html).toContain('2.376,25');
  expect(html).toMatch(/12 von 60 Orte<\/b> mit/);
  expect(html).toContain('Einwohner: mindestens 12.000');
  expect(html).toContain('Spalten');
  expect(html).not.toMatch(/\bFilters\b|\bsorted by\b/);
});

describe('a number that is written as the page writes it', () => {
  test.each([
    ['einwohner_min=12.000', '12000'],
    ['einwohner_min=1.234', '1234'],
    ['flaeche_min=1.234', '1234'],
    ['flaeche_min=1.234%2C5', '1234.5'],
    ['flaeche_min=0%2C5', '0.5'],
    ['flaeche_min=1%2C234', '1.2340'],
    ['_or.1.flaeche_min=1.234&_or.1.ort=x', '1234'],
  ])('%s is refused, with %s to choose', async (query, meant) => {
    const { html, status } = await at(`${query}&_view=table`);
    expect(status).toBe(400);
    expect(html).toContain(`${meant} verwenden`);
    const mended = await at(`${query.replace(/=[^&]*/, `=${meant}`)}&_view=table`);
    expect(mended.status).toBe(200);
  });

  test.each([
    ['a place, which has no thousands', 'breite_min=46.285'],
    ['plain digits', 'einwohner_min=1234'],
    ['decimals that are no thousands', 'flaeche_min=1.2340'],
  ])('is read if it is %s', async (_, query) => {
    expect((await at(`${query}&_view=table`)).status).toBe(200);
  });

  test('is a decimal number to programs, and on an English page', async () => {
    const all = rows.filter(({ flaeche }) => Number(flaeche) >= 1.234).length;
    const answer = await german.request('/api_v2/blocks/orte?flaeche_min=1.234&_lang=de');
    expect(JSON.parse(await answer.text()).params.total).toBe(all);
    expect((await at('flaeche_min=1.234&_lang=en&_view=table')).html).toContain(`All ${all} Orte`);
  });
});
