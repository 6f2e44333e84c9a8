import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type HttpRequest, readTarget, refusedRequest } from '../http/request.ts';
import { apiRequestId } from './api-request-id.ts';

/** The request that this event of API Gateway stands for. */
export function requestOf(event: APIGatewayProxyEvent): HttpRequest {
  const { httpMethod: method, requestContext } = event;
  const runId = apiRequestId(event);
  const known = { method, ...(runId === undefined ? {} : { runId }) };
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
    const seen = seenPath === undefined ? {} : { seenPath };
    return { ...known, ...target, headers, body: async () => bytes, ...seen };
  } catch {
    // The request is not valid, or has a lone surrogate, which cannot be escaped.
    const origin = event.headers?.origin ?? event.headers?.Origin;
    const isFlat = valuesOf(queryValues(event)).some(([name]) => name === 'cache');
    return { ...refusedRequest(), ...known, headers: { origin }, query: isFlat ? 'cache' : '' };
  }
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
  const matched = withoutSlash(resource.replace('{proxy+}', () => pathParameters?.proxy ?? ''));
  // `proxy` is decoded and `path` is not, so compare both ways. A base path has no escapes.
  const whole = [path, decoded(path)].map(withoutSlash).find((text) => text.endsWith(matched));
  return whole === undefined ? path : path.slice(whole.length - matched.length) || '/';
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
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
