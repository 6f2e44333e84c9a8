import { CfnResource, type RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { DeploymentOptions } from './deployment-options.ts';

/** A log group of the stack, with the chosen retention and removal policy. */
export function logGroup(scope: Construct, id: string, options: DeploymentOptions): LogGroup {
  return new LogGroup(scope, id, {
    retention: options.logRetention,
    removalPolicy: options.removalPolicy as RemovalPolicy,
  });
}

/** The construct that the CDK makes once per stack for all triggers. */
const PROVIDER = 'AWSCDK.TriggerCustomResourceProviderCustomResourceProvider';

/** Gives the CDK's function that runs the triggers a log group of the stack. */
export function logTriggers(stack: Stack, options: DeploymentOptions): void {
  const handler = stack.node.findChild(PROVIDER).node.findChild('Handler');
  if (!(handler instanceof CfnResource)) throw new TypeError("The CDK's trigger has no function.");
  const { logGroupName } = logGroup(stack, 'TriggerLog', options);
  handler.addPropertyOverride('LoggingConfig', { LogGroup: logGroupName });
}
