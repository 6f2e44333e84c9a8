import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { authorizeKey } from '../src/lambda/key-authorizer.ts';

/** The function that API Gateway asks for a request's key. A deployment calls it with no event. */
export async function handler(
  event?: APIGatewayRequestAuthorizerEvent,
): Promise<APIGatewayAuthorizerResult | undefined> {
  return event?.methodArn === undefined ? undefined : authorizeKey(event);
}
