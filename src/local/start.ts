import path from 'node:path';
import { buildAssets } from '../assets/build-assets.ts';
import type { Block } from '../block/block.ts';
import { secretsIn } from '../channels/slack/slash-command.ts';
import { curl } from '../channels/snippets/curl.ts';
import { sendable } from '../channels/snippets/snippet.ts';
import { DEFAULT_CACHE_BYTES } from '../columns/column-cache.ts';
import { checkEndpoint, createClient } from '../dynamodb/client.ts';
import { ReadClient } from '../dynamodb/read-client.ts';
import { describeCause, isOurFault, type Recorder } from '../http/run-record.ts';
import { loadBlocks } from '../import/load-blocks.ts';
import { hashesOnce } from '../import/seed-files.ts';
import { markOf, type Publication } from '../portals/publication.ts';
import type { OnProgress } from '../recipe/gather-evidence.ts';
import { numberText } from '../text/wording.ts';
import { buildOf, DATA_FOLDER } from './kept-imports.ts';
import { checkPlace, listen } from './listen.ts';
import { localAccess } from './local-access.ts';
import { localServer } from './local-server.ts';
import { OwnStore } from './own-store.ts';
import { type Clients, type PreparedBlock, prepareBlocks } from './prepare-datasets.ts';

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
  /** A DynamoDB to use instead of the embedded one. */
  readonly endpoint?: string;
  /** Where the embedded DynamoDB keeps its data. */
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
  /** Resolves if the embedded DynamoDB ends without being stopped: without it, most is a 503. */
  readonly storeLost: Promise<Error>;
  /** Takes no new requests, finishes those under way, and ends the embedded DynamoDB. */
  stop(): Promise<void>;
};

/** A page lists all blocks. */
const MOST_LINES = 10;

/** How long running requests may take to finish at a stop. */
const FINISH_WITHIN_MS = 10_000;

/** Everything on one machine: the blocks, their data in a real DynamoDB, and a server. */
export async function start(settings: StartSettings): Promise<Started> {
  const { root, blocks: folder = root, host = '127.0.0.1', port = 8787 } = settings;
  const { otherPorts = 0, record, runWithinMs, onProgress = () => {} } = settings;
  const place = { host, port, others: otherPorts };
  await checkPlace(place);
  const cacheBytes = settings.cacheBytes ?? DEFAULT_CACHE_BYTES;
  const seedData = path.join(folder, 'seed-data');
  const dataFolder = settings.dataFolder ?? path.join(folder, DATA_FOLDER);
  const hashOfFile = hashesOnce(seedData);
  const { slackSecret } = settings;
  const access = localAccess(settings);
  const slackSecrets = slackSecret === undefined ? undefined : secretsIn(slackSecret);
  if (slackSecrets?.length === 0) {
    throw new Error('SLACK_SIGNING_SECRET is blank; unset it, or give the secret of a Slack app.');
  }
  const { endpoint } = settings;
  const own = endpoint === undefined ? new OwnStore(dataFolder, onProgress) : undefined;
  const other = endpoint === undefined ? undefined : connect(endpoint);
  // Its failure is met where it is waited for.
  other?.catch(() => {});
  const clients = () => (own?.clients() ?? other) as Promise<Clients>;
  try {
    const [loaded, { build, code }, files] = await Promise.all([
      loadBlocks(path.join(folder, 'functions')),
      buildOf(root, folder, hashOfFile),
      buildAssets(root),
    ]);
    const prepare = () =>
      prepareBlocks(loaded, {
        ...{ clients, seedData, cacheBytes, onProgress },
        ...(own
          ? { kept: { folder: path.join(dataFolder, 'imports'), build, code, hashOfFile } }
          : {}),
      });
    const blocks = await (own?.fill(prepare) ?? prepare());
    const served = blocks.map((block) => block.served);
    let address: string | undefined;
    const publication = { address: () => address, ...settings.publication };
    const server = localServer(
      served,
      {
        build: `${build}${markOf(settings.publication)}`,
        publication,
        record,
        ...access,
        ...(runWithinMs === undefined ? {} : { runWithinMs }),
        ...(slackSecrets === undefined ? {} : { slackSecrets: async () => slackSecrets }),
      },
      files,
    );
    const bound = await listen(server, place);
    const stopping = new AbortController();
    const finished = finishAll(blocks, stopping.signal);
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
    address = `${url}/`;
    return {
      url,
      port: bound,
      storeLost: own?.lost ?? new Promise(() => {}),
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
        `DynamoDB: ${own === undefined ? endpoint : `embedded, for this server alone; data in ${path.relative(process.cwd(), dataFolder) || '.'}`}`,
      ],
      stop: async () => {
        stopping.abort();
        const closed = new Promise((resolve) => server.close(resolve));
        const timer = setTimeout(() => server.closeAllConnections(), FINISH_WITHIN_MS);
        // Close connections that become idle: they would stay open for another request.
        const sweep = setInterval(() => server.closeIdleConnections(), 50);
        await closed;
        clearTimeout(timer);
        clearInterval(sweep);
        await finished;
        await own?.stop();
        const connected = await other;
        connected?.client.destroy();
        connected?.reader.destroy();
      },
    };
  } catch (error) {
    // If the store has ended, whatever was asked of it has failed for that reason.
    throw (await own?.stop()) ?? error;
  }
}

/** Connects to a DynamoDB that is not the server's own. */
async function connect(endpoint: string) {
  const client = createClient({ endpoint });
  await checkEndpoint(client, endpoint);
  return { client, reader: new ReadClient({ endpoint }) };
}

/** Deletes what the blocks no longer need, one after another, while they are served. */
async function finishAll(blocks: readonly PreparedBlock[], signal: AbortSignal): Promise<void> {
  for (const { finish } of blocks) {
    if (!signal.aborted) await finish?.(signal);
  }
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
