import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { authorizeKey } from '../src/lambda/key-authorizer.ts';

/** API Gateway asks this function for a request's key. A deployment calls it without an event. */
export async function handler(
  event?: APIGatewayRequestAuthorizerEvent,
): Promise<APIGatewayAuthorizerResult | undefined> {
  return event?.methodArn === undefined ? undefined : authorizeKey(event);
}
