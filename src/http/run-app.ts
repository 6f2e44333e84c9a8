import type { Context } from 'hono';
import { Hono } from 'hono/quick';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type AllowOrigin, originHeaders } from '../core/allow-origin.ts';
import { PROBLEMS, Refusal } from '../core/errors.ts';
import { flatProblem, flatStatus, problemDetails } from '../core/problem.ts';
import {
  elapsedMs,
  type Outcome,
  outcomeOfRefusal,
  type Recorder,
  recordedMethod,
} from './run-record.ts';

/** What every request is given. */
export type RunEnv = { Variables: { run: RunBegun } };
export type RunContext = Context<RunEnv>;

/** A run under way; `began` is a moment of `performance.now()`. */
type RunBegun = {
  readonly runId: string;
  readonly began: number;
  readonly block: string | null;
  readonly record: Recorder;
  readonly pathOf: (env: unknown) => string | undefined;
  /** Whether who may read the answer depends on who asks. */
  readonly variesByOrigin: boolean;
};

export type AppSettings = {
  /** Changes with the code, so that no ETag outlives it. */
  readonly build: string;
  readonly record: Recorder;
  /** The id that whoever calls the app has given the run, a UUID, from what it is called with. */
  readonly runIdOf?: (env: unknown) => string | undefined;
  /** Whose pages may read answers; anybody's, without it. */
  readonly allowOrigin?: AllowOrigin;
  /** Whether a request asks for a host that is not this service's, by what came with it. */
  readonly isForeignHost?: (host: string | undefined, env: unknown) => boolean;
  /** The path that the caller sees, where whoever calls the app has taken a part of it off. */
  readonly pathOf?: (env: unknown) => string | undefined;
};

export const BLOCKS_PATH = '/api_v2/blocks';

/** Not in the door's own module, which is not loaded before it is asked for. */
export const MCP_PATH = '/mcp';

export const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];

/**
 * An app whose every answer has a run id, CORS headers and a record, and whose every refusal is a
 * problem. The only place where errors leave. `block` is the name of the one that it is of.
 */
