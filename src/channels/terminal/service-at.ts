import { isObject, type Members } from '../../arguments/given.ts';
import type { BlockDescription, BlockSummary } from '../../block/describe-block.ts';
import { parseUrl } from '../../text/path.ts';

export const DEFAULT_URL = 'http://127.0.0.1:8787';

/** A service at an address. Its calls throw a `NoService` if no blockyard service answers. */
export type Service = {
  blocks(): Promise<readonly BlockSummary[]>;
  describe(block: string): Promise<BlockDescription>;
  /** Passes an answer with status 200 to `out`, if that is given: it may be of any length. */
  run(block: string, given: Members, out?: PassOn): Promise<ServiceAnswer>;
};

/** Takes a piece of an answer; waits for a slow reader. */
export type PassOn = (piece: Uint8Array) => unknown;

export type ServiceAnswer = {
  readonly status: number;
  readonly text: string;
  /** The cursor of the next page, if there is one. */
  readonly next?: string;
};

/** The service cannot be reached, or what answers is not a blockyard service. */
export class NoService extends Error {}

/** The service refused before a block was run; `answer` is its refusal. */
export class Refused extends Error {
  readonly answer: ServiceAnswer;
  constructor(answer: ServiceAnswer) {
    super(`The service answered ${answer.status}.`);
    this.answer = answer;
  }
}

/** Longer than any answer takes to begin, within 3 s, or to go on. */
const WAIT_MS = 30_000;

/** Far more than a service's answer has, so a sender of more is not a service. */
const MOST_ANSWER_BYTES = 64 * 2 ** 20;
const MOST_BLOCKS = 1000;

/** Passes a body on. Throws a `NoService` if it breaks off. */
async function passOn({ body }: Response, out: PassOn, goOn: () => void): Promise<void> {
  try {
    for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
      await out(piece);
      goOn();
    }
  } catch {
    throw new NoService('The answer broke off: what is printed is not all of it.');
  }
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MOST_ANSWER_BYTES) throw new NoService('The answer is too large to be read here.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The service at an address that `faultsOfSettings` has accepted. */
export function serviceAt(url: string, key: string | undefined, ask: typeof fetch): Service {
  const base = `${url.replace(/(?<!\/)\/+$/, '')}/api_v2/blocks`;
  const send = async (
    address: string,
    init: RequestInit = {},
    out?: PassOn,
  ): Promise<ServiceAnswer> => {
    const headers = {
      accept: 'application/json',
      ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'x-api-key': key }),
    };
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), WAIT_MS);
    try {
      const { signal } = waiting;
      // Do not follow redirects, which would send the key to another address.
      const response = await ask(address, { ...init, headers, signal, redirect: 'manual' });
      const next = nextCursor(response.headers.get('link'));
      const { status } = response;
      const isPassedOn = out !== undefined && status === 200;
      if (isPassedOn) await passOn(response, out, () => timer.refresh());
      const text = isPassedOn ? '' : await textOf(response);
      return { status, text, next };
    } catch (error) {
      if (error instanceof NoService) throw error;
      const start = url === DEFAULT_URL ? ' Start it with: npm start' : '';
      throw new NoService(`No service answers at ${url}.${start}`);
    } finally {
      clearTimeout(timer);
    }
  };
  const read = async <T>(address: string, isRight: (body: never) => boolean): Promise<T> => {
    const answer = await send(address);
    const body = objectIn(answer.text);
    if (answer.status >= 400 && body !== undefined && 'code' in body) throw new Refused(answer);
    if (answer.status === 200 && body !== undefined && isRight(body as never)) return body as T;
    throw new NoService(`What answers at ${url} is not a blockyard service (${answer.status}).`);
  };
  return {
    async blocks() {
      const list = await read<{ blocks: BlockSummary[] }>(base, ({ blocks }) =>
        Array.isArray(blocks),
      );
      // Bounded, since each of them may be requested and searched for a word.
      return list.blocks.slice(0, MOST_BLOCKS);
    },
    describe: (block) =>
      read<BlockDescription>(`${base}/${encodeURIComponent(block)}`, ({ parameters, options }) =>
        [parameters, options].every(Array.isArray),
      ),
    run: (block, given, out) => {
      const init = { method: 'POST', body: JSON.stringify(given) };
      return send(`${base}/${encodeURIComponent(block)}`, init, out);
    },
  };
}

/** The faults of an address and a key; they never show the key. */
export function faultsOfSettings(url: string, key: string | undefined): string[] {
  const ofUrl = faultOfUrl(url);
  return [
    ...(ofUrl === undefined ? [] : [ofUrl]),
    ...(key === undefined || /^[!-~]+$/.test(key)
      ? []
      : ['The key has characters that no key has: white space, or letters that are not ASCII.']),
  ];
}

function faultOfUrl(url: string): string | undefined {
  const parsed = parseUrl(url);
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    return `${JSON.stringify(url)} is not the address of a service; expected one such as ${DEFAULT_URL}.`;
  }
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash) {
    return "The service's address is to have no user, no ? and no # in it; a key is for --key.";
  }
  const [below] = /\/(?:api_v2(?:\/.*)?|mcp|integrations\/slack)\/*$/.exec(parsed.pathname) ?? [];
  return below === undefined
    ? undefined
    : `The service's address is to end before ${below}: ${url.slice(0, url.lastIndexOf(below))}`;
}

/** JSON text as an object, or undefined. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The `_cursor` in a Link header with the next page: `<?_cursor=…>; rel="next"`. */
function nextCursor(link: string | null): string | undefined {
  const query = /^<\?([^>]*)>; rel="next"/.exec(link ?? '')?.[1];
  return query === undefined ? undefined : (new URLSearchParams(query).get('_cursor') ?? undefined);
}
