import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../../src/block/block.ts';
import type { Row } from '../../../src/values/field-type.ts';
import { suiteBrowser } from '../../support/suite-browser.ts';
import { type Visit, WINDOWS } from './browser.ts';
import { startMade } from './made-service.ts';

/** Days of three years, of two lines: none of the three blocks has dates. */
const block = datasetBlock({
  ...{ id: 'riders', name: 'riders', title: 'Riders', description: 'Made.', noun: 'days' },
  examples: [],
  fields: [
    { type: 'date', name: 'day', title: 'Day' },
    { type: 'text', name: 'line', title: 'Line' },
    { type: 'integer', name: 'riders', title: 'Riders' },
  ],
});
const DAYS = 1000;
const rows: Row[] = Array.from({ length: 2 * DAYS }, (_, i) => {
  const day = Math.floor(i / 2);
  return {
    day: new Date(Date.UTC(2022, 0, 1 + day)).toISOString().slice(0, 10),
    line: i % 2 === 0 ? 'Red' : 'Blue',
    riders: 20_000 + 7 * day + (i % 2) * 9000 + ((day * 37) % 101) * 13,
  };
});

/** The average of each month, in order. */
const MONTHS = [...new Set(rows.map(({ day }) => String(day).slice(0, 7)))].map((month) => {
  const those = rows.filter(({ day }) => String(day).startsWith(month));
  const sum = those.reduce((all, { riders }) => all + Number(riders), 0);
  return { month, rows: those.length, average: sum / those.length };
});

let url: string;
let close: () => Promise<void>;
const visit = suiteBrowser();
beforeAll(async () => {
  ({ url, close } = await startMade(block, rows));
});
afterAll(async () => {
  await close?.();
});

const LAST = MONTHS.at(-1) as (typeof MONTHS)[0];
const ASKED = '?_group=day.month&_measure=avg:riders';

async function open(query = ASKED, options = {}): Promise<Visit> {
  const page = await visit(options);
  await page.goto(url + query);
  return page;
}

/** Three digits, as beside a mark: `29.3k`. */
const short = (value: number) => `${Number((value / 1000).toPrecision(3))}k`;

/** And in a sentence: `29,300`. */
const spoken = (value: number) => Number(value.toPrecision(3)).toLocaleString('en');

/** The middle of what is pointed at, which is not drawn. */
async function middleOf(point: Visit): Promise<[number, number]> {
  await point.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await point.locator('rect').first().boundingBox();
  return [x + width / 2, y + height / 2];
}

async function leave(page: Visit): Promise<void> {
  expect(page.complaints).toEqual([]);
  await page.context().close();
}

