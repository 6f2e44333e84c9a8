import {
  DefaultStackSynthesizer,
  type DefaultStackSynthesizerProps,
  type IStackSynthesizer,
} from 'aws-cdk-lib';
import type { DeploymentOptions } from './deployment-options.ts';

/** Deploys a stack by the roles and the bucket of the chosen bootstrap. */
export function synthesizerOf(
  { bootstrapQualifier: qualifier }: Pick<DeploymentOptions, 'bootstrapQualifier'>,
  more: DefaultStackSynthesizerProps = {},
): IStackSynthesizer {
  return new DefaultStackSynthesizer({ qualifier, ...more }) as IStackSynthesizer;
}
