import { request as httpRequest } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Service, startService } from '../../support/service.ts';
import { toolPackage } from '../../support/tools.ts';
import { PAGES, WHOLE_PAGES } from './block-pages.ts';
import { type Browser, openBrowser, visit } from './browser.ts';

let service: Service;
let browser: Browser;
beforeAll(async () => {
  service = await startService();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const KB = 1024;
const MOST = { html: 30 * KB, script: 8 * KB, style: 5 * KB };
const ALL = Object.entries({ ...PAGES, ...WHOLE_PAGES });

/** The body as it is sent to a browser, not unpacked. */
function sent(address: string): Promise<{ bytes: number; encoding: string | undefined }> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br' };
    httpRequest(service.url + address, { headers }, async (response) => {
      let bytes = 0;
      for await (const part of response) bytes += part.length;
      resolve({ bytes, encoding: response.headers['content-encoding'] });
    })
      .once('error', reject)
      .end();
  });
}

describe('what a browser is sent', () => {
  test.each(ALL)('is a page of 30 KB at most: %s', async (_, address) => {
    const { bytes, encoding } = await sent(address);
    expect(encoding).toBe('gzip');
    expect(bytes).toBeLessThanOrEqual(MOST.html);
  });

  test('is a script of 8 KB and a style of 5 KB at most', async () => {
    expect((await sent('/assets/page.js')).bytes).toBeLessThanOrEqual(MOST.script);
    expect((await sent('/assets/page.css')).bytes).toBeLessThanOrEqual(MOST.style);
  });

  test.each(ALL)('is three files of this service, and nothing later: %s', async (_, address) => {
    const page = await visit(browser);
    const response = await page.goto(service.url + address, { waitUntil: 'networkidle' });
    expect(page.requests.filter((url: string) => !url.startsWith('data:'))).toEqual([
      service.url + new URL(address, service.url).href.slice(service.url.length),
      `${service.url}/assets/page.css`,
      `${service.url}/assets/page.js`,
    ]);
    expect(page.complaints).toEqual([]);
    const policy = response.headers()['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    await page.context().close();
  });

  test.each(ALL)('has no script and no style of its own: %s', async (_, address) => {
    const { text } = await service.get(address, { accept: 'text/html' });
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|javascript:/i);
  });
});

describe('the HTML', () => {
  test.each(ALL)('is valid: %s', async (_, address) => {
    const { text } = await service.get(address, { accept: 'text/html' });
    expect(await findingsIn(text)).toEqual([]);
  });
});

type Message = { ruleId: string; message: string; line: number; column: number };

async function findingsIn(html: string): Promise<string[]> {
  const file = path.join(toolPackage('html-validate'), 'dist/esm/index.js');
  const { HtmlValidate } = await import(pathToFileURL(file).href);
  const validator = new HtmlValidate({
    extends: ['html-validate:recommended', 'html-validate:document'],
    rules: {
      // All are ways to write the same HTML; these are hono/jsx's.
      'void-style': 'off',
      'doctype-style': 'off',
      'attribute-boolean-style': 'off',
      'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit'] }],
      // What comes from the page's own server needs no other proof of where it is from.
      'require-sri': ['error', { target: 'crossorigin' }],
    },
  });
  const { results }: { results: { messages: Message[] }[] } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId}: ${message} ${line}:${column}`),
  );
}
