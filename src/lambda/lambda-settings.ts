import { readOrigins } from '../http/allow-origin.ts';
import type { ServiceSettings } from '../http/service.ts';
import { runLog } from './run-log.ts';
import { runMetrics } from './run-metrics.ts';

/** The environment that a function is given. */
export type LambdaEnv = Readonly<Record<string, string | undefined>>;

/** What a service is given in a Lambda function; made once for each, as is its cold start. */
export function lambdaSettings(env: LambdaEnv): ServiceSettings {
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
  };
}
