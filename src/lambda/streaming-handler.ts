import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent, StreamifyHandler } from 'aws-lambda';
import { type Answer, isWhole } from '../http/answer.ts';
import type { AnswerEvent, LambdaHandler } from './api-gateway-handler.ts';

/** How long nobody may take any of an answer, as on this machine. */
const STALLED_MS = 30_000;

/**
 * A handler that streams to API Gateway, where Lambda can. Calls by our own functions have no
 * request context; they get what the plain handler returns.
 */
export function streamingHandler(answer: AnswerEvent, plain: LambdaHandler): LambdaHandler {
  // A global of Lambda's runtime for Node. The SDK makes another one of this name.
  const runtime: Partial<typeof awslambda> | undefined = globalThis.awslambda;
  if (runtime?.streamifyResponse === undefined) return plain;
  const handler: StreamifyHandler<APIGatewayProxyEvent, void> = async (event, stream, context) => {
    // A read may go on after its run; the next call need not wait for it.
    context.callbackWaitsForEmptyEventLoop = false;
    if (event?.requestContext === undefined) {
      stream.end(JSON.stringify(await plain(event, context)));
      return;
    }
    const { status, headers, body } = await answer(event, true);
    const head = { statusCode: status, headers };
    await write(body, awslambda.HttpResponseStream.from(stream, head));
  };
  // The runtime knows it by a mark, and calls it with a stream.
  return awslambda.streamifyResponse(handler) as unknown as LambdaHandler;
}

/** Rejects if the body breaks off or nobody takes it, so that Lambda breaks the answer off too. */
async function write(body: Answer['body'], stream: Writable): Promise<void> {
  if (isWhole(body)) {
    // The head is sent with the first write, even if that is empty.
    stream.write(Buffer.from((body ?? '') as Uint8Array));
  } else {
    for await (const piece of body) {
      if (stream.write(piece)) continue;
      await once(stream, 'drain', { signal: AbortSignal.timeout(STALLED_MS) });
    }
  }
  stream.end();
}
