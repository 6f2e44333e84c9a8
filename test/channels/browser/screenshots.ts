import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT, startService } from '../../support/service.ts';
import { openBrowser, visit, WINDOWS } from './browser.ts';

/** `npm run screenshots`: the pages as the documents show them, in `docs/images`. */
const blocks = '/api_v2/blocks';
const SHOWN = {
  'census-neighborhoods': `${blocks}/census-neighborhoods?total_population_min=8000&_25_34_min=1500&_sort=-persons_per_acre`,
  'business-directory': `${blocks}/business-directory?type_of_business=laundries&location_1_location=*court+st*`,
  'rgb-to-color-name': `${blocks}/rgb-to-color-name?R=255&G=127&B=80&alternatives=5`,
};

/** A desktop's is cut: what is below is more of the same. */
const HEIGHT = 820;

const folder = path.join(ROOT, 'docs', 'images');
await mkdir(folder, { recursive: true });
const service = await startService();
const browser = await openBrowser();
try {
  for (const [name, address] of Object.entries(SHOWN)) {
    for (const [window, { width }] of Object.entries({
      desktop: WINDOWS.desktop,
      phone: WINDOWS.phone,
    })) {
      const height = window === 'desktop' ? HEIGHT : WINDOWS.phone.height;
      const page = await visit(browser, { viewport: { width, height }, colorScheme: 'light' });
      await page.goto(service.url + address);
      await writeFile(path.join(folder, `${name}-${window}.png`), await page.screenshot());
      await page.context().close();
    }
  }
} finally {
  await browser.close();
  await service.close();
}
