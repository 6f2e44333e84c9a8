import { CfnResource, type RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { DeploymentOptions } from './deployment-options.ts';

/** A log group that is the stack's own: kept as long as was chosen, and gone with the stack. */
export function logGroup(scope: Construct, id: string, options: DeploymentOptions): LogGroup {
  return new LogGroup(scope, id, {
    retention: options.logRetention,
    removalPolicy: options.removalPolicy as RemovalPolicy,
  });
}

/** The construct that the CDK makes once for all triggers of a stack. */
const PROVIDER = 'AWSCDK.TriggerCustomResourceProviderCustomResourceProvider';

/** Gives the CDK's own function, which runs the triggers, a log that goes with the stack. */
export function logTriggers(stack: Stack, options: DeploymentOptions): void {
  const handler = stack.node.findChild(PROVIDER).node.findChild('Handler');
  if (!(handler instanceof CfnResource)) throw new TypeError("The CDK's trigger has no function.");
  const { logGroupName } = logGroup(stack, 'TriggerLog', options);
  handler.addPropertyOverride('LoggingConfig', { LogGroup: logGroupName });
}
