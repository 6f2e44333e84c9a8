import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commandThatWorks } from '../../support/command.ts';
import { cleanUp, temporaryFolder } from '../../support/process.ts';
import { type Service, startLoggedService } from '../../support/service.ts';
import { suiteBrowser } from '../../support/suite-browser.ts';
import { PAGES } from './block-pages.ts';
import { answered, type Page, seen, type Visit } from './browser.ts';
import { type StageProxy, startStageProxy } from './stage-proxy.ts';

const visit = suiteBrowser();
let service: Service;
beforeAll(async () => {
  service = await startLoggedService(undefined, { isTrustedProxy: () => true });
});
afterAll(async () => {
  await service?.close();
  await cleanUp();
});

/** All that a page leads to or loads of this service, as the browser resolves it. */
function addressesOf(page: Page): Promise<string[]> {
  return page.evaluate(() => [
    // A link of a figure has its address as it is written.
    ...[...document.querySelectorAll('a[href]')].map(
      (link) => new URL(link.getAttribute('href') as string, document.baseURI).href,
    ),
    ...[...document.querySelectorAll('form')].map(({ action }) => action),
    ...[...document.querySelectorAll('script')].map(({ src }) => src),
    ...[...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].map(
      ({ href }) => href,
    ),
  ]);
}

describe.each([
  ['/prod', true],
  ['/teams/data-1/prod', true],
  ['/prod', false],
])('below %s, which the proxy says: %s', (prefix, isSaid) => {
  let proxy: StageProxy;
  // For all addresses, which keep nothing: Chromium starts processes for each window.
  let window: Visit;
  beforeAll(async () => {
    proxy = await startStageProxy(service.url, prefix, isSaid);
    window = await visit();
  });
  afterAll(async () => {
    await window.context().close();
    await proxy.close();
  });

  const isBelow = (address: string) =>
    address.startsWith(`${proxy.url}/`) || !address.startsWith(new URL(proxy.url).origin);

  test.each([true, false])('a person finds and sorts, scripts: %s', async (javaScriptEnabled) => {
    const page = await visit({ javaScriptEnabled });
    await page.goto(`${proxy.url}/`);
    await page.getByRole('link', { name: 'Business directory' }).click();
    await page
      .locator('#strip')
      .getByRole('link', { name: /^Filters/ })
      .click();
    await page.getByRole('checkbox', { name: /^Laundries/ }).check();
    await page.getByRole('button', { name: /^Show/ }).click();
    await answered(page, /Type of business is “Laundries”/);
    await page.getByRole('link', { name: /^Table/ }).click();
    await page.waitForURL(/_view=table/);
    await page.getByRole('link', { name: 'House number', exact: true }).click();
    await page.locator('th[aria-sort=descending]').waitFor();
    await page.getByRole('link', { name: 'blockyard' }).click();
    await page.getByRole('link', { name: 'RGB to colour name' }).click();
    await page.getByRole('link', { name: 'Coral' }).click();
    await answered(page, /^Coral$/);
    expect(page.requests.filter((address: string) => !isBelow(address))).toEqual([]);
    expect(page.complaints).toEqual([]);
    expect(proxy.strays).toEqual([]);
    await page.context().close();
  });

  test.each(Object.entries(PAGES))('every link stays below it: %s', async (_, address) => {
    await window.goto(proxy.url + address);
    const addresses = await addressesOf(window);
    expect(addresses.length).toBeGreaterThan(5);
    expect(addresses.filter((found) => !isBelow(found))).toEqual([]);
    expect(window.requests.splice(0).filter((found: string) => !isBelow(found))).toEqual([]);
  });

  test('each link leads to something', async () => {
    const page = await visit();
    const found = new Set<string>();
    const directory = '/api_v2/blocks/business-directory';
    const views = ['chart', 'map', 'table', 'columns', 'api'];
    for (const address of ['/', ...views.map((view) => `${directory}?_view=${view}`)]) {
      await page.goto(proxy.url + address);
      for (const one of await addressesOf(page)) found.add(one.split('#')[0] as string);
    }
    const own = [...found].filter((address) => address.startsWith(proxy.url));
    const answers = await Promise.all(
      own.map(async (address) => ({ address, status: (await fetch(address)).status })),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    await page.context().close();
  });
});

describe('the call as a program, behind a proxy that says what it takes off', () => {
  test('goes to the address that the page is at, and runs', async () => {
    const proxy = await startStageProxy(service.url, '/prod');
    try {
      const page = await visit();
      await page.goto(`${proxy.url}/api_v2/blocks/business-directory?category=retail&_view=api`);
      const line = await page.locator('#s-curl').textContent();
      expect(line).toContain(`${proxy.url}/api_v2/blocks/business-directory`);
      const printed = await commandThatWorks('sh', ['-c', line], {
        cwd: await temporaryFolder(),
        env: process.env,
      });
      expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(page.url());
      await page.getByRole('link', { name: /^Table/ }).click();
      await page.waitForURL(/_view=table/);
      expect(JSON.parse(printed).params.total).toBe(
        Number(/^\d+/.exec((await seen(page)).heading)?.[0]),
      );
    } finally {
      await proxy.close();
    }
  });
});
