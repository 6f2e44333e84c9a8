import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Service, startService } from '../../support/service.ts';
import { LEAST_CHROMIUM } from '../submit-form.ts';
import {
  type FormFactor,
  type Lighthouse,
  type LighthouseReport,
  openLighthouse,
} from './run-lighthouse.ts';

let service: Service;
let lighthouse: Lighthouse;
beforeAll(async () => {
  service = await startService();
  lighthouse = openLighthouse('no speed', LEAST_CHROMIUM);
});
afterAll(async () => {
  await lighthouse?.close();
  await service?.close();
});

/** Speed depends on the machine: `npm run bench:page` measures it. */
const FULL_SCORES = { accessibility: 1, 'best-practices': 1 };

/** The page, its style, its script; with their headers. */
const MOST_REQUESTS = 3;
const MOST_BYTES = 40 * 1024;

/** What a person does not see move (goal 3 of the page). */
const MOST_SHIFT = 0.02;

const blocks = '/api_v2/blocks';

describe('Lighthouse', () => {
  test.each<[string, FormFactor, string]>([
    ['all neighborhoods', 'mobile', `${blocks}/census-neighborhoods`],
    ['all neighborhoods', 'desktop', `${blocks}/census-neighborhoods`],
    ['a whole table', 'mobile', `${blocks}/census-neighborhoods?_view=table`],
    ['a histogram', 'mobile', `${blocks}/census-neighborhoods?_group=total_population.5000`],
    ['a map of circles', 'mobile', `${blocks}/business-directory?_view=map`],
    ['a call', 'mobile', `${blocks}/business-directory?category=retail&_view=api`],
    ['laundries', 'mobile', `${blocks}/business-directory?type_of_business=laundries`],
    ['a colour', 'mobile', `${blocks}/rgb-to-color-name?R=255&G=127&B=80&alternatives=3`],
    ['a colour', 'desktop', `${blocks}/rgb-to-color-name?R=255&G=127&B=80&alternatives=3`],
    ['the catalogue', 'mobile', '/'],
  ])('has nothing to say of %s on %s', async (_, formFactor, address) => {
    const report = await lighthouse.run(service.url + address, formFactor);
    // A page with a query asks not to be indexed: one page of a block is enough there.
    const isKept = !address.includes('?');
    expect(lackingIn(report)).toEqual(isKept ? [] : ['is-crawlable']);
    const { seo, ...others } = scoresOf(report);
    expect(others).toEqual(FULL_SCORES);
    if (isKept) expect(seo).toBe(1);
    const { audits } = report;
    expect(audits['cumulative-layout-shift']?.numericValue).toBeLessThanOrEqual(MOST_SHIFT);
    expect(audits['total-byte-weight']?.numericValue).toBeLessThanOrEqual(MOST_BYTES);
    const requests = audits['network-requests']?.details?.items as { url: string }[];
    const fetched = requests.filter(({ url }) => !url.startsWith('data:'));
    expect(fetched.length).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(fetched.filter(({ url }) => !url.startsWith(service.url))).toEqual([]);
  });
});

function scoresOf({ categories }: LighthouseReport) {
  return Object.fromEntries(
    [...Object.keys(FULL_SCORES), 'seo'].map((name) => [name, categories[name]?.score]),
  );
}

/** What was looked at, is a matter of yes or no, and is not as it should be. */
function lackingIn({ audits }: LighthouseReport): string[] {
  return Object.entries(audits)
    .filter(([, { score, scoreDisplayMode }]) => scoreDisplayMode === 'binary' && score !== 1)
    .map(([name]) => name);
}
