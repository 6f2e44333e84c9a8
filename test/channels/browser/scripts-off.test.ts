import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { fencesOf, readDocument } from '../../docs/markdown.ts';
import { SHOWN_URL } from '../../docs/run-snippet.ts';
import { suiteBrowser } from '../../support/suite-browser.ts';
import { suiteService } from '../../support/suite-service.ts';
import { unfold, type Visit, WINDOWS } from './browser.ts';

const visit = suiteBrowser();
const service = suiteService();
let page: Visit;
beforeEach(async () => {
  page = await visit({ javaScriptEnabled: false });
});
afterEach(async () => {
  expect(page.complaints).toEqual([]);
  expect(page.requests.filter((url: string) => url.endsWith('.js'))).toEqual([]);
  await page.context().close();
});

const open = (name: string, query = '') =>
  page.goto(`${service.url}/api_v2/blocks/${name}${query}`);
const openTable = (name: string, query = '?', place = '') =>
  open(name, `${query}&_view=table${place}`);
const heading = async () =>
  (await page.locator('#strip h2, #answer h2').first().textContent())
    .replace(/\s?×/g, '')
    .replace(/\s+/g, ' ')
    .trim();
const names = () => page.locator('tbody th').allInnerTexts();
const send = (name: string | RegExp = /^Show/) => page.getByRole('button', { name }).click();

