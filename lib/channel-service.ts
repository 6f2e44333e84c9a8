import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { ALIAS, blockFunctionName } from '../src/lambda/block-function.ts';
import type { DeploymentOptions } from './deployment-options.ts';
import { SecretAccess } from './secret-access.ts';
import { ServiceFunction } from './service-function.ts';

export type ChannelServiceProps = {
  readonly description: string;
  readonly code: string;
  /** After these, the new versions of all blocks are live. */
  readonly blocks: readonly Construct[];
  /** The setting that names the channel's secret, and the secret's name. */
  readonly secret?: { readonly setting: string; readonly name: string };
  readonly options: DeploymentOptions;
};

/** Allows for two calls of a block's function, 10 s each; API Gateway waits 29 s. */
const TIMEOUT = Duration.seconds(25);

/** A channel to all blocks: a function that may call their functions and read its own secret. */
export class ChannelService extends Construct {
  readonly alias: Alias;

  constructor(scope: Construct, id: string, props: ChannelServiceProps) {
    super(scope, id);
    const { description, code, blocks, secret, options } = props;
    const channel = new ServiceFunction(this, 'Service', {
      description,
      code,
      ...(secret === undefined ? {} : { environment: { [secret.setting]: secret.name } }),
      timeout: TIMEOUT,
      options,
    });
    const { role } = channel;
    const invoke = new Policy(this, 'Invoke', {
      roles: [role],
      statements: [
        new PolicyStatement({
          actions: ['lambda:InvokeFunction'],
          // A list of them all would be longer than a role's policies may be.
          resources: [
            Stack.of(this).formatArn({
              service: 'lambda',
              resource: 'function',
              resourceName: `${blockFunctionName(options.stackName, '*')}:${ALIAS}`,
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          ],
        }),
      ],
    });
    Validations.of(invoke).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:${blockFunctionName(options.stackName, '*')}:${ALIAS}]`,
      reason: "The functions of the stack's blocks, and no others, have names that begin so.",
    });
    const access =
      secret === undefined
        ? []
        : [new SecretAccess(this, 'Secret', { secret: secret.name, role, options }).policy];
    channel.checkItself(invoke, ...blocks, ...access);
    this.alias = channel.alias;
  }
}
