import { loadParquet } from '../formats/parquet.ts';
import { blockRoutes } from '../http/block-routes.ts';
import { loadFigures, loadPages } from '../http/load-pages.ts';
import type { ServedBlock } from '../http/served-block.ts';
import { answersEvents, type LambdaHandler, plainHandler } from './api-gateway-handler.ts';
import { type LambdaEnv, lambdaSettings } from './lambda-settings.ts';
import { streamingHandler } from './streaming-handler.ts';

/** A block as a Lambda function. */
export function lambdaHandler(
  served: ServedBlock,
  env: LambdaEnv,
  settings = lambdaSettings(env),
): LambdaHandler {
  const answer = answersEvents(blockRoutes(served), settings);
  const plain = withSelfCheck(plainHandler(answer), checkFiles(served));
  return served.manifest === undefined ? plain : streamingHandler(answer, plain);
}

/** Throws an Error if something is wrong. */
type SelfCheck = () => Promise<void>;

/** Checks the files beside a block's code that only pages, maps and Parquet need; no first answer does. */
export function checkFiles({ manifest, profile, boundaries }: ServedBlock): SelfCheck {
  return async () => {
    await loadPages();
    if (manifest !== undefined) await Promise.all([loadParquet(), loadFigures()]);
    profile?.();
    boundaries?.();
  };
}

/**
 * A handler that also checks itself: a deployment calls each new version with an empty event before
 * it gets any request. The check has the same time limit as any other call.
 */
export function withSelfCheck(handler: LambdaHandler, check: SelfCheck): LambdaHandler {
  return async (event, context) => {
    if (event?.httpMethod !== undefined) return handler(event, context);
    await check();
    return { statusCode: 204, body: '' };
  };
}
