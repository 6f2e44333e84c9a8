import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { suiteBrowser } from '../../support/suite-browser.ts';
import type { Page, Visit } from './browser.ts';
import { comparing, MADE } from './made-marks.ts';
import { type MadeService, startMade } from './made-service.ts';

const visit = suiteBrowser();
let english: MadeService;
let arabic: MadeService;
beforeAll(async () => {
  english = await startMade(MADE.english.block, MADE.english.rows);
  arabic = await startMade(MADE.arabic.block, MADE.arabic.rows);
});
afterAll(async () => {
  await english?.close();
  await arabic?.close();
});

const FIGURES = Object.entries(comparing('english'));
const FIGURES_IN_ARABIC = Object.entries(comparing('arabic'));

async function leave(page: Visit): Promise<void> {
  expect(page.complaints).toEqual([]);
  await page.context().close();
}

/** More stops than any page has. */
const MOST_STOPS = 300;

/** What is read out of a part of a page, without addresses. */
async function readingOf(page: Page, part: string): Promise<string> {
  const snapshot: string = await page.locator(part).ariaSnapshot();
  return snapshot
    .split('\n')
    .filter((line) => !/^\s*- (?:\/url|code)/.test(line))
    .join('\n');
}

/** What is said when a key is pressed in a figure. */
async function saidBy(page: Page, key: string): Promise<string> {
  await page.keyboard.press(key);
  return page.getByRole('status').textContent();
}

/** The bars side by side are rows of a table, each a link. */
const MARKS_OF_ONE_STOP = FIGURES.filter(([, { marks }]) => marks !== '.grouped');

describe('by the keyboard', () => {
  test.each(MARKS_OF_ONE_STOP)(
    '%s is one stop; arrows, Home and End say each value by its name, and Enter leads on',
    async (_, { query, marks }) => {
      const page = await visit();
      await page.goto(english.url + query);
      const stops: string[] = [];
      for (let i = 0; i < MOST_STOPS; i++) {
        await page.keyboard.press('Tab');
        const stop = await page.evaluate((selector: string) => {
          const it = document.activeElement;
          const drawing = it?.closest(`figure ${selector}`) ?? undefined;
          return drawing === undefined ? undefined : it === drawing ? 'itself' : it?.outerHTML;
        }, marks);
        if (stop === undefined && stops.length > 0) break;
        if (stop !== undefined) stops.push(stop);
      }
      expect(stops).toEqual(['itself']);
      await page.locator(`figure ${marks}`).focus();
      const said: string[] = [];
      for (const key of ['Home', 'ArrowRight', 'End', 'ArrowLeft', 'Home']) {
        said.push(await saidBy(page, key));
        // One sees which.
        expect(await page.locator(`${marks} .at`).count()).toBe(1);
      }
      expect(said[4]).toBe(said[0]);
      expect(new Set(said.slice(0, 4)).size).toBe(4);
      for (const text of said) {
        expect(text).toMatch(/\p{L}.*\d/su);
        expect(text).not.toMatch(/undefined|null|NaN/);
      }
      const href = await page.locator(`${marks} .at`).getAttribute('href');
      await page.keyboard.press('Enter');
      await page.waitForURL(new URL(href, english.url + query).href);
      await leave(page);
    },
  );

  test('bars side by side are a table: each bar is a link that is said with its group', async () => {
    const page = await visit();
    await page.goto(english.url + comparing('english')['bars side by side'].query);
    const links = page.locator('figure .grouped a');
    expect(await links.count()).toBe(6);
    await links.nth(3).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/day=2024/);
    await leave(page);
  });
});

/**
 * The readings are written out to be read by people: a figure is said with its name and its sentences,
 * and each value with what it is of.
 */
test('a screen reader reads each figure as it is written out in reading-figures.txt', async () => {
  const page = await visit();
  const session = await page.context().newCDPSession(page);
  const read: string[] = [];
  for (const [name, { query, marks }] of FIGURES) {
    await page.goto(english.url + query);
    read.push(`# ${name}`, await readingOf(page, '#answer figure'));
    if (marks !== '.grouped') {
      const { nodes } = await session.send('Accessibility.getFullAXTree');
      type Read = Readonly<Record<'role' | 'name' | 'description', { value: string } | undefined>>;
      const drawing = nodes.find(
        ({ role, name, description }: Read) =>
          role?.value === 'group' && name?.value && description?.value,
      );
      const caption = await page.locator('#caption').textContent();
      expect(drawing?.description?.value).toBe(caption);
      await page.locator(`figure ${marks}`).focus();
      for (const key of ['Home', 'ArrowRight', 'End']) {
        read.push(`${key}: ${await saidBy(page, key)}`);
      }
    }
    read.push('');
  }
  const written = await readFile(path.join(import.meta.dirname, 'reading-figures.txt'), 'utf8');
  expect(read.join('\n')).toBe(written);
  await leave(page);
});

/** A sheet of paper, in pixels: A4 without its margins. */
const PAPER = { width: 718, height: 1047 } as const;

