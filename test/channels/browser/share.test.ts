import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../../src/block/block.ts';
import type { Row } from '../../../src/values/field-type.ts';
import { type Service, startService } from '../../support/service.ts';
import { suiteBrowser } from '../../support/suite-browser.ts';
import type { Page, Visit } from './browser.ts';
import { type MadeService, startMade } from './made-service.ts';

/** A table that each mark can draw: places, days, kinds and numbers. */
const block = datasetBlock({
  ...{ id: 'trees', name: 'trees', title: 'Trees', description: 'Made.', noun: 'trees' },
  examples: [],
  fields: [
    { type: 'text', name: 'tree', title: 'Tree' },
    { type: 'text', name: 'kind', title: 'Kind' },
    { type: 'number', name: 'height', title: 'Height', unit: 'm' },
    { type: 'date', name: 'planted', title: 'Planted' },
    { type: 'number', name: 'lon', title: 'Longitude' },
    { type: 'number', name: 'lat', title: 'Latitude' },
  ],
  primaryKey: ['tree'],
  geometry: { kind: 'points', longitude: 'lon', latitude: 'lat' },
});
const KINDS = ['oak', 'hornbeam', 'elm', 'beech', 'red-barked dogwood', 'ash', 'lime', 'yew'];
const rows: Row[] = Array.from({ length: 900 }, (_, i) => ({
  tree: `tree ${i}`,
  kind: KINDS[(i * i) % 11] ?? 'plane',
  height: ((i * 37) % 211) / 10,
  planted: new Date(Date.UTC(2019, 0, 1 + i * 2)).toISOString().slice(0, 10),
  lon: 13 + ((i * 13) % 101) / 500,
  lat: 52 + ((i * 29) % 97) / 500,
}));

let trees: MadeService;
let unframed: MadeService;
let shipped: Service;
const visit = suiteBrowser();
beforeAll(async () => {
  trees = await startMade(block, rows, '*');
  unframed = await startMade(block, rows, 'none');
  shipped = await startService();
});
afterAll(async () => {
  await Promise.all([trees?.close(), unframed?.close(), shipped?.close()]);
});

async function open(address: string, options = {}): Promise<Visit> {
  const page = await visit(options);
  await page.goto(address);
  return page;
}

async function leave(page: Visit): Promise<void> {
  expect(page.complaints).toEqual([]);
  await page.context().close();
}

const MONTHS = '?_group=planted.month&_measure=avg:height';

const openShare = (page: Page) => page.locator('summary', { hasText: 'Share' }).click();

/** The boxes of Share, by their labels. */
const boxesOf = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLInputElement>('#acts .copied input')].map((input) => [
        input.labels?.[0]?.textContent?.trim(),
        input.value,
      ]),
    ),
  );

test('what is not stated is named on a phone too, where other facts have no names', async () => {
  for (const width of [390, 1280]) {
    const page = await open(trees.url + MONTHS, { viewport: { width, height: 800 } });
    const facts = await page
      .locator('.facts > div')
      .evaluateAll((all: Element[]) =>
        all
          .filter((fact) => fact.textContent?.includes('not stated'))
          .map((fact) => fact.querySelector('dt')?.getBoundingClientRect().width ?? 0),
      );
    expect(facts).toHaveLength(1);
    expect(facts[0]).toBeGreaterThan(20);
    await leave(page);
  }
});

