import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { suiteBrowser } from '../../support/suite-browser.ts';
import { suiteService } from '../../support/suite-service.ts';
import { PAGES } from './block-pages.ts';
import { answered, CHOSEN, column, hold, seen, type Visit } from './browser.ts';

const visit = suiteBrowser();
const service = suiteService();
let page: Visit;
afterEach(() => {
  expect(page.complaints.splice(0)).toEqual([]);
});

/** What has the focus, as a screen reader names it. */
const focused = (): Promise<string> =>
  page.evaluate(() => {
    const it = document.activeElement as HTMLInputElement;
    // A list's options are in its label, too.
    const named = it.tagName === 'SELECT' ? it.labels?.[0]?.firstChild : it.labels?.[0];
    const label = it.getAttribute('aria-label') ?? named?.textContent ?? it.textContent;
    return `${it.tagName.toLowerCase()} ${label?.trim().replace(/\s+/g, ' ')}`;
  });

/** More stops than any page has. */
const MOST_STOPS = 300;

/** Waits until the link that opens the filters has the focus, as some frames may pass before. */
async function focusComesTo(text: string): Promise<void> {
  await page.locator('a:focus', { hasText: text }).waitFor();
}

/** Presses Tab until something has the focus. */
async function tabTo(name: string): Promise<void> {
  for (let i = 0; i < MOST_STOPS; i++) {
    await page.keyboard.press('Tab');
    if ((await focused()) === name) return;
  }
  throw new Error(`Tab does not lead to ${name}.`);
}

