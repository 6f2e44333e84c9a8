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

/** Those of axe's rules that look at colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** How large what is tapped is, axe looks at only if asked. */
const WITH_SIZES = { 'target-size': { enabled: true } };

/** What axe finds, and the contrasts that it cannot tell: those count as found. */
async function faultsIn(page: Page, runOnly?: readonly string[]): Promise<string[]> {
  // The bar that stays in sight overlaps what is scrolled below it, whose contrast axe cannot tell.
  await page.evaluate('scrollTo(0, 0)');
  await page.evaluate(axe);
  const rules = runOnly === undefined ? { rules: WITH_SIZES } : { runOnly };
  const options = { resultTypes: ['violations', 'incomplete'], ...rules };
  const { violations, incomplete }: { violations: Result[]; incomplete: Result[] } =
    await page.evaluate(`axe.run(${JSON.stringify(options)})`);
  return [...violations, ...incomplete.filter(({ id }) => id === 'color-contrast')].flatMap(
    ({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** The same in the other scheme, in which the colours alone are others. */
async function expectNoFault(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await faultsIn(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await faultsIn(page, OF_COLOURS)).toEqual([]);
}

describe('axe, light and dark', () => {
  describe.each([
    ['1280 px', WINDOWS.desktop],
    ['360 px', WINDOWS.phone],
  ])('%s', (_, viewport) => {
    // For all addresses, of which none keeps anything: Chromium starts a process for each window.
    let page: Page;
    beforeAll(async () => {
      page = await visit(browser, { viewport, bypassCSP: true });
    });
    afterAll(() => page?.context().close());

    test.each(Object.entries(PAGES))('finds nothing: %s', async (__, address) => {
      await page.goto(service.url + address);
      for (const summary of await page.locator('form summary').all()) await summary.click();
      await expectNoFault(page);
    });
  });

  test('finds nothing in what the script has put there', async () => {
    const page = await visit(browser, { bypassCSP: true });
    await page.goto(`${service.url}${PAGES['rows, points']}`);
    await page.locator('#f-parsed_address_min').fill('x');
    await answered(page, /not valid/);
    await expectNoFault(page);
    await page.locator('#f-parsed_address_min').fill('400');
    await answered(page, /house number is at least 400/);
    await page.getByText('Python', { exact: true }).click();
    await expectNoFault(page);
    await page.context().close();
  });
});
