import { blockRoutes } from '../http/block-routes.ts';
import type { ServedBlock } from '../http/served-block.ts';
import { apiGatewayHandler, type LambdaHandler } from './api-gateway-handler.ts';
import { type LambdaEnv, lambdaSettings } from './lambda-settings.ts';
import { checkFiles, withSelfCheck } from './self-check.ts';

/** A block as a Lambda function. */
export function lambdaHandler(served: ServedBlock, env: LambdaEnv): LambdaHandler {
  const handler = apiGatewayHandler(blockRoutes(served), lambdaSettings(env));
  return withSelfCheck(handler, checkFiles(served));
}
