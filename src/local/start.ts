import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buildAssets } from '../assets/build-assets.ts';
import { DEFAULT_CACHE_BYTES } from '../columns/column-cache.ts';
import { checkEndpoint } from '../dynamodb/check-endpoint.ts';
import { createClient } from '../dynamodb/client.ts';
import { ReadClient } from '../dynamodb/read-client.ts';
import type { Recorder } from '../http/run-record.ts';
import { loadBlocks } from '../importer/load-blocks.ts';
import { secretsIn } from '../slack/read-secrets.ts';
import { buildOf } from './build-of.ts';
import { CONNECTION_BOUNDS } from './connections.ts';
import { curlLine } from './curl-line.ts';
import { startEmbeddedDynamodb } from './embedded-dynamodb.ts';
import type { Tell } from './finish-table.ts';
import { localAccess } from './local-access.ts';
import { localServer } from './local-server.ts';
import { type PreparedBlock, prepareBlocks } from './prepare-datasets.ts';

/** How to start a server; absent members have their defaults. */
export type StartSettings = {
  /** The checkout's folder, with the sources. */
  readonly root: string;
  /** The folder with `functions/` and `seed-data/`; the checkout's if absent. */
  readonly blocks?: string;
  readonly host?: string;
  readonly port?: number;
  readonly cacheBytes?: number;
  /** A DynamoDB to use instead of the embedded one. */
  readonly endpoint?: string;
  /** Where the embedded DynamoDB keeps its data. */
  readonly dataFolder?: string;
  /** The signing secret of a Slack app, as `secretsIn` reads it. */
  readonly slackSecret?: string;
  /** `ALLOW_HOST` and `ALLOW_ORIGIN`, as `localAccess` reads them. */
  readonly allowHost?: string;
  readonly allowOrigin?: string;
  readonly record: Recorder;
  /** What goes on behind the answers, for the person who started it. */
  readonly tell?: Tell;
};

export type Started = {
  readonly url: string;
  /** Lines for the person who started it. */
  readonly report: readonly string[];
  /** Resolves if the embedded DynamoDB ends without being stopped: without it, most is a 503. */
  readonly storeLost: Promise<Error>;
  /** Takes no new requests, finishes those under way, and ends the embedded DynamoDB. */
  stop(): Promise<void>;
};

/** A page lists all blocks. */
const MOST_LINES = 10;

/** How long requests under way may take to finish. */
const FINISH_WITHIN_MS = 10_000;

/** Everything on one machine: the blocks, their data in a real DynamoDB, and a server. */
export async function start(settings: StartSettings): Promise<Started> {
  const { root, blocks: folder = root, host = '127.0.0.1', port = 8787 } = settings;
  const { record, tell = () => {} } = settings;
  const cacheBytes = settings.cacheBytes ?? DEFAULT_CACHE_BYTES;
  const seedData = path.join(folder, 'seed-data');
  const dataFolder = settings.dataFolder ?? path.join(folder, '.blockyard', 'dynamodb');
  const { slackSecret } = settings;
  const access = localAccess(settings);
  const slackSecrets = slackSecret === undefined ? undefined : secretsIn(slackSecret);
  if (slackSecrets?.length === 0) {
    throw new Error('SLACK_SIGNING_SECRET is blank; unset it, or give the secret of a Slack app.');
  }
  const { endpoint } = settings;
  const ownsStore = endpoint === undefined;
  const embedding = ownsStore ? startEmbeddedDynamodb(dataFolder) : undefined;
  const connecting = (async () => {
    const at = { endpoint: endpoint ?? (await embedding)?.endpoint ?? '' };
    const client = createClient(at);
    if (endpoint !== undefined) await checkEndpoint(client, endpoint);
    return { client, reader: new ReadClient(at) };
  })();
  // Its failure is met where it is waited for.
  connecting.catch(() => {});
  const stopEmbedded = async () => {
    const embedded = await embedding?.catch(() => undefined);
    await embedded?.stop();
    return embedded?.ended;
  };
  try {
    const [loaded, { build, code }, files] = await Promise.all([
      loadBlocks(path.join(folder, 'functions')),
      buildOf(root, folder),
      buildAssets(root),
    ]);
    const blocks = await prepareBlocks(loaded, {
      ...{ clients: connecting, seedData, cacheBytes, ownsStore },
      ...(ownsStore ? { kept: { folder: path.join(dataFolder, 'imports'), build, code } } : {}),
    });
    const { client, reader } = await connecting;
    const served = blocks.map((block) => block.served);
    const server = localServer(
      served,
      {
        build,
        record,
        ...access,
        ...(slackSecrets === undefined ? {} : { slackSecrets: async () => slackSecrets }),
      },
      files,
    );
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      // Node's own backlog of 511 would make those who come together try again after seconds.
      server.listen({ port, host, backlog: CONNECTION_BOUNDS.connections }, resolve);
    });
    const { port: bound } = server.address() as AddressInfo;
    const stopping = new AbortController();
    const finished = finishAll(blocks, tell, stopping.signal);
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
    const embedded = await embedding;
    return {
      url,
      storeLost: new Promise((resolve) => embedded?.ended.then((error) => error && resolve(error))),
      report: [
        `blockyard is at ${url}`,
        '',
        ...served.slice(0, MOST_LINES).map(({ block }) => curlLine(url, block)),
        ...(served.length > MOST_LINES
          ? [`… and ${served.length - MOST_LINES} more blocks: ${url}/`]
          : []),
        '',
        ...blocks.flatMap((block) => block.report),
        `Slack: ${slackSecret === undefined ? 'off (no SLACK_SIGNING_SECRET)' : 'on'}`,
        `DynamoDB: ${embedded === undefined ? endpoint : `embedded at ${embedded.endpoint}, data in ${path.relative(process.cwd(), dataFolder) || '.'}`}`,
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
        client.destroy();
        reader.destroy();
        await stopEmbedded();
      },
    };
  } catch (error) {
    // If the store has ended, whatever was asked of it has failed for that reason.
    throw (await stopEmbedded()) ?? error;
  }
}

/** Completes the blocks' tables, one after another, while they are served. */
async function finishAll(
  blocks: readonly PreparedBlock[],
  tell: Tell,
  signal: AbortSignal,
): Promise<void> {
  for (const { finish } of blocks) {
    if (!signal.aborted) await finish?.(tell, signal);
  }
}
