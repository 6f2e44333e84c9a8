import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandArguments } from '../../support/command-arguments.ts';
import { COOKBOOK_PICTURES, startCookbook } from '../../support/cookbook.ts';
import { install } from '../../support/install.ts';
import { ROOT, startService } from '../../support/service.ts';
import { openBrowser, visit, WINDOWS } from './browser.ts';

/** `npm run screenshots`: pages and figures as the documents show them, in `docs/images`. */
const blocks = '/api_v2/blocks';
const SHOWN = {
  catalogue: '/',
  'groups-on-a-map': `${blocks}/census-neighborhoods?_group=neighborhood_1&_measure=sum:vacant_units`,
  'census-neighborhoods': `${blocks}/census-neighborhoods`,
  'business-directory': `${blocks}/business-directory`,
  'businesses-on-a-map': `${blocks}/business-directory?_view=map&type_of_business=laundries`,
  'rgb-to-color-name': `${blocks}/rgb-to-color-name?R=255&G=127&B=80&alternatives=5`,
};

/** A desktop's is cut: what is below is more of the same. It has room for the map beside the table. */
const DESKTOP = { width: 1440, height: 860 };

await install('test/channels/tools');
const { isSmoke } = commandArguments();
const shown = Object.entries(SHOWN).slice(0, isSmoke ? 2 : undefined);
const folder = isSmoke
  ? await mkdtemp(path.join(tmpdir(), 'blockyard-screenshots-'))
  : path.join(ROOT, 'docs', 'images');
await mkdir(folder, { recursive: true });
const service = await startService();
const browser = await openBrowser();
try {
  for (const [name, address] of shown) {
    for (const [window, viewport] of Object.entries({ desktop: DESKTOP, phone: WINDOWS.phone })) {
      const page = await visit(browser, { viewport, colorScheme: 'light' });
      await page.goto(service.url + address);
      await writeFile(path.join(folder, `${name}-${window}.png`), await page.screenshot());
      await page.context().close();
    }
  }
  const cookbook = await startCookbook();
  for (const { file, query } of COOKBOOK_PICTURES) {
    const picture = await cookbook.picture(query);
    await writeFile(path.join(folder, path.basename(file)), picture);
  }
  await cookbook.stop();
} finally {
  await browser.close();
  await service.close();
  if (isSmoke) await rm(folder, { recursive: true });
}
