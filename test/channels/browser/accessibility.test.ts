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

type Result = { id: string; nodes: { target: string[]; html: string; failureSummary: string }[] };

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
  return [...violations, ...incomplete.filter(({ id }) => id === 'color-contrast')].flatMap(
    ({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
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

  test('finds nothing in what the script has put there', async () => {
    const page = await visit(browser, { colorScheme, bypassCSP: true });
    await page.goto(`${service.url}${PAGES['rows, points']}`);
    await page.locator('#f-parsed_address_min').fill('x');
    await answered(page, /not valid/);
    expect(await faultsIn(page)).toEqual([]);
    await page.locator('#f-parsed_address_min').fill('400');
    await answered(page, /house number is at least 400/);
    await page.getByText('Python', { exact: true }).click();
    expect(await faultsIn(page)).toEqual([]);
    await page.context().close();
  });
});
