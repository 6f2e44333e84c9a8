/** What API Gateway sends of a request to the tiny block, with these arguments in its query. */
export function blockEvent(query: Readonly<Record<string, string>>, httpMethod = 'GET') {
  return {
    httpMethod,
    path: '/api_v2/blocks/tiny',
    headers: {},
    multiValueQueryStringParameters: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, [value]]),
    ),
    body: null,
    isBase64Encoded: false,
    requestContext: { path: '/prod/api_v2/blocks/tiny', domainName: 'here' },
  };
}
