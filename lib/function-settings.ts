import { Duration } from 'aws-cdk-lib';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';

/** The settings of every function. */
export const FUNCTION_SETTINGS = {
  runtime: Runtime.NODEJS_24_X,
  architecture: Architecture.ARM_64,
  handler: 'index.handler',
  /**
   * A call is answered within 3 s; the rest is for the function's start, and bounds code that
   * hangs.
   */
  timeout: Duration.seconds(10),
} as const;

/** The most that AWS allows for a function that streams, and for API Gateway's wait for it. */
export const STREAM_TIMEOUT = Duration.minutes(15);
