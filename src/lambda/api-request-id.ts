import type { APIGatewayProxyEvent } from 'aws-lambda';

/**
 * API Gateway's id of a request, so that a run has one id here and in the access log. A caller can
 * set it by a header, so anything but a UUID is ignored.
 */
export function apiRequestId({ requestContext }: APIGatewayProxyEvent): string | undefined {
  const id = requestContext?.requestId;
  return UUID.test(id ?? '') ? id.toLowerCase() : undefined;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
