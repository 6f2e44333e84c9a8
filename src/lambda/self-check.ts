import { loadPages } from '../http/load-pages.ts';
import type { ServedBlock } from '../http/served-block.ts';
import type { LambdaHandler } from './api-gateway-handler.ts';

/** Throws what is wrong. */
export type SelfCheck = () => Promise<void>;

/** Checks what lies beside a block's code and no first answer reads: a page would find it missing. */
export function checkFiles({ profile, boundaries }: ServedBlock): SelfCheck {
  return async () => {
    await loadPages();
    profile?.();
    boundaries?.();
  };
}

/**
 * A handler that also checks itself: a deployment calls each new version with no event, before it
 * gets any request. The check is a call like any other, and has no more time.
 */
export function withSelfCheck(handler: LambdaHandler, check: SelfCheck): LambdaHandler {
  return async (event, context) => {
    if (event?.httpMethod !== undefined) return handler(event, context);
    await check();
    return { statusCode: 204, body: '' };
  };
}