export function runApp(settings: AppSettings, block: string | null): Hono<RunEnv> {
  const { record, runIdOf, pathOf = () => undefined, allowOrigin = '*', isForeignHost } = settings;
  const variesByOrigin = allowOrigin !== '*';
  const app = new Hono<RunEnv>({ strict: false });
  app.use(async (c, next) => {
    const runId = runIdOf?.(c.env) ?? crypto.randomUUID();
    c.set('run', { runId, began: performance.now(), block, record, pathOf, variesByOrigin });
    // Before the answer is made: to change its headers afterwards costs more than to answer.
    c.header('X-Run-Id', runId);
    const origin = variesByOrigin ? c.req.header('origin') : undefined;
    for (const [name, value] of Object.entries(originHeaders(origin, allowOrigin))) {
      c.header(name, value);
    }
    c.header('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    if (isForeignHost?.(c.req.header('host'), c.env)) throw hostRefused();
    if (c.req.method !== 'OPTIONS') return next();
    const mayDeliver = block !== null && c.req.header('webhook-request-origin') !== undefined;
    return mayDeliver ? allowDeliveries(c) : preflight(c);
  });
  app.notFound((c) => {
    return refuse(c, new Refusal('not-found', `The blocks are listed at ${BLOCKS_PATH}.`));
  });
  app.onError((error, c) => refuse(c, asRefusal(error)));
  return app;
}

const EXPOSED_HEADERS =
  'Content-Disposition, ETag, Link, Preference-Applied, Retry-After, Server-Timing, X-Run-Id, X-Total-Count';

/**
 * Lets whoever asks send events (CloudEvents' "HTTP 1.1 Web Hooks for Event Delivery", section 4).
 * A block only reads, and does so for anyone. A rate of our own is the API's, answered by 429.
 */
function allowDeliveries(c: RunContext): Response {
  return answer(c, null, 200, {
    ...preflightHeaders(c),
    Allow: METHODS.join(', '),
    'WebHook-Allowed-Origin': '*',
    'WebHook-Allowed-Rate': '*',
  });
}

/** Any page may send any header; a browser may remember so for two hours, as long as any does. */
function preflight(c: RunContext): Response {
  return c.body(null, 204, varied(c, preflightHeaders(c)));
}

function preflightHeaders(c: RunContext): Record<string, string> {
  const asked = c.req.header('access-control-request-headers');
  return {
    'Access-Control-Allow-Methods': METHODS.join(', '),
    ...(asked === undefined ? {} : { 'Access-Control-Allow-Headers': asked }),
    'Access-Control-Max-Age': '7200',
    Vary: 'Access-Control-Request-Headers',
  };
}

/** Answers, records the run, and says how long it took; `timings` are parts of that. */
export function answer(
  c: RunContext,
  text: string | Uint8Array<ArrayBuffer> | null,
  status: number,
  headers: Readonly<Record<string, string>>,
  outcome?: Outcome,
  timings = '',
): Response {
  const { runId, began, block, record } = c.get('run');
  const durationMs = elapsedMs(began);
  const response = c.body(text as string, status as ContentfulStatusCode, {
    ...varied(c, headers),
    'Server-Timing': `${timings}total;dur=${durationMs.toFixed(2)}`,
  });
  // Last: what fails before is answered anew, and a run has one record.
  record({ runId, block, method: recordedMethod(c.req.method), status, durationMs, ...outcome });
  return response;
}

/** The headers, with what else the answer depends on in `Vary`. */
function varied(c: RunContext, headers: Readonly<Record<string, string>>) {
  if (headers.Vary === undefined || !c.get('run').variesByOrigin) return headers;
  return { ...headers, Vary: `${headers.Vary}, Origin` };
}

/** Refuses with 405 whatever method an address does not take. */
export function refuseMethod(c: RunContext, allowed: readonly string[]): never {
  const detail = `${c.req.method} is not taken here; use ${allowed.join(', ')}.`;
  throw new Refusal('method-not-allowed', detail, {
    faults: [{ code: 'method-not-allowed', detail, allowed }],
    headers: { Allow: allowed.join(', ') },
  });
}

/** Whether the query asks for the flat form, by `cache` in it, however that is escaped. */
export function wantsFlat({ req: { url } }: RunContext): boolean {
  if (/[?&]cache(?:[=&]|$)/.test(url)) return true;
  const start = url.indexOf('?');
  return (
    start >= 0 && url.includes('%', start) && new URLSearchParams(url.slice(start)).has('cache')
  );
}

function refuse(c: RunContext, refusal: Refusal): Response {
  const headers = { ...refusal.headers, 'Cache-Control': 'no-store' };
  const outcome = outcomeOfRefusal(refusal);
  if (wantsFlat(c)) {
    const text = JSON.stringify(flatProblem(refusal));
    const flatHeaders = { ...headers, 'Content-Type': JSON_TYPE };
    return answer(c, text, flatStatus(refusal.code), flatHeaders, outcome);
  }
  const text = JSON.stringify(problemDetails(refusal, c.get('run').runId));
  const problemHeaders = { ...headers, 'Content-Type': 'application/problem+json' };
  return answer(c, text, PROBLEMS[refusal.code].status, problemHeaders, outcome);
}

function hostRefused(): Refusal {
  const detail =
    'The request asks for a host that is not this machine. Use localhost or 127.0.0.1; for a name that is forwarded here, set ALLOW_HOST.';
  return new Refusal('host-refused', detail);
}

export const JSON_TYPE = 'application/json; charset=utf-8';

export function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : internalError(error);
}

/** The refusal for a function that did not answer; why not is for the log. */
export function serviceUnavailable(cause: unknown): Refusal {
  const detail = 'The service did not answer. Try again soon.';
  return new Refusal('service-unavailable', detail, { headers: { 'Retry-After': '1' }, cause });
}

/** The refusal for whatever we did not foresee; what it was is for the log. */
export function internalError(cause: unknown): Refusal {
  const detail = 'Something broke on our side. The run id helps to find it.';
  return new Refusal('internal-error', detail, { cause });
}
