import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { commandThatWorks } from '../../support/command.ts';
import { cleanUp, temporaryFolder } from '../../support/process.ts';
import { suiteBrowser } from '../../support/suite-browser.ts';
import { suiteService } from '../../support/suite-service.ts';
import {
  answered,
  CHOSEN,
  column,
  hold,
  type Page,
  seen,
  titlesOf,
  unfold,
  type Visit,
} from './browser.ts';

const visit = suiteBrowser();
const service = suiteService();
let page: Visit;
afterEach(async () => {
  expect(page.complaints).toEqual([]);
  expect(page.requests.filter((url: string) => !/^(?:data:|blob:)/.test(url))).toEqual(
    page.requests.filter((url: string) => url.startsWith(service.url)),
  );
  await page.context().close();
});
afterAll(cleanUp);

const SCRIPT = /page\.js/;

const blockPage = (name: string, query = '') => `${service.url}/api_v2/blocks/${name}${query}`;

/** A page's address says all: loaded anew, it shows the same. */
async function expectItsAddress(): Promise<void> {
  const before = await seen(page);
  await page.reload();
  expect(await seen(page)).toEqual(before);
}

/** A number as a sentence has it: from 10,000 on with commas. */
function shown(box: string | number | undefined): string {
  const number = Number(box);
  return number < 10_000 ? String(number) : number.toLocaleString('en');
}

