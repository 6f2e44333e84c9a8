import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../../src/block/block.ts';
import type { Row } from '../../../src/values/field-type.ts';
import { suiteBrowser } from '../../support/suite-browser.ts';
import { suiteService } from '../../support/suite-service.ts';
import { answered, type Visit } from './browser.ts';
import { startMade } from './made-service.ts';

const LONG = (i: number) =>
  `Question ${i}: how satisfied are you, all things considered, with the service ${i} of your town?`;

/** Films: names from the right, a date, large numbers, a long word, and questions with long titles. */
const block = datasetBlock({
  ...{ id: 'films', name: 'films', title: 'Films', noun: 'films', examples: [] },
  description: `Films. Each row has: ${Array.from({ length: 9 }, (_, i) => LONG(i)).join(', ')}.`,
  fields: [
    { type: 'text', name: 'film', title: 'فيلم', main: true },
    { type: 'text', name: 'studio', title: 'Studio' },
    { type: 'text', name: 'city', title: 'مدينة' },
    { type: 'date', name: 'released', title: 'Released' },
    { type: 'integer', name: 'budget', title: 'Production Budget' },
    { type: 'integer', name: 'gross', title: 'إيرادات' },
    { type: 'integer', name: 'made', title: 'Manufacturing' },
    ...Array.from({ length: 20 }, (_, i) => {
      return { type: 'integer' as const, name: `q${i}`, title: LONG(i) };
    }),
  ],
  keyFields: ['film', 'studio', 'city', 'released', 'budget', 'gross', 'made'],
  primaryKey: ['film'],
});
const COUNT = 1500;
const STUDIOS = ['Paramount', 'Universal Pictures of the World Company', 'سينما'];
const rows: Row[] = Array.from({ length: COUNT }, (_, i) => ({
  film: `القاهرة ${i}`,
  studio: STUDIOS[i % 7 === 0 ? 2 : i % 2] as string,
  city: ['طنطا', 'أسوان', 'Cairo', 'دمياط'][i % 4] as string,
  released: `${2000 + Math.floor(i / 60)}-${String((i % 12) + 1).padStart(2, '0')}-11`,
  budget: 100_000 + ((i * 7919) % 1500) * 130_001,
  gross: 20_000 + ((i * 31) % 1499) * 11,
  made: 90 + ((i * 13) % 1777),
  ...Object.fromEntries(Array.from({ length: 20 }, (_, q) => [`q${q}`, 1 + ((i * (q + 3)) % 7)])),
}));

const service = suiteService();
let films: string;
let close: () => Promise<void>;
const visit = suiteBrowser();
beforeAll(async () => {
  ({ url: films, close } = await startMade(block, rows));
});
afterAll(async () => {
  await close?.();
});

const PHONE = { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true };

async function open(address: string, options: object = {}): Promise<Visit> {
  const page = await visit(options);
  await page.goto(address);
  return page;
}

const blockAt = (name: string) => `${service.url}/api_v2/blocks/${name}`;

type Box = { text: string; left: number; right: number; top: number; bottom: number };

/** The boxes of what is written in the elements that are seen. */
const written = (page: Visit, selector: string): Promise<Box[]> =>
  page.locator(selector).evaluateAll((all: Element[]) =>
    all
      .filter((one) => one.checkVisibility())
      .map((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        return { text: one.textContent?.trim() ?? '', left, right, top, bottom };
      }),
  );

const meet = (a: Box, b: Box) =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;

describe('the chooser of columns', () => {
  test.each([320, 360, 390, 768, 1280])(
    'has no two names on each other, at %d px',
    async (width) => {
      for (const address of [blockAt('census-neighborhoods'), films]) {
        const page = await open(`${address}?_view=table`, { viewport: { width, height: 900 } });
        await page.locator('#strip .pop > summary').click();
        const names = await written(page, '.pop .many label span');
        expect(names.length).toBeGreaterThan(20);
        const pairs = names.flatMap((a, i) =>
          names.slice(i + 1).flatMap((b) => (meet(a, b) ? [[a.text, b.text]] : [])),
        );
        expect(pairs).toEqual([]);
        await page.context().close();
      }
    },
  );
});

