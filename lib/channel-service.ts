import { Duration, Stack } from 'aws-cdk-lib';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { DeploymentOptions } from './deployment-options.ts';
import { SecretAccess } from './secret-access.ts';
import { ServiceFunction } from './service-function.ts';

export type ChannelServiceProps = {
  readonly description: string;
  readonly code: string;
  /** The blocks' functions, by block name. */
  readonly blocks: Readonly<Record<string, Pick<ServiceFunction, 'alias' | 'aliasArn'>>>;
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
    const arns = Object.fromEntries(
      Object.entries(blocks).map(([name, { aliasArn }]) => [name, aliasArn]),
    );
    const channel = new ServiceFunction(this, 'Service', {
      description,
      code,
      environment: {
        BLOCK_FUNCTIONS: Stack.of(this).toJsonString(arns),
        ...(secret === undefined ? {} : { [secret.setting]: secret.name }),
      },
      timeout: TIMEOUT,
      options,
    });
    const { role } = channel;
    const invoke = new Policy(this, 'Invoke', {
      roles: [role],
      statements: [
        new PolicyStatement({
          actions: ['lambda:InvokeFunction'],
          resources: Object.values(arns),
        }),
      ],
    });
    const access =
      secret === undefined
        ? []
        : [new SecretAccess(this, 'Secret', { secret: secret.name, role, options }).policy];
    channel.checkItself(invoke, ...Object.values(blocks).map((block) => block.alias), ...access);
    this.alias = channel.alias;
  }
}
