import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { suiteBrowser } from '../../support/suite-browser.ts';
import { suiteService } from '../../support/suite-service.ts';
import { toolPackage } from '../../support/tools.ts';
import { PAGES } from './block-pages.ts';
import { answered, openAll, type Page, unfold, WINDOWS } from './browser.ts';

const visit = suiteBrowser();
const service = suiteService();
let axe: string;
beforeAll(async () => {
  axe = await readFile(path.join(toolPackage('axe-core'), 'axe.min.js'), 'utf8');
});

type Node = { target: string[]; html: string; failureSummary: string };
type Result = { id: string; nodes: Node[] };

/** Those of axe's rules that look at colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** How large what is tapped is, axe looks at only if asked. */
const WITH_SIZES = { 'target-size': { enabled: true } };

/** What axe finds, and the contrasts that it cannot tell: those count as found. */
async function faultsIn(page: Page, runOnly?: readonly string[]): Promise<string[]> {
  // The bar that stays in sight overlaps what is scrolled below it, whose contrast axe cannot tell.
  await page.evaluate('scrollTo(0, 0)');
  await page.evaluate(axe);
  // Before an open sheet, the page behind it is not there: it has no heading then.
  const isBehind: boolean = await page.evaluate('document.querySelector("[inert]") !== null');
  const all = {
    ...WITH_SIZES,
    ...(isBehind ? { 'page-has-heading-one': { enabled: false } } : {}),
  };
  const rules = runOnly === undefined ? { rules: all } : { runOnly };
  const options = { resultTypes: ['violations', 'incomplete'], ...rules };
  const { violations, incomplete }: { violations: Result[]; incomplete: Result[] } =
    await page.evaluate(`axe.run(${JSON.stringify(options)})`);
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
 * Whether nothing covers a text, and its contrast with what is behind it is enough. Axe takes the
 * box around a group of shapes, or a circle that its map cuts off, for what covers a text.
 */
function isReadable(page: Page, { target }: Node): Promise<boolean> {
  return page.locator(target[0]).evaluate((text: Element) => {
    text.scrollIntoView({ block: 'center', inline: 'center' });
    // The first of its lines.
    const { left, top, width, height } = text.getClientRects()[0] as DOMRect;
    const onTop = document.elementFromPoint(left + width / 2, top + height / 2);
    const lightnessOf = (color: string) => {
      const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
        const share = Number(part) / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const groundOf = (it: Element): string => {
      const { backgroundColor } = getComputedStyle(it);
      const isClear = backgroundColor === 'rgba(0, 0, 0, 0)' && it.parentElement !== null;
      return isClear ? groundOf(it.parentElement as Element) : backgroundColor;
    };
    const { fill, color } = getComputedStyle(text);
    // A number lies on its circle.
    const below = text.previousElementSibling;
    const ground = below?.matches('.dots circle') ? getComputedStyle(below).fill : groundOf(text);
    const [dark = 0, light = 0] = [text.matches('svg *') ? fill : color, ground]
      .map(lightnessOf)
      .sort((a, b) => a - b);
    // Circles of one place lie over each other; the list beside them has all.
    const isFree = text.contains(onTop) || onTop?.closest('.dots') != null;
    return isFree && (light + 0.05) / (dark + 0.05) >= 4.5;
  });
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
      page = await visit({ viewport, bypassCSP: true });
    });
    afterAll(() => page?.context().close());

    test.each(Object.entries(PAGES))('finds nothing: %s', async (__, address) => {
      await page.goto(service.url + address);
      // The list of columns would lie over the table, whose colours axe could not tell.
      await openAll(page, ':not(.pop)');
      await expectNoFault(page);
    });
  });

  test.each(['table&_limit=3&_fields=business', 'map', 'chart'])(
    'finds nothing in what the script has put there: %s',
    async (view) => {
      const page = await visit({ bypassCSP: true });
      await page.goto(`${service.url}/api_v2/blocks/business-directory?_view=${view}`);
      if (view.startsWith('table')) await page.locator('#strip [href="#filters"]').click();
      await unfold(page, 'House number');
      await page.locator('#f-parsed_address_min').fill('x');
      await answered(page, /Something does not fit/);
      await expectNoFault(page);
      await page.locator('#f-parsed_address_min').fill('400');
      await answered(page, /House number is at least 400/);
      await expectNoFault(page);
      await page.context().close();
    },
  );

  test('finds nothing in a call that is unfolded', async () => {
    const page = await visit({ bypassCSP: true });
    await page.goto(service.url + PAGES['a call']);
    await page.getByText('Python', { exact: true }).click();
    await page.getByRole('button', { name: 'Copy Python' }).waitFor();
    await expectNoFault(page);
    await page.context().close();
  });
});

