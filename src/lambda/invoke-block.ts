import { createHash } from 'node:crypto';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { PostToBlock } from '../http/call-block.ts';
import { ROW_ADDRESSES } from '../http/request.ts';
import { BLOCKS_PATH } from '../http/routes.ts';
import { serviceUnavailable } from '../http/service.ts';

/** Longer than any run after a cold start; API Gateway waits for more than twice this. */
const ANSWERED_WITHIN_MS = 10_000;

/**
 * POSTs to a service's blocks by calling their functions as API Gateway would, so that a block runs
 * the same way through every channel. Throws a Problem if a function does not answer.
 */
export function postByInvoking(service: string, withinMs = ANSWERED_WITHIN_MS): PostToBlock {
  const client = new LambdaClient({
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

/** The parts of an API Gateway event that a block's function reads. */
export function eventOf(block: string, body: string) {
  const path = `${BLOCKS_PATH}/${block}`;
  const headers = { 'Content-Type': 'application/json', Prefer: ROW_ADDRESSES };
  return { httpMethod: 'POST', path, resource: path, headers, body, isBase64Encoded: false };
}

/** The alias by which each function is called. */
export const ALIAS = 'live';

/** Lambda's bound for a function's name. */
const MOST_CHARACTERS = 64;

/**
 * The name of a block's function, known without asking: channels derive it, since a list of a
 * hundred ARNs fits neither in an environment (4 KB) nor in a role's policies (10,240 characters).
 * Names of stacks and blocks have no `_`, so no two services or blocks share a function.
 */
export function blockFunctionName(service: string, block: string): string {
  const name = `${service}_${block}`;
  if (name.length <= MOST_CHARACTERS) return name;
  const mark = `_${createHash('sha256').update(block).digest('hex').slice(0, 8)}`;
  return `${name.slice(0, MOST_CHARACTERS - mark.length)}${mark}`;
}
