import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** The actions of API Gateway: it creates log streams and checks what exists. */
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
 * Makes the role with which API Gateway writes logs. All APIs of the account's region share it, so
 * it stays, and stays set, when the stack is removed.
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