describe('by the keyboard alone', () => {
  beforeEach(async () => {
    page = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  });
  afterEach(() => page.context().close());

  test('a person finds laundries, sorts, and copies the call', async () => {
    await page.goto(service.url);
    await tabTo('a Business directory');
    await page.keyboard.press('Enter');
    await page.waitForURL(/business-directory$/);
    await tabTo('a Table 120 businesses');
    await page.keyboard.press('Enter');
    await page.waitForURL(/_view=table/);
    await tabTo('a Filters');
    await page.keyboard.press('Enter');
    await tabTo('input Laundries 22');
    await page.keyboard.press('Space');
    await tabTo('summary Street address99 values');
    await page.keyboard.press('Enter');
    await tabTo('input Street address');
    await page.keyboard.type('*court st*');
    await answered(page, /^\s*7 of 120/);
    expect(await focused()).toBe('input Street address');
    await page.keyboard.press('Escape');
    await focusComesTo('Filters (2)');
    expect(await page.locator('#filters').isVisible()).toBe(false);
    await tabTo('a House number');
    await page.keyboard.press('Enter');
    await page.locator('th[aria-sort=descending]').waitFor();
    const numbers = column(await seen(page), 'House number').map(Number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    // The next Tab goes on from the answer, not from the top of the page.
    await page.keyboard.press('Tab');
    expect(await focused()).toMatch(/^a Drop: Street address/);
    await page.keyboard.press('Control+Home');
    await tabTo('a API');
    await page.keyboard.press('Enter');
    await page.waitForURL(/_view=api/);
    await tabTo('button Copy curl');
    await page.keyboard.press('Enter');
    await page.getByText('Copied', { exact: true }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl .*Laundries/);
    expect(await page.getByRole('status').textContent()).toBe('Copied curl');
  });

  test('who closes the filters before the answer has come keeps the focus with it', async () => {
    await page.goto(`${service.url}/api_v2/blocks/business-directory?_view=table`);
    const free = await hold(page, /type_of_business=/);
    await tabTo('a Filters');
    await page.keyboard.press('Enter');
    await tabTo('input Laundries 22');
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    await focusComesTo('Filters');
    free();
    await answered(page, /Type of business is “Laundries”/);
    expect(await focused()).toBe('a Filters (1)');
  });

  test('a slider is moved by arrows, Home and End; at its end it asks for nothing', async () => {
    await page.goto(`${service.url}/api_v2/blocks/census-neighborhoods?_view=map`);
    await tabTo('input Population, people, at least');
    const slider = page.getByRole('slider', { name: 'Population, people, at least' });
    expect(await slider.getAttribute('aria-valuetext')).toBe('any');
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
    const { total_population_min: low } = (await seen(page)).boxes;
    // Its scale, from 0 on, is that of other columns of people, too.
    expect(low).toBe('3000');
    expect(await slider.getAttribute('aria-valuetext')).toBe(low);
    await answered(page, new RegExp(`Population is at least ${low}`));
    expect(await focused()).toBe('input Population, people, at least');
    await page.keyboard.press('Home');
    await answered(page, /All 56/);
    expect((await seen(page)).boxes).toEqual({});
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('input Population, people, at most');
    await page.keyboard.press('PageDown');
    await answered(page, /Population is at most/);
    await page.keyboard.press('End');
    await answered(page, /All 56/);
  });

  test("what was typed at one end stays when the other end's slider is moved", async () => {
    await page.goto(
      `${service.url}/api_v2/blocks/census-neighborhoods?_view=map&total_population_min=8013`,
    );
    await tabTo('input Population, people, at most');
    await page.keyboard.press('PageDown');
    await answered(page, /Population is from 8013 to/);
  });

  test('the table is scrolled sideways', async () => {
    await page.goto(`${service.url}/api_v2/blocks/census-neighborhoods${CHOSEN}`);
    await tabTo('section Rows');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => (document.querySelector('.table')?.scrollLeft ?? 0) > 0);
  });

  test('a table is shaded at its end as long as there is more beside it', async () => {
    await page.goto(`${service.url}/api_v2/blocks/census-neighborhoods${CHOSEN}`);
    const isShadedAt = (left: number) =>
      page.locator('.table').evaluate(async (it: Element, to: number) => {
        it.scrollTo(to, 0);
        // The shade follows with the frame after.
        for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
        return !/^none|^rgba\(0, 0, 0, 0\)/.test(getComputedStyle(it).boxShadow);
      }, left);
    expect(await isShadedAt(0)).toBe(true);
    expect(await isShadedAt(400)).toBe(true);
    expect(await isShadedAt(1e6)).toBe(false);
    await page.goto(`${service.url}/api_v2/blocks/business-directory?_group=category&_view=table`);
    expect(await isShadedAt(0)).toBe(false);
  });

  test('a column’s head that is out of sight comes into it', async () => {
    await page.goto(`${service.url}/api_v2/blocks/census-neighborhoods${CHOSEN}`);
    await tabTo('a Land area in acres');
    const head = await page.locator('a:focus').boundingBox();
    const table = await page.locator('.table').boundingBox();
    const first = await page.locator('thead th').first().boundingBox();
    expect(head.x).toBeGreaterThanOrEqual(first.x + first.width);
    expect(head.x + head.width).toBeLessThanOrEqual(table.x + table.width);
  });

  test('Enter in a box answers and stays in it; the button leads to the answer', async () => {
    await page.goto(`${service.url}/api_v2/blocks/business-directory?_view=map`);
    await tabTo('summary Business name107 values');
    await page.keyboard.press('Enter');
    await tabTo('input Business name');
    await page.keyboard.type('*pizza*');
    await page.keyboard.press('Enter');
    await answered(page, /“pizza”/);
    expect(await focused()).toBe('input Business name');
    // Beside an answer that follows what is typed, there is no button.
    await page.setViewportSize({ width: 700, height: 800 });
    await tabTo('a Filters (1)');
    await page.keyboard.press('Enter');
    await tabTo('button Show 1');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.id === 'found');
  });

  test('what is wrong has the focus when the page comes, and leads to its box', async () => {
    await page.goto(`${service.url}/api_v2/blocks/census-neighborhoods?households_min=5,000`);
    await page.keyboard.press('Tab');
    expect(await focused()).toMatch(/^a “Households, at least” is "5,000"/);
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('input from');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('f-households_min');
  });

  test('a word of the question is chosen: it draws, keeps the focus, and is in the address', async () => {
    await page.goto(`${service.url}/api_v2/blocks/business-directory?_group=category`);
    const title = (await seen(page)).heading;
    await tabTo('select per');
    const before = await page.locator('#ask-by').inputValue();
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(
      (old: string) => document.querySelector('#found')?.textContent !== old,
      title,
    );
    const chosen = await page.locator('#ask-by').inputValue();
    expect(chosen).not.toBe(before);
    await page.waitForURL((now: URL) => now.searchParams.get('_group') === chosen);
    expect(await focused()).toBe('select per');
    const { heading, state } = await seen(page);
    expect(await page.getByRole('status').textContent()).toBe(`${heading}: ${state}`);
    // The next one is chosen from here.
    await page.keyboard.press('ArrowDown');
    await page.waitForURL((now: URL) => now.searchParams.get('_group') !== chosen);
    expect(await focused()).toBe('select per');
  });

  test.each([
    ['a map', '?_view=map&type_of_business=laundries', '.map'],
    ['squares on a map', '?_group=place.200m', '.map'],
    ['a heat table', '?_group=category,type_of_business', '.heat'],
    ['a histogram', '?_group=parsed_address.100', '.plot'],
  ])(
    'the points of %s are one stop, said and shown one by one, and lead on',
    async (_, query, kind) => {
      const address = `${service.url}/api_v2/blocks/business-directory${query}`;
      await page.goto(address);
      for (let i = 0; i < MOST_STOPS; i++) {
        await page.keyboard.press('Tab');
        if (await page.evaluate((its: string) => document.activeElement?.matches(its), kind)) break;
      }
      expect(await focused()).toMatch(/^div [A-Z]/);
      const status = page.getByRole('status');
      const said = new Set<string>();
      for (const key of ['ArrowRight', 'ArrowDown', 'End', 'ArrowLeft', 'Home']) {
        await page.keyboard.press(key);
        const text = await status.textContent();
        expect(text).toMatch(/\w/);
        said.add(text);
        // One sees which: it has what the pointer gives it.
        const shown = await page.locator('.at').evaluateAll((all: Element[]) =>
          all.map((it) =>
            [it, ...it.querySelectorAll('rect, circle, path, text')].some((part) => {
              const { visibility, stroke, strokeWidth, outlineStyle } = getComputedStyle(part);
              const isMarked =
                outlineStyle !== 'none' ||
                (stroke !== 'none' && Number.parseFloat(strokeWidth) >= 2);
              return visibility === 'visible' && (it.matches('.h') || isMarked);
            }),
          ),
        );
        expect(shown).toEqual([true]);
      }
      // The first is said twice.
      expect(said.size).toBe(4);
      const href = await page.locator('.at').getAttribute('href');
      if (href !== null) {
        await page.keyboard.press('Enter');
        await page.waitForURL(new URL(href, address).href);
      }
      await page.goto(address);
      expect(await page.locator('.at').count()).toBe(0);
    },
  );

  test('the circles near a place are read from the nearest on', async () => {
    await page.goto(service.url + PAGES['circles near a place']);
    await page.locator('.map').focus();
    await page.keyboard.press('ArrowRight');
    const rows = await seen(page);
    const [name, street, far] = ['Businesses', 'Street address', 'Distance'].map(
      (title) => column(rows, title)[0],
    );
    expect(`1 ${await page.getByRole('status').textContent()}`).toBe(`${name}, ${street}, ${far}`);
  });

  test.each(['chart', 'table'])(
    'the first filter is ten stops away at most, beside a figure and beside a table: %s',
    async (view) => {
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`${service.url}/api_v2/blocks/census-neighborhoods?_view=${view}`);
        let stops = 0;
        while ((await focused()) !== 'input Search all texts' && stops < MOST_STOPS) {
          await page.keyboard.press('Tab');
          stops++;
          if ((await focused()) === 'a To filters') await page.keyboard.press('Enter');
        }
        expect(stops).toBeLessThanOrEqual(10);
      }
    },
  );

  test('fields that are folded away are unfolded', async () => {
    await page.goto(`${service.url}/api_v2/blocks/census-neighborhoods?_view=map`);
    await tabTo('summary 32 more filters');
    await page.keyboard.press('Enter');
    await tabTo('summary 18 to 24 years, people217 to 5,551');
    await page.keyboard.press('Enter');
    await tabTo('input 18 to 24 years, people, at least');
  });
});

