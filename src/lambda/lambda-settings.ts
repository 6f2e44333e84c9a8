import type { APIGatewayProxyEvent } from 'aws-lambda';
import { readOrigins } from '../core/allow-origin.ts';
import type { AppSettings } from '../http/run-app.ts';
import { apiRequestId } from './api-request-id.ts';
import { runLog } from './run-log.ts';
import { runMetrics } from './run-metrics.ts';

type AppEnv = { readonly event: APIGatewayProxyEvent };

/** The environment that a function is given. */
export type LambdaEnv = Readonly<Record<string, string | undefined>>;

/** What an app is given in a Lambda function; made once for each, as is its cold start. */
export function lambdaSettings(env: LambdaEnv): AppSettings {
  const log = runLog();
  const measure = runMetrics();
  const allowOrigin = readOrigins(env.ALLOW_ORIGIN ?? '*');
  if (allowOrigin === undefined) throw new Error('ALLOW_ORIGIN is neither * nor origins.');
  return {
    allowOrigin,
    build: env.BUILD ?? env.AWS_LAMBDA_FUNCTION_VERSION ?? 'development',
    record: (run) => {
      log(run);
      measure(run);
    },
    runIdOf: (appEnv) => apiRequestId((appEnv as AppEnv).event),
    // With the stage, or a domain's base path, before what the app is given.
    pathOf: (appEnv) => (appEnv as AppEnv).event.requestContext?.path,
  };
}
