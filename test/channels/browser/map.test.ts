import { describe, expect, test } from '@jest/globals';
import { suiteBrowser } from '../../support/suite-browser.ts';
import { suiteService } from '../../support/suite-service.ts';
import { answered, type Page, seen, titlesOf, WINDOWS } from './browser.ts';

const visit = suiteBrowser();
const service = suiteService();

const open = async (address: string, options = {}) => {
  const page = await visit(options);
  await page.goto(`${service.url}/api_v2/blocks/${address}`);
  return page;
};

/** The map's sides on the screen. */
async function sidesOf(page: Page) {
  const map = page.locator('.map svg').first();
  await map.scrollIntoViewIfNeeded();
  // A drawing that is higher than its place is drawn at the left; the earth fills its own.
  return map.evaluate((svg: SVGSVGElement) => {
    const { x, y, width, height } = svg.getBoundingClientRect();
    const { width: w, height: h } = svg.viewBox.baseVal;
    const scale = Math.min(width / w, height / h);
    return { x, y, width: w * scale, height: h * scale };
  });
}

/** Drags over a part of the map, from its north west; the box that the form then has. */
async function drag(page: Page, to: number): Promise<string> {
  const { x, y, width, height } = await sidesOf(page);
  await page.mouse.move(x + width * 0.25, y + height * 0.25);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.4, y + height * 0.4);
  await page.mouse.move(x + width * to, y + height * to);
  await page.mouse.up();
  return page.locator('#f-_bbox').inputValue();
}