describe('on paper', () => {
  test.each(FIGURES)('%s is whole, light, with its numbers and without controls', async (_, of) => {
    const page = await visit({ viewport: PAPER, colorScheme: 'dark' });
    await page.goto(english.url + of.query);
    await page.emulateMedia({ media: 'print' });
    const printed = await page.evaluate((marks: string) => {
      const drawing = document.querySelector(`figure ${marks}`) as HTMLElement;
      const shown = [...document.querySelectorAll<HTMLElement>('#answer *, #strip *')].filter(
        (it) => it.checkVisibility(),
      );
      const { right, height } = drawing.getBoundingClientRect();
      return {
        ground: getComputedStyle(document.body).backgroundColor,
        over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        isWhole: right <= innerWidth && height < innerHeight,
        controls: shown
          .filter((it) => it.matches('button, select, input, .chip i, .choices a, .plate a, .hint'))
          .map((it) => it.outerHTML.slice(0, 80)),
        numbers: shown.filter((it) => it.matches('.numbers td, .barlist td.n')).length,
      };
    }, of.marks);
    expect(printed).toMatchObject({ over: 0, isWhole: true, controls: [] });
    expect(['rgb(255, 255, 255)', 'rgba(0, 0, 0, 0)']).toContain(printed.ground);
    expect(printed.numbers).toBeGreaterThan(0);
    await leave(page);
  });
});

describe('in forced colours', () => {
  test.each(FIGURES)(
    '%s keeps its marks apart from the ground and from each other',
    async (_, of) => {
      const page = await visit({ forcedColors: 'active' });
      await page.goto(english.url + of.query);
      const { ground, looks } = await page.evaluate((marks: string) => {
        const drawing = document.querySelector(`figure ${marks}`) as HTMLElement;
        const colours = new Map<string, string>();
        for (const it of drawing.querySelectorAll(
          '.l, .layer, .col, .dot, .squares rect, .bar rect, .heat td:has(a)',
        )) {
          const { stroke, fill, backgroundColor } = getComputedStyle(it);
          const colour = it.matches('td')
            ? backgroundColor
            : fill === 'none' || it.matches('.l')
              ? stroke
              : fill;
          const look = [...it.classList].find((name) => /^[cs]\d$/.test(name)) ?? 'one';
          colours.set(look, colour);
        }
        return {
          ground: getComputedStyle(document.body).backgroundColor,
          looks: [...colours],
        };
      }, of.marks);
      const colours = looks.map(([, colour]: [string, string]) => colour);
      expect(colours.length).toBeGreaterThan(0);
      expect(colours).not.toContain(ground);
      expect(new Set(colours).size).toBe(colours.length);
      await leave(page);
    },
  );
});

describe('a page of Arabic data', () => {
  test.each(FIGURES_IN_ARABIC)(
    '%s: words go right to left, numbers and axes as ever',
    async (_, of) => {
      for (const width of [390, 1280]) {
        const page = await visit({ viewport: { width, height: 900 } });
        await page.goto(arabic.url + of.query);
        const found = await page.evaluate((marks: string) => {
          const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
          const isFromRight = (text: string) => /\p{Script=Arabic}/u.test(text);
          // Texts in which words from the right lie among others, with nothing that sets them apart.
          const mixed: string[] = [];
          const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
            const text = node.textContent ?? '';
            const it = node.parentElement as HTMLElement;
            if (!isFromRight(text) || it.closest('script, style, option, .vh, [hidden]')) continue;
            if (!it.checkVisibility()) continue;
            const isApart = it.closest('bdi, [dir]:not(html)') !== null;
            const bare = text.replace(/\u2068[^\u2069]*\u2069/g, '');
            const isAlone = !/[\p{Script=Latin}\p{N}]/u.test(bare.replace(/[()]|mm|\d/g, ''));
            if (!isApart && isFromRight(bare) && !(isAlone && it.matches('svg *'))) {
              mixed.push(`${it.tagName} ${it.className} ${text.trim()}`);
            }
          }
          return {
            over,
            mixed,
            // All begins where the page does.
            lefts: ['h1', '.lede', '#found', '.state'].map((selector) => {
              const range = document.createRange();
              range.selectNodeContents(document.querySelector(selector) as Element);
              return Math.round(range.getBoundingClientRect().left);
            }),
            directions: ['#found', `figure ${marks}`].map(
              (selector) => getComputedStyle(document.querySelector(selector) as Element).direction,
            ),
          };
        }, of.marks);
        expect(found).toMatchObject({ over: 0, mixed: [], directions: ['ltr', 'ltr'] });
        expect(new Set(found.lefts).size).toBe(1);
        await leave(page);
      }
    },
  );

  test('its table has cells from right to left, and numbers in their columns', async () => {
    const page = await visit();
    await page.goto(`${arabic.url}?_view=table&_limit=3`);
    const cells = await page.evaluate(() =>
      [...document.querySelectorAll('.rows tbody tr:first-child > *')].map((it) => ({
        text: it.textContent?.trim() ?? '',
        direction: getComputedStyle(it).direction,
      })),
    );
    for (const { text, direction } of cells) {
      expect([text, direction]).toEqual([text, /\p{Script=Arabic}/u.test(text) ? 'rtl' : 'ltr']);
    }
    await leave(page);
  });
});
