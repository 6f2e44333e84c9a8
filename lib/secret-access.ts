import { Stack } from 'aws-cdk-lib';
import { type IRole, Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { DeploymentOptions } from './deployment-options.ts';

export type SecretAccessProps = {
  /** A SecureString parameter's name, or the ARN of a secret in Secrets Manager. */
  readonly secret: string;
  readonly role: IRole;
  readonly options: DeploymentOptions;
};

/** Permission to read one secret and nothing else. */
export class SecretAccess extends Construct {
  readonly policy: Policy;

  constructor(scope: Construct, id: string, { secret, role, options }: SecretAccessProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const isSecretsManager = secret.startsWith('arn:');
    const read = isSecretsManager
      ? new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret] })
      : new PolicyStatement({
          actions: ['ssm:GetParameter'],
          resources: [
            stack.formatArn({
              service: 'ssm',
              resource: 'parameter',
              resourceName: secret.replace(/^\//, ''),
            }),
          ],
        });
    const service = isSecretsManager ? 'secretsmanager' : 'ssm';
    const { secretKeyArn } = options;
    // AWS's own keys for the two services need no further permission.
    const decrypt =
      secretKeyArn === undefined
        ? []
        : [
            new PolicyStatement({
              actions: ['kms:Decrypt'],
              resources: [secretKeyArn],
              conditions: {
                StringEquals: {
                  'kms:ViaService': `${service}.${stack.region}.amazonaws.com`,
                },
              },
            }),
          ];
    this.policy = new Policy(this, 'Read', { roles: [role], statements: [read, ...decrypt] });
  }
}
