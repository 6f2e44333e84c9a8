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
