import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { DeploymentOptions } from './deployment-options.ts';
import { removalPolicyOf } from './removal-policy.ts';

/** A log group that is the stack's own: kept as long as was chosen, and gone with the stack. */
export function logGroup(scope: Construct, id: string, options: DeploymentOptions): LogGroup {
  return new LogGroup(scope, id, {
    retention: options.logRetention,
    removalPolicy: removalPolicyOf(options),
  });
}
