import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** What API Gateway does with the role: it makes its streams, and checks what is there. */
const ACTIONS = [
  'logs:CreateLogGroup',
  'logs:CreateLogStream',
  'logs:DescribeLogGroups',
  'logs:DescribeLogStreams',
  'logs:PutLogEvents',
  'logs:GetLogEvents',
  'logs:FilterLogEvents',
];

/**
 * Makes the role by which API Gateway writes logs: one for all APIs of the account's region, so that
 * it stays, and stays set, when the stack goes.
 */
export function apiLogRole(scope: Construct): CfnAccount {
  const role = new Role(scope, 'LogRole', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    description: 'API Gateway writes its access logs',
    inlinePolicies: {
      WriteLogs: new PolicyDocument({
        statements: [
          new PolicyStatement({
            actions: ACTIONS,
            resources: [Stack.of(scope).formatArn({ service: 'logs', resource: '*' })],
          }),
        ],
      }),
    },
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:*]',
    reason:
      "The role is the region's: it serves every API of the account, this stack's or another's.",
  });
  role.applyRemovalPolicy(RemovalPolicy.RETAIN);
  const account = new CfnAccount(scope, 'LogAccount', { cloudWatchRoleArn: role.roleArn });
  account.applyRemovalPolicy(RemovalPolicy.RETAIN);
  return account;
}