describe('in forced colours', () => {
  let page: Page;
  beforeAll(async () => {
    page = await visit({ forcedColors: 'active', viewport: WINDOWS.phone });
  });
  afterAll(() => page?.context().close());

  test.each(Object.entries(PAGES))('what is pressed has a border: %s', async (_, address) => {
    await page.goto(service.url + address);
    await openAll(page);
    const bare = await page
      .locator('button, .button, .plain, select, input:not([type=hidden], [type=range])')
      .evaluateAll((all: HTMLElement[]) =>
        all.flatMap((it) => {
          if (!it.checkVisibility() || it.matches('[type=checkbox]')) return [];
          const { borderBottomWidth, borderBottomStyle, borderBottomColor } = getComputedStyle(it);
          const isSeen = borderBottomWidth !== '0px' && borderBottomStyle !== 'none';
          return isSeen && borderBottomColor !== getComputedStyle(document.body).backgroundColor
            ? []
            : [it.outerHTML.slice(0, 120)];
        }),
      );
    expect(bare).toEqual([]);
  });

  test('one sees which view it is, and the handles of a slider', async () => {
    await page.goto(`${service.url}/api_v2/blocks/census-neighborhoods?_view=chart#filters`);
    const colours: Record<string, string> = await page.evaluate(() =>
      Object.fromEntries(
        [...document.querySelectorAll('.tabs a')].map((tab) => [
          (tab.firstChild?.textContent ?? '').trim(),
          getComputedStyle(tab).borderBottomColor,
        ]),
      ),
    );
    const { Chart, ...others } = colours;
    const canvas = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(Chart).not.toBe(canvas);
    expect(new Set(Object.values(others))).toEqual(new Set([canvas]));
    const slider = page.locator('.histogram input').first();
    expect(await slider.evaluate((it: Element) => getComputedStyle(it).forcedColorAdjust)).toBe(
      'none',
    );
  });
});

describe('in letters of twice the usual size', () => {
  const visitLarge = suiteBrowser(['--blink-settings=defaultFontSize=32']);
  let page: Page;
  beforeAll(async () => {
    page = await visitLarge();
  });

  test.each(Object.entries(PAGES))('a page has no sideways scroll: %s', async (_, address) => {
    await page.goto(service.url + address);
    await openAll(page);
    const { size, over } = await page.evaluate(() => ({
      size: getComputedStyle(document.body).fontSize,
      over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    }));
    expect([size, over]).toEqual(['32px', 0]);
  });
});

test('nothing moves for whoever wants no motion', async () => {
  const page = await visit({ reducedMotion: 'reduce' });
  await page.goto(`${service.url}/api_v2/blocks/business-directory`);
  const moving = await page.evaluate(() => {
    document.querySelector('#answer')?.setAttribute('aria-busy', 'true');
    return [...document.querySelectorAll('*')].filter((it) => {
      const { transitionDuration, animationDuration } = getComputedStyle(it);
      return transitionDuration !== '0s' || !/^(?:0s|auto)$/.test(animationDuration);
    }).length;
  });
  expect(moving).toBe(0);
  await page.context().close();
});

/** What is read out of a part of a page, without addresses and what a list offers. */
async function readingOf(page: Page, part: string): Promise<string> {
  const snapshot: string = await page.locator(part).ariaSnapshot();
  return snapshot
    .split('\n')
    .filter((line) => !/^\s*- (?:\/url|option|text: "?[×\d]+"?$)/.test(line))
    .join('\n');
}

/**
 * The reading of one page, as a figure with its filters and as a table, is written out to be read
 * by people: it must say each thing once, by its name, and numbers with what they count.
 */
test('a screen reader reads a page as it is written out in reading.txt', async () => {
  const page = await visit();
  const read: string[] = [];
  for (const [query, parts] of [
    ['?_group=parsed_address.100', ['#views', '#strip', '#answer', '#filters']],
    ['?_view=table&category=retail&_sort=-parsed_address&_limit=2', ['#strip', '#answer']],
  ] as const) {
    await page.goto(`${service.url}/api_v2/blocks/business-directory${query}`);
    for (const part of parts) read.push(`${query} ${part}`, await readingOf(page, part), '');
  }
  const written = await readFile(path.join(import.meta.dirname, 'reading.txt'), 'utf8');
  expect(read.join('\n')).toBe(written);
  // By the keyboard, a figure has its sentences too.
  await page.goto(`${service.url}/api_v2/blocks/business-directory?_group=parsed_address.100`);
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  type Read = Readonly<Record<'name' | 'description', { value: string } | undefined>>;
  const figure = nodes.find(({ name }: Read) => name?.value.startsWith('Histogram:'));
  expect(figure.description.value).toMatch(/^The fullest step is 300 to 400: 34 businesses\./);
  await page.context().close();
});
