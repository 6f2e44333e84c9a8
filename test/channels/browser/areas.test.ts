import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serveDataset } from '../../../src/http/serve-dataset.ts';
import { OwnBlocks } from '../../commands/own-blocks.ts';
import { memoryRows } from '../../support/memory-rows.ts';
import { type Browser, openBrowser, type Page, visit } from './browser.ts';
import { type MadeService, startServed } from './made-service.ts';

/** A map of areas that a field names, moved by hand. */

let service: MadeService;
let browser: Browser;
beforeAll(async () => {
  const blocks = await OwnBlocks.inNewFolder();
  const states = ['Kansas', 'Georgia', 'Texas', 'Oregon', 'Maine', 'Ohio'];
  const rows = states.map((state, i) => `${state},${i}.5`);
  await blocks.add('rates', `State,Rate\n${rows.join('\n')}\n`);
  const { block, imported } = await blocks.imported('rates');
  const { manifest, profile, boundaries } = imported;
  const store = memoryRows(block.fields, imported.rows);
  const more = { profile: () => profile, boundaries: boundaries && (() => boundaries) };
  service = await startServed(serveDataset({ block, manifest, store }, more));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const framed = (page: Page) =>
  page.waitForURL((url: URL) => url.searchParams.has('_frame'), { timeout: 15_000 });

describe('a map of states', () => {
  test('is zoomed by the wheel with control, and dragged without following the link of an area', async () => {
    const page = await visit(browser, {});
    await page.goto(`${service.url}?_view=map`);
    const map = page.locator('.map.geo');
    await map.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await map.boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -100);
    await page.keyboard.up('Control');
    await framed(page);
    await page.locator('#caption', { hasText: 'outside this part' }).waitFor();
    const kansas = page.locator('.geo a[href*="state=Kansas"]');
    await kansas.scrollIntoViewIfNeeded();
    const before = page.url();
    const state = await kansas.boundingBox();
    const [left, middle] = [state.x + state.width / 2, state.y + state.height / 2];
    await page.mouse.move(left, middle);
    await page.mouse.down();
    for (const far of [20, 40, 60]) await page.mouse.move(left - far, middle);
    await page.mouse.up();
    await page.waitForURL((url: URL) => url.href !== before, { timeout: 15_000 });
    const asked = new URL(page.url()).searchParams;
    expect([asked.get('_view'), asked.get('state')]).toEqual(['map', null]);
    const west = (address: string) =>
      Number(new URL(address).searchParams.get('_frame')?.split(',')[0]);
    expect(west(page.url())).toBeGreaterThan(west(before));
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  test('is followed by a click on an area', async () => {
    const page = await visit(browser, {});
    await page.goto(`${service.url}?_view=map`);
    await page.locator('.geo a[href*="state=Kansas"]').click();
    await page.waitForURL(/state=Kansas/);
    await page.context().close();
  });
});
