import { Problem } from '../problem/errors.ts';
import type { Answer } from './answer.ts';
import type { HttpRequest } from './request.ts';
import type { Outcome } from './run-record.ts';
import type { ServiceSettings } from './service.ts';

export const BLOCKS_PATH = '/api_v2/blocks';

/** Not in the channel's own module, which is not loaded before it is asked for. */
export const MCP_PATH = '/mcp';

/** A run under way; `began` is a moment of `performance.now()`. */
export type Run = {
  readonly request: HttpRequest;
  readonly settings: ServiceSettings;
  readonly runId: string;
  readonly began: number;
};

/** What a handler answers with, and what is told of it: its record, and parts of its time. */
export type Answered = Answer & { readonly outcome?: Outcome; readonly timings?: string };

/** Answers a run, or throws a Problem. */
export type Handler = (run: Run) => Answered | Promise<Answered>;

/** What is at an address: a handler for a method each, or one for whatever method. */
export type Route = {
  /** The name of the block whose address it is. */
  readonly block: string | null;
} & ({ readonly any: Handler } | (Methods & { readonly allowed: readonly string[] }));

type Methods = {
  /** HEAD's too. */
  readonly GET?: Handler;
  readonly POST?: Handler;
};

/** All addresses of a service. */
export type Routes = {
  readonly at: ReadonlyMap<string, Route>;
  /** What answers at all other addresses. */
  readonly elsewhere: Route;
};

export const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];

/** Refuses whatever is asked for where nothing is. */
export function refuseAddress(): never {
  throw new Problem('not-found', `The blocks are listed at ${BLOCKS_PATH}.`);
}

/** What is at a path, with or without slashes at its end. */
export function routeAt({ at, elsewhere }: Routes, path: string): Route {
  const decoded = path.includes('%') ? decodedBy(decodeURI, path) : path;
  return at.get(withoutSlash(decoded)) ?? elsewhere;
}

/** A path without the slashes at its end. */
export function withoutSlash(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** A part of a path decoded; one that cannot be stays as it is. */
export function decodedBy(decode: (text: string) => string, text: string): string {
  try {
    return decode(text);
  } catch {
    return text;
  }
}

/** The handler of a run's method. Refuses with 405 whatever method an address does not take. */
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
