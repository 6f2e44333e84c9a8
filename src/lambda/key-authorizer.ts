import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';

/** API Gateway's rule for keys: 20 to 128 letters, digits, `-` and `_`. */
const POSSIBLE_KEY = /^[\w-]{20,128}$/;

/**
 * Finds a request's key in `x-api-key`, `Authorization: Bearer` or `?api_key=`, and hands it to API
 * Gateway, which knows keys and their quotas. Without a key it throws the one text that API Gateway
 * turns into a 401.
 */
export function authorizeKey(event: APIGatewayRequestAuthorizerEvent): APIGatewayAuthorizerResult {
  const key = keyOf(event);
  if (key === undefined) throw new Error('Unauthorized');
  const isPossible = POSSIBLE_KEY.test(key);
  return {
    principalId: 'caller',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: isPossible ? 'Allow' : 'Deny',
          Action: 'execute-api:Invoke',
          // Results are not cached, so this allows one call; the ARN of a long path is too long.
          Resource: '*',
        },
      ],
    },
    usageIdentifierKey: isPossible ? key : undefined,
  };
}

function keyOf(event: APIGatewayRequestAuthorizerEvent): string | undefined {
  const [bearer = ''] = headersOf(event, 'authorization');
  const candidates = [
    ...headersOf(event, 'x-api-key'),
    /^Bearer\s+(.*)$/is.exec(bearer)?.[1],
    ...(event.multiValueQueryStringParameters?.api_key ?? []),
    event.queryStringParameters?.api_key,
  ];
  return candidates.map((candidate) => candidate?.trim()).find((key) => key);
}

function headersOf(event: APIGatewayRequestAuthorizerEvent, name: string): string[] {
  return Object.entries({ ...event.headers, ...event.multiValueHeaders })
    .filter(([header]) => header.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
}
