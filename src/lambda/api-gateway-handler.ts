import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { FORMAT_NAMES, FORMATS } from '../formats/formats.ts';
import { type Answer, bytesOf, type ServiceSettings, textOf } from '../http/answer.ts';
import { type HttpRequest, readTarget, refusedRequest } from '../http/request.ts';
import type { Routes } from '../http/routes.ts';
import { serviceOf, serviceUnavailable } from '../http/service.ts';
import type { Problem } from '../problem/errors.ts';
import { percentDecoded } from '../text/path.ts';
import { RUN_WITHIN_MS } from '../work/budget.ts';
import { valueWithin } from '../work/waiting.ts';
import { RESPONSE_BYTES } from './function-settings.ts';

export type LambdaHandler = (
  event: APIGatewayProxyEvent,
  context?: Context,
) => Promise<APIGatewayProxyResult>;

/**
 * An answer of a function, beyond the time of a run, whatever its service does. Then 503.
 *
 * A run ends itself; this catches what that bound does not.
 */
const BEYOND_RUN_MS = 200;

/**
 * Answers an event of API Gateway, in pieces only where these can be passed on, or with a problem
 * that was found elsewhere. Never throws.
 */
export type AnswerEvent = (
  event: APIGatewayProxyEvent,
  canStream?: boolean,
  problem?: Problem,
) => Promise<Answer>;

/** The service at these addresses, for events of API Gateway's REST proxy. */
export function answersEvents(
  routes: Routes,
  settings: ServiceSettings,
  answerWithinMs = (settings.runWithinMs ?? RUN_WITHIN_MS) + BEYOND_RUN_MS,
): AnswerEvent {
  const answer = serviceOf(routes, settings);
  return async (event, canStream = false, problem?: Problem) => {
    const asked = { ...requestOf(event), canStream, began: performance.now() };
    const request = problem === undefined ? asked : { ...asked, problem };
    try {
      const answered = await valueWithin(answer(request), answerWithinMs);
      if (answered !== undefined) return answered;
      throw new Error(`The service did not answer within ${answerWithinMs} ms.`);
    } catch (cause) {
      return answer({ ...request, problem: serviceUnavailable(cause) });
    }
  };
}

/** A Lambda handler that answers at these addresses behind API Gateway's REST proxy. */
export function apiGatewayHandler(
  routes: Routes,
  settings: ServiceSettings,
  answerWithinMs?: number,
): LambdaHandler {
  return plainHandler(answersEvents(routes, settings, answerWithinMs));
}

/** The refusal of an answer that has more bytes than that. */
type TooLong = (most: number) => Problem;

/** A handler that gives whole answers; with `tooLong` also those that could be streamed. */
export function plainHandler(answer: AnswerEvent, tooLong?: TooLong): LambdaHandler {
  return async (event) => {
    const inOnePiece = tooLong !== undefined;
    const result = await resultOf(await answer(event, inOnePiece));
    if (!inOnePiece || jsonBytes(result.body) <= RESPONSE_BYTES) return result;
    return resultOf(await answer(event, inOnePiece, tooLong(RESPONSE_BYTES)));
  };
}

/** The types of bodies whose bytes are no text. */
const BINARY_TYPES = new Set<string | undefined>(
  FORMAT_NAMES.map((name) => FORMATS[name])
    .filter(({ isBinary }) => isBinary)
    .map(({ contentType }) => contentType),
);

/** The answer in API Gateway's form, which takes bytes that are no text in base64. */
async function resultOf({ status, headers, body }: Answer): Promise<APIGatewayProxyResult> {
  const isBinary =
    headers['Content-Encoding'] !== undefined ||
    // A part of a file may begin within a character.
    headers['Accept-Ranges'] !== undefined ||
    BINARY_TYPES.has(headers['Content-Type']);
  const written = isBinary ? await bytesOf(body) : await textOf(body);
  // In JSON each quotation mark is two; a text that is too long so may be less in base64.
  const isBase64Encoded =
    typeof written !== 'string' ||
    jsonBytes(written) > Math.max(RESPONSE_BYTES, (Buffer.byteLength(written) * 4) / 3);
  return {
    statusCode: status,
    headers: { ...headers },
    body: isBase64Encoded ? Buffer.from(written as string).toString('base64') : (written as string),
    isBase64Encoded,
  };
}

/** The most bytes that JSON makes of a character, as of a control character: `\u0001`. */
const LONGEST_ESCAPE = 6;

