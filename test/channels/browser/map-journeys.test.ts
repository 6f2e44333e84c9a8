import { afterEach, expect, test } from '@jest/globals';
import { suiteBrowser } from '../../support/suite-browser.ts';
import { suiteService } from '../../support/suite-service.ts';
import { answered, type Visit } from './browser.ts';

/** Two people whose way leads over a map: one with a phone in the street, one before a class. */

const visit = suiteBrowser();
const service = suiteService();
let page: Visit;
afterEach(async () => {
  expect(page.complaints.splice(0)).toEqual([]);
  await page.context().close();
});

test('a citizen finds by touch where the nearest laundry is, and on which street', async () => {
  page = await visit({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    geolocation: { longitude: -74.0005, latitude: 40.6795 },
    permissions: ['geolocation'],
  });
  await page.goto(service.url);
  await page.getByRole('link', { name: 'Business directory' }).tap();
  await page.getByRole('link', { name: 'Map', exact: true }).tap();
  await page.waitForURL(/_view=map/);
  await page.getByRole('link', { name: /^Filters/ }).tap();
  await page.getByRole('checkbox', { name: /^Laundries/ }).tap();
  await answered(page, /“Laundries”/);
  await page.locator('summary', { hasText: 'near a point' }).tap();
  await page.locator('form .tools').getByRole('button', { name: 'Near me' }).tap();
  await page.getByRole('button', { name: 'Show 22', exact: true }).tap();
  await page.locator('#filters').waitFor({ state: 'hidden' });
  const caption = page.locator('#caption', { hasText: 'The nearest' });
  await caption.waitFor();
  expect(await caption.textContent()).toContain(
    'The nearest, CARROL GARDENS WASH-N-DRY CORP., is 256 m away: 425 COURT ST.',
  );
  // The map is as wide as the phone, and is read aloud from the nearest on.
  const map = page.getByRole('group', { name: /^Map: Businesses on the map/ });
  const { x, width } = await map.boundingBox();
  expect([x >= 0, x + width <= 390, width > 330]).toEqual([true, true, true]);
  expect(await map.getAttribute('aria-label')).toMatch(
    /\. Places: CARROL GARDENS WASH-N-DRY CORP\., .* and 17 more\.$/,
  );
  // The first tap on a circle says what it is, the second one leads there.
  const circle = map.locator('.dots a', { hasText: /^1$/ });
  await circle.locator('circle').tap();
  expect(page.url()).not.toContain('/rows/');
  await circle.locator('circle').tap();
  await page.waitForURL(/\/rows\//);
  expect(await page.locator('h1').textContent()).toBe('CARROL GARDENS WASH-N-DRY CORP.');
  expect(await page.locator('main').innerText()).toMatch(/Street address\s+\d+ \w+ ST/);
  await page.getByRole('link', { name: /^Back to 22 of 120/ }).tap();
  await page.waitForURL(/_view=map/);
});

test('a teacher shows a class where a city is densest, and asks it for the empty homes', async () => {
  page = await visit({ viewport: { width: 1920, height: 1080 } });
  await page.goto(`${service.url}/api_v2/blocks/census-neighborhoods`);
  await page.getByRole('link', { name: 'Baltimore is densest around Patterson Park' }).click();
  await page.locator('.map').waitFor();
  // Letters are larger on a projector, and all of the map is in sight at once, beside its numbers.
  const size = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  expect(size).toBe('18px');
  const map = page.getByRole('group', { name: /^Map: Persons per acre/ });
  const [{ y, height, width }, numbers] = [
    await map.boundingBox(),
    await page.locator('.numbers').boundingBox(),
  ];
  expect(height).toBeLessThanOrEqual(1080 - 16 * 18);
  expect(width).toBeGreaterThan(700);
  expect(numbers.y).toBeLessThan(y + height);
  expect(await map.getAttribute('aria-label')).toContain(
    '. The most: Unassigned -- Jail: 136; Patterson Park North & East: 43.7; ',
  );
  await page.getByRole('combobox', { name: 'Show' }).selectOption('sum:vacant_units');
  await page.locator('#caption', { hasText: 'Southwest Baltimore has the most, 3,307' }).waitFor();
  expect(new URL(page.url()).searchParams.get('_measure')).toBe('sum:vacant_units');
  // An area says its number, and leads to its row.
  const area = page.locator('.map a[href*="Southwest"]');
  await area.hover();
  await page.locator('.tip', { hasText: 'Southwest Baltimore: 3,307' }).waitFor();
  await area.click();
  await page.waitForURL(/neighborhood_1=Southwest/);
  expect(await page.locator('main').innerText()).toContain('Southwest Baltimore');
  await page.goBack();
  // A sheet has the map, its sentence and its source, and nothing to press.
  await page.emulateMedia({ media: 'print' });
  const printed = await page.evaluate(() => document.body.innerText);
  expect(printed).toContain('Southwest Baltimore has the most, 3,307');
  expect(await page.locator('.map').isVisible()).toBe(true);
  expect(await page.locator('.mapbar nav, select, button').filter({ visible: true }).count()).toBe(
    0,
  );
});

test('where colours are forced, the sea of a map is not the ground of the page, and marks keep theirs', async () => {
  const shades = async (forcedColors: 'active' | 'none') => {
    page = await visit({ forcedColors });
    await page.goto(`${service.url}/api_v2/blocks/business-directory?_view=map&_group=place.100m`);
    return page.evaluate(() => {
      const colour = (selector: string, of: 'fill' | 'backgroundColor') =>
        getComputedStyle(document.querySelector(selector) as Element)[of];
      return [colour('.geo', 'backgroundColor'), colour('.cells rect', 'fill')];
    });
  };
  const usual = await shades('none');
  await page.context().close();
  expect(await shades('active')).toEqual(usual);
});
