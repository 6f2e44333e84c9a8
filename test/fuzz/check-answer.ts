import { FAULTS, PROBLEMS } from '../../src/problem/errors.ts';
import type { FuzzRequest } from './requests.ts';

/** What is wrong with an answer to any request at all; undefined where it is as documented. */
export async function faultOfAnswer(
  request: FuzzRequest,
  response: Response,
): Promise<string | undefined> {
  const { status, headers } = response;
  const text = await response.text();
  const type = headers.get('content-type') ?? '';
  if (status >= 500) return `status ${status}: ${text}`;
  if (!/^[0-9a-f-]{36}$/.test(headers.get('x-run-id') ?? '')) return 'no run id';
  if (headers.get('access-control-allow-origin') !== '*') return 'no CORS header';
  if (request.method === 'HEAD' || status === 204 || status === 304) {
    return text === '' ? undefined : 'a body where none belongs';
  }
  if (isHandshake(request, response, text)) return undefined;
  const body = JSON.parse(text);
  if (status === 200) return faultOfSuccess(request, body, type);
  if (!Array.isArray(body._errors) || body._errors.length === 0) return 'no _errors';
  if (/[?&]cache=/.test(request.path)) {
    const members = Object.keys(body).join();
    return members === '_blockspring_spec,_errors' ? undefined : `flat refusal with ${members}`;
  }
  if (type !== 'application/problem+json') return `a refusal as ${type}`;
  const problem = PROBLEMS[body.code as keyof typeof PROBLEMS];
  if (problem?.status !== status || body.status !== status)
    return `status ${status} for ${body.code}`;
  if (body.errors.length !== body._errors.length || body.errors.length > 50) return 'errors differ';
  for (const fault of body.errors) {
    if (!(fault.code in FAULTS || fault.code in PROBLEMS)) return `unknown fault ${fault.code}`;
    if (typeof fault.detail !== 'string' || fault.detail === '') return 'a fault without detail';
    if (/undefined|\[object|NaN is/.test(fault.detail)) return `a broken detail: ${fault.detail}`;
  }
  return undefined;
}

/** What came back of a request as text alone; nothing that a browser would take for a page. */
function isHandshake({ method, body }: FuzzRequest, { status, headers }: Response, text: string) {
  if (status !== 200) return false;
  if (method === 'OPTIONS') return text === '' && headers.get('webhook-allowed-origin') === '*';
  return (
    typeof body === 'string' &&
    body.includes('url_verification') &&
    headers.get('content-type') === 'text/plain; charset=utf-8' &&
    headers.get('x-content-type-options') === 'nosniff' &&
    text === JSON.parse(body).challenge
  );
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
function faultOfSuccess(request: FuzzRequest, body: any, type: string): string | undefined {
  if (!type.startsWith('application/json')) return `an answer as ${type}`;
  const isRun = '_errors' in body;
  if (!isRun) return request.method === 'GET' ? undefined : 'a run without _errors';
  const params = body._blockspring_spec === true ? body : body.params;
  if (body._errors.length > 0)
    return Object.keys(body).length === 2 ? undefined : 'errors and more';
  if ('results' in params && params.results.length !== params.count)
    return 'count is not of results';
  return undefined;
}
