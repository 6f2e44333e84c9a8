import { BLOCKS_PATH, placeBelow } from '../block/addresses.ts';
import { Problem } from '../problem/errors.ts';
import { percentDecoded, withoutSlashes } from '../text/path.ts';
import type { Answered, Run } from './answer.ts';

/** The addresses of a service, and what is at each. */

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
  /** What is at all addresses in the folders below a block's, by the folder's address. */
  readonly below?: ReadonlyMap<string, Route>;
  /** What answers at all other addresses. */
  readonly elsewhere: Route;
};

export const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];

/** The problem for an address that does not exist. */
export function addressRefused(): Problem {
  return new Problem('not-found', `The blocks are listed at ${BLOCKS_PATH}.`);
}

export function refuseAddress(): never {
  throw addressRefused();
}

/** The route at a path, with or without slashes at its end. */
export function routeAt({ at, below, elsewhere }: Routes, path: string): Route {
  const plain = path.includes('%') ? percentDecoded(path, decodeURI) : path;
  return at.get(withoutSlashes(plain)) ?? below?.get(placeBelow(path)?.folder ?? '') ?? elsewhere;
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
    fault: { allowed },
    headers: { Allow: allowed.join(', ') },
  });
}
