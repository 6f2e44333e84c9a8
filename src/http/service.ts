import { html } from '../formats/html.ts';
import { PROBLEMS, Problem } from '../problem/errors.ts';
import { flatProblem, flatStatus, problemDetails } from '../problem/problem.ts';
import { Scheduler } from '../work/scheduler.ts';
import type { AllowOrigin } from './allow-origin.ts';
import {
  type Answer,
  type Answered,
  isWhole,
  JSON_TYPE,
  type Run,
  type ServiceSettings,
} from './answer.ts';
import { type HttpRequest, wantsFlat } from './request.ts';
import { handlerOf, METHODS, type Routes, routeAt } from './routes.ts';
import { elapsedMs, outcomeOfProblem, type RunRecord, recordedMethod } from './run-record.ts';

/** Answers a request. Never throws. */
export type Service = (request: HttpRequest) => Promise<Answer>;

/**
 * The service at these addresses. Every answer has a run id, CORS headers and a record. This is the
 * only place where errors become answers, so every error leaves as a problem.
 */
export function serviceOf(routes: Routes, settings: ServiceSettings): Service {
  const scheduler = new Scheduler();
  return async (request) => {
    const { method, path, headers, problem, began = performance.now() } = request;
    const runId = request.runId ?? crypto.randomUUID();
    const run = { request, settings, scheduler, runId, began };
    const route = routeAt(routes, path);
    try {
      if (problem !== undefined) throw problem;
      if (settings.isForeignHost?.(headers.host, request.arrivedAt)) throw hostRefused();
      if (method !== 'OPTIONS')
        return finished(run, route.block, await handlerOf(route, method)(run));
      // Where a block's function only refuses an address, it answers like the catalogue.
      const isBlock = route.block !== null && !('any' in route);
      const mayDeliver = isBlock && headers['webhook-request-origin'] !== undefined;
      return mayDeliver
        ? finished(run, route.block, allowDeliveries(request))
        : { status: 204, headers: dressed(run, preflightHeaders(request)), body: null };
    } catch (error) {
      return finished(run, route.block, refused(run, asProblem(error)));
    }
  };
}

/** Makes the answer that is sent: records the run, and says how long it took. */
function finished(run: Run, block: string | null, answered: Answered): Answer {
  const { request } = run;
  const { status, body, timings = '' } = answered;
  const durationMs = elapsedMs(run.began);
  const headers = dressed(run, answered.headers);
  headers['Server-Timing'] = `${timings}total;dur=${durationMs.toFixed(2)}`;
  if (request.method !== 'HEAD' && !isWhole(body)) {
    const sent = (problem?: Problem) => {
      const streamedMs = elapsedMs(run.began);
      const broken = problem && outcomeOfProblem(problem);
      recordRun(run, block, answered, durationMs, { streamedMs, ...broken });
    };
    return { status, headers, body: recordedBody(body, sent) };
  }
  // Recorded last: if anything before fails, another answer is made, and a run has one record.
  recordRun(run, block, answered, durationMs);
  return { status, headers, body: request.method === 'HEAD' ? null : body };
}

function recordRun(
  { request, settings, runId }: Run,
  block: string | null,
  { status, outcome }: Answered,
  durationMs: number,
  streamed?: Partial<RunRecord>,
): void {
  const found = typeof outcome === 'function' ? outcome() : outcome;
  const method = recordedMethod(request.method);
  settings.record(Object.assign({ runId, block, method, status, durationMs }, found, streamed));
}

/** A body in pieces, recorded once it has been sent or has broken off. */
async function* recordedBody(
  body: Exclude<Answer['body'], string | Uint8Array | null>,
  sent: (problem?: Problem) => void,
) {
  let problem: Problem | undefined;
  try {
    yield* body;
  } catch (error) {
    problem = asProblem(error);
    throw error;
  } finally {
    sent(problem);
  }
}

/**
 * Adds the headers that every answer has, to a page's policy who may embed it, and `Origin` to
 * `Vary` if the answer depends on it.
 */