describe('laundries on Court Street', () => {
  const laundries = async () => {
    const { body } = await service.post('business-directory', {
      type_of_business: 'laundries',
      location_1_location: '*court st*',
    });
    return body.params.results as { business: string; parsed_address: number }[];
  };
  const find = async () => {
    page = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(service.url);
    await page.getByRole('link', { name: 'Business directory' }).click();
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await page.getByRole('checkbox', { name: /^Laundries/ }).check();
    await answered(page, /Type of business is “Laundries”/);
    await unfold(page, 'Street address');
    await page.locator('#f-location_1_location').fill('*court st*');
    await answered(page, /contains “court st”/);
    await page.getByRole('link', { name: /^Table/ }).click();
    await page.waitForURL(/_view=table/);
  };

  test('are found from the catalogue by typing, with no button pressed', async () => {
    await find();
    const { heading } = await seen(page);
    expect(heading).toBe(
      '7 of 120 businesses where Street address contains “court st” and Type of business is “Laundries”',
    );
    expect(column(await seen(page), 'Business name')).toEqual(
      (await laundries()).map(({ business }) => business),
    );
    await expectItsAddress();
  });

  test('are found by what was typed before the page’s script had come', async () => {
    page = await visit();
    let typed = () => {};
    const isTyped = new Promise<void>((resolve) => {
      typed = resolve;
    });
    await page.route(/page\.js/, async (route: { continue(): Promise<void> }) => {
      await isTyped;
      await route.continue();
    });
    await page.goto(blockPage('business-directory', '?_view=map'), { waitUntil: 'commit' });
    await page.getByRole('checkbox', { name: /^Laundries/ }).check();
    typed();
    await answered(page, /Type of business is “Laundries”/);
    await expectItsAddress();
  });

  test('sort by a column’s head, the greatest first, then the least, and stay filtered', async () => {
    await find();
    const numbers = (await laundries()).map(({ parsed_address }) => parsed_address);
    const head = page.getByRole('columnheader', { name: 'House number' });
    for (const [direction, sign] of [
      ['descending', -1],
      ['ascending', 1],
    ] as const) {
      await head.getByRole('link').click();
      await page.locator(`th[aria-sort=${direction}]`).waitFor();
      expect(column(await seen(page), 'House number').map(Number)).toEqual(
        numbers.toSorted((a, b) => sign * (a - b)),
      );
    }
    await expectItsAddress();
  });

  test('are saved as CSV, as they are shown', async () => {
    await find();
    await page.getByText('Download', { exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^business-directory-\w+\.csv$/);
    const rows: Record<string, string>[] = parse(await readFile(await download.path(), 'utf8'), {
      columns: true,
    });
    expect(rows.map(({ business }) => business)).toEqual(column(await seen(page), 'Business name'));
  });

  test('are what the copied curl line prints', async () => {
    await find();
    await page.getByRole('link', { name: 'API', exact: true }).click();
    await page.getByRole('button', { name: 'Copy curl' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    const line = await page.evaluate(() => navigator.clipboard.readText());
    const printed = await commandThatWorks('sh', ['-c', line], {
      cwd: await temporaryFolder(),
      env: process.env,
    });
    expect(JSON.parse(printed).params.results).toEqual(await laundries());
  });

  test('are circles on the map, one each, named as the rows, with their streets', async () => {
    await find();
    const rows = await seen(page);
    const streets = column(rows, 'Street address');
    const names = column(rows, 'Business name').map((name, i) => `${name}, ${streets[i]}`);
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await page.locator('#caption', { hasText: /^7 are on the map/ }).waitFor();
    const map = page.getByRole('group', { name: 'Map: Businesses on the map' });
    expect(await map.locator('.dots a').count()).toBe(7);
    const titles = await titlesOf(page, '.dots a');
    expect(titles.toSorted()).toEqual(names.toSorted());
    expect((await seen(page)).state).toMatch(/^7 of 120 businesses at \d places where Street/);
    await expectItsAddress();
  });

  test('stay found in every view', async () => {
    await find();
    const tabs = page.getByRole('navigation', { name: 'Views of these data' });
    for (const name of ['Chart', 'Map', 'Table 7 businesses', 'API', 'Columns 13']) {
      await tabs.getByRole('link', { name, exact: true }).click();
      await tabs.locator('[aria-current=page]', { hasText: name.split(' ')[0] }).waitFor();
      const { searchParams } = new URL(page.url());
      expect(searchParams.get('type_of_business')).toBe('Laundries');
      expect(searchParams.get('location_1_location')).toBe('*court st*');
      // The columns are of all rows.
      const chips = await page.locator('.filter').allTextContents();
      expect(chips).toHaveLength(name === 'Columns 13' ? 0 : 2);
    }
    await tabs.getByRole('link', { name: /^Table/ }).click();
    await answered(page, /^\s*7 of 120/);
  });
});

describe('a range', () => {
  const bars = (title: string) => page.getByRole('group', { name: title }).locator('.histogram');

  test('is brushed across its histogram: boxes, rows, bars and address follow', async () => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', '?_view=table#filters'));
    const { x, y, width } = await bars('Population').boundingBox();
    await page.mouse.move(x + width * 0.5, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.6, y + 10);
    await page.mouse.move(x + width * 0.75, y + 10);
    await page.mouse.up();
    const { boxes } = await seen(page);
    const [low, high] = [Number(boxes.total_population_min), Number(boxes.total_population_max)];
    await answered(page, new RegExp(`Population is from ${shown(low)} to ${shown(high)}`));
    expect(low).toBeGreaterThan(11_000);
    expect(high).toBeLessThan(19_500);
    const { body } = await service.post('census-neighborhoods', {
      total_population_min: low,
      total_population_max: high,
    });
    expect(column(await seen(page), 'Neighborhood')).toEqual(
      body.params.results.map((row: { neighborhood_1: string }) => row.neighborhood_1),
    );
    // Coloured from half to three quarters of the width; the other bars are grey.
    const colored = bars('Population').locator('svg svg');
    const [, , all = ''] = (
      await bars('Population').locator('> svg').getAttribute('viewBox')
    ).split(' ');
    expect(Number(await colored.getAttribute('x')) / Number(all)).toBeCloseTo(0.5, 1);
    expect(Number(await colored.getAttribute('width')) / Number(all)).toBeCloseTo(0.25, 1);
    await expectItsAddress();
  });

  test('is not set by a click on its histogram', async () => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', '?_view=map'));
    await bars('Population').click({ position: { x: 100, y: 10 } });
    expect((await seen(page)).boxes).toEqual({});
  });

  test('has ends that do not pass each other', async () => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', '?_view=map&households_max=4000'));
    const low = page.getByRole('slider', { name: 'Households, at least' });
    await low.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await low.boundingBox();
    await page.mouse.move(x + height / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await answered(page, /Households is 4000/);
  });

  test('stops at the bars, whose edges are round', async () => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', '?_view=map'));
    const slider = page.getByRole('slider', { name: 'Population, people, at most' });
    for (const high of ['22999', '21999']) {
      await slider.press('ArrowLeft');
      await answered(page, new RegExp(`Population is at most ${shown(high)}`));
      expect((await seen(page)).boxes).toEqual({ total_population_max: high });
    }
  });

  test('shows what the other filters leave, before the outline of all rows', async () => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', '?_view=map'));
    const [all, left] = ['a', 'h'].map((id) => page.locator(`#${id}-total_population`));
    expect(await all.getAttribute('d')).toBe('');
    const before = await left.getAttribute('d');
    await page.locator('#f-persons_per_acre_min').fill('30');
    await answered(page, /Persons per acre is at least 30/);
    expect(await all.getAttribute('d')).toBe(before);
    expect(await left.getAttribute('d')).not.toBe(before);
    await page.locator('#f-persons_per_acre_min').fill('');
    await answered(page, /All 56/);
    expect(await left.getAttribute('d')).toBe(before);
  });

  test('typed between two steps stays as it was typed', async () => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', '?_view=map'));
    await page.locator('#f-total_population_min').fill('12345');
    await answered(page, /at least 12,345/);
    expect((await seen(page)).boxes).toEqual({ total_population_min: '12345' });
    const slider = page.getByRole('slider', { name: 'Population, people, at least' });
    expect(await slider.getAttribute('aria-valuetext')).toBe('12345');
  });
});

