import { request as httpRequest } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { suiteBrowser } from '../../support/suite-browser.ts';
import { suiteService } from '../../support/suite-service.ts';
import { toolPackage } from '../../support/tools.ts';
import { PAGES, WHOLE_PAGES } from './block-pages.ts';
import type { Visit } from './browser.ts';

const visit = suiteBrowser();
const service = suiteService();

const KB = 1024;
const MOST = { html: 30 * KB, script: 7 * KB, style: 10 * KB };
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
  // For all addresses, which keep nothing: Chromium starts processes for each window.
  let page: Visit;
  beforeAll(async () => {
    page = await visit();
  });
  afterAll(() => page.context().close());

  test.each(ALL)('is a page of 30 KB at most: %s', async (_, address) => {
    const { bytes, encoding } = await sent(address);
    expect(encoding).toBe('gzip');
    expect(bytes).toBeLessThanOrEqual(MOST.html);
  });

  test('is a script of 7 KB and a style of 10 KB at most, which a map adds 2 KB to', async () => {
    expect((await sent('/assets/page.js')).bytes).toBeLessThanOrEqual(MOST.script);
    expect((await sent('/assets/map.js')).bytes).toBeLessThanOrEqual(MOST.script + 2 * KB);
    expect((await sent('/assets/page.css')).bytes).toBeLessThanOrEqual(MOST.style);
  });

  test.each(ALL)('is three files of this service, and nothing later: %s', async (_, address) => {
    page.requests.length = 0;
    const response = await page.goto(service.url + address, { waitUntil: 'networkidle' });
    // A map that one moves in has a script of its own, with the page's.
    const script =
      (await page.locator('main:has(div.mapbar) .geo[data-mesh]').count()) > 0 ? 'map' : 'page';
    expect(page.requests.filter((url: string) => !url.startsWith('data:'))).toEqual([
      service.url + new URL(address, service.url).href.slice(service.url.length),
      `${service.url}/assets/page.css`,
      `${service.url}/assets/${script}.js`,
    ]);
    expect(page.complaints.splice(0)).toEqual([]);
    const policy = response.headers()['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    const [loads, frames] = policy.split('; frame-ancestors ');
    expect(loads).not.toMatch(/unsafe|https?:|\*/);
    expect(frames).toBe('*');
  });

  test.each(ALL)('has no script and no style of its own: %s', async (_, address) => {
    const { text } = await service.get(address, { accept: 'text/html' });
    expect(text).not.toMatch(
      /<style|\sstyle="|\son\w+="|<script(?![^>]*(?:\ssrc=|\stype="application\/ld\+json"))|javascript:/i,
    );
  });
});

describe('what is asked for', () => {
  test.each([
    [
      'business-directory',
      {
        'House number is from 1 to 900': 'parsed_address_min=1&parsed_address_max=900',
        'Category is not “x”': '_not.category=x',
        'Business name is “a”, or Business name is “b*”': '_or.1.business=a&_or.2.business=b%5C*',
        'Phone number has no value': '_empty=phone_number',
        'some text has “court”': '_q=court',
        'place is from 41° N, 75° W to 40° N, 73° W': '_bbox=-75%2C40%2C-73%2C41',
        'place is within 9 km of 40.7° N, 74° W': '_near=-74%2C40.7&_within=9km',
      },
    ],
    [
      'census-neighborhoods',
      {
        'Population, in steps of 5000': '_group=total_population.5000',
        Households: '_group=households',
        'Population is at least 1 people': 'total_population_min=1',
      },
    ],
  ])(
    'what is asked of %s stands above the rows, each part with a link without it',
    async (name, asked) => {
      const block = `/api_v2/blocks/${name}`;
      const { text } = await service.get(`${block}?${Object.values(asked).join('&')}&_view=table`, {
        accept: 'text/html',
      });
      const chips = [...text.matchAll(/<a href="([^"]*)" aria-label="Drop: ([^"]*)"/g)].map(
        ([, href = '', part = '']) => [part, href.replaceAll('&amp;', '&').slice(1)] as const,
      );
      const all: Readonly<Record<string, string>> = asked;
      expect(chips.map(([part]) => part).sort()).toEqual(Object.keys(all).sort());
      for (const [part, href] of chips) {
        const left = Object.entries(all).flatMap(([other, query]) =>
          other === part ? [] : [query],
        );
        expect([...new URLSearchParams(href)].sort()).toEqual(
          [...new URLSearchParams([...left, '_view=table'].join('&'))].sort(),
        );
      }
    },
  );
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
      'attribute-empty-style': 'off',
      // A list repeats its name.
      'form-dup-name': 'off',
      // What comes from the page's own server needs no other proof of where it is from.
      'require-sri': ['error', { target: 'crossorigin' }],
    },
  });
  const { results }: { results: { messages: Message[] }[] } = await validator.validateString(html);
  // It takes seconds without a pause; the next request must hear first what connections were closed.
  await new Promise(setImmediate);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId}: ${message} ${line}:${column}`),
  );
}
