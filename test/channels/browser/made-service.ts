import type { AddressInfo } from 'node:net';
import { buildAssets } from '../../../src/assets/build-assets.ts';
import type { DatasetBlock } from '../../../src/block/block.ts';
import { serveDataset } from '../../../src/http/serve-dataset.ts';
import type { ServedBlock } from '../../../src/http/served-block.ts';
import { localAccess } from '../../../src/local/local-access.ts';
import { localServer } from '../../../src/local/local-server.ts';
import type { Row } from '../../../src/values/field-type.ts';
import { SETTINGS } from '../../support/ample.ts';
import { makeDataset } from '../../support/datasets.ts';
import { memoryRows } from '../../support/memory-rows.ts';
import { ROOT } from '../../support/service.ts';

/** A made-up block as a service for a browser. `url` is the block's; such pages may frame its own. */
export async function startMade(block: DatasetBlock, rows: readonly Row[], allowFrames = '*') {
  const { manifest, profile, rows: packed } = makeDataset(block, rows, { title: 'Made' });
  const store = memoryRows(block.fields, packed);
  return startServed(
    serveDataset({ block, manifest, store }, { profile: () => profile }),
    allowFrames,
  );
}

/** A block that is served, for a browser. */
export async function startServed(served: ServedBlock, allowFrames = '*') {
  const access = localAccess({ allowOrigin: '*', allowFrames });
  const server = localServer([served], { ...SETTINGS, ...access }, await buildAssets(ROOT));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api_v2/blocks/${served.block.name}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type MadeService = Awaited<ReturnType<typeof startMade>>;
