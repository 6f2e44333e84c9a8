import path from 'node:path';
import { buildAssets } from '../assets/build-assets.ts';
import type { Block } from '../block/block.ts';
import { secretsIn } from '../channels/slack/slash-command.ts';
import { ColumnCache, DEFAULT_CACHE_BYTES } from '../columns/column-cache.ts';
import { describeCause, isOurFault, type Recorder } from '../http/run-record.ts';
import { loadBlocks } from '../import/load-blocks.ts';
import { hashesOnce } from '../import/seed-files.ts';
import { markOf, type Publication } from '../portals/publication.ts';
import type { OnProgress } from '../recipe/gather-evidence.ts';
import { curl } from '../snippets/curl.ts';
import { sendable } from '../snippets/snippet.ts';
import { numberText } from '../text/wording.ts';
import { buildOf } from './import-hash.ts';
import { KeptFiles } from './kept-files.ts';
import { checkPlace, listen } from './listen.ts';
import { localAccess } from './local-access.ts';
import { localServer } from './local-server.ts';
import { prepareBlocks } from './prepare-datasets.ts';
import { DATA_FOLDER, type FolderSettings, VersionFolders } from './version-folders.ts';
import type { VersionStore } from './version-store.ts';

/** How to start a server; absent members have their defaults. */
export type StartSettings = {
  /** The checkout's folder, with the sources. */
  readonly root: string;
  /** The folder with `functions/` and `seed-data/`; the checkout's if absent. */
  readonly blocks?: string;
  readonly host?: string;
  readonly port?: number;
  /** How many ports after it may do instead, if it is taken. */
  readonly otherPorts?: number;
  readonly cacheBytes?: number;
  /** A DynamoDB to use instead of a folder: the address of an emulator, or an embedded one. */
  readonly dynamodb?: string | 'embedded';
  /** Where versions of the data are kept. */
  readonly dataFolder?: string;
  /** The signing secret of a Slack app, as `secretsIn` reads it. */
  readonly slackSecret?: string;
  /** `ALLOW_HOST`, `ALLOW_ORIGIN`, `ALLOW_FRAMES`, `TRUST_PROXY`, as `localAccess` reads them. */
  readonly allowHost?: string;
  readonly allowOrigin?: string;
  readonly allowFrames?: string;
  readonly trustProxy?: string;
  /** What portals are told; the server's own address is its public one, if none is set. */
  readonly publication?: Publication;
  readonly record: Recorder;
  readonly runWithinMs?: number;
  /** What goes on behind the answers, for the person who started it. */
  readonly onProgress?: OnProgress;
};

export type Started = {
  readonly url: string;
  readonly port: number;
  /** Lines for the person who started it. */
  readonly report: readonly string[];
  /** Takes no new requests, and finishes those under way. */
  stop(): Promise<void>;
};

/** A page lists all blocks. */
const MOST_LINES = 10;

/** How long running requests may take to finish at a stop. */
const FINISH_WITHIN_MS = 10_000;

