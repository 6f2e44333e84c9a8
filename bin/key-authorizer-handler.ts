import type { APIGatewayRequestAuthorizerHandler } from 'aws-lambda';
import { authorizeKey } from '../src/lambda/key-authorizer.ts';

/** The function that API Gateway asks for a request's key. */
export const handler: APIGatewayRequestAuthorizerHandler = async (event) => authorizeKey(event);