describe('a colour', () => {
  test('is picked, named, and its boxes follow; typing moves the picker', async () => {
    page = await visit();
    await page.goto(blockPage('rgb-to-color-name'));
    await page.getByLabel('Pick').fill('#ff7f50');
    await answered(page, /^Coral$/);
    expect((await seen(page)).boxes).toMatchObject({ R: '255', G: '127', B: '80' });
    expect((await swatches()).slice(0, 2)).toEqual(['#ff7f50', '#ff7f50']);
    await page.getByLabel('Blue').fill('255');
    await page.locator('#found', { hasText: /^(?!Coral$)/ }).waitFor();
    expect(await page.getByLabel('Pick').inputValue()).toBe('#ff7fff');
    expect((await swatches())[0]).toBe('#ff7fff');
    await expectItsAddress();
  });

  test('shows some of the next nearest unasked, and its call asks for none', async () => {
    page = await visit();
    await page.goto(blockPage('rgb-to-color-name', '?R=70&G=130&B=160'));
    expect(await swatches()).toHaveLength(7);
    expect(await page.locator('#s-curl').textContent()).not.toContain('alternatives');
    await page.goto(blockPage('rgb-to-color-name', '?R=70&G=130&B=160&alternatives=0'));
    expect(await swatches()).toHaveLength(2);
  });

  test('has its next nearest beside it', async () => {
    page = await visit();
    await page.goto(blockPage('rgb-to-color-name', '?R=18&G=52&B=86&list=css'));
    await page.getByLabel('How many of the next nearest to add').fill('3');
    await page.waitForFunction(() => document.querySelectorAll('.swatches li').length === 3);
    expect(await swatches()).toHaveLength(5);
    // In words, and not by the members of the answer.
    expect(await page.locator('#answer').innerText()).not.toMatch(/^(?:exact|hex|rgb)\b/m);
  });

  const swatches = () =>
    page
      .locator('.swatch rect, .swatches rect')
      .evaluateAll((all: Element[]) => all.map((rect) => rect.getAttribute('fill')));
});

describe('the map of regions', () => {
  const shades = async (): Promise<[string, number][]> => {
    const titles = await titlesOf(page, '.map a, .map path:not(a *)');
    const classes: string[] = await page
      .locator('.map path')
      .evaluateAll((all: Element[]) => all.map((shape) => shape.getAttribute('class') ?? ''));
    return classes.map((look, i) => [titles[i] ?? '', Number(/\bs(\d)$/.exec(look)?.[1] ?? 0)]);
  };

  test('shades each region by the field that is chosen, and says what the shades are', async () => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', '?_view=map'));
    const list = page.getByLabel('Show');
    await list.focus();
    await list.selectOption({ label: 'average of Vacant units' });
    await page.getByRole('group', { name: /^Map: Vacant units, by Neighborhood/ }).waitFor();
    await page.waitForURL(/_measure=avg%3Avacant_units/);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('ask-measure');
    // A script draws at once.
    expect(await page.getByRole('button', { name: 'Draw', exact: true }).isVisible()).toBe(false);
    const { body } = await service.post('census-neighborhoods', { _limit: 100 });
    const values = new Map<string, number>(
      body.params.results.map((row: Record<string, unknown>) => [
        row.neighborhood_1,
        row.vacant_units,
      ]),
    );
    const found = await shades();
    expect(found).toHaveLength(56);
    const shaded = found.map(([title, shade]) => {
      const name = title.slice(0, title.lastIndexOf(': '));
      return { value: values.get(name) as number, shade };
    });
    // The more, the darker; all five shades are in use, and in the legend.
    const byValue = shaded.toSorted((a, b) => a.value - b.value).map(({ shade }) => shade);
    expect(byValue).toEqual(byValue.toSorted((a, b) => a - b));
    expect(new Set(byValue)).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(await page.locator('.key li:has(svg)').count()).toBe(5);
    await expectItsAddress();
  });

  test('leaves what is not in the answer unshaded', async () => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', '?total_population_min=15000&_view=map'));
    const { rows } = await seen(page);
    const found = await shades();
    expect(found).toHaveLength(56);
    expect(found.filter(([, shade]) => shade > 0)).toHaveLength(rows.length);
    expect(await page.locator('.key').textContent()).toContain('not in this filter');
  });
});