describe('bars on a phone', () => {
  test('have name and number on one line, a bar of 8 px under it, and rows of 38 px that are links', async () => {
    for (const width of [320, 390]) {
      const page = await open(
        `${blockAt('business-directory')}?_group=type_of_business&_view=chart`,
        {
          ...PHONE,
          viewport: { width, height: 800 },
        },
      );
      await page.locator('figure .barlist tbody tr').nth(3).scrollIntoViewIfNeeded();
      const bars: { base: number; value: number; bar: DOMRect; row: DOMRect; name: DOMRect }[] =
        await page.locator('figure .barlist tbody tr:has(a)').evaluateAll((all: Element[]) =>
          all.map((row) => {
            const boxOf = (selector: string) =>
              (row.querySelector(selector) as Element).getBoundingClientRect().toJSON();
            const name = boxOf('bdi');
            return {
              ...{ base: name.bottom, value: boxOf('.n').bottom, name },
              ...{ bar: boxOf('svg'), row: row.getBoundingClientRect().toJSON() },
            };
          }),
        );
      expect(bars.length).toBeGreaterThan(8);
      for (const { base, value, bar, row, name } of bars) {
        expect(Math.abs(base - value)).toBeLessThan(2.5);
        expect(bar.height).toBeCloseTo(8, 0);
        expect(bar.top).toBeGreaterThanOrEqual(name.bottom - 1);
        expect(row.height).toBeGreaterThanOrEqual(36);
        expect(row.height).toBeLessThan(name.height > 24 ? 62 : 41);
      }
      const { row } = bars[3] as (typeof bars)[0];
      const [hit, name] = await page.evaluate(
        ([x, y]: [number, number]) => {
          const found = document.elementFromPoint(x, y);
          const rowOf = [...document.querySelectorAll('figure .barlist tbody tr')][3];
          return [found?.closest('a')?.textContent, rowOf?.querySelector('a')?.textContent];
        },
        [row.right - 20, row.bottom - 4],
      );
      expect(hit).toBe(name);
      await page.context().close();
    }
  });
});

describe('the head of a table', () => {
  const cutIn = (page: Visit, selector: string): Promise<string[]> =>
    page
      .locator(selector)
      .evaluateAll((all: Element[]) =>
        all
          .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
          .map((one) => one.textContent),
      );

  test('has whole words and medians, in columns of any width', async () => {
    for (const width of [768, 1280, 1920]) {
      for (const address of [blockAt('census-neighborhoods'), films]) {
        const page = await open(`${address}?_view=table`, { viewport: { width, height: 900 } });
        expect(await cutIn(page, '.rows thead .n small')).toEqual([]);
        // A title with more than two lines is cut, and said by its own title.
        expect(await cutIn(page, '.rows thead a:not([title])')).toEqual([]);
        await page.context().close();
      }
    }
  });

  test('has short numbers, whose digits are its title', async () => {
    const page = await open(`${films}?_view=table`);
    const said = page.locator('thead th', { hasText: 'Production Budget' });
    expect(await said.locator('small').textContent()).toMatch(/^median \d\d\.\dM$/);
    expect(await said.locator('div').getAttribute('title')).toMatch(/^median \d\d,\d{3},\d{3}/);
  });

  test('stands on its column’s side, also where columns are chosen and wide', async () => {
    const page = await open(`${films}?_view=table&_fields=film,studio,gross,city`, {
      viewport: { width: 1920, height: 900 },
    });
    const heads = await written(page, '.rows thead a');
    const said = await written(page, '.rows thead small');
    const cells = await written(page, '.rows tbody tr:first-child :is(td, th)');
    expect(heads.map(({ text }) => text)).toEqual(['فيلم', 'Studio', 'إيرادات', 'مدينة']);
    // What is written from the right, and numbers, stand there; other texts at the left.
    for (const [i, side] of (['right', 'left', 'right', 'right'] as const).entries()) {
      const places = [heads, said, cells].map((all) => (all[i] as Box)[side]);
      expect(Math.max(...places) - Math.min(...places)).toBeLessThan(3);
    }
    // Each cell of a column, whichever way it is written.
    for (const [nth, side] of [
      [2, 'left'],
      [4, 'right'],
    ] as const) {
      const column = await written(page, `.rows tbody tr :nth-child(${nth})`);
      const places = column.map((cell) => cell[side]);
      expect(Math.max(...places) - Math.min(...places)).toBeLessThan(3);
    }
  });
});

