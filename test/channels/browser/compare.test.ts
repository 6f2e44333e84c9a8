import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { datasetBlock } from '../../../src/block/block.ts';
import type { Row } from '../../../src/values/field-type.ts';
import { type Browser, openBrowser, type Visit, visit } from './browser.ts';
import { startMade } from './made-service.ts';

/** Months of 30 cities, with two temperatures and the rain. */
const block = datasetBlock({
  ...{ id: 'air', name: 'air', title: 'Air', description: 'Made.', noun: 'readings' },
  examples: [],
  fields: [
    { type: 'date', name: 'day', title: 'Day' },
    { type: 'text', name: 'city', title: 'City' },
    { type: 'number', name: 'temp_min', title: 'Temp min', unit: '°C' },
    { type: 'number', name: 'temp_max', title: 'Temp max', unit: '°C' },
    { type: 'number', name: 'rain', title: 'Rain', unit: 'mm' },
  ],
});
const CITIES = Array.from({ length: 30 }, (_, i) => `City ${10 + i}`);
const rows: Row[] = Array.from({ length: 12 }, (_, month) =>
  CITIES.map((city, i) => ({
    day: `2024-${String(month + 1).padStart(2, '0')}-15`,
    ...{ city, temp_min: i + month, temp_max: i + month + 5, rain: (7 * i + month) % 31 },
  })),
).flat();

let url: string;
let close: () => Promise<void>;
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
  ({ url, close } = await startMade(block, rows));
});
afterAll(async () => {
  await browser?.close();
  await close?.();
});

async function open(query: string, options = {}): Promise<Visit> {
  const page = await visit(browser, options);
  await page.goto(url + query);
  return page;
}

async function leave(page: Visit): Promise<void> {
  expect(page.complaints).toEqual([]);
  await page.context().close();
}

const SPLIT = '?_group=day.month,city&_measure=avg:temp_min';

test.each([true, false])(
  'cities are compared by typing their names; script: %s',
  async (script) => {
    const page = await open(SPLIT, { javaScriptEnabled: script });
    for (const city of ['City 31', 'City 12', 'City 20']) {
      await page.locator('#ask-pick').fill(city);
      await page.locator('#ask-pick').press('Enter');
      await page.locator('.picks .chip', { hasText: city }).waitFor();
    }
    expect(new URL(page.url()).searchParams.getAll('city')).toEqual([
      'City 31',
      'City 12',
      'City 20',
    ]);
    expect(await page.locator('.plot .l.quiet').count()).toBe(1);
    await page.locator('.picks .chip').nth(1).click();
    await page.locator('.picks .chip', { hasText: 'City 12' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.getAll('city')).toEqual(['City 31', 'City 20']);
    await leave(page);
  },
);

test('small plots are one stop of the keyboard, and each is said with its ends', async () => {
  const picks = CITIES.slice(0, 9).map((city) => `&city=${city}`);
  const page = await open(`${SPLIT}${picks.join('')}`);
  expect(await page.locator('.plots li').count()).toBe(9);
  expect(await page.locator('.plots a:not([tabindex="-1"])').count()).toBe(0);
  await page.locator('.plots').focus();
  await page.keyboard.press('End');
  await page
    .locator('#said', { hasText: 'City 18: 8 in January 2024, 19 in December 2024' })
    .waitFor({ state: 'attached' });
  await leave(page);
});

test('a measure of another unit is a plot of its own, and is said with the others', async () => {
  const page = await open('?_group=day.month&_measure=avg:temp_min,avg:temp_max');
  expect(await page.locator('.plot .band').count()).toBe(1);
  await page.locator('#ask-and').selectOption({ label: 'average of Rain' });
  await page.locator('.plot.two').waitFor();
  await page.locator('.plot').focus();
  await page.keyboard.press('Home');
  await page
    .locator('#said', { hasText: /^Jan 2024: .*Temp min [\d.]+.*Temp max [\d.]+/ })
    .waitFor({ state: 'attached' });
  await page.locator('.picks .chip', { hasText: 'Rain' }).click();
  await page.locator('.plot.two').waitFor({ state: 'detached' });
  await leave(page);
});
