import type { APIGatewayProxyEvent } from 'aws-lambda';

/**
 * API Gateway's id of a request, so that a run has one id here and in the access log. A caller
 * may set it by a header of its own: what is not a UUID is not taken.
 */
export function apiRequestId({ requestContext }: APIGatewayProxyEvent): string | undefined {
  const id = requestContext?.requestId;
  return UUID.test(id ?? '') ? id.toLowerCase() : undefined;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
