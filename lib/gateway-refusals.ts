import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { PROBLEMS, Problem, type ProblemCode } from '../src/problem/errors.ts';
import { flatProblem, problemDetails } from '../src/problem/problem.ts';

type GatewayRefusal = {
  readonly code: ProblemCode;
  readonly detail: string;
  /** In seconds. */
  readonly retryAfter?: number;
};

const KEY_MISSING: GatewayRefusal = {
  code: 'key-missing',
  detail: 'Send a key as x-api-key, as Authorization: Bearer, or as api_key in the query.',
};
// One text for wrong, disabled, deleted and plan-less keys, so that callers cannot tell which it
// is.
const KEY_REFUSED: GatewayRefusal = {
  code: 'key-refused',
  detail: 'The key is not accepted. Ask whoever runs this service for one that is.',
};
const NOTHING_HERE: GatewayRefusal = {
  code: 'not-found',
  detail: 'The blocks are listed at /api_v2/blocks.',
};
const NOT_HTTP: GatewayRefusal = {
  code: 'bad-request',
  detail: 'The request is not valid here, or its address is too long.',
};
const BROKEN: GatewayRefusal = {
  code: 'internal-error',
  detail: 'Something broke on our side. The run id helps to find it.',
};
const NO_ANSWER: GatewayRefusal = {
  code: 'service-unavailable',
  detail: 'The service did not answer. Try again soon.',
  retryAfter: 1,
};

/** The refusals that API Gateway makes itself, by type. */
export const GATEWAY_REFUSALS: ReadonlyMap<ResponseType, GatewayRefusal> = new Map([
  [ResponseType.UNAUTHORIZED, KEY_MISSING],
  [ResponseType.ACCESS_DENIED, KEY_REFUSED],
  [ResponseType.INVALID_API_KEY, KEY_REFUSED],
  [ResponseType.EXPIRED_TOKEN, KEY_REFUSED],
  [ResponseType.INVALID_SIGNATURE, KEY_REFUSED],
  [ResponseType.WAF_FILTERED, KEY_REFUSED],
  // API Gateway gives this type to addresses and methods without a route.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, NOTHING_HERE],
  [ResponseType.RESOURCE_NOT_FOUND, NOTHING_HERE],
  [ResponseType.BAD_REQUEST_BODY, NOT_HTTP],
  [ResponseType.BAD_REQUEST_PARAMETERS, NOT_HTTP],
  [ResponseType.DEFAULT_4XX, NOT_HTTP],
  [
    ResponseType.REQUEST_TOO_LARGE,
    { code: 'body-too-large', detail: 'The body may have 262,144 bytes. Send less at a time.' },
  ],
  [
    ResponseType.UNSUPPORTED_MEDIA_TYPE,
    { code: 'unsupported-media-type', detail: 'Send JSON or a form.' },
  ],
  [
    ResponseType.THROTTLED,
    { code: 'too-many-requests', detail: 'Wait a second, then try again.', retryAfter: 1 },
  ],
  [
    ResponseType.QUOTA_EXCEEDED,
    {
      code: 'quota-exceeded',
      detail: "The key's requests of the day are used up. Try again tomorrow.",
      // We do not know when this key's day began; an hour is a fair guess.
      retryAfter: 3600,
    },
  ],
  [ResponseType.API_CONFIGURATION_ERROR, BROKEN],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, BROKEN],
  // The function was throttled, or failed before it could answer.
  [ResponseType.DEFAULT_5XX, NO_ANSWER],
  [ResponseType.AUTHORIZER_FAILURE, NO_ANSWER],
  [ResponseType.INTEGRATION_FAILURE, NO_ANSWER],
  [ResponseType.INTEGRATION_TIMEOUT, NO_ANSWER],
]);

/**
 * Makes API Gateway's own refusals look like ours: a problem, with a run id and CORS headers. One
 * fixed body serves both envelopes, so it has the members of both.
 */
export function refuseAtGateway(api: RestApi): void {
  for (const [type, { code, detail, retryAfter }] of GATEWAY_REFUSALS) {
    const refusal = new Problem(code, detail);
    const body = { ...problemDetails(refusal, '$context.requestId'), ...flatProblem(refusal) };
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(PROBLEMS[code].status),
      responseHeaders: {
        'Access-Control-Allow-Origin': "'*'",
        'Access-Control-Expose-Headers': "'Retry-After, X-Run-Id'",
        'Cache-Control': "'no-store'",
        'X-Content-Type-Options': "'nosniff'",
        'X-Run-Id': 'context.requestId',
        ...(retryAfter === undefined ? {} : { 'Retry-After': `'${retryAfter}'` }),
      },
      templates: { 'application/json': JSON.stringify(body) },
    });
  }
}
