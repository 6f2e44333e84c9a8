import { blockApp } from '../http/block-app.ts';
import type { ServedBlock } from '../http/served-block.ts';
import { apiGatewayHandler, type LambdaHandler } from './api-gateway-handler.ts';
import { type LambdaEnv, lambdaSettings } from './lambda-settings.ts';
import { checkFiles, withSelfCheck } from './self-check.ts';

/** A block's app as a Lambda function. */
export function lambdaHandler(served: ServedBlock, env: LambdaEnv): LambdaHandler {
  const settings = lambdaSettings(env);
  const handler = apiGatewayHandler(blockApp(served, settings), settings, served.block.name);
  return withSelfCheck(handler, checkFiles(served));
}
