import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../../src/block/block.ts';
import type { Row } from '../../../src/values/field-type.ts';
import { suiteBrowser } from '../../support/suite-browser.ts';
import type { Visit } from './browser.ts';
import { MADE } from './made-marks.ts';
import { type MadeService, startMade } from './made-service.ts';

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
const visit = suiteBrowser();
beforeAll(async () => {
  ({ url, close } = await startMade(block, rows));
});
afterAll(async () => {
  await close?.();
});

async function open(query: string, options = {}): Promise<Visit> {
  const page = await visit(options);
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

describe('a person who asks', () => {
  let made: MadeService;
  beforeAll(async () => {
    made = await startMade(MADE.english.block, MADE.english.rows);
  });
  afterAll(() => made?.close());

  /** Opens the chart, and chooses the words of its question one after the other. */
  async function ask(
    words: readonly (readonly [list: string, word: string])[],
    options: object = {},
  ): Promise<Visit> {
    const page = await visit(options);
    await page.goto(`${made.url}?_view=chart`);
    for (const [list, label] of words) await choose(page, list, label);
    return page;
  }

  /** Chooses a word of the question. With a script that asks at once, else the button does. */
  async function choose(page: Visit, list: string, label: string): Promise<void> {
    const { value, now } = await page
      .locator(list)
      .evaluate((it: HTMLSelectElement, text: string) => {
        const option = [...it.options].find((one) => one.label === text);
        return { value: option?.value, now: it.value };
      }, label);
    expect([label, value]).not.toEqual([label, undefined]);
    if (value === now) return;
    const before = page.url();
    await page.locator(list).selectOption({ label });
    const button = page.getByRole('button', { name: 'Draw' });
    if (await button.isVisible()) await button.click();
    await page.waitForURL((url: URL) => url.href !== before);
    await page.waitForLoadState();
    await page.locator(`${list} option:checked`, { hasText: label }).waitFor({ state: 'attached' });
  }

  const said = (page: Visit): Promise<string> => page.locator('#caption').textContent();

  test.each([true, false])(
    'how three cities compare has three lines, their numbers as columns, and an address that says it; script: %s',
    async (script) => {
      const page = await ask(
        [
          ['#ask-measure', 'average of Temp min'],
          ['#ask-by', 'month'],
          ['#ask-split', 'City'],
        ],
        { javaScriptEnabled: script },
      );
      for (const city of ['City 9', 'City 2', 'City 5']) {
        const before = page.url();
        await page.locator('#ask-pick').selectOption({ label: city });
        if (!script) await page.getByRole('button', { name: 'Draw' }).click();
        await page.waitForURL((url: URL) => url.href !== before);
        await page.locator('.picks .chip', { hasText: city }).waitFor();
      }
      expect(await page.locator('.plot .l:not(.quiet, .open)').count()).toBe(3);
      expect(await page.locator('.numbers thead th').allTextContents()).toEqual([
        ...['Month', 'City 9', 'City 2', 'City 5'],
      ]);
      expect(await said(page)).toMatch(/City 9 has the most, 3\.0, City 2 the least, −4\.0\./);
      const { searchParams } = new URL(page.url());
      expect(searchParams.getAll('city')).toEqual(['City 9', 'City 2', 'City 5']);
      await leave(page);
    },
  );

  test('for weekdays against weekends has two lines and the part, and comes to each weekday and back', async () => {
    const page = await ask([
      ['#ask-measure', 'average of Visits'],
      ['#ask-by', 'month'],
      ['#ask-split', 'weekday or weekend'],
    ]);
    const names = page.locator('.picks .chip bdi');
    expect(await names.allTextContents()).toEqual(['Mon–Fri', 'Sat, Sun']);
    expect(await said(page)).toMatch(/Sat, Sun: 52\s% of Mon–Fri; in January 2023 52\s%\./);
    await page.getByRole('link', { name: 'each weekday' }).click();
    await page.waitForURL(/weekday/);
    expect(await names.count()).toBe(7);
    await page.getByRole('link', { name: 'weekday or weekend' }).click();
    await page.waitForURL(/weekend/);
    expect(await names.count()).toBe(2);
    await leave(page);
  });

  test('by mode has a line each, another unit as columns under them, and drops one again', async () => {
    const page = await ask([
      ['#ask-measure', 'average of Noon'],
      ['#ask-by', 'month'],
      ['#ask-split', 'nothing'],
    ]);
    await page.locator('#ask-and').selectOption({ label: 'average of Temp max' });
    await page.locator('.picks .chip', { hasText: 'Temp max' }).waitFor();
    expect(await page.locator('.plot .l:not(.open)').count()).toBe(2);
    await page.goto(page.url().replace('avg%3Ahigh', 'avg:high,sum:rain'));
    expect(await page.locator('.plot.two .col').count()).toBe(24);
    await page.locator('.picks .chip', { hasText: 'sum of Rain' }).click();
    await page.locator('.plot.two').waitFor({ state: 'detached' });
    await leave(page);
  });

  test('for seasons at a projector has large letters, a line a year and the last of them marked', async () => {
    const page = await ask(
      [
        ['#ask-measure', 'average of Temp max'],
        ['#ask-by', 'month of year'],
        ['#ask-split', 'year'],
      ],
      { viewport: { width: 1920, height: 1080 } },
    );
    expect(await page.locator('#ask-mark option:checked').textContent()).toBe('season');
    expect(await page.locator('.plot .l').count()).toBe(2);
    const { sizes, last, older, isWhole } = await page
      .locator('.plot')
      .evaluate((plot: Element) => {
        const widthOf = (look: string) =>
          Number.parseFloat(getComputedStyle(plot.querySelector(look) as Element).strokeWidth);
        const texts = [...plot.querySelectorAll('svg > text')].filter((it) => it.checkVisibility());
        const { width, height } = plot.getBoundingClientRect();
        return {
          sizes: texts.map((it) => Number.parseFloat(getComputedStyle(it).fontSize)),
          last: widthOf('.l:not(.old)'),
          older: widthOf('.l.old'),
          isWhole: width < innerWidth && height < innerHeight,
        };
      });
    expect(Math.min(...sizes)).toBeGreaterThan(14);
    expect(last).toBeGreaterThan(older);
    expect(isWhole).toBe(true);
    await leave(page);
  });

  test('for two numbers comes to them from groups, and back', async () => {
    const page = await ask([['#ask-by', 'City']]);
    await page.getByRole('link', { name: 'compare two numbers' }).click();
    await page.waitForURL(/_xy=/);
    expect(await page.locator('.pairs').count()).toBe(1);
    await page.getByRole('link', { name: 'compare groups' }).click();
    await page.waitForURL(/_group=/);
    expect(await page.locator('#ask-by').count()).toBe(1);
    await leave(page);
  });
});
