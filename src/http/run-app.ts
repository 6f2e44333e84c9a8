import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
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
    c.set('runId', crypto.randomUUID());
    c.set('began', performance.now());
    await next();
    const { headers } = c.res;
    headers.set('X-Run-Id', c.get('runId'));
    headers.append('Server-Timing', `total;dur=${(performance.now() - c.get('began')).toFixed(2)}`);
  });
  app.use(
    cors({
      origin: '*',
      allowMethods: METHODS,
      exposeHeaders: [
        'ETag',
        'Link',
        'Preference-Applied',
        'Retry-After',
        'Server-Timing',
        'X-Run-Id',
      ],
      maxAge: 7200,
    }),
  );
  app.onError((error, c) => refuse(c, asRefusal(error), log));
  return app;
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
    return answer(flatProblem(refusal), flatStatus(refusal.code), {
      ...headers,
      'Content-Type': JSON_TYPE,
    });
  }
  return answer(problemDetails(refusal, runId), status, {
    ...headers,
    'Content-Type': 'application/problem+json',
  });
}

export const JSON_TYPE = 'application/json; charset=utf-8';

function answer(body: unknown, status: number, headers: Record<string, string>): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

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
