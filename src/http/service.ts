import { PROBLEMS, Problem } from '../problem/errors.ts';
import { flatProblem, flatStatus, problemDetails } from '../problem/problem.ts';
import { type AllowOrigin, originHeaders } from './allow-origin.ts';
import { type Answer, JSON_TYPE } from './answer.ts';
import { asProblem } from './as-problem.ts';
import type { HttpRequest } from './request.ts';
import { type Answered, handlerOf, METHODS, type Routes, type Run, routeAt } from './routes.ts';
import { elapsedMs, outcomeOfProblem, type Recorder, recordedMethod } from './run-record.ts';
import { wantsFlat } from './wants-flat.ts';

export type ServiceSettings = {
  /** Changes with the code, so that no ETag outlives it. */
  readonly build: string;
  readonly record: Recorder;
  /** Whose pages may read answers; anybody's, without it. */
  readonly allowOrigin?: AllowOrigin;
  /** Whether a request asks for a host that is not this service's, by where it came to. */
  readonly isForeignHost?: (host: string | undefined, arrivedAt: string | undefined) => boolean;
};

/** A request → its answer. Never throws. */
export type Service = (request: HttpRequest) => Promise<Answer>;

/**
 * What answers requests for these addresses. Every answer has a run id, CORS headers and a record,
 * and every problem is a problem: this is the only place where errors leave.
 */
export function serviceOf(routes: Routes, settings: ServiceSettings): Service {
  return async (request) => {
    const { method, path, headers, problem, began = performance.now() } = request;
    const runId = request.runId ?? crypto.randomUUID();
    const run = { request, settings, runId, began };
    const route = routeAt(routes, path);
    try {
      if (problem !== undefined) throw problem;
      if (settings.isForeignHost?.(headers.host, request.arrivedAt)) throw hostRefused();
      if (method !== 'OPTIONS')
        return finished(run, route.block, await handlerOf(route, method)(run));
      const mayDeliver = route.block !== null && headers['webhook-request-origin'] !== undefined;
      return mayDeliver
        ? finished(run, route.block, allowDeliveries(request))
        : { status: 204, headers: dressed(run, preflightHeaders(request)), body: null };
    } catch (error) {
      return finished(run, route.block, refused(run, asProblem(error)));
    }
  };
}

/** The answer as it is sent. Records the run, and says how long it took. */
function finished(run: Run, block: string | null, answered: Answered): Answer {
  const { request, settings, runId } = run;
  const { status, body, outcome, timings = '' } = answered;
  const durationMs = elapsedMs(run.began);
  const headers = dressed(run, answered.headers);
  headers['Server-Timing'] = `${timings}total;dur=${durationMs.toFixed(2)}`;
  // Last: what fails before is answered anew, and a run has one record.
  const method = recordedMethod(request.method);
  settings.record({ runId, block, method, status, durationMs, ...outcome });
  return { status, headers, body: request.method === 'HEAD' ? null : body };
}

/** The headers, with those that every answer has, and with what else it depends on in `Vary`. */
function dressed({ request, settings, runId }: Run, headers: Answer['headers']) {
  const { allowOrigin = '*' } = settings;
  const all: Record<string, string> = {
    'X-Run-Id': runId,
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    ...originHeaders(request.headers.origin, allowOrigin),
    ...headers,
  };
  if (allowOrigin !== '*' && headers.Vary !== undefined) all.Vary = `${headers.Vary}, Origin`;
  return all;
}

const EXPOSED_HEADERS =
  'Content-Disposition, ETag, Link, Preference-Applied, Retry-After, Server-Timing, X-Run-Id, X-Total-Count';

/**
 * Lets whoever asks send events (CloudEvents' "HTTP 1.1 Web Hooks for Event Delivery", section 4).
 * A block only reads, and does so for anyone. A rate of our own is the API's, answered by 429.
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

/** Any page may send any header; a browser may remember so for two hours, as long as any does. */
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
