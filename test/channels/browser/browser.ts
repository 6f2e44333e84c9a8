import { pathToFileURL } from 'node:url';
import { toolPackage } from '../../support/tools.ts';
import { LEAST_CHROMIUM } from '../submit-form.ts';

/** Of playwright-core, whose types are not here where only the code is checked. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Page = any;
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Browser = any;

export async function openBrowser(settings: readonly string[] = []): Promise<Browser> {
  const driver = pathToFileURL(`${toolPackage('playwright-core')}/index.mjs`).href;
  const { chromium } = await import(driver);
  return chromium.launch({ executablePath: LEAST_CHROMIUM, args: ['--no-sandbox', ...settings] });
}

/** Sizes of a window: a phone, 400 % zoom on 1280 (WCAG 1.4.10), a desktop. */
export const WINDOWS = {
  zoomed: { width: 320, height: 640 },
  phone: { width: 360, height: 760 },
  desktop: { width: 1280, height: 900 },
} as const;

export type Visit = Page & {
  /** What the browser complained of: scripts that threw, content that the policy refused. */
  readonly complaints: string[];
  /** The addresses of all that was asked for. */
  readonly requests: string[];
};

/** A page in a window of its own, which keeps what went wrong in it. */
export async function visit(browser: Browser, options: object = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: WINDOWS.desktop, ...options });
  // tsx calls this for each function with a name; a page, to which functions are sent, lacks it.
  await context.addInitScript('globalThis.__name ??= (named) => named;');
  // Jest ends what hangs; slowness is no fault.
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  page.complaints = [];
  page.requests = [];
  page.on('pageerror', (error: Error) => page.complaints.push(error.message));
  page.on('console', (message: { type(): string; text(): string }) => {
    // A refusal is a page with status 400, which Chromium logs.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) {
      page.complaints.push(message.text());
    }
  });
  page.on('request', (request: { url(): string }) => page.requests.push(request.url()));
  return page;
}

/** Keeps what a page asks for at such addresses from coming, until it is freed. */
export async function hold(page: Page, addresses: RegExp): Promise<() => void> {
  let free = () => {};
  const held = new Promise<void>((resolve) => {
    free = resolve;
  });
  await page.route(addresses, async (route: Page) => {
    await held;
    // The page may want it no more.
    await route.continue().catch(() => {});
  });
  return free;
}

/** What a person has before them; a page that is loaded anew shows the same. */
export type Seen = {
  readonly heading: string;
  /** What a figure is of, below its heading: `7 of 120 businesses where …`. */
  readonly state: string;
  readonly columns: string[];
  readonly rows: string[][];
  /** The form's boxes that are not blank. */
  readonly boxes: Record<string, string>;
};

export async function seen(page: Page): Promise<Seen> {
  // A link that has gone may mean a page of which nothing has come yet.
  await page.waitForLoadState('domcontentloaded');
  return page.evaluate(() => {
    const textsOf = (selector: string, within: ParentNode = document) =>
      [...within.querySelectorAll(selector)].map((found) => (found.textContent ?? '').trim());
    const form = document.querySelector<HTMLFormElement>('#form') ?? undefined;
    // Without what has no box: the question and the view, which are hidden.
    const isBox = (name: string) =>
      form?.querySelector(`[name="${CSS.escape(name)}"]:not([type=hidden])`) !== null;
    const lineOf = (selector: string) =>
      (textsOf(selector)[0] ?? '').replace(/×/g, '').replace(/\s+/g, ' ').trim();
    return {
      heading: lineOf('#strip h2, #answer h2'),
      state: lineOf('#answer .state'),
      // Without what a head says of its column.
      columns: [...document.querySelectorAll('thead th')].map(
        (head) => (head.querySelector('a') ?? head).textContent?.trim() ?? '',
      ),
      rows: [...document.querySelectorAll('tbody tr')].map((row) => textsOf('th, td', row)),
      boxes: Object.fromEntries(
        [...new FormData(form)].flatMap(([name, value]) =>
          value === '' || !isBox(name) ? [] : [[name, value]],
        ),
      ),
    };
  });
}

/** Waits for the answer's heading, or the line below a figure's, to say something. */
export async function answered(page: Page, heading: RegExp): Promise<void> {
  await page
    .locator('#strip h2, #answer :is(h2:not(#snippets), .state)', { hasText: heading })
    .first()
    .waitFor();
  // On a page that has come anew: until its style, too, is there.
  await page.waitForLoadState();
}

/** A table of more columns than a window has room for, which were chosen: it scrolls in a box. */
export const CHOSEN = `?_view=table&_fields=${[
  ...['neighborhood_1', 'total_population', 'households', 'vacant_units', 'persons_per_acre'],
  ...['under_5', '_5_to_17', '_18_24', '_25_34', '_35_44', '_45_54', '_55_64', '_65'],
  'land_area_in_acres',
]}`;

/** The cells of a column. */
export function column({ columns, rows }: Seen, title: string): string[] {
  return rows.map((row) => row[columns.indexOf(title)] ?? '');
}

/** Opens a filter that is folded to its name. */
export async function unfold(page: Page, title: string): Promise<void> {
  const filter = page.locator('details.f', {
    has: page.getByText(title, { exact: true }).and(page.locator('b')),
  });
  if ((await filter.getAttribute('open')) === null) await filter.locator('summary').first().click();
}

/** Opens all that is folded, except what the selector leaves out. */
export async function openAll(page: Page, but = ''): Promise<void> {
  await page.evaluate((selector: string) => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>(selector)) {
      details.open = true;
    }
  }, `details${but}`);
}

/** The titles of a figure's marks, as they are sent: the script takes them, to show each at its mark. */
export const titlesOf = (page: Page, marks: string): Promise<string[]> =>
  page.evaluate(async (selector: string) => {
    const html = await (await fetch(location.href, { headers: { Accept: 'text/html' } })).text();
    const sent = new DOMParser().parseFromString(html, 'text/html');
    return Array.from(sent.querySelectorAll(selector), (mark) => {
      return mark.querySelector('title')?.textContent ?? '';
    });
  }, marks);
