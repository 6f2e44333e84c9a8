import type { APIGatewayProxyEvent } from 'aws-lambda';

/**
 * The request that API Gateway made this event of; undefined where none can be made. Written here
 * since Hono's adapter logs the address of what it cannot read, with all that it asks for.
 */
export function requestOf(event: APIGatewayProxyEvent): Request | undefined {
  try {
    const headers = headersOf(event);
    const body = bodyOf(event);
    // What is read may be bounded by its length before it is read.
    if (body !== null) headers.set('content-length', String(body.length));
    return new Request(addressOf(event), { method: event.httpMethod, headers, body });
  } catch {
    return undefined;
  }
}

function addressOf(event: APIGatewayProxyEvent): string {
  const host = event.requestContext?.domainName ?? event.headers?.Host ?? 'localhost';
  const query = queryOf(event);
  return `https://${host}${pathOf(event)}${query === '' ? '' : `?${query}`}`;
}

/**
 * The path without the base path that a custom domain may put before it: that is what stands before
 * the end that the route matched.
 */
function pathOf({ path, resource, pathParameters, requestContext }: APIGatewayProxyEvent): string {
  const isAtStage = requestContext?.path === `/${requestContext?.stage}${path}`;
  if (isAtStage || resource === undefined) return path;
  const matched = withoutSlash(resource.replace('{proxy+}', () => pathParameters?.proxy ?? ''));
  // `proxy` is decoded, and the path is not. A base path has nothing to decode.
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

/** API Gateway hands over names and values decoded. */
function queryOf(event: APIGatewayProxyEvent): string {
  return valuesOf(event.multiValueQueryStringParameters ?? event.queryStringParameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

function headersOf(event: APIGatewayProxyEvent): Headers {
  const headers = new Headers();
  for (const [name, value] of valuesOf(event.multiValueHeaders ?? event.headers)) {
    // Headers takes bytes, and the event has characters.
    headers.append(name, value.replace(/[^\0-\x7f]+/g, encodeURIComponent));
  }
  return headers;
}

/** A GET's or HEAD's body means nothing (RFC 9110, section 9.3.1), and no Request can carry it. */
function bodyOf(event: APIGatewayProxyEvent): Buffer<ArrayBuffer> | null {
  const { httpMethod, body, isBase64Encoded } = event;
  if (!body || /^(?:GET|HEAD)$/i.test(httpMethod)) return null;
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}

type Values = Readonly<Record<string, string | readonly string[] | undefined>> | null;

function valuesOf(values: Values): [string, string][] {
  return Object.entries(values ?? {}).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
}
