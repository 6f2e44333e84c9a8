import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { type Answer, bytesOf, textOf } from '../http/answer.ts';
import { serviceUnavailable } from '../http/as-problem.ts';
import type { Routes } from '../http/routes.ts';
import { type ServiceSettings, serviceOf } from '../http/service.ts';
import { within } from '../waiting/within.ts';
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

/** A Lambda handler that answers at these addresses behind API Gateway's REST proxy. */
export function apiGatewayHandler(
  routes: Routes,
  settings: ServiceSettings,
  answerWithinMs = ANSWER_WITHIN_MS,
): LambdaHandler {
  const answer = serviceOf(routes, settings);
  return async (event) => {
    const request = { ...requestOf(event), began: performance.now() };
    try {
      const answering = answer(request).then(resultOf);
      const result = await within(answering, answerWithinMs);
      if (result !== undefined) return result;
      throw new Error(`The service did not answer within ${answerWithinMs} ms.`);
    } catch (cause) {
      return resultOf(await answer({ ...request, problem: serviceUnavailable(cause) }));
    }
  };
}

/** The answer in API Gateway's form, which takes bytes (a compressed body) in base64. */
async function resultOf({ status, headers, body }: Answer): Promise<APIGatewayProxyResult> {
  const isBase64Encoded = headers['Content-Encoding'] !== undefined;
  return {
    statusCode: status,
    headers: { ...headers },
    body: isBase64Encoded ? (await bytesOf(body)).toString('base64') : await textOf(body),
    isBase64Encoded,
  };
}