describe('a box drawn on the map', () => {
  test.each([['census-neighborhoods', 'neighborhoods']])(
    'of %s finds what is in it',
    async (name, noun) => {
      const page = await open(`${name}?_view=map`);
      const frame = await page.locator('.map svg').first().getAttribute('data-frame');
      const [west, , , north] = frame.split(' ').map(Number);
      const box = await drag(page, 0.75);
      await answered(page, /place is from/);
      const { body } = await service.post(name, { _bbox: box });
      expect(body.params.total).toBeGreaterThan(0);
      expect((await seen(page)).state).toMatch(new RegExp(`^${body.params.total} of \\d+ ${noun}`));
      const [left, bottom, right, top] = box.split(',').map(Number) as [
        number,
        number,
        number,
        number,
      ];
      const [, south, east] = frame.split(' ').map(Number);
      const near = (east - west) / 100;
      expect(Math.abs(left - (west + (east - west) * 0.25))).toBeLessThan(near);
      expect(Math.abs(right - (west + (east - west) * 0.75))).toBeLessThan(near);
      expect(Math.abs(top - (north - (north - south) * 0.25))).toBeLessThan(near);
      expect(Math.abs(bottom - (north - (north - south) * 0.75))).toBeLessThan(near);
      // The map is framed anew: what was drawn fills it, and is whole.
      const [w, s, e, n] = (await page.locator('.map svg').first().getAttribute('data-frame'))
        .split(' ')
        .map(Number);
      const inside = [left - w, bottom - s, e - right, n - top];
      expect(Math.min(...inside)).toBeGreaterThan(-near / 100);
      expect(Math.min(e - w, n - s)).toBeLessThan(Math.min(east - west, north - south));
      expect(await page.locator('.map a[href]').count()).toBe(body.params.total);
      expect(new URL(page.url()).searchParams.get('_view')).toBe('map');
      expect(page.complaints).toEqual([]);
      await page.context().close();
    },
  );

  test('is nothing after a click', async () => {
    const page = await open('census-neighborhoods?_view=map');
    const { x, y, height } = await sidesOf(page);
    // The south-west of the map is outside of the city.
    await page.mouse.click(x + 5, y + height - 5);
    expect(await page.locator('#f-_bbox').inputValue()).toBe('');
    expect(page.url()).toMatch(/_view=map/);
    await page.context().close();
  });

  test('is drawn by a finger after its button, and the page scrolls without', async () => {
    const page = await open('census-neighborhoods?_view=map', {
      viewport: WINDOWS.phone,
      hasTouch: true,
    });
    const finger = await page.context().newCDPSession(page);
    const stroke = async () => {
      const { x, y, width, height } = await sidesOf(page);
      const at = (share: number) => [{ x: x + width * share, y: y + height * share }];
      const touch = (type: string, touchPoints: object[]) =>
        finger.send('Input.dispatchTouchEvent', { type, touchPoints });
      await touch('touchStart', at(0.3));
      for (const share of [0.4, 0.5, 0.7]) await touch('touchMove', at(share));
      await touch('touchEnd', []);
    };
    const box = page.locator('#f-_bbox');
    await stroke();
    expect(await box.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Draw a box on the map' }).tap();
    await stroke();
    await answered(page, /place is from/);
    expect(await box.inputValue()).toMatch(/^-?\d/);
    await page.context().close();
  });
});

test.each([320, 390, 1280])(
  'a map has at least 60 %% of its figure, on a page and in a frame, at %i',
  async (width) => {
    for (const address of [
      'business-directory?_view=map',
      'business-directory?_group=place.200m',
      'census-neighborhoods?_view=map',
    ]) {
      for (const embed of ['', '&_embed=1']) {
        const page = await open(address + embed, { viewport: { width, height: 800 } });
        const figure = await page.locator('figure').first().boundingBox();
        const box = await page.locator('.map svg').first().boundingBox();
        const drawn = await sidesOf(page);
        // A map keeps its proportions: it fills the width of its box, or the height.
        const shares = [
          box.width / figure.width,
          Math.max(drawn.width / box.width, drawn.height / box.height),
        ];
        expect([address, embed, Math.min(...shares) >= 0.6]).toEqual([address, embed, true]);
        await page.context().close();
      }
    }
  },
);

describe('the map of the earth', () => {
  const framed = (page: Page) =>
    page.waitForURL((url: URL) => url.searchParams.has('_frame'), { timeout: 15_000 });

  test('is zoomed by the wheel with control and by a double click, with one request each', async () => {
    for (const isWheel of [true, false]) {
      const page = await open('business-directory?_view=map');
      const asked: string[] = [];
      page.on('request', (request: { url(): string }) => asked.push(request.url()));
      const { x, y, width, height } = await sidesOf(page);
      await page.mouse.move(x + width / 3, y + height / 3);
      await page.mouse.wheel(0, 0);
      if (isWheel) {
        await page.keyboard.down('Control');
        await page.mouse.wheel(0, -100);
        await page.keyboard.up('Control');
      } else await page.mouse.dblclick(x + 20, y + 20);
      await framed(page);
      await page.locator('.mapbar a', { hasText: 'Only those inside' }).waitFor();
      expect(asked).toHaveLength(1);
      expect((await seen(page)).state).toMatch(/^All 120 businesses/);
      expect(page.complaints).toEqual([]);
      await page.context().close();
    }
  });

  test('is dragged where it is a part, and not where it is the whole', async () => {
    const page = await open('business-directory?_view=map');
    const drag = async () => {
      const { x, y, width, height } = await sidesOf(page);
      await page.mouse.move(x + width / 2, y + height * 0.9);
      await page.mouse.down();
      for (const share of [0.45, 0.4, 0.3]) {
        await page.mouse.move(x + width * share, y + height * 0.9);
      }
      await page.mouse.up();
    };
    await drag();
    expect(await page.locator('.geo svg').first().getAttribute('style')).toBe(null);
    await page.getByRole('link', { name: 'Closer' }).click();
    await framed(page);
    const before = page.url();
    await drag();
    await page.waitForURL((url: URL) => url.href !== before, { timeout: 15_000 });
    const west = (url: string) => Number(new URL(url).searchParams.get('_frame')?.split(',')[0]);
    expect(west(page.url())).toBeGreaterThan(west(before));
    await page.context().close();
  });

  test('works by its links without scripts', async () => {
    const page = await open('business-directory?_view=map', { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Closer' }).click();
    await framed(page);
    await page.getByRole('link', { name: 'The whole map' }).click();
    expect(page.url()).not.toContain('_frame');
    await page.context().close();
  });
});

describe('near me', () => {
  const at = { longitude: -73.9962, latitude: 40.6812 };

  test('asks the browser, below the map as in the filter, and has the nearest first', async () => {
    const page = await open('business-directory?_view=map', {
      geolocation: at,
      permissions: ['geolocation'],
    });
    await page.locator('.mapbar .tools').getByRole('button', { name: 'Near me' }).click();
    await page.waitForURL(/_near=-73.9962/);
    const { body } = await service.post('business-directory', { _near: '-73.9962,40.6812' });
    // On the map and below it the nearest have numbers.
    await page.locator('.map .dots text', { hasText: /^1$/ }).waitFor();
    expect((await seen(page)).rows[0]?.[0]).toBe(`1 ${body.params.results[0].business}`);
    await page.getByRole('link', { name: /^Table/ }).click();
    await answered(page, /nearest to 40.6812° N, 73.9962° W first/);
    expect((await seen(page)).rows[0]?.[0]).toBe(body.params.results[0].business);
    await page.context().close();
  });

  test('says so if the browser does not tell', async () => {
    const page = await open('business-directory?_view=map');
    await page.locator('summary', { hasText: 'Place' }).click();
    await page.locator('form .tools').getByRole('button', { name: 'Near me' }).click();
    await page.getByText('The browser does not tell where you are').waitFor();
    await page.context().close();
  });
});

test('the map of regions is shaded by a measure of their groups', async () => {
  const page = await open('census-neighborhoods?_group=neighborhood_1&_measure=avg:vacant_units');
  const titles = await titlesOf(page, '.map a');
  const { body } = await service.post('census-neighborhoods', {
    _group: 'neighborhood_1',
    _measure: 'avg:vacant_units',
  });
  const groups = body.params.results as { neighborhood_1: string; avg_vacant_units: number }[];
  expect(titles.toSorted()).toEqual(
    groups
      .map((group) => `${group.neighborhood_1}: ${group.avg_vacant_units.toLocaleString('en')}`)
      .toSorted(),
  );
  await page.context().close();
});

describe('what is on a map leads to what it stands for', () => {
  test('a circle to its row', async () => {
    const page = await open('business-directory?_view=map&business=*abilene*');
    expect(await titlesOf(page, '.map .dots a')).toEqual([expect.stringContaining('ABILENE')]);
    await page.locator('.map .dots a').click();
    await page.waitForURL(/\/rows\//);
    expect(await page.locator('h1').textContent()).toContain('ABILENE');
    await page.context().close();
  });

  test('a square to its rows, as many as it says', async () => {
    const page = await open('business-directory?_group=place.200m');
    const square = page.locator('.map .cells a').last();
    const [, count] = /: (\d+) /.exec((await titlesOf(page, '.map .cells a')).at(-1) ?? '') ?? [];
    await square.click();
    await page.waitForURL(/_bbox=/);
    const { heading, rows } = await seen(page);
    expect(heading).toMatch(new RegExp(`^${count} of 120 businesses where place`));
    expect(rows).toHaveLength(Number(count));
    await page.context().close();
  });

  test('a region to its row', async () => {
    const page = await open('census-neighborhoods?_view=map');
    const titles = await titlesOf(page, '.map a');
    await page
      .locator('.map a')
      .nth(titles.findIndex((title) => title.startsWith('Canton:')))
      .click();
    await page.waitForURL(/neighborhood_1=Canton/);
    expect((await seen(page)).rows.map(([name]) => name)).toEqual(['Canton']);
    await page.context().close();
  });
});
