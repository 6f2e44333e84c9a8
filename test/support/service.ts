import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buildAssets } from '../../src/assets/build-assets.ts';
import { DEFAULT_RESIDENT_BYTES } from '../../src/core/query-plan.ts';
import { createClient } from '../../src/dynamodb/client.ts';
import { loadBlocks } from '../../src/importer/load-blocks.ts';
import { startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { localAccess } from '../../src/local/local-access.ts';
import { type LocalSettings, localServer } from '../../src/local/local-server.ts';
import { prepareBlocks } from '../../src/local/prepare-datasets.ts';
import { serverErrorLog } from '../../src/local/server-error-log.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** A service under test, wherever it is: one suite for this machine and for a deployed API. */
export type Service = {
  readonly url: string;
  /** Entries of the log, for what must or must not be in it. */
  readonly log: Record<string, unknown>[];
  post(block: string, body?: unknown, more?: RequestMore): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(path: string, init: RequestInit): Promise<Answer>;
  close(): Promise<void>;
};

export type RequestMore = { query?: string; headers?: Record<string, string> };

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly body: any;
};

/** Where rows come from: the two that must not differ. */
export const PATHS: readonly (readonly [string, number])[] = [
  ['resident', DEFAULT_RESIDENT_BYTES],
  ['DynamoDB', 0],
];

/** Base URLs of deployed services, to be tested instead of this machine's. */
const { DEPLOYED_RESIDENT_URL, DEPLOYED_DYNAMODB_URL } = process.env;

/** Starts the three blocks on a port of 127.0.0.1, their data in a DynamoDB in memory. */
export async function startService(
  residentBytes = DEFAULT_RESIDENT_BYTES,
  secrets: Pick<LocalSettings, 'slackSecrets'> = {},
): Promise<Service> {
  const deployed = residentBytes > 0 ? DEPLOYED_RESIDENT_URL : DEPLOYED_DYNAMODB_URL;
  if (deployed !== undefined) return { ...callers(deployed), log: [], close: async () => {} };
  const embedded = await startEmbeddedDynamodb();
  const client = createClient({ endpoint: embedded.endpoint });
  const stopStore = async () => {
    client.destroy();
    await embedded.stop();
  };
  const log: Record<string, unknown>[] = [];
  try {
    const blocks = await prepareBlocks(await loadBlocks(path.join(ROOT, 'functions')), {
      client,
      seedData: path.join(ROOT, 'seed-data'),
      residentBytes,
      ownsStore: true,
    });
    const server = localServer(
      blocks.map(({ served }) => served),
      {
        build: 'test',
        record: serverErrorLog((line) => log.push(JSON.parse(line))),
        // As a deployed service has it.
        ...localAccess({ allowOrigin: '*' }),
        ...secrets,
      },
      await buildAssets(ROOT),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return {
      ...callers(url),
      log,
      close: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        await stopStore();
      },
    };
  } catch (error) {
    await stopStore();
    throw error;
  }
}

export function callers(url: string): Omit<Service, 'log' | 'close'> {
  const send = async (pathAndQuery: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(url + pathAndQuery, init);
    const text = await response.text();
    const isJson =
      /[/+](?:geo\+)?json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  };
  return {
    url,
    send,
    get: (pathAndQuery, headers = {}) => send(pathAndQuery, { headers }),
    post: (block, body, { query = '', headers = {} } = {}) =>
      send(`/api_v2/blocks/${block}${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}
