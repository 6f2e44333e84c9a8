import { rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buildAssets } from '../../src/assets/build-assets.ts';
import type { DatasetBlock } from '../../src/block/block.ts';
import { packedRows } from '../../src/columns/memory-rows.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { type ServedBlock, serveValue } from '../../src/http/served-block.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { KeptFiles } from '../../src/local/kept-files.ts';
import { localServer } from '../../src/local/local-server.ts';
import type { Publication } from '../../src/portals/publication.ts';
import { SETTINGS } from './ample.ts';
import { type ImportedDataset, importDataset, makeDataset } from './datasets.ts';
import { hostileBlock, hostileDataset } from './hostile-dataset.ts';
import { temporaryFolder } from './process.ts';
import { ROOT } from './service.ts';
import { sampleSpots, spotsBlock } from './spots-block.ts';

/** Texts that would end a script, run in a page, or be a link in Markdown. */
export const HOSTILE = '</script><script>window.ran=1</script><!-- ](x) & \u2028 "';

/** The hostile dataset once more, with hostile words about it, and nothing stated of its terms. */
const namelessBlock: DatasetBlock = {
  ...hostileBlock,
  id: 'nameless',
  name: 'nameless',
  title: HOSTILE,
  description: HOSTILE,
  noun: HOSTILE,
  fields: hostileBlock.fields.map((field) => ({ ...field, title: HOSTILE })),
  origin: { sources: [{ title: HOSTILE }] },
};

/** Blocks of the checkout and of the tests, served from memory as a publisher has set it up. */
export async function startForPortals(publication: Publication, more: readonly MadeBlock[] = []) {
  const folder = await temporaryFolder();
  const blocks = await servedBlocks(new KeptFiles({ folder, code: 'a test' }), more);
  let address: string | undefined;
  const told = { address: () => address, ...publication };
  const server: Server = localServer(
    blocks,
    { ...SETTINGS, publication: told },
    await buildAssets(ROOT),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  address = `${url}/`;
  return {
    url,
    blocks,
    get: async (below: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${url}${below}`, { headers });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
      return rm(folder, { recursive: true, force: true });
    },
  };
}

type MadeBlock = readonly [DatasetBlock, ImportedDataset];

async function servedBlocks(files: KeptFiles, more: readonly MadeBlock[]): Promise<ServedBlock[]> {
  const inMemory = inMemoryWith.bind(undefined, files);
  const seedData = path.join(ROOT, 'seed-data');
  const shipped: ServedBlock[] = [];
  for (const loaded of await loadBlocks(path.join(ROOT, 'functions'))) {
    if (loaded.kind === 'value') {
      shipped.push(serveValue(loaded.block, loaded.createRun(seedData)));
    } else {
      shipped.push(
        inMemory(loaded.block, await importDataset(loaded.block, loaded.dataset, seedData)),
      );
    }
  }
  const made = { title: 'Made by a test' };
  return [
    ...shipped,
    inMemory(hostileBlock, hostileDataset),
    inMemory(namelessBlock, hostileDataset),
    inMemory(spotsBlock, makeDataset(spotsBlock, sampleSpots(200, 3), made)),
    ...more.map(([block, dataset]) => inMemory(block, dataset)),
  ];
}

function inMemoryWith(
  files: KeptFiles,
  block: DatasetBlock,
  { manifest, columns, profile }: Pick<ImportedDataset, 'manifest' | 'columns' | 'profile'>,
): ServedBlock {
  const store = packedRows(block.fields, columns);
  const more = { profile: () => profile, files: files.of(block, manifest) };
  return serveDataset({ block, manifest, store }, more);
}
