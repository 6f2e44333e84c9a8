import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buildAssets } from '../../src/assets/build-assets.ts';
import { loadBlocks } from '../../src/importer/load-blocks.ts';
import { localAccess } from '../../src/local/local-access.ts';
import { type LocalSettings, localServer } from '../../src/local/local-server.ts';
import { prepareBlocks } from '../../src/local/prepare-datasets.ts';
import { serverErrorLog } from '../../src/local/server-error-log.ts';
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
      const blocks = await prepareBlocks(await loadBlocks(path.join(ROOT, 'functions')), {
        clients: { client, reader },
        seedData: path.join(ROOT, 'seed-data'),
        cacheBytes,
        // Without memory, chunks are small: queries then cross many, and take the indexes.
        ...(cacheBytes === 0 ? { rowsPerChunk: 40 } : {}),
        ownsStore: false,
      });
      // The rows' items are there before the first request, so that indexes are tried.
      for (const { finish } of blocks) {
        await finish?.((line) => log.push({ line }), new AbortController().signal);
      }
      const server = localServer(
        blocks.map(({ served }) => served),
        {
          build: 'test',
          record: serverErrorLog((line) => log.push(JSON.parse(line))),
          // As a deployed service has it.
          ...localAccess({ allowOrigin: '*', allowFrames: '*' }),
          ...settings,
        },
        await buildAssets(ROOT),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        log,
        close: async () => {
          server.closeAllConnections();
          await new Promise((resolve) => server.close(resolve));
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
