import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { handle } from 'hono/aws-lambda';
import { blockApp, type ServedBlock } from '../http/block-app.ts';
import type { Log } from '../http/run-app.ts';
import { unreadRefusal } from '../http/unread-refusal.ts';

export type LambdaHandler = (
  event: APIGatewayProxyEvent,
  context?: Context,
) => Promise<APIGatewayProxyResult>;

/** The environment that a function is given. */
export type LambdaEnv = Readonly<Record<string, string | undefined>>;

/** A block's app as a Lambda function behind API Gateway's REST proxy. */
export function lambdaHandler(served: ServedBlock, env: LambdaEnv): LambdaHandler {
  const build = env.BUILD ?? env.AWS_LAMBDA_FUNCTION_VERSION ?? 'development';
  const toApp = handle(blockApp(served, { build, log: logLine })) as unknown as LambdaHandler;
  return async (event, context) => {
    if (UNBUILDABLE_METHODS.has(event.httpMethod.toUpperCase())) {
      return refuse(event, 'method-not-allowed', `${event.httpMethod} is not taken here.`);
    }
    const result = await toApp({ ...withoutStrayBody(event), path: pathOf(event) }, context);
    // Every answer of the app has a run id; the adapter's own, in plain text, has none.
    return isOfApp(result)
      ? result
      : refuse(event, 'bad-request', 'The request is not valid HTTP/1.1.');
  };
}

/** No Request can be made with these (WHATWG Fetch, "forbidden method"). */
const UNBUILDABLE_METHODS = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** A GET's or HEAD's body means nothing (RFC 9110, section 9.3.1), and no Request can carry it. */
function withoutStrayBody(event: APIGatewayProxyEvent): APIGatewayProxyEvent {
  return /^(?:GET|HEAD)$/i.test(event.httpMethod) ? { ...event, body: null } : event;
}

/** The path without the base path that a custom domain puts before it. */
function pathOf({ path }: APIGatewayProxyEvent): string {
  return path.slice(Math.max(0, path.indexOf('/api_v2/')));
}

function isOfApp({ headers, multiValueHeaders }: APIGatewayProxyResult): boolean {
  return Object.hasOwn(multiValueHeaders ?? headers ?? {}, 'x-run-id');
}

function refuse(
  event: APIGatewayProxyEvent,
  code: 'bad-request' | 'method-not-allowed',
  detail: string,
): APIGatewayProxyResult {
  const query = event.multiValueQueryStringParameters ?? event.queryStringParameters ?? {};
  const { status, headers, body } = unreadRefusal(code, detail, Object.hasOwn(query, 'cache'));
  return { statusCode: status, headers: { ...headers }, body, isBase64Encoded: false };
}

const logLine: Log = (entry) => console.error(JSON.stringify(entry));
