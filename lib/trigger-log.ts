import { CfnResource, type Stack } from 'aws-cdk-lib';
import type { DeploymentOptions } from './deployment-options.ts';
import { logGroup } from './log-group.ts';

/** The construct that the CDK makes once for all triggers of a stack. */
const PROVIDER = 'AWSCDK.TriggerCustomResourceProviderCustomResourceProvider';

/** Gives the CDK's own function, which runs the triggers, a log that goes with the stack. */
export function logTriggers(stack: Stack, options: DeploymentOptions): void {
  const handler = stack.node.findChild(PROVIDER).node.findChild('Handler');
  if (!(handler instanceof CfnResource)) throw new TypeError("The CDK's trigger has no function.");
  const { logGroupName } = logGroup(stack, 'TriggerLog', options);
  handler.addPropertyOverride('LoggingConfig', { LogGroup: logGroupName });
}