describe('what is wrong', () => {
  test.each([
    ['5,000', /"5,000", which is not a number/],
    ['abc', /"abc", which is not a number/],
  ])(
    'with %s is said once, in a few words beside the box while one types, and the box is kept',
    async (text, message) => {
      page = await visit();
      await page.goto(blockPage('census-neighborhoods', '?_view=map'));
      const box = page.locator('#f-total_population_min');
      await box.pressSequentially(text);
      await page.getByRole('heading', { name: 'Something does not fit' }).waitFor();
      // A slow machine asks for a part of what is typed first.
      await page.locator('.columns', { hasText: message }).waitFor();
      await page.locator('#e-total_population', { hasText: /^Not a number$/ }).waitFor();
      expect(
        (await page.locator('.columns').innerText()).match(new RegExp(message, 'g')),
      ).toHaveLength(1);
      expect(await box.inputValue()).toBe(text);
      expect(await box.getAttribute('aria-invalid')).toBe('true');
      expect(await box.evaluate((it: Element) => it === document.activeElement)).toBe(true);
      expect(await page.title()).toMatch(/^Error: /);
      // No rows are shown that were not asked for.
      expect((await seen(page)).rows).toEqual([]);
      await expectItsAddress();
      await box.fill('');
      await answered(page, /All 56 neighborhoods/);
      expect(await page.locator('#e-total_population').textContent()).toBe('');
      expect(await box.getAttribute('aria-invalid')).toBeNull();
    },
  );

  test('leads from the summary to its box, which may be folded away', async () => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', '?_view=map&under_5_min=abc'));
    await page.getByRole('link', { name: /“.*, at least” is "abc"/ }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('f-under_5_min');
  });

  test.each([
    ['households_min=5,000', 'Use 5000', { households_min: '5000' }],
    [
      'total_population_min=9000&total_population_max=5000',
      'Swap them',
      { total_population_min: '5000', total_population_max: '9000' },
    ],
    ['neighborhood=canton', 'Use neighborhood_1', { neighborhood_1: 'canton' }],
    ['_sort=houshold', 'Use households', { _sort: 'households' }],
  ])('in %s is put right by one click: %s', async (query, button, boxes) => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', `?${query}`));
    await page.getByRole('link', { name: button, exact: true }).click();
    await page.locator('tbody').waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(boxes);
    // An order has no box.
    const { _sort, ...boxed }: Record<string, string> = boxes;
    expect((await seen(page)).boxes).toEqual(boxed);
  });

  test.each([
    '_sort=nothing',
    '_limit=0',
    '_group=nothing',
    '_measure=nothing:age',
    '_group=neighborhood_1,under_5,_65,_45_54',
    '_view=nothing',
    '_mark=nothing',
    '_cursor=nothing',
    '_fields=nothing',
    '_facets=nothing',
    '_shade=nothing',
    '_empty=nothing',
    '_not.under_5=abc',
    '_or.1.under_5_min=abc',
    '_having.count_min=3',
  ])('in %s, which has no box, is left out by one click', async (query) => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', `?total_population_min=5000&${query}`));
    const words = await page.locator('.refused li').innerText();
    expect(words).not.toMatch(/\b_[a-z]|neighborhood_1/);
    await page.getByRole('link', { name: 'Leave it out', exact: true }).click();
    await page.waitForURL((url: URL) => url.search === '?total_population_min=5000');
    await page.locator('.refused').waitFor({ state: 'detached' });
    expect((await seen(page)).boxes).toEqual({ total_population_min: '5000' });
  });

  test.each(['/nothing', '/nothing/here', '/api_v2/blocks/census-neighborhoods/nothing'])(
    'in the address %s leads home',
    async (address) => {
      page = await visit();
      const answer = await page.goto(service.url + address);
      expect(answer?.status()).toBe(404);
      expect(await page.evaluate(() => document.styleSheets[0]?.cssRules.length)).toBeGreaterThan(
        99,
      );
      await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
      await page.getByRole('link', { name: 'Show all blocks' }).click();
      await page.waitForURL(`${service.url}/?`);
    },
  );

  test('of several is said all at once, and each in its place', async () => {
    page = await visit();
    await page.goto(
      blockPage(
        'census-neighborhoods',
        '?households_min=abc&under_5_max=x&_25_34_min=9&_25_34_max=1',
      ),
    );
    expect(await page.locator('.refused li').count()).toBe(3);
    expect(await page.locator('.error:not(:empty)').count()).toBe(3);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('refused');
  });

  test('is nothing where a box is blank or has spaces about its number', async () => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', '?_view=map'));
    await page.locator('#f-total_population_min').fill('   ');
    await page.locator('#f-total_population_max').fill(' 5000 ');
    await answered(page, /Population is at most 5000/);
    expect(new URL(page.url()).search).toBe('?total_population_max=+5000+&_view=map');
  });
});

