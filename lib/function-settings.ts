import { Duration } from 'aws-cdk-lib';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';

/** What every function runs on. */
export const FUNCTION_SETTINGS = {
  runtime: Runtime.NODEJS_24_X,
  architecture: Architecture.ARM_64,
  handler: 'index.handler',
  /**
   * For the check of a new version, which reads a whole table. A request has less: a run ends itself
   * within 3 s, and API Gateway waits 29.
   */
  timeout: Duration.seconds(120),
} as const;