function dressed({ request, settings, runId }: Run, headers: Answer['headers']) {
  const { allowOrigin = '*', frameAncestors = '*' } = settings;
  const all: Record<string, string> = {
    'X-Run-Id': runId,
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
  };
  addOrigin(all, request.headers.origin, allowOrigin);
  Object.assign(all, headers);
  const policy = headers['Content-Security-Policy'];
  if (policy !== undefined) {
    all['Content-Security-Policy'] = `${policy}; frame-ancestors ${frameAncestors}`;
  }
  // There is no end of questions, and each has a page.
  if (request.query !== '' && headers['Content-Type'] === html.contentType) {
    all['X-Robots-Tag'] = 'noindex, nofollow';
  }
  if (allowOrigin !== '*' && headers.Vary !== undefined) all.Vary = `${headers.Vary}, Origin`;
  return all;
}

const EXPOSED_HEADERS =
  'Content-Disposition, ETag, Link, Preference-Applied, Retry-After, Server-Timing, X-Run-Id, X-Total-Count';

/** Adds the CORS headers of an answer to a page of this origin (WHATWG Fetch, "CORS protocol"). */
function addOrigin(
  headers: Record<string, string>,
  origin: string | undefined,
  allow: AllowOrigin,
): void {
  if (allow === '*') {
    headers['Access-Control-Allow-Origin'] = '*';
    return;
  }
  if (origin !== undefined && allow(origin)) headers['Access-Control-Allow-Origin'] = origin;
  headers.Vary = 'Origin';
}

/**
 * Lets anyone send events (CloudEvents' "HTTP 1.1 Web Hooks for Event Delivery", section 4), since
 * a block only reads, for anyone. The API enforces its own rate, with 429, so none is given here.
 */
function allowDeliveries(request: HttpRequest): Answered {
  const headers = {
    ...preflightHeaders(request),
    Allow: METHODS.join(', '),
    'WebHook-Allowed-Origin': '*',
    'WebHook-Allowed-Rate': '*',
  };
  return { status: 200, headers, body: null };
}

/** Any page may send any header. Browsers may remember this for two hours, Chromium's bound. */
function preflightHeaders({ headers }: HttpRequest): Record<string, string> {
  const asked = headers['access-control-request-headers'];
  return {
    'Access-Control-Allow-Methods': METHODS.join(', '),
    ...(asked === undefined ? {} : { 'Access-Control-Allow-Headers': asked }),
    'Access-Control-Max-Age': '7200',
    Vary: 'Access-Control-Request-Headers',
  };
}

function refused({ request, runId }: Run, problem: Problem): Answered {
  const isFlat = wantsFlat(request);
  return {
    status: isFlat ? flatStatus(problem.code) : PROBLEMS[problem.code].status,
    headers: {
      ...problem.headers,
      'Cache-Control': 'no-store',
      'Content-Type': isFlat ? JSON_TYPE : 'application/problem+json',
    },
    body: JSON.stringify(isFlat ? flatProblem(problem) : problemDetails(problem, runId)),
    outcome: outcomeOfProblem(problem),
  };
}

function hostRefused(): Problem {
  const detail =
    'The request asks for a host that is not this machine. Use localhost or 127.0.0.1; for a name that is forwarded here, set ALLOW_HOST.';
  return new Problem('host-refused', detail);
}

export function asProblem(error: unknown): Problem {
  return error instanceof Problem ? error : internalError(error);
}

/** The problem for an unforeseen error; its cause goes only to the log. */
function internalError(cause: unknown): Problem {
  const detail = 'Something broke on our side. The run id helps to find it.';
  return new Problem('internal-error', detail, { cause });
}

/** The problem for a function that did not answer; the cause goes only to the log. */
export function serviceUnavailable(cause: unknown): Problem {
  const detail = 'The service did not answer. Try again soon.';
  return new Problem('service-unavailable', detail, { headers: { 'Retry-After': '1' }, cause });
}
