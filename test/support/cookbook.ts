import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runAdd } from '../../src/commands/add-command.ts';
import { start } from '../../src/local/start.ts';
import { fencesOf, readDocument } from '../docs/markdown.ts';
import { SHOWN_URL } from '../docs/run-snippet.ts';
import { AMPLE_MS } from './ample.ts';
import { ROOT } from './service.ts';

export const COOKBOOK = 'docs/cookbook.md';

/** A picture of the cookbook: its file, and the query of the page that draws it. */
export type CookbookPicture = { readonly file: string; readonly query: string };

export const COOKBOOK_PICTURES: readonly CookbookPicture[] = [
  ...readDocument(COOKBOOK).matchAll(/\]\((images\/[^)]+\.svg)\)\]\(([^)]+)\)/g),
].map(([, image = '', address = '']) => ({
  file: path.join('docs', image),
  query: address.slice(`${SHOWN_URL}/api_v2/blocks/repairs?`.length),
}));

/** A service of the cookbook's file, which is added as the cookbook says. */
export async function startCookbook() {
  const folder = await mkdtemp(path.join(tmpdir(), 'blockyard-cookbook-'));
  const from = path.join(folder, 'repairs.csv');
  const file = fencesOf(readDocument(COOKBOOK)).find(({ more }) => more === 'repairs.csv');
  await writeFile(from, `${file?.text}\n`);
  const ignore = () => {};
  const code = await runAdd([from], { out: ignore, err: ignore }, { blocks: folder });
  if (code !== 0) throw new Error(`The cookbook's file is not added: ${code}`);
  const started = await start({
    ...{ root: ROOT, blocks: folder, port: 0 },
    ...{ record: ignore, runWithinMs: AMPLE_MS },
  });
  return {
    url: started.url,
    /** The figure of a page as SVG. */
    async picture(query: string): Promise<string> {
      const response = await fetch(`${started.url}/api_v2/blocks/repairs?${query}&_format=svg`);
      if (response.status !== 200) throw new Error(await response.text());
      return response.text();
    },
    async stop(): Promise<void> {
      await started.stop();
      await rm(folder, { recursive: true });
    },
  };
}