describe('with scripts off', () => {
  test('laundries are found, sorted, saved', async () => {
    await page.goto(service.url);
    await page.getByLabel('Find blocks by words').fill('census licence');
    await send('Find');
    await page.getByRole('link', { name: 'Show all blocks' }).click();
    await page.getByLabel('Find blocks by words').fill('landry brooklyn');
    await page.keyboard.press('Enter');
    await page.locator('#found', { hasText: /^None of the 3 blocks/ }).waitFor();
    await page
      .locator('.hint', { hasText: /“landry” is close to/ })
      .getByRole('link')
      .click();
    await page.locator('#found', { hasText: /^1 of 3 blocks/ }).waitFor();
    await page.getByRole('link', { name: /^Type of business: Laundries/ }).click();
    await page.locator('.state', { hasText: /^22 of 120 businesses/ }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Business directory' }).click();
    // The block opens with figures, where the filters are a sheet.
    await page
      .locator('#strip')
      .getByRole('link', { name: /^Filters/ })
      .click();
    await page.getByRole('checkbox', { name: /^Laundries/ }).check();
    await unfold(page, 'Street address');
    await page.locator('#f-location_1_location').fill('*court st*');
    await send();
    await page.getByRole('link', { name: /^Table/ }).click();
    expect(await heading()).toMatch(/^7 of 120 businesses where Street address contains/);
    await page.getByRole('link', { name: 'House number', exact: true }).click();
    const numbers = ((await page.locator('tbody td:nth-child(5)').allInnerTexts()) as string[]).map(
      Number,
    );
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    // The order is kept by the form, which is a sheet here.
    await page
      .locator('#strip')
      .getByRole('link', { name: /^Filters/ })
      .click();
    await page.getByRole('checkbox', { name: /^Services/ }).check();
    await send();
    await page.locator('#filters').waitFor({ state: 'hidden' });
    expect(await heading()).toMatch(/^7 of 120 businesses where Category is “Services”/);
    // Its column may be out of sight.
    expect(await heading()).toMatch(/ sorted by House number, highest first$/);
    expect(await page.locator('th[aria-sort=descending] a').textContent()).toBe('House number');
    await page.getByText('Download', { exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV', exact: true }).click(),
    ]);
    const rows: unknown[] = parse(await readFile(await download.path()), { columns: true });
    expect(rows).toHaveLength(7);
  });

  test('the address of a filter leaves out nothing, and its canonical one what is blank', async () => {
    await open('business-directory');
    await page
      .locator('#strip')
      .getByRole('link', { name: /^Filters/ })
      .click();
    await page.getByRole('checkbox', { name: /^Laundries/ }).check();
    await send();
    const asked = new URL(page.url()).searchParams;
    expect(asked.get('type_of_business')).toBe('Laundries');
    expect(asked.get('business')).toBe('');
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(
      `${service.url}/api_v2/blocks/business-directory?type_of_business=Laundries`,
    );
  });

  test('pages go on and back, and columns are chosen', async () => {
    await openTable('census-neighborhoods');
    const first = await names();
    await page.getByRole('link', { name: 'Next', exact: true }).first().click();
    const second = await names();
    expect(new Set([...first, ...second]).size).toBe(56);
    await page.getByRole('link', { name: 'Previous' }).first().click();
    expect(await names()).toEqual(first);
    // What only a script can do is not there.
    expect(await page.getByRole('button', { name: 'Copy table' }).count()).toBe(0);
    await page.locator('#strip .pop summary').click();
    await page.getByRole('checkbox', { name: 'Column Vacant units' }).uncheck();
    await send('Show these columns');
    const titles = await page.locator('thead th a').allInnerTexts();
    expect(titles.length).toBeGreaterThan(4);
    expect(titles).not.toContain('Vacant units');
  });

  test('what is wrong is said at its box, and put right by one click', async () => {
    await openTable('census-neighborhoods');
    await page.getByRole('link', { name: 'Filters', exact: true }).click();
    await page.locator('#f-total_population_min').fill('5,000');
    await send();
    expect(await page.title()).toMatch(/^Error: /);
    expect(await heading()).toBe('Something does not fit');
    expect(await page.locator('#f-total_population_min').inputValue()).toBe('5,000');
    expect(await page.locator('#e-total_population').textContent()).toBe('Not a number');
    await page.getByRole('link', { name: 'Use 5000' }).click();
    expect(await heading()).toMatch(/Population is at least 5000 people$/);
  });

  test('a filter is dropped by one click, from rows and from none', async () => {
    const laundries = '?type_of_business=laundries&location_1_location=*court+st*';
    await openTable('business-directory', laundries);
    await page.getByRole('link', { name: 'Drop: Type of business is “laundries”' }).click();
    expect(await heading()).toBe('37 of 120 businesses where Street address contains “court st”');
    await openTable('business-directory', laundries.replace('ies', 'ys'));
    expect(await heading()).toMatch(/^0 of 120/);
    await page.getByRole('link', { name: 'Drop it: 37 businesses' }).click();
    expect(await heading()).toMatch(/^37 of 120/);
  });

  test('an order is dropped by one click, of rows and of groups', async () => {
    await open('business-directory', '?category=services&_sort=-business');
    const plain = '39 of 120 businesses where Category is “services”';
    expect(await heading()).toBe(`${plain} sorted by Business name, Z to A`);
    await page.getByRole('link', { name: 'Drop: business name, Z to A' }).click();
    expect(await heading()).toBe(plain);
    // Groups of texts have an order even if none is asked for: the largest first.
    await openTable('business-directory', '?_group=category');
    const groups = 'All 120 businesses, by Category sorted by';
    for (const words of ['Rows, highest first', 'Category, A to Z', 'Rows, highest first']) {
      expect(await heading()).toBe(`${groups} ${words}`);
      await page.getByRole('link', { name: `Drop: ${words}` }).click();
    }
  });

  test('the bars of a column are drawn to one scale, and a filter on groups reads as a sentence', async () => {
    await openTable('business-directory', '?_group=type_of_business&_having.count_min=2');
    expect(await heading()).toContain('Number of rows is at least 2');
    const measure = '_measure=sum:vacant_units&_sort=-sum_vacant_units';
    await openTable('census-neighborhoods', `?_group=neighborhood_1&${measure}`);
    const bars: [string, number][] = await page
      .locator('td.bar')
      .evaluateAll((cells: Element[]) =>
        cells.map((cell) => [
          cell.textContent ?? '',
          cell.querySelector('rect')?.getBoundingClientRect().width ?? 0,
        ]),
      );
    const numbers = bars.map(([text]) => Number(text.replace(/\D/g, '')));
    expect(new Set(numbers.map((number) => String(number).length)).size).toBeGreaterThan(1);
    for (const [i, [, width]] of bars.entries()) {
      expect(width / (bars[0]?.[1] ?? 0)).toBeCloseTo((numbers[i] ?? 0) / (numbers[0] ?? 0), 2);
    }
  });

  test('a page of groups and its files are in one order', async () => {
    await openTable('business-directory', '?_group=category');
    const shown = await page.locator('tbody th').allTextContents();
    await page.getByText('Download', { exact: true }).click();
    const href = await page.getByRole('link', { name: 'CSV', exact: true }).getAttribute('href');
    const csv = await (await fetch(new URL(href, page.url()))).text();
    const [, ...lines] = csv.trim().split('\r\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual(shown);
  });

  test('a range takes both its ends, and its bars show them', async () => {
    await openTable('census-neighborhoods', '?', '#filters');
    await page.locator('#f-total_population_min').fill('5000');
    await page.locator('#f-total_population_max').fill('8000');
    await send();
    expect(await heading()).toMatch(/Population is from 5000 to 8000 people$/);
    const colored = page.locator('.histogram svg svg').first();
    // The sixth bar is from 5000 on, and the eighth ends below 8000.
    expect([await colored.getAttribute('x'), await colored.getAttribute('width')]).toEqual([
      '5',
      '3',
    ]);
  });

  test('a colour is named', async () => {
    await open('rgb-to-color-name');
    await page.getByLabel('Red').fill('255');
    await page.getByLabel('Green').fill('127');
    await page.getByLabel('Blue').fill('80');
    await send('Ask');
    expect(await heading()).toBe('Coral');
    // No room is kept for a picker that does not come.
    expect((await page.locator('.picker').boundingBox()).height).toBe(0);
  });

  test('the map is coloured by what is chosen', async () => {
    await open('census-neighborhoods', '?_view=map');
    await page.getByLabel('Show').selectOption({ label: 'average of Vacant units' });
    await send('Draw');
    expect(await heading()).toBe('Vacant units, by Neighborhood');
    expect(await page.getByRole('group', { name: /^Map: Vacant units/ }).count()).toBe(1);
  });

  test('a figure is drawn, says its numbers where the pointer is, and leads to rows', async () => {
    await open('business-directory', '?_group=parsed_address.100');
    const column = page.locator('.plot .h').first();
    const readout = column.locator('text').first();
    expect(await readout.isVisible()).toBe(false);
    await page.locator('.plot').scrollIntoViewIfNeeded();
    const { x, y, width, height } = await column.locator('rect').first().boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    expect(await readout.isVisible()).toBe(true);
    expect(await readout.textContent()).toMatch(/\d/);
    await open('business-directory', '?_group=category');
    const [name] = (await page.locator('.barlist th a').allTextContents()) as string[];
    await page.locator('.barlist th a').first().click();
    await page.waitForURL(/_view=table/);
    expect(await heading()).toContain(`Category is “${name}”`);
  });

  test('the button is in reach while one fills in a long form, and covers no box in use', async () => {
    await open('census-neighborhoods');
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    for (const id of ['f-total_population_min', 'f-households_min', 'f-vacant_units_max']) {
      await page
        .locator('details', { has: page.locator(`#${id}`) })
        .evaluate((it: HTMLDetailsElement) => {
          it.open = true;
        });
      await page.locator(`#${id}`).focus();
      const box = await page.locator(`#${id}`).boundingBox();
      const button = await page.getByRole('button', { name: /^Show/ }).boundingBox();
      expect(button.y + button.height).toBeLessThanOrEqual(900);
      expect(box.y + box.height).toBeLessThanOrEqual(button.y);
    }
  });

  test('an address that no block has leads to the one that was meant, and to all', async () => {
    const response = await open('census-neigborhoods');
    expect(response.status()).toBe(404);
    expect(await page.locator('.blocks a').allInnerTexts()).toHaveLength(3);
    await page.locator('a.button').first().click();
    expect(await page.locator('h1').textContent()).toBe('Census neighborhoods');
  });

  test('the calls as programs are there, one folded open', async () => {
    await open('business-directory', '?category=retail&_view=api');
    expect(await page.locator('.snippets pre:visible').allInnerTexts()).toEqual([
      `curl ${service.url}/api_v2/blocks/business-directory -G -d category=retail`,
      `SELECT count(*) AS rows FROM '${service.url}/api_v2/blocks/business-directory.parquet';`,
    ]);
    await page.getByText('Python', { exact: true }).click();
    expect(await page.locator('#s-python').textContent()).toContain('retail');
  });

  test('the article of docs/charts.md has the lines of the menu, and shows both figures on a dark phone', async () => {
    const shown = fencesOf(readDocument('docs/charts.md')).find(({ lang }) => lang === 'html');
    const article = shown?.text.replaceAll(SHOWN_URL, service.url) as string;
    await open('census-neighborhoods', '?_group=neighborhood_1&_measure=sum:vacant_units');
    await page.getByText('Share', { exact: true }).click();
    expect(article).toContain(await page.getByLabel('The figure in another page').inputValue());
    const link = page.locator('#acts').getByRole('link', { name: 'SVG' });
    const picture = new URL(await link.getAttribute('href'), page.url());
    await page.context().close();

    page = await visit({
      ...{ javaScriptEnabled: false, viewport: WINDOWS.phone, colorScheme: 'dark' },
    });
    const site = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(article);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const frame = page.frameLocator('iframe');
    expect(await frame.locator('h1').textContent()).toBe('Vacant units, by Neighborhood');
    expect(await frame.locator('path.mark, svg path').count()).toBeGreaterThanOrEqual(56);
    const image = page.locator('img');
    const sent = new URL(await image.getAttribute('src'));
    expect([...sent.searchParams].sort()).toEqual([...picture.searchParams].sort());
    expect(await image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(800);
    for (const it of [page.locator('iframe'), image]) {
      const { x, width } = await it.boundingBox();
      expect(x + width).toBeLessThanOrEqual(WINDOWS.phone.width);
    }
    // Only now: the browser also asks for an icon.
    site.close();
  });
});