describe('no rows', () => {
  const open = async () => {
    page = await visit();
    await page.goto(
      blockPage('business-directory', '?type_of_business=laundrys&location_1_location=*court+st*'),
    );
  };

  test('are explained: what each filter leaves by itself', async () => {
    await open();
    const lines = await page.locator('.help li').allTextContents();
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain(
      'Street address contains “court st”: 37 of 120 businesses by itself',
    );
    expect(lines[1]).toContain('Type of business is “laundrys”: 0 of 120 businesses by itself');
    await expectItsAddress();
  });

  test('become rows by one click on what was meant', async () => {
    await open();
    await page.getByRole('link', { name: 'Laundries', exact: true }).click();
    await answered(page, /^\s*7 of 120/);
  });

  test('become rows by one click that takes what contains the text', async () => {
    const given = { business: 'court', category: 'retail' };
    page = await visit();
    await page.goto(blockPage('business-directory', `?${new URLSearchParams(given)}`));
    await page.getByRole('link', { name: 'Containing it: 5 businesses' }).click();
    await answered(page, /^\s*5 of 120/);
    expect((await seen(page)).boxes).toEqual({ business: '*court*', category: 'Retail' });
  });

  test('become rows by one click that drops a filter', async () => {
    await open();
    await page.getByRole('link', { name: 'Drop it: 37 businesses' }).click();
    await answered(page, /^\s*37 of 120/);
    expect((await seen(page)).boxes).toEqual({ location_1_location: '*court st*' });
  });
});

