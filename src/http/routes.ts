import { Problem } from '../problem/errors.ts';
import type { Answered, Run } from './answer.ts';

export const BLOCKS_PATH = '/api_v2/blocks';

/** Defined here because the MCP channel's own module is loaded only when asked for. */
export const MCP_PATH = '/mcp';

/** Answers a run, or throws a Problem. */
export type Handler = (run: Run) => Answered | Promise<Answered>;

/** What is at an address: a handler for each method, or one for any method. */
export type Route = {
  /** The name of the block whose address it is. */
  readonly block: string | null;
} & ({ readonly any: Handler } | (Methods & { readonly allowed: readonly string[] }));

type Methods = {
  /** Answers HEAD too. */
  readonly GET?: Handler;
  readonly POST?: Handler;
};

/** All addresses of a service. */
export type Routes = {
  readonly at: ReadonlyMap<string, Route>;
  /** What is at the addresses of rows, by the address of their block. */
  readonly rows?: ReadonlyMap<string, Route>;
  /** What answers at all other addresses. */
  readonly elsewhere: Route;
};

export const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];

/** Refuses a request for an address that does not exist. */
export function refuseAddress(): never {
  throw new Problem('not-found', `The blocks are listed at ${BLOCKS_PATH}.`);
}

/** The route at a path, with or without slashes at its end. */
export function routeAt({ at, rows, elsewhere }: Routes, path: string): Route {
  const decoded = path.includes('%') ? decodedBy(decodeURI, path) : path;
  return at.get(withoutSlash(decoded)) ?? rows?.get(rowPlace(path)?.block ?? '') ?? elsewhere;
}

/** The block's address in that of a row, and its last segment, still percent-encoded. */
export function rowPlace(path: string): { block: string; segment: string } | undefined {
  const bare = withoutSlash(path);
  const end = bare.indexOf(ROWS, BLOCKS_PATH.length + 1);
  if (end < 0) return undefined;
  const block = decodedBy(decodeURI, bare.slice(0, end));
  return { block, segment: bare.slice(end + ROWS.length) };
}

/** The address of a row relative to that of its block. */
export function rowReference(block: string, segment: string): string {
  return `${block}${ROWS}${segment}`;
}

/** The address of what is given relative to a block's, below the service's root. */
export function belowRoot(reference: string): string {
  return `${BLOCKS_PATH.slice(1)}/${reference}`;
}

/** What follows a block's address in that of a row. */
const ROWS = '/rows/';

/** A path without the slashes at its end. */
export function withoutSlash(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** Decodes a part of a path; returns it unchanged if it cannot be decoded. */
export function decodedBy(decode: (text: string) => string, text: string): string {
  try {
    return decode(text);
  } catch {
    return text;
  }
}

/** The handler for a method. Throws a 405 problem if the address does not take the method. */
export function handlerOf(route: Route, method: string): Handler {
  if ('any' in route) return route.any;
  const isRead = method === 'GET' || method === 'HEAD';
  const handler = isRead ? route.GET : method === 'POST' ? route.POST : undefined;
  if (handler !== undefined) return handler;
  const { allowed } = route;
  const detail = `${method} is not taken here; use ${allowed.join(', ')}.`;
  throw new Problem('method-not-allowed', detail, {
    faults: [{ code: 'method-not-allowed', detail, allowed }],
    headers: { Allow: allowed.join(', ') },
  });
}