describe('at every stop of Tab', () => {
  // For all addresses, which keep nothing: Chromium starts processes for each window.
  beforeAll(async () => {
    page = await visit();
  });
  afterAll(() => page.context().close());

  test.each(Object.entries(PAGES))('one sees where one is: %s', async (_, address) => {
    await page.goto(service.url + address);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('form details')) {
        details.setAttribute('open', '');
      }
    });
    // From the top, wherever the page put the focus.
    await page.evaluate(() => {
      document.body.tabIndex = -1;
      document.body.focus();
    });
    let stops = 0;
    for (; stops < MOST_STOPS; stops++) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(() => {
        const it = document.activeElement as HTMLElement;
        // Until it leads out of the page, or to where it began.
        if (it === document.body || 'stopped' in it) return null;
        Object.assign(it, { stopped: true });
        const { outlineStyle, outlineWidth } = getComputedStyle(it);
        const { left, top, width, height } = it.getBoundingClientRect();
        const atPlace = document.elementFromPoint(left + width / 2, top + height / 2);
        return {
          element: (it.cloneNode() as Element).outerHTML,
          isRinged: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
          isInView: top < innerHeight && top + height > 0 && left >= 0 && left < innerWidth,
          // A slider's middle is not its thumb; a tall table's may be beyond the window.
          isCovered:
            !it.matches('[type=range], section') &&
            !(atPlace !== null && (it.contains(atPlace) || atPlace.contains(it))),
        };
      });
      if (stop === null) break;
      expect(stop).toMatchObject({ isRinged: true, isInView: true, isCovered: false });
    }
    const wanted = await page
      .locator('a[href], button, input:not([type=hidden]), select, summary, .table, [tabindex="0"]')
      .evaluateAll(
        // What is within a figure is one stop, with arrows; so are the choices of one thing.
        (all: HTMLElement[]) =>
          all.filter(
            (it) =>
              it.checkVisibility() &&
              it.tabIndex >= 0 &&
              it.parentElement?.closest('svg') == null &&
              !it.matches('[type=radio]:not(:checked)'),
          ).length,
      );
    expect(stops).toBe(wanted);
  });
});
