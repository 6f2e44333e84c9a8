import { readFrames, readOrigins } from '../http/allow-origin.ts';
import type { ServiceSettings } from '../http/answer.ts';
import { runLog } from './run-log.ts';
import { runMetrics } from './run-metrics.ts';

/** The environment variables of a function. */
export type LambdaEnv = Readonly<Record<string, string | undefined>>;

/** The service that a function belongs to: its stack's name. */
export function serviceName({ SERVICE_NAME }: LambdaEnv): string {
  return SERVICE_NAME ?? 'blockyard';
}

/** The settings of a service in a Lambda function; made once per cold start, which they count. */
export function lambdaSettings(env: LambdaEnv): ServiceSettings {
  const service = serviceName(env);
  const log = runLog(service);
  const measure = runMetrics(service);
  const allowOrigin = readOrigins(env.ALLOW_ORIGIN ?? '*');
  if (allowOrigin === undefined) throw new Error('ALLOW_ORIGIN is neither * nor origins.');
  const frameAncestors = readFrames(env.ALLOW_FRAMES ?? '*');
  if (frameAncestors === undefined) throw new Error('ALLOW_FRAMES is not *, none or origins.');
  return {
    allowOrigin,
    frameAncestors,
    build: env.BUILD ?? env.AWS_LAMBDA_FUNCTION_VERSION ?? 'development',
    record: (run) => {
      log(run);
      measure(run);
    },
  };
}