/** Everything on one machine: the blocks, their data in a folder or a DynamoDB, and a server. */
export async function start(settings: StartSettings): Promise<Started> {
  const { root, blocks: folder = root, host = '127.0.0.1', port = 8787 } = settings;
  const { otherPorts = 0, record, runWithinMs, onProgress = () => {} } = settings;
  const place = { host, port, others: otherPorts };
  await checkPlace(place);
  const cache = new ColumnCache(settings.cacheBytes ?? DEFAULT_CACHE_BYTES);
  const seedData = path.join(folder, 'seed-data');
  const dataFolder = settings.dataFolder ?? path.join(folder, DATA_FOLDER);
  const hashOfFile = hashesOnce(seedData);
  const { slackSecret } = settings;
  const access = localAccess(settings);
  const slackSecrets = slackSecret === undefined ? undefined : secretsIn(slackSecret);
  if (slackSecrets?.length === 0) {
    throw new Error('SLACK_SIGNING_SECRET is blank; unset it, or give the secret of a Slack app.');
  }
  let store: VersionStore | undefined;
  let keptFiles: KeptFiles | undefined;
  try {
    const [loaded, { build, code }, files] = await Promise.all([
      loadBlocks(path.join(folder, 'functions')),
      buildOf(root, folder, hashOfFile),
      buildAssets(root),
    ]);
    const importedBy = { build, code, hashOfFile };
    const opened = await openStore(settings, { folder: dataFolder, importedBy, cache, onProgress });
    store = opened.store;
    keptFiles = new KeptFiles({ folder: path.join(dataFolder, 'files'), code });
    const blocks = await prepareBlocks(loaded, { store, seedData, hashOfFile, keptFiles });
    const served = blocks.map((block) => block.served);
    let address: string | undefined;
    const { publication: said } = settings;
    const publication = { ...said, address: said?.address ?? (() => address) };
    const server = localServer(
      served,
      {
        build: `${build}${markOf(settings.publication)}`,
        publication,
        record,
        ...access,
        runWithinMs,
        slackSecrets: slackSecrets === undefined ? undefined : async () => slackSecrets,
      },
      files,
    );
    const bound = await listen(server, place);
    const removed = Promise.all([store.removeOthers?.(), keptFiles.removeOthers()]).catch(
      ({ message }: Error) =>
        onProgress(
          `Older data are still in ${dataFolder} (${message}); the next start tries again.`,
        ),
    );
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
    address = `${url}/`;
    return {
      url,
      port: bound,
      report: [
        `blockyard is at ${url}`,
        '',
        ...served.slice(0, MOST_LINES).map(({ block }) => curlLine(url, block)),
        ...(served.length > MOST_LINES
          ? [`… and ${numberText(served.length - MOST_LINES)} more blocks: ${url}/`]
          : []),
        '',
        ...blocks.flatMap((block) => block.report),
        `Slack: ${slackSecret === undefined ? 'off (no SLACK_SIGNING_SECRET)' : 'on'}`,
        opened.place,
      ],
      stop: async () => {
        const closed = new Promise((resolve) => server.close(resolve));
        const timer = setTimeout(() => server.closeAllConnections(), FINISH_WITHIN_MS);
        // Close connections that become idle: they would stay open for another request.
        const sweep = setInterval(() => server.closeIdleConnections(), 50);
        await closed;
        clearTimeout(timer);
        clearInterval(sweep);
        await removed;
        await keptFiles?.close();
        await store?.close();
      },
    };
  } catch (error) {
    await store?.close();
    throw error;
  }
}

/** Opens where the versions are, and says where that is. */
async function openStore(
  { dynamodb }: StartSettings,
  folders: FolderSettings,
): Promise<{ readonly store: VersionStore; readonly place: string }> {
  if (dynamodb === undefined) {
    const shown = path.relative(process.cwd(), folders.folder) || '.';
    return { store: await VersionFolders.in(folders), place: `Data: ${shown}` };
  }
  // A start from a folder need not load the SDK.
  const { emulatorStore } = await import('./emulator-store.ts');
  if (dynamodb !== 'embedded') {
    const store = await emulatorStore(dynamodb, folders.cache);
    return { store, place: `DynamoDB: ${dynamodb}` };
  }
  const { startEmbeddedDynamodb } = await import('./embedded-dynamodb.ts');
  const { endpoint, stop } = await startEmbeddedDynamodb();
  const store = await emulatorStore(endpoint, folders.cache);
  const close = () => store.close().then(stop);
  return { store: { ...store, close }, place: `DynamoDB: ${endpoint}, embedded and in memory` };
}

/** A command line to paste that runs the block's first example. */
export function curlLine(url: string, { name, examples }: Block): string {
  const call = { url: `${url}/api_v2/blocks/${name}`, arguments: examples[0]?.arguments ?? {} };
  return curl(sendable(call));
}

/**
 * Logs a line of JSON for each run that broke on our side, and nothing for others. The places in
 * the code are told of a fault of ours alone, not of a store or a machine that is too slow.
 */
export function serverErrorLog(write: (line: string) => void): Recorder {
  return (run) => {
    if (!isOurFault(run)) return;
    const { runId, code, cause } = run;
    const isWithStack = code === 'internal-error';
    const told = describeCause(cause, { isWithStack });
    write(JSON.stringify({ level: 'error', runId, code, cause: told }));
  };
}
