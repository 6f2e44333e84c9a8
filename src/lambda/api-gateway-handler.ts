import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { Refusal } from '../core/errors.ts';
import { within } from '../core/within.ts';
import { type Answer, bytesOf, textOf } from '../http/answer.ts';
import { asRefusal, serviceUnavailable } from '../http/as-refusal.ts';
import type { Routes } from '../http/routes.ts';
import { elapsedMs, outcomeOfRefusal, recordedMethod } from '../http/run-record.ts';
import { type ServiceSettings, serviceOf } from '../http/service.ts';
import { unreadRefusal } from '../http/unread-refusal.ts';
import { requestOf } from './api-gateway-request.ts';
import { apiRequestId } from './api-request-id.ts';

export type LambdaHandler = (
  event: APIGatewayProxyEvent,
  context?: Context,
) => Promise<APIGatewayProxyResult>;

/**
 * A service that has not answered by then is answered for. A run ends itself after 2.8 s; this is
 * for what its own bound does not reach.
 */
export const ANSWER_WITHIN_MS = 3000;

/** What answers for these addresses behind API Gateway's REST proxy. */
export function apiGatewayHandler(
  routes: Routes,
  settings: ServiceSettings,
  answerWithinMs = ANSWER_WITHIN_MS,
): LambdaHandler {
  const answer = serviceOf(routes, settings);
  const { block } = routes.elsewhere;
  return async (event) => {
    const began = performance.now();
    const refuse = (refusal: Refusal) => {
      const { runId, ...refused } = unreadRefusal(refusal, knownOf(event, settings));
      const method = recordedMethod(event.httpMethod);
      const { status } = refused;
      const durationMs = elapsedMs(began);
      settings.record({ runId, block, method, status, durationMs, ...outcomeOfRefusal(refusal) });
      return resultOf(refused);
    };
    const request = requestOf(event);
    if (request === undefined) {
      return refuse(new Refusal('bad-request', 'The request is not valid HTTP/1.1.'));
    }
    try {
      const answering = answer(request).then(resultOf);
      return (await within(answering, answerWithinMs)) ?? refuse(notAnswered(answerWithinMs));
    } catch (cause) {
      return refuse(asRefusal(cause));
    }
  };
}

function knownOf(event: APIGatewayProxyEvent, { allowOrigin = '*' }: ServiceSettings) {
  const query = event.multiValueQueryStringParameters ?? event.queryStringParameters ?? {};
  const runId = apiRequestId(event);
  const origin = event.headers?.origin ?? event.headers?.Origin;
  return {
    isFlat: Object.hasOwn(query, 'cache'),
    allowOrigin,
    ...(origin === undefined ? {} : { origin }),
    ...(runId === undefined ? {} : { runId }),
  };
}

function notAnswered(ms: number): Refusal {
  return serviceUnavailable(new Error(`The service did not answer within ${ms} ms.`));
}

/** Text as it is; what is compressed as bytes, which API Gateway takes in base64. */
async function resultOf({ status, headers, body }: Answer): Promise<APIGatewayProxyResult> {
  const isBase64Encoded = headers['Content-Encoding'] !== undefined;
  return {
    statusCode: status,
    headers: { ...headers },
    body: isBase64Encoded ? (await bytesOf(body)).toString('base64') : await textOf(body),
    isBase64Encoded,
  };
}
