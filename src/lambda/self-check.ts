import { loadParquet } from '../formats/rows-writer.ts';
import { loadPages } from '../http/answer-page.ts';
import type { ServedBlock } from '../http/served-block.ts';
import type { LambdaHandler } from './api-gateway-handler.ts';

/** Throws an Error if something is wrong. */
export type SelfCheck = () => Promise<void>;

/** Checks the files beside a block's code that only pages, maps and Parquet need; no first answer does. */
export function checkFiles({ manifest, profile, boundaries }: ServedBlock): SelfCheck {
  return async () => {
    await loadPages();
    if (manifest !== undefined) await loadParquet();
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