describe('a line over time', () => {
  test.each([true, false])(
    'has all months, whatever the page, and says its last (scripts: %s)',
    async (javaScriptEnabled) => {
      const page = await open(`${ASKED}&_limit=3&_sort=-avg_riders`, { javaScriptEnabled });
      expect(await page.locator('.numbers tbody tr').count()).toBe(MONTHS.length);
      expect(await page.locator('.plot .end').first().textContent()).toContain(short(LAST.average));
      const caption = await page.locator('figcaption p').first().textContent();
      const [first] = MONTHS as [(typeof MONTHS)[0]];
      expect(caption).toContain(`From ${spoken(first.average)} in January 2022`);
      // September, which the data do not fill, is told apart.
      const [full] = MONTHS.slice(-2) as [(typeof MONTHS)[0]];
      expect(caption).toContain(`to ${spoken(full.average)} in August 2024`);
      expect(caption).toContain('September 2024 has data up to 26 September 2024 only.');
      await leave(page);
    },
  );

  test('shows a month where one points at it, and a click leads to its days', async () => {
    const page = await open();
    const month = page.locator('.plot .h').nth(10);
    expect(await month.locator('text').first().isVisible()).toBe(false);
    await page.mouse.move(...(await middleOf(month)));
    expect(await month.locator('text').first().isVisible()).toBe(true);
    await page.mouse.click(...(await middleOf(month)));
    await page.waitForURL(/_view=table/);
    const [, total = ''] =
      /(\d+) of 2,000 days/.exec(await page.locator('#found').textContent()) ?? [];
    expect(Number(total)).toBe(MONTHS[10]?.rows);
    await leave(page);
  });

  test('is gone through by arrows: each month is said, and Enter follows', async () => {
    const page = await open();
    await page.locator('.plot').focus();
    await page.keyboard.press('End');
    await page.locator('#said', { hasText: short(LAST.average) }).waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowLeft');
    const before = MONTHS.at(-2) as (typeof MONTHS)[0];
    await page.locator('#said', { hasText: short(before.average) }).waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.waitForURL((at: URL) => at.searchParams.get('day') === before.month);
    await leave(page);
  });

  test('shows a month at the first tap, and follows it at the second', async () => {
    const page = await open(ASKED, { viewport: WINDOWS.phone, hasTouch: true });
    const month = page.locator('.plot .h').nth(20);
    await page.touchscreen.tap(...(await middleOf(month)));
    expect(new URL(page.url()).searchParams.get('_view')).toBeNull();
    await page.touchscreen.tap(...(await middleOf(month)));
    await page.waitForURL(/_view=table/);
    await leave(page);
  });

  test.each(['', '&_limit=2', '&_sort=-avg_riders&_limit=50'])(
    'of 1,000 days ends with the last of them, whatever its table’s page: “%s”',
    async (more) => {
      const page = await open(`?_view=chart&_group=day&_measure=avg:riders${more}`);
      expect(await page.locator('#caption').textContent()).toMatch(
        /^From .* on 1 January 2022.* on 26 September 2024.* 1,000 days\./,
      );
      await leave(page);
    },
  );

  test.each([
    ['screen', 800],
    ['print', 420],
  ])('has its numbers below it, each column whole: %s', async (media, width) => {
    const page = await open(ASKED, { viewport: { width, height: 1000 } });
    await page.emulateMedia({ media });
    const { over, heads } = await page.locator('.numbers .scroll').evaluate((it: Element) => ({
      over: it.scrollWidth - it.clientWidth,
      heads: [...it.querySelectorAll('thead th')].map((head) => head.textContent),
    }));
    expect(over).toBe(0);
    expect(heads).toEqual(['Month', 'Average of Riders', 'Bar', 'Change', 'Days']);
    await leave(page);
  });

  test('is split by a word of its question into lines that are named at their ends', async () => {
    const page = await open();
    await page.locator('#ask-split').selectOption({ label: 'Line' });
    await page.locator('.plot.lines').waitFor();
    // That a month is not full is a piece of its own.
    expect(await page.locator('.plot .l:not(.open)').count()).toBe(2);
    const ends = await page.locator('.plot svg > .end').allTextContents();
    expect(ends.join(' ')).toMatch(/Blue.*Red|Red.*Blue/);
    expect(new URL(page.url()).searchParams.getAll('_group')).toEqual(['day.month', 'line']);
    await page.locator('#ask-mark').selectOption({ label: 'heat table' });
    await page.locator('.heat').waitFor();
    await leave(page);
  });

  test('of several is said by names, the greatest first, and shows one readout at a time', async () => {
    const page = await open(`?_group=day.month,line&_measure=avg:riders`);
    await page.locator('.plot').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    // Blue has the odd rows, which are 9,000 more.
    await page
      .locator('#said', { hasText: /^Aug 2024: Blue [\d.]+k, Red [\d.]+k$/ })
      .waitFor({ state: 'attached' });
    const shown = () =>
      page
        .locator('.plot .h')
        .evaluateAll((all: Element[]) =>
          all.flatMap((it) =>
            getComputedStyle(it.querySelector('text') as Element).visibility === 'visible'
              ? [it.querySelector('text')?.textContent]
              : [],
          ),
        );
    expect(await shown()).toEqual(['Aug 2024']);
    await page.mouse.move(...(await middleOf(page.locator('.plot .h').nth(4))));
    expect(await shown()).toEqual(['May 2022']);
    await page.keyboard.press('Home');
    expect(await shown()).toEqual(['Jan 2022']);
    await leave(page);
  });

  test('a heat table has numbers in cells of 44 × 32 px and gaps of 2, each with its readout', async () => {
    const page = await open(`?_group=day.quarter,line&_measure=avg:riders&_mark=heat`);
    const [first, second, below] = await Promise.all(
      [0, 1, 11].map((i) => page.locator('.heat td').nth(i).boundingBox()),
    );
    expect(first.width).toBeGreaterThanOrEqual(44);
    expect(first.height).toBeGreaterThanOrEqual(32);
    expect(second.x - first.x - first.width).toBeCloseTo(2);
    expect(below.y - first.y - first.height).toBeCloseTo(2);
    const cell = page.locator('.heat td a').nth(12);
    const number = await cell.textContent();
    await cell.hover();
    expect(await page.locator('.tip').textContent()).toBe(
      `Red, Q2 2022: ${number}, average of 91 days`,
    );
    const [tip, at] = [await page.locator('.tip').boundingBox(), await cell.boundingBox()];
    expect(Math.abs(tip.x + tip.width / 2 - (at.x + at.width / 2))).toBeLessThan(2);
    expect(tip.y + tip.height).toBeLessThan(at.y);
    // After keys there is one readout, and it is theirs.
    await page.locator('.heat').focus();
    await page.keyboard.press('Home');
    expect(await page.locator('.tip').allTextContents()).toEqual([
      expect.stringMatching(/^Blue, Q1 2022: /),
    ]);
    expect(await page.locator('.heat .at').count()).toBe(1);
    await leave(page);
  });

  test('a cell of a heat table is shown at the first tap, and followed at the second', async () => {
    const options = { viewport: WINDOWS.phone, hasTouch: true };
    const page = await open(`?_group=day.quarter,line&_measure=avg:riders&_mark=heat`, options);
    const cell = page.locator('.heat td a').first();
    await cell.tap();
    expect(await page.locator('.tip').textContent()).toMatch(/^Blue, Q1 2022: /);
    expect(new URL(page.url()).searchParams.get('_view')).toBeNull();
    await cell.tap();
    await page.waitForURL(/_view=table/);
    await leave(page);
  });

  test.each([
    ['a month and a line', '?_group=day.month,line&_measure=avg:riders&day_max=2023&_mark=heat'],
    ['lines', '?_group=day.month,line&_measure=avg:riders'],
  ])('is printed with all its numbers, none cut off: %s', async (_, query) => {
    const page = await open(query, { viewport: { width: 1000, height: 700 } });
    await page.emulateMedia({ media: 'print' });
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('.heat :is(th, td), .numbers :is(th, td)')].flatMap((cell) => {
        const { width, right } = cell.getBoundingClientRect();
        return width > 0 && right <= innerWidth ? [] : [cell.textContent];
      }),
    );
    expect(cut).toEqual([]);
    await leave(page);
  });

  test.each([320, 390, 1280])(
    'of any mark has at least 60 %% of its figure, on a page and in a frame, at %i',
    async (width) => {
      for (const query of [
        '?_group=day.month&_measure=avg:riders',
        '?_group=day.month,line&_measure=avg:riders',
        '?_group=day.month,line&_measure=avg:riders&_mark=heat',
        '?_group=riders.5000',
        '?_group=line',
        '?_group=line,day.year&_mark=parts',
      ]) {
        const page = await open(query, { viewport: { width, height: 800 } });
        for (const embed of ['', '&_embed=1']) {
          await page.goto(url + query + embed);
          const share = await page.evaluate(() => {
            const widthOf = (selector: string) =>
              document.querySelector(selector)?.getBoundingClientRect().width ?? 0;
            const within = ':is(.plot svg, .heatgrid svg, .heat table, .barlist)';
            return Math.min(widthOf('figure'), widthOf(within)) / widthOf('figure');
          });
          expect([query, embed, share >= 0.6]).toEqual([query, embed, true]);
        }
        await leave(page);
      }
    },
  );

  test('is of a year by a link, of a range by a slider, and the links keep what else is asked', async () => {
    const page = await open('?day=2023');
    const asked = () => new URL(page.url()).searchParams;
    await page.getByRole('slider', { name: 'Day, at most' }).press('ArrowLeft');
    await page.waitForURL((now: URL) => now.searchParams.has('day_max'));
    expect([asked().get('day'), asked().get('day_min')]).toEqual([null, null]);
    await page.getByRole('checkbox', { name: /^Red/ }).check();
    await page.waitForURL((now: URL) => now.searchParams.has('line'));
    await page.getByRole('link', { name: '2022', exact: true }).click();
    await page.waitForURL((now: URL) => now.searchParams.get('day') === '2022');
    expect([asked().get('line'), asked().get('day_max')]).toEqual(['Red', null]);
    await leave(page);
  });

  test('stands alone at the address for a frame, and leads from there to the whole', async () => {
    const page = await open(`${ASKED}&_view=api`);
    const line = await page.locator('pre', { hasText: '<iframe' }).textContent();
    const [, src = ''] = /^<iframe src="([^"]*)"/.exec(line) ?? [];
    await page.goto(src.replaceAll('&amp;', '&'));
    expect(await page.locator('h1').textContent()).toBe('Average of Riders, by month');
    expect(await page.locator('.plot .l:not(.open)').count()).toBe(1);
    expect(await page.locator('header, form, nav').count()).toBe(0);
    const [whole] = await Promise.all([
      page.context().waitForEvent('page'),
      page.locator('.plate a').click(),
    ]);
    await whole.waitForLoadState();
    expect(new URL(whole.url()).searchParams.get('_embed')).toBeNull();
    expect(await whole.locator('.tabs').count()).toBe(1);
    await leave(page);
  });

  test('is seen in the article of another site, at the width of its frame, without scripts', async () => {
    const chart = await open(ASKED);
    await chart.getByText('Share', { exact: true }).click();
    const line = await chart.getByLabel('The figure in another page', { exact: true }).inputValue();
    const picture = await chart
      .locator('#acts')
      .getByRole('link', { name: 'SVG' })
      .evaluate((link: HTMLAnchorElement) => link.href);
    await leave(chart);
    const article = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      const image = `<img src="${picture.replaceAll('&', '&amp;')}">`;
      response.end(`<!doctype html><title>Article</title><p>As one sees:</p>${line}${image}`);
    });
    await new Promise<void>((resolve) => article.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = article.address() as AddressInfo;
      for (const viewport of [WINDOWS.phone, WINDOWS.desktop]) {
        const page = await visit({ viewport, javaScriptEnabled: false });
        await page.goto(`http://127.0.0.1:${port}/`);
        const frame = page.frameLocator('iframe');
        expect(await frame.locator('h1').textContent()).toBe('Average of Riders, by month');
        const plot = await frame.locator('.plot').boundingBox();
        const { x, width } = await page.locator('iframe').boundingBox();
        expect(plot.x).toBeGreaterThanOrEqual(x);
        expect(plot.x + plot.width).toBeLessThanOrEqual(x + width);
        expect(plot.width).toBeGreaterThan(0.8 * width);
        const image = page.locator('img');
        expect(await image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(800);
        await leave(page);
      }
    } finally {
      await new Promise((resolve) => article.close(resolve));
    }
  });
});