describe('a refreshed answer', () => {
  test.each([
    ['table', /^\d+ of 120 businesses where Category is “Retail”$/],
    ['map', /^Businesses on the map: \d+ of 120 businesses .* where Category is “Retail”$/],
    ['chart', /^Businesses, by [\w ]+: \d+ of 120 businesses .* where Category is “Retail”$/],
  ])('is said to those who do not see it, once: %s', async (view, pattern) => {
    page = await visit();
    await page.goto(blockPage('business-directory', `?_view=${view}#filters`));
    const said = page.getByRole('status');
    expect(await said.count()).toBe(1);
    await said.evaluate((it: Element) => {
      Object.assign(globalThis, { region: it });
    });
    await page.getByRole('checkbox', { name: /^Retail/ }).check();
    await answered(page, /Category is “Retail”/);
    expect(await said.textContent()).toMatch(pattern);
    // A region that is new is not said.
    const isSame = await said.evaluate(
      (it: Element) => it === (globalThis as unknown as { region: Element }).region,
    );
    expect(isSame).toBe(true);
  });

  test('that comes late does not take the place of a later one', async () => {
    page = await visit();
    await page.goto(blockPage('business-directory', '?_view=table#filters'));
    await unfold(page, 'Business name');
    const free = await hold(page, /business=re(?:&|$)/);
    const box = page.locator('#f-business');
    const [overtaken] = await Promise.all([
      page.waitForRequest(/business=re(?:&|$)/),
      box.pressSequentially('re'),
    ]);
    await box.pressSequentially('tail');
    await answered(page, /“retail”/);
    free();
    await overtaken.response().catch(() => null);
    expect((await seen(page)).heading).toContain('“retail”');
    expect(page.url()).toContain('business=retail');
  });

  test('leaves the focus and the table’s scroll where they are', async () => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', `${CHOSEN}#filters`));
    const box = page.locator('#f-total_population_min');
    await page.locator('.table').evaluate((it: Element) => it.scrollTo(400, 0));
    await box.fill('9000');
    await answered(page, /at least 9000/);
    expect(await page.locator('.table').evaluate((it: Element) => it.scrollLeft)).toBe(400);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('f-total_population_min');
  });

  test('gives the focus back to what is like the one that had it', async () => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', '?_view=map'));
    await page.locator('#f-total_population_min').fill('9000');
    await page.getByRole('link', { name: 'API', exact: true }).first().focus();
    await answered(page, /at least 9000/);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('API');
  });

  test('keeps the language that was opened', async () => {
    page = await visit();
    await page.goto(blockPage('rgb-to-color-name', '?R=18&G=52&B=86'));
    await page.getByText('Python', { exact: true }).click();
    await page.getByLabel('Blue').fill('255');
    await page.locator('#s-python', { hasText: '255' }).waitFor();
    expect(await page.locator('#s-python').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Copy Python' }).isVisible()).toBe(true);
  });

  test('that does not come is said, and the next one takes that back', async () => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', '?_view=map'));
    await page.route(/total_population_max/, (route: Page) => route.abort());
    await page.locator('#f-total_population_max').fill('5000');
    await page.getByText('No answer came. Try again.').waitFor();
    await page.unroute(/total_population_max/);
    page.complaints.length = 0;
    await page.locator('#f-total_population_max').press('Enter');
    await answered(page, /at most 5000/);
    expect(await page.locator('.failed').count()).toBe(0);
  });

  test('Back undoes one filter after another, each as a whole, and leads to where one came from', async () => {
    page = await visit();
    await page.goto(service.url);
    await page.goto(blockPage('census-neighborhoods', '?_view=map'));
    await page.locator('#f-total_population_min').pressSequentially('9000', { delay: 150 });
    await answered(page, /at least 9000/);
    await page.locator('#f-persons_per_acre_max').fill('30');
    await answered(page, /at most 30/);
    await page.getByRole('link', { name: /^Table/ }).click();
    await page.waitForURL(/_view=table/);
    await page.getByRole('link', { name: 'Persons per acre', exact: true }).click();
    await page.locator('th[aria-sort=descending]').waitFor();
    await page.goBack();
    await page.locator('th[aria-sort=descending]').waitFor({ state: 'detached' });
    await page.goBack();
    await page.waitForURL((now: URL) => now.searchParams.get('_view') === 'map');
    expect((await seen(page)).boxes).toEqual({
      total_population_min: '9000',
      persons_per_acre_max: '30',
    });
    await page.goBack();
    await page.waitForURL((now: URL) => !now.searchParams.has('persons_per_acre_max'));
    await answered(page, /where Population is at least 9000/);
    expect((await seen(page)).boxes).toEqual({ total_population_min: '9000' });
    await page.goBack();
    await answered(page, /All 56/);
    expect((await seen(page)).boxes).toEqual({});
    await page.goBack();
    expect(page.url()).toBe(`${service.url}/`);
  });

  test('Back undoes as a whole what was begun before the script ran', async () => {
    page = await visit();
    const free = await hold(page, SCRIPT);
    await page.goto(blockPage('census-neighborhoods', '?_view=map'), { waitUntil: 'commit' });
    const box = page.locator('#f-total_population_min');
    await box.pressSequentially('9');
    free();
    await answered(page, /at least 9\b/);
    await box.pressSequentially('000');
    await answered(page, /at least 9000/);
    await page.goBack();
    await answered(page, /All 56 neighborhoods in 56 areas\s*$/);
    expect(new URL(page.url()).search).toBe('?_view=map');
  });

  test('after a link within the page: Back shows what its address says', async () => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', '?households_min=abc'));
    await page.getByRole('link', { name: /“Households, at least” is "abc"/ }).click();
    await page.locator('#f-households_min').fill('3000');
    await answered(page, /at least 3000/);
    await page.goBack();
    await page.getByRole('heading', { name: 'Something does not fit' }).waitFor();
    expect(await page.locator('#f-households_min').inputValue()).toBe('abc');
  });
});

describe('the script', () => {
  test.each(['rgb-to-color-name', 'business-directory', 'census-neighborhoods'])(
    'that comes late moves nothing: %s',
    async (name) => {
      page = await visit();
      const free = await hold(page, SCRIPT);
      await page.goto(blockPage(name), { waitUntil: 'commit' });
      await page.locator('footer').waitFor();
      // Places are of no use until the style is there.
      await page.waitForFunction(() =>
        Array.from(document.querySelectorAll('link[rel=stylesheet]')).every(
          (link) => (link as HTMLLinkElement).sheet !== null,
        ),
      );
      const places = (): Promise<number[]> =>
        page
          .locator('h2, label:not(.picker *), form input[name], form select, summary, footer')
          .evaluateAll((all: Element[]) => all.map((it) => it.getBoundingClientRect().top));
      const before = await places();
      free();
      await page.locator('.histogram input, .picker input').first().waitFor({ state: 'attached' });
      expect(await places()).toEqual(before);
    },
  );
});

