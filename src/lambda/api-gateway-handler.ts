import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Hono } from 'hono/quick';
import { Refusal } from '../core/errors.ts';
import { within } from '../core/within.ts';
import {
  type AppSettings,
  internalError,
  type RunEnv,
  serviceUnavailable,
} from '../http/run-app.ts';
import { elapsedMs, outcomeOfRefusal, recordedMethod } from '../http/run-record.ts';
import { unreadRefusal } from '../http/unread-refusal.ts';
import { requestOf } from './api-gateway-request.ts';
import { apiRequestId } from './api-request-id.ts';

export type LambdaHandler = (
  event: APIGatewayProxyEvent,
  context?: Context,
) => Promise<APIGatewayProxyResult>;

/**
 * An app that has not answered by then is answered for. A run ends itself after 2.8 s; this is for
 * what its own bound does not reach.
 */
export const ANSWER_WITHIN_MS = 3000;

/** An app behind API Gateway's REST proxy; `block` is the name of the one that it is of. */
export function apiGatewayHandler(
  app: Hono<RunEnv>,
  { record, allowOrigin = '*' }: Pick<AppSettings, 'record' | 'allowOrigin'>,
  block: string | null,
  answerWithinMs = ANSWER_WITHIN_MS,
): LambdaHandler {
  return async (event) => {
    const began = performance.now();
    const refuse = (refusal: Refusal): APIGatewayProxyResult => {
      const query = event.multiValueQueryStringParameters ?? event.queryStringParameters ?? {};
      const id = apiRequestId(event);
      const origin = event.headers?.origin ?? event.headers?.Origin;
      const { runId, status, headers, body } = unreadRefusal(refusal, {
        isFlat: Object.hasOwn(query, 'cache'),
        allowOrigin,
        ...(origin === undefined ? {} : { origin }),
        ...(id === undefined ? {} : { runId: id }),
      });
      const method = recordedMethod(event.httpMethod);
      const durationMs = elapsedMs(began);
      record({ runId, block, method, status, durationMs, ...outcomeOfRefusal(refusal) });
      return { statusCode: status, headers: { ...headers }, body, isBase64Encoded: false };
    };
    const { httpMethod } = event;
    if (UNBUILDABLE_METHODS.has(httpMethod.toUpperCase())) {
      return refuse(new Refusal('method-not-allowed', `${httpMethod} is not taken here.`));
    }
    const request = requestOf(event);
    if (request === undefined) {
      return refuse(new Refusal('bad-request', 'The request is not valid HTTP/1.1.'));
    }
    try {
      const answering = Promise.resolve(app.fetch(request, { event })).then(resultOf);
      return (await within(answering, answerWithinMs)) ?? refuse(notAnswered(answerWithinMs));
    } catch (cause) {
      // Hono handles Errors alone; whatever else is thrown comes through.
      return refuse(internalError(cause));
    }
  };
}

function notAnswered(ms: number): Refusal {
  return serviceUnavailable(new Error(`The app did not answer within ${ms} ms.`));
}

/** No Request can be made with these (WHATWG Fetch, "forbidden method"). */
const UNBUILDABLE_METHODS = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** Text as it is; what is compressed as bytes, which API Gateway takes in base64. */
async function resultOf(response: Response): Promise<APIGatewayProxyResult> {
  const isBase64Encoded = response.headers.has('content-encoding');
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: isBase64Encoded
      ? Buffer.from(await response.arrayBuffer()).toString('base64')
      : await response.text(),
    isBase64Encoded,
  };
}
