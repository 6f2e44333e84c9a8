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
    {
      actions: [/^s3tables:/, /^s3:\w+Metadata\w*TableConfiguration$/],
      properties: ['MetadataTableConfiguration', 'MetadataConfiguration'],
    },
    // What else a bucket may have. CloudFormation reads all of it in any case.
    {
      actions: [
        /^s3:(?:Put|Delete)(?:Bucket)?(?:Accelerate|Analytics|IntelligentTiering|Inventory|Lifecycle|Metrics|Replication|Website)/,
        /^s3:Put(?:Bucket|Object)(?:Abac|Acl|Lock|Logging|Notification|ObjectLock|Versioning)/,
      ],
      properties: [
        ...['AbacStatus', 'AccelerateConfiguration', 'AccessControl', 'AnalyticsConfigurations'],
        ...['IntelligentTieringConfigurations', 'InventoryConfigurations', 'MetricsConfigurations'],
        ...['LifecycleConfiguration', 'LoggingConfiguration', 'NotificationConfiguration'],
        ...['ObjectLockConfiguration', 'ReplicationConfiguration', 'VersioningConfiguration'],
        'WebsiteConfiguration',
      ],
    },
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
  const askedBy = (isOf: (type: string) => boolean) =>
    [...new Set(Object.keys(HANDLERS).flatMap((type) => (isOf(type) ? HANDLERS[type] : []) ?? []))]
      .filter(
        (action) => !NOT_NEEDED.some(({ actions }) => actions.some((one) => one.test(action))),
      )
      .sort();
  const isBucket = (type: string) => type.startsWith('AWS::S3::');
  const asked = askedBy(() => true);
  const isForDomain = (action: string) => action === 'iam:CreateServiceLinkedRole';
  const isOfRoles = (action: string) =>
    /^iam:(?!CreateService|ListRoles$|ListPolicies$)/.test(action);
  const isOfFiles = (action: string) => /^s3:(?!ListAllMyBuckets$)/.test(action);
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
      allow(askedBy((type) => !isBucket(type)).filter(isOfFiles), ['arn:aws:s3:::cdk-*']),
      // The buckets of files, whose names begin with the stack's. It reads no object.
      allow(shortened(askedBy(isBucket).filter(isOfFiles)), [`arn:aws:s3:::${STACK}-*`]),
      allow(['ssm:GetParameters'], ['arn:aws:ssm:*:*:parameter/cdk-bootstrap/*']),
      // Custom resources: the checks of new versions.
      allow(['lambda:InvokeFunction'], [`arn:aws:lambda:*:*:function:${STACK}-*`]),
    ],
  };
}

/** In place of all that asks what a bucket is like, one action: a policy may not be longer. */
const OF_BUCKETS = 's3:GetBucket*';

function shortened(actions: readonly string[]): string[] {
  return [OF_BUCKETS, ...actions.filter((one) => !one.startsWith(OF_BUCKETS.slice(0, -1)))];
}

function allow(actions: readonly string[], resources: readonly string[]): Statement {
  return { Effect: 'Allow', Action: actions, Resource: resources };
}