describe('pages', () => {
  test('go on and back, each at an address of its own', async () => {
    page = await visit();
    await page.goto(blockPage('census-neighborhoods', '?_limit=20'));
    const names = column(await seen(page), 'Neighborhood');
    const follow = async (link: string) => {
      const before = page.url();
      await page.getByRole('link', { name: link, exact: true }).first().click();
      await page.waitForURL((now: URL) => now.href !== before);
    };
    const placeOf = async () => (await page.locator('.pages b').first().textContent()).trim();
    for (const place of ['21–40', '41–56']) {
      await follow('Next');
      await expectItsAddress();
      expect(await placeOf()).toBe(place);
      names.push(...column(await seen(page), 'Neighborhood'));
    }
    expect(new Set(names).size).toBe(56);
    await follow('Previous');
    expect(column(await seen(page), 'Neighborhood')).toEqual(names.slice(20, 40));
    await follow('Previous');
    expect(await placeOf()).toBe('1–20');
    expect(column(await seen(page), 'Neighborhood')).toEqual(names.slice(0, 20));
  });
});

describe('the columns of a table', () => {
  test('are chosen in a form, and what else is asked stays', async () => {
    page = await visit();
    await page.goto(blockPage('business-directory', '?_view=table&category=retail'));
    await page.locator('#strip .pop summary').click();
    const form = page.getByRole('form', { name: 'Columns' });
    const boxes = form.getByRole('checkbox');
    for (const box of await boxes.all()) await box.uncheck();
    await form.getByRole('checkbox', { name: 'Column Street address' }).check();
    await form.getByRole('checkbox', { name: 'Column Business name' }).check();
    await form.getByRole('button').click();
    await page.getByText('Columns 2 of 13').waitFor();
    const { columns, heading } = await seen(page);
    expect(columns).toEqual(['Business name', 'Street address']);
    expect(heading).toContain('Category is “retail”');
    await expectItsAddress();
  });

  test.each([768, 992, 1280, 1600, 1792, 1920])(
    'fit a window of %i px, which shows those of a narrower one',
    async (width) => {
      page = await visit({ viewport: { width, height: 900 } });
      await page.goto(blockPage('census-neighborhoods', '?_view=table'));
      const shown = async () =>
        page
          .locator('thead th')
          .evaluateAll((all: Element[]) => all.filter((head) => head.checkVisibility()).length);
      const many = await shown();
      expect(many).toBeGreaterThan(4);
      const { over, heights } = await page.evaluate(() => ({
        over: document.documentElement.scrollWidth - innerWidth,
        heights: [...document.querySelectorAll('tbody tr')].map((row) =>
          Math.round((row as HTMLElement).offsetHeight),
        ),
      }));
      expect(over).toBeLessThanOrEqual(0);
      // One line to each cell.
      expect(Math.max(...heights)).toBeLessThan(45);
      for (const narrower of [width - 200, Math.min(width, 1280)]) {
        await page.setViewportSize({ width: narrower, height: 900 });
        expect(await shown()).toBeLessThanOrEqual(many);
      }
    },
  );
});

test('a table is copied with exact values, and none runs as a formula', async () => {
  page = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(
    blockPage('census-neighborhoods', '?_view=table&_sort=-total_population&_limit=2'),
  );
  await page.getByRole('button', { name: 'Copy table' }).click();
  await page.locator('#said', { hasText: 'Copied 2 rows' }).waitFor({ state: 'attached' });
  const copied: string = await page.evaluate(() => navigator.clipboard.readText());
  const [heads = [], ...lines] = copied.split('\n').map((line) => line.split('\t'));
  expect(heads[0]).toBe('Neighborhood');
  const { body } = await service.post('census-neighborhoods', {
    ...{ _sort: '-total_population', _limit: 2 },
  });
  const at = heads.indexOf('Population');
  expect(lines.map((cells) => [cells[0], Number(cells[at])])).toEqual(
    body.params.results.map((row: Record<string, unknown>) => [
      row.neighborhood_1,
      row.total_population,
    ]),
  );
  // As a spreadsheet would take it: what somebody wrote into a cell of the table.
  await page
    .locator('tbody td')
    .first()
    .evaluate((cell: Element) => {
      cell.textContent = '=1+1';
    });
  await page.getByRole('button', { name: 'Copy table' }).click();
  await page.waitForFunction(async () =>
    (await navigator.clipboard.readText()).includes("\t'=1+1\t"),
  );
});