describe('Share', () => {
  test('copies the link, the sentence with source and link, and the frame, each by its button', async () => {
    const page = await open(trees.url + MONTHS);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openShare(page);
    const boxes = await boxesOf(page);
    for (const label of [
      'Link to this view',
      'What it says, with source and link',
      'The figure in another page',
    ]) {
      await page.getByRole('button', { name: `Copy ${label}` }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(boxes[label]);
    }
    const said = boxes['What it says, with source and link'];
    expect(said).toContain((await page.locator('#caption').textContent()).split(',')[0]);
    expect(said).toContain('Made');
    expect(said?.endsWith(boxes['Link to this view'] as string)).toBe(true);
    await leave(page);
  });

  test('has its texts without scripts, and no button that does nothing', async () => {
    const page = await open(trees.url + MONTHS, { javaScriptEnabled: false });
    await openShare(page);
    expect(await page.getByLabel('Link to this view', { exact: true }).isVisible()).toBe(true);
    expect(await page.locator('#acts button:visible').count()).toBe(0);
    await page.context().close();
  });

  test('closes by Escape, which gives the focus back', async () => {
    const page = await open(trees.url + MONTHS);
    await openShare(page);
    await page.getByRole('button', { name: 'Copy Link to this view' }).focus();
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Link to this view', { exact: true }).isVisible()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Share');
    await leave(page);
  });

  test.each([true, false])(
    'closes by a click outside, which follows no mark (scripts: %s)',
    async (javaScriptEnabled) => {
      const page = await open(trees.url + MONTHS, { javaScriptEnabled });
      const { x, y, width, height } = await page.locator('.plot').boundingBox();
      const point = [x + width * 0.25, y + height * 0.5] as const;
      await openShare(page);
      // Another page would not have this.
      await page.evaluate(() => Object.assign(window, { isFirst: true }));
      await page.mouse.click(...point);
      await page.waitForFunction(() => document.querySelector('.pop[open]') === null);
      expect(await page.evaluate(() => 'isFirst' in window)).toBe(true);
      // The same click, once it is closed, does follow.
      await page.mouse.click(...point);
      await page.waitForURL((now: URL) => now.searchParams.has('planted'));
      await page.context().close();
    },
  );

  test('says that no other page may show its figures, where none may', async () => {
    const page = await open(unframed.url + MONTHS);
    await openShare(page);
    expect(await page.locator('#acts').innerText()).toContain(
      'This server lets no other page show its figures. Take the picture.',
    );
    expect(Object.keys(await boxesOf(page))).not.toContain('The figure in another page');
    expect(await page.locator('#acts').getByRole('link', { name: 'SVG' }).isVisible()).toBe(true);
    await leave(page);
  });
});

describe('a figure in another page', () => {
  const FIGURES = {
    line: MONTHS,
    lines: '?_group=planted.quarter,kind&_measure=avg:height&kind=oak&kind=elm&kind=ash&_mark=line',
    bars: '?_group=kind',
    filtered: '?_group=kind&height_min=2&planted_min=2020-01-01&_mark=bars',
    histogram: '?_group=height.1&_view=chart',
    heat: '?_group=planted.year,kind&_mark=heat',
    dots: '?_view=map',
    areas: 'census-neighborhoods?_view=map',
    table: '?_view=table',
  };

  /** The line that Share has for it, as a page of another site that is as wide as the window. */
  async function lineOf(query: string): Promise<string> {
    const url = query.startsWith('?') ? trees.url : `${shipped.url}/api_v2/blocks/`;
    const page = await open(url + query, { javaScriptEnabled: false });
    const boxes = await boxesOf(page);
    const line = boxes['The figure in another page'] ?? boxes['In another page'];
    await page.context().close();
    return line as string;
  }

  test.each(Object.entries(FIGURES))(
    '%s: shows its source and its link at its own size, at any width',
    async (name, query) => {
      const line = await lineOf(query);
      const site = createServer((_, response) => {
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.end(`<!doctype html><style>body{margin:0}</style>${line}`);
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
      try {
        for (const width of [320, 390, 600, 1280]) {
          const page = await open(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`, {
            viewport: { width, height: 900 },
            javaScriptEnabled: false,
          });
          const frame = page.frames()[1];
          const found = await frame.evaluate(seenInFrame);
          expect({ width, ...found }).toMatchObject({
            ...{ width, innerWidth: width, sideways: 0, covered: [] },
            plate: { link: expect.stringMatching(/, all of it$/), isInView: true },
          });
          // At the width for which it was measured, all of the figure is seen at once.
          if (name !== 'table' && width >= 600) expect([width, found.hidden]).toEqual([width, 0]);
          if (name !== 'table') expect(found.picture).toBeGreaterThan(width * 0.8);
          await page.context().close();
        }
      } finally {
        await new Promise((resolve) => site.close(resolve));
      }
    },
  );

  /** What of a frame is seen; runs in it. */
  function seenInFrame() {
    const part = document.querySelector('.framed-part') as HTMLElement;
    const link = document.querySelector('.plate a') as HTMLElement;
    const { bottom, right } = link.getBoundingClientRect();
    const texts = [...document.querySelectorAll('figure svg text')].filter(
      (text) => getComputedStyle(text).visibility === 'visible',
    );
    const boxes = texts.map((text) => text.getBoundingClientRect());
    const covered = boxes.flatMap((a, i) =>
      boxes.slice(0, i).flatMap((b, k) => {
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        return across > 1 && down > 3
          ? [`${texts[i]?.textContent} on ${texts[k]?.textContent}`]
          : [];
      }),
    );
    return {
      innerWidth,
      sideways: document.documentElement.scrollWidth - innerWidth,
      hidden: part.scrollHeight - part.clientHeight,
      picture: document.querySelector('figure :is(.plot, .map, .heat, .barlist)')?.clientWidth,
      plate: { link: link.textContent, isInView: bottom <= innerHeight && right <= innerWidth },
      covered,
    };
  }
});
