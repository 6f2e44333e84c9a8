import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { PROBLEMS, Refusal } from '../core/errors.ts';
import { flatProblem, flatStatus, problemDetails } from '../core/problem.ts';

/** What every request is given: its run's id, and when it began (ms of `performance.now()`). */
export type RunEnv = { Variables: { runId: string; began: number } };
export type RunContext = Context<RunEnv>;

/** Where an app says what went wrong inside; one line of JSON each. */
export type Log = (entry: Readonly<Record<string, unknown>>) => void;

export const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];

/**
 * An app whose every answer has a run id and CORS headers, and whose every refusal is a problem.
 * The only place where errors leave.
 */
export function runApp(log: Log): Hono<RunEnv> {
  const app = new Hono<RunEnv>({ strict: false });
  app.use(async (c, next) => {
    const runId = crypto.randomUUID();
    c.set('runId', runId);
    c.set('began', performance.now());
    // Before the answer is made: to change its headers afterwards costs more than to answer.
    c.header('X-Run-Id', runId);
    c.header('Access-Control-Allow-Origin', '*');
    c.header('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    return c.req.method === 'OPTIONS' ? preflight(c) : next();
  });
  app.onError((error, c) => refuse(c, asRefusal(error), log));
  return app;
}

const EXPOSED_HEADERS = 'ETag, Link, Preference-Applied, Retry-After, Server-Timing, X-Run-Id';

/** Any page may send any header; a browser may remember so for two hours, as long as any does. */
function preflight(c: RunContext): Response {
  const asked = c.req.header('access-control-request-headers');
  return c.body(null, 204, {
    'Access-Control-Allow-Methods': METHODS.join(', '),
    ...(asked === undefined ? {} : { 'Access-Control-Allow-Headers': asked }),
    'Access-Control-Max-Age': '7200',
    Vary: 'Access-Control-Request-Headers',
  });
}

/** Answers, and says how long it took; `timings` are parts of that. */
export function answer(
  c: RunContext,
  text: string | null,
  status: number,
  headers: Readonly<Record<string, string>>,
  timings = '',
): Response {
  const total = `total;dur=${(performance.now() - c.get('began')).toFixed(2)}`;
  return c.body(text as string, status as ContentfulStatusCode, {
    ...headers,
    'Server-Timing': timings + total,
  });
}

/** Refuses with 405 whatever method an address does not take. */
export function refuseMethod(c: RunContext, allowed: readonly string[]): never {
  const detail = `${c.req.method} is not taken here; use ${allowed.join(', ')}.`;
  throw new Refusal('method-not-allowed', detail, {
    faults: [{ code: 'method-not-allowed', detail, allowed }],
    headers: { Allow: allowed.join(', ') },
  });
}

/** Whether the query asks for the flat form, by `cache` in it. */
export function wantsFlat(c: RunContext): boolean {
  return /[?&]cache(?:[=&]|$)/.test(c.req.url);
}

function refuse(c: RunContext, refusal: Refusal, log: Log): Response {
  const runId = c.get('runId');
  const { status } = PROBLEMS[refusal.code];
  if (status >= 500) {
    log({ level: 'error', runId, code: refusal.code, cause: describeCause(refusal.cause) });
  }
  const headers = { ...refusal.headers, 'Cache-Control': 'no-store' };
  if (wantsFlat(c)) {
    return answer(c, JSON.stringify(flatProblem(refusal)), flatStatus(refusal.code), {
      ...headers,
      'Content-Type': JSON_TYPE,
    });
  }
  return answer(c, JSON.stringify(problemDetails(refusal, runId)), status, {
    ...headers,
    'Content-Type': 'application/problem+json',
  });
}

export const JSON_TYPE = 'application/json; charset=utf-8';

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const detail = 'Something broke on our side. The run id helps to find it.';
  return new Refusal('internal-error', detail, { cause: error });
}

function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause === undefined ? '' : ` <- ${describeCause(cause.cause)}`;
  return `${cause.stack ?? cause.message}${inner}`;
}
