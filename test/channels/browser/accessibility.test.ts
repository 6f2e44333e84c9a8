import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Service, startService } from '../../support/service.ts';
import { toolPackage } from '../../support/tools.ts';
import { PAGES } from './block-pages.ts';
import { answered, type Browser, openBrowser, type Page, visit, WINDOWS } from './browser.ts';

let service: Service;
let browser: Browser;
let axe: string;
beforeAll(async () => {
  service = await startService();
  browser = await openBrowser();
  axe = await readFile(path.join(toolPackage('axe-core'), 'axe.min.js'), 'utf8');
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

type Node = { target: string[]; html: string; failureSummary: string };
type Result = { id: string; nodes: Node[] };

/** What axe finds, and the contrasts that it cannot tell: those count as found. */
async function faultsIn(page: Page): Promise<string[]> {
  // The bar that stays in sight overlaps what is scrolled below it, whose contrast axe cannot tell.
  await page.evaluate('scrollTo(0, 0)');
  await page.evaluate(axe);
  const { violations, incomplete }: { violations: Result[]; incomplete: Result[] } =
    await page.evaluate(`axe.run({
      resultTypes: ['violations', 'incomplete'],
      rules: { 'target-size': { enabled: true } },
    })`);
  const untold = incomplete.filter(({ id }) => id === 'color-contrast');
  const found = [...violations];
  for (const { id, nodes } of untold) {
    const isRead = await Promise.all(nodes.map((node) => isReadable(page, node)));
    found.push({ id, nodes: nodes.filter((_, i) => !isRead[i]) });
  }
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/**
 * Whether a text of a figure stands free on the page's ground with enough contrast. Axe takes the
 * box around a group of shapes for what covers it.
 */
async function isReadable(page: Page, { target, html }: Node): Promise<boolean> {
  if (!html.startsWith('<text')) return false;
  return page.locator(target[0]).evaluate((text: Element) => {
    text.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = text.getBoundingClientRect();
    const onTop = document.elementFromPoint(left + width / 2, top + height / 2);
    const lightness = (color: string) => {
      const parts = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => Number(part) / 255);
      const [r = 0, g = 0, b = 0] = parts.map((c) =>
        c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [ink, ground] = [
      getComputedStyle(text).fill,
      getComputedStyle(document.body).backgroundColor,
    ].map(lightness) as [number, number];
    const contrast = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
    return text.contains(onTop) && contrast >= 4.5;
  });
}

describe.each(['light', 'dark'])('axe, %s', (colorScheme) => {
  describe.each([
    ['1280 px', WINDOWS.desktop],
    ['360 px', WINDOWS.phone],
  ])('%s', (_, viewport) => {
    // For all addresses, of which none keeps anything: Chromium starts a process for each window.
    let page: Page;
    beforeAll(async () => {
      page = await visit(browser, { viewport, colorScheme, bypassCSP: true });
    });
    afterAll(() => page?.context().close());

    test.each(Object.entries(PAGES))('finds nothing: %s', async (__, address) => {
      await page.goto(service.url + address);
      for (const summary of await page.locator('form summary').all()) await summary.click();
      expect(await faultsIn(page)).toEqual([]);
    });
  });

  test.each(['table', 'map', 'chart'])(
    'finds nothing in what the script has put there: %s',
    async (view) => {
      const page = await visit(browser, { colorScheme, bypassCSP: true });
      await page.goto(`${service.url}/api_v2/blocks/business-directory?_view=${view}`);
      await page.locator('#f-parsed_address_min').fill('x');
      await answered(page, /not valid/);
      expect(await faultsIn(page)).toEqual([]);
      await page.locator('#f-parsed_address_min').fill('400');
      await answered(page, /house number is at least 400/);
      expect(await faultsIn(page)).toEqual([]);
      await page.context().close();
    },
  );

  test('finds nothing in a call that is unfolded', async () => {
    const page = await visit(browser, { colorScheme, bypassCSP: true });
    await page.goto(service.url + PAGES['a call']);
    await page.getByText('Python', { exact: true }).click();
    await page.getByRole('button', { name: 'Copy Python' }).waitFor();
    expect(await faultsIn(page)).toEqual([]);
    await page.context().close();
  });
});
