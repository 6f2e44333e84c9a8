import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { FORMAT_TYPES } from '../formats/media-types.ts';
import { type Answer, bytesOf, type ServiceSettings, textOf } from '../http/answer.ts';
import type { Routes } from '../http/routes.ts';
import { serviceOf, serviceUnavailable } from '../http/service.ts';
import { within } from '../work/waiting.ts';
import { requestOf } from './api-gateway-request.ts';

export type LambdaHandler = (
  event: APIGatewayProxyEvent,
  context?: Context,
) => Promise<APIGatewayProxyResult>;

/**
 * The handler answers 503 if the service takes longer. A run ends itself after 2.8 s; this catches
 * what that bound does not.
 */
export const ANSWER_WITHIN_MS = 3000;

/** Answers an event of API Gateway, in pieces only where these can be passed on. Never throws. */
export type AnswerEvent = (event: APIGatewayProxyEvent, canStream?: boolean) => Promise<Answer>;

/** The service at these addresses, for events of API Gateway's REST proxy. */
export function answersEvents(
  routes: Routes,
  settings: ServiceSettings,
  answerWithinMs = ANSWER_WITHIN_MS,
): AnswerEvent {
  const answer = serviceOf(routes, settings);
  return async (event, canStream = false) => {
    const request = { ...requestOf(event), canStream, began: performance.now() };
    try {
      const answered = await within(answer(request), answerWithinMs);
      if (answered !== undefined) return answered;
      throw new Error(`The service did not answer within ${answerWithinMs} ms.`);
    } catch (cause) {
      return answer({ ...request, problem: serviceUnavailable(cause) });
    }
  };
}

/** A Lambda handler that answers at these addresses behind API Gateway's REST proxy. */
export function apiGatewayHandler(
  routes: Routes,
  settings: ServiceSettings,
  answerWithinMs?: number,
): LambdaHandler {
  return plainHandler(answersEvents(routes, settings, answerWithinMs));
}

/** A handler that gives whole answers. */
export function plainHandler(answer: AnswerEvent): LambdaHandler {
  return async (event) => resultOf(await answer(event));
}

/** The answer in API Gateway's form, which takes bytes that are no text in base64. */
async function resultOf({ status, headers, body }: Answer): Promise<APIGatewayProxyResult> {
  const isBase64Encoded =
    headers['Content-Encoding'] !== undefined ||
    headers['Content-Type'] === FORMAT_TYPES.parquet.contentType;
  return {
    statusCode: status,
    headers: { ...headers },
    body: isBase64Encoded ? (await bytesOf(body)).toString('base64') : await textOf(body),
    isBase64Encoded,
  };
}
