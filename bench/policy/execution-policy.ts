import { readFileSync } from 'node:fs';

/** The actions that CloudFormation's own handlers of each type ask for, by the type. */
export const HANDLERS: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('handlers.json', import.meta.url), 'utf8'),
).types;

/** Where the policy is, in the checkout. */
export const EXECUTION_POLICY = 'docs/execution-policy.json';

/** The stack's name that the policy is written for. */
const STACK = 'blockyard';

/** Actions that handlers ask for because of properties, or attributes, that no template has. */
export const NOT_NEEDED: readonly { actions: readonly RegExp[]; properties: readonly string[] }[] =
  [
    {
      actions: [/^ec2:/, /^elasticfilesystem:/, /^s3files:/],
      properties: ['VpcConfig', 'FileSystemConfigs'],
    },
    { actions: [/^lambda:PassCapacityProvider$/], properties: ['CapacityProviderConfig'] },
    { actions: [/^codedeploy:/], properties: ['UpdatePolicy'] },
    // A replica is filled by items. So CloudFormation can neither read nor change rows.
    {
      actions: [
        /^dynamodb:\w*Replica$/,
        /^dynamodb:(?:Batch\w+|(?:Get|Put|Update|Delete)Item|Query|Scan)$/,
      ],
      properties: ['Replicas'],
    },
    { actions: [/^kinesis:/], properties: ['KinesisStreamSpecification'] },
    // Where findings go. The action of S3 is none that a policy could name.
    { actions: [/^firehose:/, /^s3:REST/], properties: ['DataProtectionPolicy'] },
    // No action of S3 has this name either.
    { actions: [/^s3:GetObjectMetadata$/], properties: [] },
    { actions: [/^iam:\w+(?:User|Group)Policy$/], properties: ['Users', 'Groups'] },
    // Keys that encrypt what the stack has. `Decrypt` is for a bootstrap whose bucket has a key.
    {
      actions: [/^kms:(?:CreateGrant|RevokeGrant|Encrypt|GenerateDataKey)$/],
      properties: ['KmsKeyArn', 'KmsKeyId', 'KmsMasterKeyId', 'SSESpecification'],
    },
  ];

type Statement = {
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: object;
};

/** What a bootstrap gives CloudFormation to deploy the stack, instead of AdministratorAccess. */
export function executionPolicy(): { readonly Version: string; readonly Statement: Statement[] } {
  const asked = [...new Set(Object.values(HANDLERS).flat())]
    .filter((action) => !NOT_NEEDED.some(({ actions }) => actions.some((one) => one.test(action))))
    .sort();
  const isForDomain = (action: string) => action === 'iam:CreateServiceLinkedRole';
  const isOfRoles = (action: string) =>
    /^iam:(?!CreateService|ListRoles$|ListPolicies$)/.test(action);
  const isOfFiles = (action: string) => action.startsWith('s3:');
  return {
    Version: '2012-10-17',
    Statement: [
      allow(
        asked.filter((one) => ![isForDomain, isOfRoles, isOfFiles].some((is) => is(one))),
        ['*'],
      ),
      // The names that AWS makes for a stack's roles and policies begin with the stack's.
      allow(asked.filter(isOfRoles), [
        `arn:aws:iam::*:role/${STACK}-*`,
        `arn:aws:iam::*:policy/${STACK}-*`,
      ]),
      // To nested stacks, CloudFormation passes the role that it has.
      {
        ...allow(['iam:PassRole'], ['arn:aws:iam::*:role/cdk-*-cfn-exec-role-*']),
        Condition: { StringEquals: { 'iam:PassedToService': 'cloudformation.amazonaws.com' } },
      },
      // By which API Gateway attaches the certificate of a domain.
      allow(asked.filter(isForDomain), [
        'arn:aws:iam::*:role/aws-service-role/ops.apigateway.amazonaws.com/*',
      ]),
      // The bootstrap's bucket, and its version, which each template of the CDK asks for.
      allow(asked.filter(isOfFiles), ['arn:aws:s3:::cdk-*']),
      allow(['ssm:GetParameters'], ['arn:aws:ssm:*:*:parameter/cdk-bootstrap/*']),
      // Custom resources: the checks of new versions.
      allow(['lambda:InvokeFunction'], [`arn:aws:lambda:*:*:function:${STACK}-*`]),
    ],
  };
}

function allow(actions: readonly string[], resources: readonly string[]): Statement {
  return { Effect: 'Allow', Action: actions, Resource: resources };
}
