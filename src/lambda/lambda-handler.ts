import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { handle } from 'hono/aws-lambda';
import { blockApp, type ServedBlock } from '../http/block-app.ts';
import type { Log } from '../http/run-app.ts';

export type LambdaHandler = (
  event: APIGatewayProxyEvent,
  context?: Context,
) => Promise<APIGatewayProxyResult>;

/** The environment that a function is given. */
export type LambdaEnv = Readonly<Record<string, string | undefined>>;

/** A block's app as a Lambda function behind API Gateway's REST proxy. */
export function lambdaHandler(served: ServedBlock, env: LambdaEnv): LambdaHandler {
  const build = env.BUILD ?? env.AWS_LAMBDA_FUNCTION_VERSION ?? 'development';
  const app = blockApp(served, { build, log: logLine });
  return handle(app) as unknown as LambdaHandler;
}

const logLine: Log = (entry) => console.error(JSON.stringify(entry));
