import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { suiteBrowser } from '../../support/suite-browser.ts';
import { suiteService } from '../../support/suite-service.ts';
import { PAGES, WHOLE_PAGES } from './block-pages.ts';
import { answered, openAll, seen, unfold, type Visit, WINDOWS } from './browser.ts';

const visit = suiteBrowser();
const service = suiteService();
let page: Visit;
afterEach(() => {
  expect(page.complaints.splice(0)).toEqual([]);
});

const PHONE = { viewport: WINDOWS.phone, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
const DIRECTORY = '/api_v2/blocks/business-directory';

/** Of many addresses, which keep nothing: Chromium starts processes for each window. */
function inOneWindow(options: object): void {
  beforeAll(async () => {
    page = await visit(options);
  });
  afterAll(() => page.context().close());
}

describe('on a phone', () => {
  const open = async (address: string) => {
    page = await visit(PHONE);
    await page.goto(service.url + address);
  };
  afterEach(() => page.context().close());

  test('a person finds laundries by touch, and the answer comes first', async () => {
    await open('/');
    await page.getByRole('link', { name: 'Business directory' }).tap();
    await page.getByRole('link', { name: 'Filters', exact: true }).tap();
    await page.getByRole('checkbox', { name: /^Laundries/ }).tap();
    await page.getByRole('button', { name: 'Show 22', exact: true }).tap();
    // Where the button leads to, the answer is in sight.
    await page.waitForFunction(() => document.activeElement?.id === 'found');
    await answered(page, /“Laundries”/);
    expect(await page.locator('#filters').isVisible()).toBe(false);
    const heading = await page.locator('#found').boundingBox();
    expect(heading.y).toBeGreaterThanOrEqual(0);
    expect(heading.y).toBeLessThan(WINDOWS.phone.height);
    expect(await page.locator('#bar').textContent()).toBe('22 of 120Filters (1)');
    await page.getByRole('link', { name: /^Table/ }).tap();
    await page.waitForURL(/_view=table/);
    const { rows, heading: found } = await seen(page);
    expect(rows.length).toBeGreaterThan(7);
    expect(found).toMatch(/“Laundries”/);
  });

  test.each([390, 320])(
    'a person finds the nearest laundry, 256 m away, and the way there: %i px wide',
    async (width) => {
      page = await visit({
        ...PHONE,
        viewport: { width, height: 760 },
        geolocation: { longitude: -74.0005, latitude: 40.6795 },
        permissions: ['geolocation'],
      });
      await page.goto(service.url);
      const filters = page.getByRole('link', { name: /^Filters/ });
      const show = async (count: number) => {
        await page.getByRole('button', { name: `Show ${count}`, exact: true }).tap();
        await page.locator('#filters').waitFor({ state: 'hidden' });
      };
      await page.getByRole('link', { name: 'Business directory' }).tap();
      await page.getByRole('link', { name: /^Table/ }).tap();
      await page.waitForURL(/_view=table/);
      await filters.tap();
      await page.getByRole('searchbox', { name: 'Search all texts' }).fill('laundry');
      await show(3);
      // Most laundries do not have the word in their names: the page says so.
      await page.getByRole('link', { name: 'Type of business is Laundries: 22' }).tap();
      await answered(page, /^22 of 120/);
      await filters.tap();
      await page.locator('summary', { hasText: 'near a point' }).tap();
      await page.locator('form .tools').getByRole('button', { name: 'Near me' }).tap();
      await answered(page, /nearest to/);
      await show(22);
      const card = page.locator('tbody tr').first();
      expect(await card.innerText()).toMatch(/^CARROL GARDENS WASH-N-DRY CORP\.\s+256 m\s/);
      const { x, width: cardWidth } = await card.boundingBox();
      expect([x >= 0, x + cardWidth <= width]).toEqual([true, true]);
      await card.getByRole('link', { name: /^CARROL GARDENS/ }).tap();
      await page.waitForURL(/\/rows\//);
      expect(await page.locator('h1').textContent()).toBe('CARROL GARDENS WASH-N-DRY CORP.');
      // The reader's own map leads there.
      expect(await page.locator('a[href^="geo:40.678801,"]').isVisible()).toBe(true);
      // And back to the very results.
      await page.getByRole('link', { name: /^Back to 22 of 120/ }).tap();
      await page.waitForURL(/_view=table/);
      expect(await page.locator('tbody tr').count()).toBe(22);
    },
  );

  test.each(['table', 'chart', 'map'])(
    'what is typed in stays where it is while the answer changes: %s',
    async (view) => {
      await open(`${DIRECTORY}?_view=${view}#filters`);
      await unfold(page, 'Business name');
      const box = page.locator('#f-business');
      await box.tap();
      const { y } = await box.boundingBox();
      await page.keyboard.type('*pizza*');
      await answered(page, /“pizza”/);
      // A page scrolls by whole pixels.
      const isStill = async () => Math.abs((await box.boundingBox()).y - y) <= 1;
      expect(await isStill()).toBe(true);
      await box.fill('');
      await answered(page, /All 120/);
      expect(await isStill()).toBe(true);
    },
  );

  test('the sheet of filters has the keyboard to itself; Escape leads back to what opened it', async () => {
    await open(DIRECTORY);
    const opener = page.getByRole('link', { name: 'Filters', exact: true });
    await opener.tap();
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      const isWithin = await page.evaluate(() => {
        const it = document.activeElement;
        return it === document.body || it?.closest('#filters') !== null;
      });
      expect(isWithin).toBe(true);
    }
    await page.keyboard.press('Escape');
    await page.locator('#filters').waitFor({ state: 'hidden' });
    await opener.and(page.locator(':focus')).waitFor();
    // The sheet is no page of its own.
    await page.goBack();
    expect(page.url()).toBe('about:blank');
  });

  test('a range is brushed by a finger that goes across; one that goes down scrolls', async () => {
    await open(`${DIRECTORY}#filters`);
    await unfold(page, 'House number');
    const histogram = page.locator('.histogram').first();
    expect(await histogram.evaluate((it: Element) => getComputedStyle(it).touchAction)).toBe(
      'pan-y',
    );
    await histogram.scrollIntoViewIfNeeded();
    const { x, y, width } = await histogram.boundingBox();
    const session = await page.context().newCDPSession(page);
    const touch = (type: string, share?: number) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: share === undefined ? [] : [{ x: x + width * share, y: y + 10 }],
      });
    await touch('touchStart', 0.3);
    for (const share of [0.35, 0.45, 0.6]) await touch('touchMove', share);
    await touch('touchEnd');
    await answered(page, /House number is from \d+ to \d+/);
  });

  test('a row is a card: its name, four fields, and the way to its page wherever one touches it', async () => {
    await open(`${DIRECTORY}?_view=table&category=retail`);
    const cards = page.locator('tbody tr');
    const fields: string[] = await cards
      .first()
      .locator('td')
      .evaluateAll((all: Element[]) =>
        all.filter((it) => it.checkVisibility()).map((it) => it.getAttribute('data-l')),
      );
    // The category is the same on each.
    expect(fields).toHaveLength(4);
    expect(fields).not.toContain('Category');
    await cards.nth(2).scrollIntoViewIfNeeded();
    const { x, y, width, height } = await cards.nth(2).boundingBox();
    expect(height).toBeGreaterThan(44);
    const name = await cards.nth(2).locator('th').textContent();
    await page.touchscreen.tap(x + width - 10, y + height - 10);
    await page.waitForURL(/\/rows\//);
    const values = await page.locator('main').textContent();
    expect(values).toContain(name.trim());
  });

  test.each(['table', 'chart'])(
    'the × of a filter stays beside its words, in one box, however these are broken: %s',
    async (view) => {
      const asked = '_or.1.category=retail&_or.2.type_of_business=laundries&business=*a*';
      await open(`${DIRECTORY}?${asked}&_view=${view}`);
      let lines = 0;
      for (let width = 200; width <= 400; width += 4) {
        await page.setViewportSize({ width, height: 760 });
        const chips = await page.locator('.filter').evaluateAll((all: HTMLElement[]) =>
          all.map((it) => {
            const rectOf = (node: Node) => {
              const range = document.createRange();
              range.selectNodeContents(node);
              return range.getBoundingClientRect();
            };
            const [box, text] = [it.getBoundingClientRect(), rectOf(it.firstChild as Text)];
            const cross = rectOf(it.querySelector('a') as Element);
            return {
              isBeside:
                cross.left >= text.right && cross.top < text.bottom && cross.bottom > text.top,
              isWithin: cross.right <= box.right && box.right <= innerWidth,
              height: it.offsetHeight,
            };
          }),
        );
        expect(chips.length).toBeGreaterThan(1);
        for (const chip of chips) expect(chip).toMatchObject({ isBeside: true, isWithin: true });
        lines = Math.max(lines, ...chips.map(({ height }: { height: number }) => height));
      }
      expect(lines).toBeGreaterThan(60);
    },
  );

  test('numbers get a keyboard with digits', async () => {
    await open('/api_v2/blocks/census-neighborhoods?_view=map');
    expect(await page.locator('#f-households_min').getAttribute('inputmode')).toBe('decimal');
    expect(await page.locator('input[type=number]').count()).toBe(0);
  });
});

