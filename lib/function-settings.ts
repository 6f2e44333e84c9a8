import { Duration } from 'aws-cdk-lib';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';

/** What every function runs on. */
export const FUNCTION_SETTINGS = {
  runtime: Runtime.NODEJS_24_X,
  architecture: Architecture.ARM_64,
  handler: 'index.handler',
  /** A call is answered within 3 s; its function's start may come before it, and code that hangs. */
  timeout: Duration.seconds(10),
} as const;
