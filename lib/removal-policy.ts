import { RemovalPolicy } from 'aws-cdk-lib';
import type { DeploymentOptions } from './deployment-options.ts';

/** What becomes of a table or a log that leaves the stack, or goes with it. */
export function removalPolicyOf({ removalPolicy }: DeploymentOptions): RemovalPolicy {
  return removalPolicy === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
}
