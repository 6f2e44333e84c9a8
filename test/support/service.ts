import { appendFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { DEFAULT_CACHE_BYTES } from '../../src/columns/column-cache.ts';
import { isRunOfJest, madeOnce } from './once/made-once.ts';
import type { OwnSettings } from './own-service.ts';

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
  ['memory', DEFAULT_CACHE_BYTES],
  ['DynamoDB', 0],
];

/** Base URLs of deployed services, to be tested instead of this machine's. */
const { DEPLOYED_MEMORY_URL, DEPLOYED_DYNAMODB_URL, ASKED_AGAIN } = process.env;

/**
 * A service of the three blocks, to be asked and no more: suites share it. Slack's secret is
 * `SLACK_SECRET`. It has no log: for that, `startLoggedService`.
 */
export async function startService(cacheBytes = DEFAULT_CACHE_BYTES): Promise<Service> {
  const deployed = deployedUrl(cacheBytes);
  const shared = deployed ?? (await sharedUrl(cacheBytes));
  if (shared === undefined) return startLoggedService(cacheBytes);
  return ofOthers(shared, deployed === undefined ? asked : askedAgain);
}

/** A service of a suite's own, its data in a DynamoDB in memory: for its log, or its secrets. */
export async function startLoggedService(
  cacheBytes = DEFAULT_CACHE_BYTES,
  settings: OwnSettings = {},
): Promise<Service> {
  const deployed = deployedUrl(cacheBytes);
  if (deployed !== undefined) return ofOthers(deployed, askedAgain);
  // Not at the top: most suites need nothing of what a service is made of.
  const { startOwnService } = await import('./own-service.ts');
  const own = await startOwnService(cacheBytes, settings);
  return { ...callers(own.url), ...own };
}

function deployedUrl(cacheBytes: number): string | undefined {
  return cacheBytes > 0 ? DEPLOYED_MEMORY_URL : DEPLOYED_DYNAMODB_URL;
}

/** The address of the one that a run of Jest shares; none outside of Jest, or of another size. */
async function sharedUrl(cacheBytes: number): Promise<string | undefined> {
  const [name] = PATHS.find(([, bytes]) => bytes === cacheBytes) ?? [];
  if (!isRunOfJest || name === undefined) return undefined;
  return (await madeOnce<Record<string, string>>('services'))[name];
}

function ofOthers(url: string, ask: Ask): Service {
  return { ...callers(url, ask), log: [], close: async () => {} };
}

type Ask = (address: string, init: RequestInit) => Promise<Omit<Answer, 'body'>>;

/** A connection that was idle for so long may be closed by the server just as it is used again. */
const agent = new Agent({ keepAlive: true, timeout: 4000 });

/** As `fetch`, without what it does for browsers: a third of its time, in tens of thousands of calls. */
const asked: Ask = async (address, init) => {
  const { method = 'GET', headers, body } = init;
  if (body != null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    // A form, or a stream.
    const answer = await fetch(address, init);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }
  const sent = new Headers(headers);
  if (!sent.has('accept')) sent.set('accept', '*/*');
  if (typeof body === 'string' && !sent.has('content-type')) {
    sent.set('content-type', 'text/plain;charset=UTF-8');
  }
  return new Promise((resolve, reject) => {
    const asking = request(address, { method, agent, headers: Object.fromEntries(sent) });
    asking.once('error', reject);
    asking.once('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      answer.once('error', reject);
      answer.once('end', () => {
        const { statusCode: status = 0, headers: had } = answer;
        resolve({ status, headers: new Headers(had as Record<string, string>), text });
      });
    });
    asking.end(body);
  });
};

/** So often a call is repeated that gets a 503. */
const MOST_REPEATS = 10;

/**
 * Does what a 503 says, as the docs tell callers to: a deployed function has production's time, and
 * one that starts while the machine is busy may not have read its data in time. The test judges the
 * last answer. Each repeat is a line of the file ASKED_AGAIN, which `npm run test:deploy` counts and
 * prints at its end.
 */
const askedAgain: Ask = async (address, init) => {
  for (let repeats = 0; ; repeats++) {
    const response = await asked(address, init);
    const seconds = Number(response.headers.get('retry-after') ?? 0);
    if (response.status !== 503 || !(seconds > 0) || repeats === MOST_REPEATS) return response;
    // A page has no code.
    const [, code = 'a page'] = /"code":"([\w-]+)"/.exec(response.text) ?? [];
    const line = `${init.method ?? 'GET'} ${new URL(address).pathname}: ${code}\n`;
    if (ASKED_AGAIN !== undefined) appendFileSync(ASKED_AGAIN, line);
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
};

export function callers(url: string, ask: Ask = asked): Omit<Service, 'log' | 'close'> {
  const send = async (pathAndQuery: string, init: RequestInit): Promise<Answer> => {
    const answer = await ask(url + pathAndQuery, init);
    const type = answer.headers.get('content-type') ?? '';
    const isJson = /[/+](?:geo\+)?json\b/.test(type) && answer.text !== '';
    return { ...answer, body: isJson ? JSON.parse(answer.text) : undefined };
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
