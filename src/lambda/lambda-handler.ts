import { blockRoutes } from '../http/block-routes.ts';
import type { ServedBlock } from '../http/served-block.ts';
import { answersEvents, type LambdaHandler, plainHandler } from './api-gateway-handler.ts';
import { type LambdaEnv, lambdaSettings } from './lambda-settings.ts';
import { checkFiles, withSelfCheck } from './self-check.ts';
import { streamingHandler } from './streaming-handler.ts';

/** A block as a Lambda function. */
export function lambdaHandler(served: ServedBlock, env: LambdaEnv): LambdaHandler {
  const answer = answersEvents(blockRoutes(served), lambdaSettings(env));
  const plain = withSelfCheck(plainHandler(answer), checkFiles(served));
  return served.manifest === undefined ? plain : streamingHandler(answer, plain);
}