/** The bytes of a text in JSON; of one that is short in any case, its length. */
function jsonBytes(text: string): number {
  if (text.length * LONGEST_ESCAPE <= RESPONSE_BYTES) return text.length;
  return Buffer.byteLength(JSON.stringify(text));
}

/** The request that this event of API Gateway stands for. */
export function requestOf(event: APIGatewayProxyEvent): HttpRequest {
  const { httpMethod: method, requestContext } = event;
  const runId = apiRequestId(event);
  const known = { method, runId };
  const host = requestContext?.domainName ?? event.headers?.Host ?? 'localhost';
  try {
    const target = readTarget('https', host, `${pathOf(event) || '/'}?${queryOf(event)}`);
    const headers = headersOf(event);
    if (target === undefined || headers === undefined || !TOKEN.test(method)) throw new TypeError();
    const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
    // The bound on bodies is checked by this header, which must therefore be right.
    headers['content-length'] = String(bytes.length);
    // This path still has the stage or the custom domain's base path before it.
    const seenPath = requestContext?.path;
    const deployedAt = addressOf(event);
    return { ...known, ...target, headers, body: async () => bytes, seenPath, deployedAt };
  } catch {
    // The request is not valid, or has a lone surrogate, which cannot be escaped.
    const origin = event.headers?.origin ?? event.headers?.Origin;
    const isFlat = valuesOf(queryValues(event)).some(([name]) => name === 'cache');
    return { ...refusedRequest(), ...known, headers: { origin }, query: isFlat ? 'cache' : '' };
  }
}

/**
 * The service's address by API Gateway: its domain, which is one of this API's, and the stage or the
 * base path before the request's path.
 */
function addressOf(event: APIGatewayProxyEvent): string | undefined {
  const { domainName, path: seen } = event.requestContext ?? {};
  const path = pathOf(event);
  if (domainName === undefined || seen === undefined || !seen.endsWith(path)) return undefined;
  const before = seen.slice(0, seen.length - path.length);
  return `https://${domainName}${before}/`;
}

/** A method or the name of a header (RFC 9110, section 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * The path without the base path that a custom domain may put before it. The base path is what
 * precedes the part that the route matched.
 */
function pathOf({ path, resource, pathParameters, requestContext }: APIGatewayProxyEvent): string {
  const isAtStage = requestContext?.path === `/${requestContext?.stage}${path}`;
  if (isAtStage || resource === undefined) return path;
  const matched = withoutLastSlash(resource.replace('{proxy+}', () => pathParameters?.proxy ?? ''));
  // `proxy` is decoded and `path` is not, so compare both ways. A base path has no escapes.
  const whole = [path, percentDecoded(path)]
    .map(withoutLastSlash)
    .find((text) => text.endsWith(matched));
  return whole === undefined ? path : path.slice(whole.length - matched.length) || '/';
}

/** Without one slash, also where nothing is left, so that the whole path is what precedes it. */
function withoutLastSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function queryValues(event: APIGatewayProxyEvent): Values {
  return event.multiValueQueryStringParameters ?? event.queryStringParameters;
}

/** Escapes names and values again, since API Gateway hands them over decoded. */
function queryOf(event: APIGatewayProxyEvent): string {
  return valuesOf(queryValues(event))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

function headersOf(event: APIGatewayProxyEvent): Record<string, string> | undefined {
  const headers: Record<string, string> = Object.create(null);
  for (const [sent, characters] of valuesOf(event.multiValueHeaders ?? event.headers)) {
    // The event has characters where the wire had bytes, so escape those that are not ASCII.
    const value = characters.trim().replace(/[^\0-\x7f]+/g, encodeURIComponent);
    if (!TOKEN.test(sent) || /[\0\r\n]/.test(value)) return undefined;
    const name = sent.toLowerCase();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

type Values = Readonly<Record<string, string | readonly string[] | undefined>> | null;

function valuesOf(values: Values): [string, string][] {
  return Object.entries(values ?? {}).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
}

/**
 * API Gateway's id of a request, so that a run has one id here and in the access log. A caller can
 * set it by a header, so anything but a UUID is ignored.
 */
function apiRequestId({ requestContext }: APIGatewayProxyEvent): string | undefined {
  const id = requestContext?.requestId;
  return UUID.test(id ?? '') ? id.toLowerCase() : undefined;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