test('what is selected of a table is copied with exact values: a cell, some rows, not a part of a word', async () => {
  page = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(
    blockPage('census-neighborhoods', '?_view=table&_sort=-total_population&_limit=3'),
  );
  const copied = async (from: string, to: string, end?: number): Promise<string> => {
    await page.evaluate(
      ([first, last, length]: [string, string, number | undefined]) => {
        const [start, stop] = [first, last].map((selector) => document.querySelector(selector));
        const text = document.createTreeWalker(start as Node, NodeFilter.SHOW_TEXT).nextNode();
        const selection = getSelection() as Selection;
        selection.removeAllRanges();
        const range = document.createRange();
        range.setStart(start as Node, 0);
        if (length === undefined) range.setEndAfter((stop as Element).lastChild as Node);
        else range.setEnd(text as Node, length);
        selection.addRange(range);
      },
      [from, to, end],
    );
    await page.keyboard.press('Control+c');
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const { body } = await service.post('census-neighborhoods', {
    ...{ _sort: '-total_population', _limit: 2 },
  });
  const [first, second] = body.params.results as Record<string, unknown>[];
  const name = String(first?.neighborhood_1);
  const row = 'tbody tr:first-child';
  const cell = `${row} td:nth-of-type(1)`;
  expect(await page.locator(cell).textContent()).toContain(',');
  expect(await copied(cell, cell)).toBe(String(first?.total_population));
  const lines = (await copied(`${row} th`, 'tbody tr:nth-child(2) td:last-child')).split('\n');
  expect(lines.map((line) => line.split('\t').slice(0, 2))).toEqual([
    [name, String(first?.total_population)],
    [second?.neighborhood_1, String(second?.total_population)],
  ]);
  expect(await copied(`${row} th a`, `${row} th a`, 3)).toBe(name.slice(0, 3));
});

test('a printed page has its address and its table whole, as far as a sheet holds it, and nothing to press', async () => {
  page = await visit();
  const address = blockPage('census-neighborhoods', '?_view=table&under_5_min=1');
  await page.goto(address);
  await page.emulateMedia({ media: 'print' });
  for (const hidden of [
    'form',
    '.to-form',
    '.tabs',
    '.top form',
    '#acts summary',
    '.pages',
    '.filter a',
    'footer',
  ]) {
    expect([hidden, await page.locator(hidden).first().isVisible()]).toEqual([hidden, false]);
  }
  const printed = await page.locator('.printed').allTextContents();
  const { shown, cut } = await page.locator('.rows').evaluate((it: Element) => ({
    shown: [...it.querySelectorAll('thead th')].filter((head) => head.checkVisibility()).length,
    cut: it.scrollHeight > it.clientHeight || it.scrollWidth > it.clientWidth,
  }));
  expect(cut).toBe(false);
  expect(shown).toBeGreaterThan(4);
  expect(printed).toEqual([
    expect.stringContaining(`40 of 56 rows and ${shown} of 40 columns`),
    address,
  ]);
  expect(printed[0]).not.toContain('_limit');
  // A name is whole, in as many lines as it takes.
  const isCut = (it: Element) => it.scrollWidth > it.clientWidth;
  expect(await page.locator('.rows tbody th').first().evaluate(isCut)).toBe(false);
  await page.goto(blockPage('census-neighborhoods', '?_view=map&under_5_min=1'));
  expect(await page.locator('.map svg').isVisible()).toBe(true);
  for (const hidden of ['.ask', '.plate nav', '.map button', '.filter a']) {
    expect([hidden, await page.locator(hidden).first().isVisible()]).toEqual([hidden, false]);
  }
  // A row has its place and how to cite it, and leads nowhere.
  await page.goto(blockPage('census-neighborhoods', '/rows/Canton'));
  expect(await page.getByRole('link', { name: /^39\./ }).isVisible()).toBe(true);
  expect(await page.locator('.cite').textContent()).toContain(blockPage('census-neighborhoods'));
  for (const hidden of ['.crumb', '.files', '.top form']) {
    expect([hidden, await page.locator(hidden).first().isVisible()]).toEqual([hidden, false]);
  }
  // A refusal has its words alone.
  await page.goto(blockPage('census-neighborhoods', '?households_min=5,000'));
  expect(await page.locator('.refused a').first().isVisible()).toBe(true);
  expect(await page.locator('.refused .button').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
  expect(await page.locator('.printed').first().isVisible()).toBe(false);
});
