import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { toolPackage } from '../support/tools.ts';

/** Debian's, as CI has it. */
export const CHROMIUM = '/usr/bin/chromium';

const WITHOUT_WINDOW = '/usr/bin/chromium-headless-shell';

/** The same, where it is there without the parts of a window: half the time. */
export const LEAST_CHROMIUM = existsSync(WITHOUT_WINDOW) ? WITHOUT_WINDOW : CHROMIUM;

/** Opens a form on a page of another origin in a browser, submits it, and returns what is shown. */
export async function submitForm(form: string): Promise<string> {
  const { chromium } = await import(
    pathToFileURL(`${toolPackage('playwright-core')}/index.mjs`).href
  );
  const site = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>A form</title>${form}`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath: LEAST_CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
    await Promise.all([page.waitForNavigation(), page.click('button')]);
    return await page.textContent('body');
  } finally {
    await browser.close();
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
  }
}
