import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { PostToBlock } from '../http/call-block.ts';
import { ROW_ADDRESSES } from '../http/request.ts';
import { BLOCKS_PATH, serviceUnavailable } from '../http/service.ts';
import { ALIAS, blockFunctionName } from './block-function.ts';

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
