import { afterAll, beforeAll } from '@jest/globals';
import { type Browser, openBrowser, type Visit, visit } from '../channels/browser/browser.ts';

/** A browser for the tests around this call, and what opens a page of it in a window of its own. */
export function suiteBrowser(settings?: readonly string[]): (options?: object) => Promise<Visit> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(settings);
  });
  afterAll(() => browser?.close());
  return (options) => visit(browser, options);
}
