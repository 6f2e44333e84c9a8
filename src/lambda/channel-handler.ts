import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { isThrottlingError } from '@smithy/core/retry';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Block } from '../block/block.ts';
import { type CallBlock, callBlockBy, type PostToBlock } from '../http/call-block.ts';
import type { Routes } from '../http/routes.ts';
import { serviceUnavailable } from '../http/service.ts';
import { causeOf } from '../problem/errors.ts';
import type { ProblemDetails } from '../problem/problem.ts';
import { fewAtOnce, retry } from '../work/waiting.ts';
import { apiGatewayHandler, type LambdaHandler } from './api-gateway-handler.ts';
import { awsSettings } from './aws-settings.ts';
import { ALIAS, blockFunctionName, eventOf } from './block-function.ts';
import type { LambdaEnv } from './function-settings.ts';
import { withSelfCheck } from './lambda-handler.ts';
import { lambdaSettings, serviceName } from './lambda-settings.ts';

/**
 * An answer of MCP's or Slack's function. Then 503.
 *
 * Room for two calls of a block's function, of up to 10 s each; API Gateway waits 29 s.
 */
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
      await retry(async () => check?.(), patience);
      await fewAtOnce(blocks.slice(0, BLOCKS_CALLED), CALLS_AT_ONCE, ({ name, examples }) =>
        retry(async () => {
          const answer = await call(name, examples[0]?.arguments ?? {});
          if (answer.kind === 'refused') throw new Refused(name, answer.problem);
        }, patience),
      );
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

/**
 * The permission is seconds old, so IAM may not know it yet; others may use all calls that the
 * account runs at once; a block may still load its data.
 */
function isPassing(error: Error): boolean {
  const cause = causeOf(error);
  return (
    cause.name === 'AccessDeniedException' ||
    isThrottlingError(cause as never) ||
    (error instanceof Refused && error.status === 503)
  );
}

/**
 * A call of a block's function by MCP's or Slack's.
 *
 * Longer than any run after a cold start; API Gateway waits for more than twice this.
 */
const ANSWERED_WITHIN_MS = 10_000;

/**
 * POSTs to a service's blocks by calling their functions as API Gateway would, so that a block runs
 * the same way through every channel. Throws a Problem if a function does not answer.
 */
export function postByInvoking(service: string, withinMs = ANSWERED_WITHIN_MS): PostToBlock {
  const client = new LambdaClient({
    ...awsSettings(),
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: 500,
      requestTimeout: withinMs,
      throwOnRequestTimeout: true,
    },
  });
  return async (block, body) => {
    try {
      const { FunctionError: failed, Payload: payload } = await client.send(
        new InvokeCommand({
          FunctionName: `${blockFunctionName(service, block)}:${ALIAS}`,
          Payload: JSON.stringify(eventOf(block, body)),
        }),
      );
      const text = payload?.transformToString() ?? '';
      if (failed !== undefined) throw new Error(`The function of ${block}: ${failed}: ${text}`);
      const { statusCode, body: answered }: APIGatewayProxyResult = JSON.parse(text);
      return { status: statusCode, body: answered };
    } catch (cause) {
      throw serviceUnavailable(cause);
    }
  };
}
