import { Duration } from 'aws-cdk-lib';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';

/** What every function runs on. */
export const FUNCTION_SETTINGS = {
  runtime: Runtime.NODEJS_24_X,
  architecture: Architecture.ARM_64,
  handler: 'index.handler',
  /** API Gateway waits no longer than 29 s; a run ends itself within 3. */
  timeout: Duration.seconds(29),
} as const;
