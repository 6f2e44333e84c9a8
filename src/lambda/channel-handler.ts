import type { Block } from '../block/block.ts';
import { type CallBlock, callBlockBy } from '../http/call-block.ts';
import type { Routes } from '../http/service.ts';
import { causeOf } from '../problem/errors.ts';
import type { ProblemDetails } from '../problem/problem.ts';
import { patiently } from '../work/waiting.ts';
import { apiGatewayHandler, type LambdaHandler } from './api-gateway-handler.ts';
import { postByInvoking } from './invoke-block.ts';
import { withSelfCheck } from './lambda-handler.ts';
import { type LambdaEnv, lambdaSettings, serviceName } from './lambda-settings.ts';

/** Room for two calls of a block's function, of up to 10 s each; API Gateway waits 29 s. */
const CHANNEL_ANSWER_WITHIN_MS = 22_000;

export type LambdaChannel = {
  readonly blocks: readonly Pick<Block, 'name' | 'examples'>[];
  readonly routes: (call: CallBlock) => Routes;
  /** Checks what else must work before requests come. */
  readonly check?: () => Promise<unknown>;
};

/**
 * A channel to all blocks as a Lambda function, which calls the functions of its service's blocks.
 * Its check calls some of them, to see that it may and gets an answer.
 */
export function channelHandler(
  { blocks, routes, check }: LambdaChannel,
  env: LambdaEnv,
): LambdaHandler {
  const call = callBlockBy(postByInvoking(serviceName(env)));
  const handler = apiGatewayHandler(routes(call), lambdaSettings(env), CHANNEL_ANSWER_WITHIN_MS);
  return withSelfCheck(handler, async () => {
    const patience = { isPassing, signal: AbortSignal.timeout(CHECKED_WITHIN_MS) };
    try {
      await patiently(async () => check?.(), patience);
      const waiting = blocks.slice(0, BLOCKS_CALLED);
      const callNext = async () => {
        for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
          const { name, examples } = block;
          await patiently(async () => {
            const answer = await call(name, examples[0]?.arguments ?? {});
            if (answer.kind === 'refused') throw new Refused(name, answer.problem);
          }, patience);
        }
      };
      await Promise.all(Array.from({ length: CALLS_AT_ONCE }, callNext));
    } catch (error) {
      throw causeOf(error);
    }
  });
}

/** Ends before the channel's function would time out; the calls that it makes are cold starts. */
const CHECKED_WITHIN_MS = 15_000;

/**
 * Enough to see the permission, which is one for all; each block has its own check. A hundred cold
 * starts would take longer than there is.
 */
const BLOCKS_CALLED = 8;

/** Well below a new AWS account's bound of ten concurrent functions. */
const CALLS_AT_ONCE = 4;

class Refused extends Error {
  readonly status: number;

  constructor(block: string, { status, detail }: ProblemDetails) {
    super(`${block}: ${detail}`);
    this.status = status;
  }
}

/** The permission is seconds old, so IAM may not know it yet; a block may still load its data. */
function isPassing(error: Error): boolean {
  return (
    causeOf(error).name === 'AccessDeniedException' ||
    (error instanceof Refused && error.status === 503)
  );
}
