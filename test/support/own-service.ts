import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildAssets } from '../../src/assets/build-assets.ts';
import { ColumnCache } from '../../src/columns/column-cache.ts';
import { packedRows } from '../../src/columns/memory-rows.ts';
import { seedTable, tableName } from '../../src/dynamodb/client.ts';
import { datasetStore } from '../../src/dynamodb/dataset-store.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { type ServedBlock, serveValue } from '../../src/http/served-block.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { KeptFiles } from '../../src/local/kept-files.ts';
import { localAccess } from '../../src/local/local-access.ts';
import { type LocalSettings, localServer } from '../../src/local/local-server.ts';
import { serverErrorLog } from '../../src/local/start.ts';
import { profileWithPicture } from '../../src/views/draw-picture.ts';
import { SETTINGS } from './ample.ts';
import { importDataset } from './datasets.ts';
import { ROOT } from './service.ts';
import { startStore } from './start-store.ts';

export type OwnSettings = Pick<LocalSettings, 'slackSecrets' | 'isTrustedProxy'>;

export type OwnService = {
  readonly url: string;
  readonly log: Record<string, unknown>[];
  close(): Promise<void>;
};

/** A DynamoDB in memory, and services over it. */
export type OwnStore = {
  /** Starts the three blocks on a port of 127.0.0.1; their data are written by the first. */
  serve(cacheBytes: number, settings: OwnSettings): Promise<OwnService>;
  stop(): Promise<void>;
};

export async function startOwnStore(): Promise<OwnStore> {
  const { client, reader, stop } = await startStore();
  return {
    stop,
    serve: async (cacheBytes, settings) => {
      const log: Record<string, unknown>[] = [];
      const seedData = path.join(ROOT, 'seed-data');
      const cache = new ColumnCache(cacheBytes);
      // Without memory, chunks are small: queries then cross many, and take the indexes.
      const rowsPerChunk = cacheBytes === 0 ? 40 : undefined;
      const served: ServedBlock[] = [];
      const files = await mkdtemp(path.join(tmpdir(), 'blockyard-test-'));
      const keptFiles = new KeptFiles({ folder: files, code: 'a test' });
      for (const loaded of await loadBlocks(path.join(ROOT, 'functions'))) {
        if (loaded.kind === 'value') {
          served.push(serveValue(loaded.block, loaded.createRun(seedData)));
          continue;
        }
        const { block, dataset } = loaded;
        // As a deployment has it: with the items of its rows.
        const imported = await importDataset(block, dataset, seedData, rowsPerChunk);
        const { manifest, columns, boundaries } = imported;
        const profile = await profileWithPicture(imported, packedRows(block.fields, columns));
        await seedTable(client, imported);
        const table = { client: reader, name: tableName(manifest), block, manifest };
        const store = datasetStore(table, cache);
        served.push(
          serveDataset(
            { block, manifest, store },
            {
              profile: () => profile,
              files: keptFiles.of(block, manifest),
              ...(boundaries === undefined ? {} : { boundaries: () => boundaries }),
            },
          ),
        );
      }
      let address: string | undefined;
      const server = localServer(
        served,
        {
          ...SETTINGS,
          record: serverErrorLog((line) => log.push(JSON.parse(line))),
          // As a deployed service has it.
          ...localAccess({ allowOrigin: '*', allowFrames: '*' }),
          publication: { address: () => address },
          ...settings,
        },
        await buildAssets(ROOT),
      );
      // A client that is slow could send on a connection just as it is closed.
      server.keepAliveTimeout = 600_000;
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      address = `${url}/`;
      return {
        url,
        log,
        close: async () => {
          server.closeAllConnections();
          await new Promise((resolve) => server.close(resolve));
          await rm(files, { recursive: true, force: true });
        },
      };
    },
  };
}

/** A service with a store of its own. */
export async function startOwnService(
  cacheBytes: number,
  settings: OwnSettings,
): Promise<OwnService> {
  const store = await startOwnStore();
  try {
    const service = await store.serve(cacheBytes, settings);
    return {
      ...service,
      close: async () => {
        await service.close();
        await store.stop();
      },
    };
  } catch (error) {
    await store.stop();
    throw error;
  }
}