describe.each([
  ['320 px wide, as 1280 is at 400 %', WINDOWS.zoomed],
  ['360 px wide', WINDOWS.phone],
  ['1280 px wide', WINDOWS.desktop],
])('%s', (_, viewport) => {
  inOneWindow({ viewport });

  test.each(Object.entries({ ...PAGES, ...WHOLE_PAGES }))(
    'the page has no sideways scroll, and nothing is cut off: %s',
    async (_, address) => {
      await page.goto(service.url + address);
      await openAll(page);
      const found = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        // Thumbs go a little over the edge, by design; a table and the question scroll within
        // themselves. Of menus that close each other, one is seen.
        const wide = [...document.querySelectorAll('body *')].filter(
          (it) =>
            it.checkVisibility() &&
            it.closest('table, svg, .histogram, .unseen, .ask > *') === null &&
            (it.getBoundingClientRect().right > clientWidth + 0.5 ||
              it.getBoundingClientRect().left < -0.5),
        );
        return {
          over: scrollWidth - clientWidth,
          wide: wide.map((it) => it.outerHTML.slice(0, 200)),
        };
      });
      expect(found).toEqual({ over: 0, wide: [] });
    },
  );
});

describe('what is tapped', () => {
  inOneWindow(PHONE);

  /**
   * Those that are less than 44 px high or wide (WCAG 2.5.5), but for its exceptions: links in a
   * sentence, and what another control of the page does too. For marks of a figure that is the table
   * below it, for sliders their boxes. A bar’s row, which is
   * as wide as the page, and a cell of a heat table, which shows its number at the first tap, have 24
   * px at least (2.5.8).
   */
  const tooSmall = (): Promise<string[]> =>
    page.evaluate((least: number) => {
      const isInSentence = (it: Element) => {
        const beside = [...(it.parentElement?.childNodes ?? [])].filter((node) => node !== it);
        const isText = beside.some(
          (node) => node.nodeType === 3 && /\w/.test(String(node.nodeValue)),
        );
        return getComputedStyle(it).display === 'inline' && isText;
      };
      const targetOf = (it: Element) => {
        const isRow =
          it.matches('.row, .barlist a') && getComputedStyle(it, '::after').position === 'absolute';
        return (
          (isRow && it.closest('tr')) ||
          (it.matches('[type=checkbox]') && it.closest('label')) ||
          it
        );
      };
      return [...document.querySelectorAll('a[href], button, input, select, summary')]
        .filter(
          (it) =>
            it.checkVisibility({ visibilityProperty: true }) && it.closest('svg, .skip') === null,
        )
        .filter((it) => !it.matches('[type=hidden], [type=range]') && !isInSentence(it))
        .flatMap((it) => {
          const { width, height } = targetOf(it).getBoundingClientRect();
          // Half a pixel is lost where lines are broken.
          if (Math.min(width, height) >= (it.closest('.barlist, .heat') ? 24 : least) - 0.5)
            return [];
          return [`${it.outerHTML.slice(0, 120)} ${width} × ${height}`];
        });
    }, 44);

  test.each(Object.entries(PAGES))('is 44 px high and wide at least: %s', async (_, address) => {
    await page.goto(service.url + address);
    await openAll(page);
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 760 });
      expect([width, await tooSmall()]).toEqual([width, []]);
    }
    if ((await page.locator('#filters').count()) === 0) return;
    await page.evaluate("location.hash = '#filters'");
    await page.locator('#filters').waitFor();
    expect(['filters', await tooSmall()]).toEqual(['filters', []]);
  });
});
