import type { Hono } from 'hono/quick';
import type { Block } from '../core/block.ts';
import { type CallBlock, callBlockBy } from '../http/call-block.ts';
import type { AppSettings, RunEnv } from '../http/run-app.ts';
import { apiGatewayHandler, type LambdaHandler } from './api-gateway-handler.ts';
import { type BlockFunctions, postByInvoking } from './invoke-block.ts';
import { type LambdaEnv, lambdaSettings } from './lambda-settings.ts';
import { patiently, withSelfCheck } from './self-check.ts';

/** Two calls of a block's function, each of which is waited for up to 10 s; API Gateway waits 29 s. */
const DOOR_ANSWER_WITHIN_MS = 22_000;

export type LambdaDoor = {
  readonly blocks: readonly Pick<Block, 'name' | 'examples'>[];
  readonly app: (call: CallBlock, settings: AppSettings) => Hono<RunEnv>;
  /** What else has to work before requests come. */
  readonly check?: () => Promise<unknown>;
};

/**
 * A door to all blocks as a Lambda function, which calls theirs (`BLOCK_FUNCTIONS`, JSON). Its
 * check calls each once: that it may, and that it is answered.
 */
export function doorHandler({ blocks, app, check }: LambdaDoor, env: LambdaEnv): LambdaHandler {
  const functions: BlockFunctions = JSON.parse(env.BLOCK_FUNCTIONS ?? '{}');
  const settings = lambdaSettings(env);
  const call = callBlockBy(postByInvoking(functions));
  const handler = apiGatewayHandler(app(call, settings), settings, null, DOOR_ANSWER_WITHIN_MS);
  return withSelfCheck(handler, async () => {
    await patiently(async () => check?.());
    for (const { name, examples } of blocks) {
      await patiently(async () => {
        const answer = await call(name, examples[0]?.arguments ?? {});
        if (answer.kind === 'refused') throw new Error(`${name}: ${answer.problem.detail}`);
      });
    }
  });
}
