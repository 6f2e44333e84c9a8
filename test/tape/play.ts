import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildAssets } from '../../src/assets/build-assets.ts';
import { bytesOf } from '../../src/http/answer.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { localService } from '../../src/local/local-server.ts';
import { prepareBlocks } from '../../src/local/prepare-datasets.ts';
import type { VersionFolders } from '../../src/local/version-folders.ts';
import { SLACK_SECRET, signed } from '../slack/signed-request.ts';
import { SETTINGS } from '../support/ample.ts';
import { folderStore } from '../support/folder-store.ts';
import { ROOT } from '../support/service.ts';
import { entryOf, partsOf } from './parts.ts';
import type { TapeRequest } from './requests.ts';

/** An answer as text, without run ids, dates and timings, and the line that the tape has of it. */
export type TapeAnswer = { readonly entry: string; readonly text: string };

export type Player = {
  play(request: TapeRequest): Promise<TapeAnswer>;
  /** Of each dataset, its version. */
  readonly versions: Readonly<Record<string, string>>;
  stop(): Promise<void>;
};

/** Small, so that a query crosses many chunks. */
const ROWS_PER_CHUNK = 64;

/** Starts the three blocks and one with a field of every type, in process, with a fixed build name. */
export async function startPlayer(): Promise<Player> {
  const data = await mkdtemp(path.join(tmpdir(), 'blockyard-tape-'));
  const stores: VersionFolders[] = [];
  const folders = [ROOT, path.join(ROOT, 'test/tape/blocks')];
  const prepared = [];
  for (const folder of folders) {
    const seedData = path.join(folder, 'seed-data');
    const store = await folderStore(path.join(data, String(stores.length)), seedData, {
      rowsPerChunk: ROWS_PER_CHUNK,
    });
    stores.push(store);
    const loaded = await loadBlocks(path.join(folder, 'functions'));
    const settings = { store, seedData, rowsPerChunk: ROWS_PER_CHUNK };
    prepared.push(...(await prepareBlocks(loaded, settings)));
  }
  const served = prepared.map((one) => one.served);
  const settings = { ...SETTINGS, build: 'tape', slackSecrets: async () => [SLACK_SECRET] };
  const service = localService(served, settings, await buildAssets(ROOT));
  return {
    play: async ({ method, path: target, headers = {}, body, sign }) => {
      const { headers: signature = {} } = sign ? signed(body ?? '') : {};
      const at = new URL(target, 'http://tape.example');
      const bytes = Buffer.from(body ?? '');
      const ask = () =>
        service({
          method,
          origin: at.origin,
          path: at.pathname,
          query: at.search.slice(1),
          headers: {
            host: at.host,
            ...headers,
            ...signature,
            'content-length': String(bytes.length),
          },
          body: async () => bytes,
          canStream: true,
          runId: '00000000-0000-4000-8000-000000000000',
        });
      // A busy machine may take a run's whole time. That changes no answer.
      let answer = await ask();
      if (answer.status === 503) answer = await ask();
      const sent = answer.body === null ? Buffer.alloc(0) : Buffer.from(await bytesOf(answer.body));
      const kept = Object.entries(answer.headers)
        .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
        .filter((line) => !/^(?:server-timing|date):/.test(line))
        .sort();
      // A call within the service has a run of its own.
      const shown = sent.toString('latin1').replace(RUN, 'RUN');
      const text = [String(answer.status), ...kept, '', shown].join('\n');
      return { entry: entryOf(partsOf(text)), text };
    },
    versions: Object.fromEntries(
      served.flatMap(({ block, manifest }) => (manifest ? [[block.name, manifest.version]] : [])),
    ),
    stop: async () => {
      for (const store of stores) await store.close();
      await rm(data, { recursive: true });
    },
  };
}

const RUN = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