describe('cards on a phone', () => {
  test('are sorted by a choice, in which a script draws at once', async () => {
    const page = await open(`${blockAt('business-directory')}?_view=table`, PHONE);
    await page.locator('select[name=_sort]').selectOption({ label: 'House number, highest first' });
    await page.waitForURL(/_sort=-parsed_address/);
    await answered(page, /sorted by House number/);
    expect(await page.locator('select[name=_sort]').inputValue()).toBe('-parsed_address');
    expect(await page.locator('.rows thead').isVisible()).toBe(false);
    const wide = await open(page.url());
    expect(await wide.locator('select[name=_sort]').isVisible()).toBe(false);
  });

  test('are sorted without a script too', async () => {
    const page = await open(`${blockAt('business-directory')}?_view=table&category=retail`, {
      ...PHONE,
      javaScriptEnabled: false,
    });
    await page.locator('select[name=_sort]').selectOption({ label: 'House number, highest first' });
    await page.getByRole('button', { name: 'Sort', exact: true }).tap();
    await page.waitForURL(/_sort=-parsed_address/);
    expect(new URL(page.url()).searchParams.get('category')).toBe('retail');
  });

  test('name their fields whole, and have the phone instead of what the address says', async () => {
    const near = '_near=-73.9955,40.6827&_within=2km&type_of_business=laundries';
    const page = await open(`${blockAt('business-directory')}?_view=table&${near}`, PHONE);
    const card = page.locator('tbody tr').first();
    const fields: { name: string; isCut: boolean }[] = await card
      .locator('[data-l]')
      .evaluateAll((all: HTMLElement[]) =>
        all.map((one) => ({
          name: one.dataset.l,
          isCut: one.scrollWidth > one.clientWidth + 1,
        })),
      );
    // All have the one type; the house number is in the address.
    expect(fields.map(({ name }) => name).slice(0, 4)).toEqual([
      ...['Distance', 'Category', 'Street address', 'Phone number'],
    ]);
    expect(fields.map(({ name }) => name)).not.toContain('House number');
    expect(fields.filter(({ isCut }) => isCut)).toEqual([]);
    const distance = await card.locator('data').boundingBox();
    const [map] = await written(page, 'tbody tr:first-child a.narrow');
    expect(Math.abs(distance.y + distance.height - (map as Box).bottom)).toBeLessThan(2);
  });
});

describe('long titles', () => {
  test('are cut where they stand as a heading or in a list, and are whole when one points', async () => {
    const page = await open(`${films}?_group=q1&_measure=avg:q2&_view=chart`);
    const heading = page.locator('#found');
    expect(await heading.textContent()).toMatch(
      /^Average of Question 2: .{10,60}…, by Question 1: .{10,60}…$/,
    );
    expect(await heading.getAttribute('title')).toContain(`${LONG(2)}, by ${LONG(1)}`);
    for (const text of await page.locator('option').allTextContents()) {
      expect(text.trim().length).toBeLessThanOrEqual(60);
    }
    for (const width of [768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const { height } = await page.locator('.lede').boundingBox();
      expect(height).toBeLessThan(2.5 * 24);
    }
    expect(await page.locator('.lede').getAttribute('title')).toContain(LONG(8));
  });
});

test('no month of the numbers is broken into two lines', async () => {
  for (const width of [320, 390, 1280]) {
    const page = await open(`${films}?_group=released.month&_measure=avg:q2&_view=chart`, {
      viewport: { width, height: 900 },
    });
    const months = await written(page, '.numbers tbody th');
    expect(months.length).toBeGreaterThan(40);
    for (const { top, bottom } of months) expect(bottom - top).toBeLessThan(width < 992 ? 46 : 30);
    const lines: number[] = await page
      .locator('.numbers tbody th')
      .evaluateAll((all: Element[]) =>
        all.map((one) => one.querySelector('a')?.getClientRects().length ?? 1),
      );
    expect(Math.max(...lines)).toBe(1);
    await page.context().close();
  }
});

test('no word of a fact’s name is broken on a row’s page', async () => {
  for (const width of [360, 992, 1280, 1440, 1920]) {
    const page = await open(`${films}/rows/${encodeURIComponent('القاهرة 4')}`, {
      viewport: { width, height: 900 },
    });
    const broken: string[] = await page.locator('.ranks dt bdi').evaluateAll((all: Element[]) =>
      all.flatMap((one) => {
        const node = one.firstChild as Text;
        return node.data.split(' ').filter((word) => {
          const range = document.createRange();
          const from = node.data.indexOf(word);
          range.setStart(node, from);
          range.setEnd(node, from + word.length);
          return range.getClientRects().length > 1;
        });
      }),
    );
    expect([width, broken]).toEqual([width, []]);
    await page.context().close();
  }
});
