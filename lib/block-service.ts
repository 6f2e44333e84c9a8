import { ArnFormat, Duration, type RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { type IRole, Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { BuiltBlock } from '../src/build/build-block.ts';
import { ALIAS, blockFunctionName } from '../src/lambda/block-function.ts';
import type { FunctionSetting, FunctionSettings } from '../src/lambda/function-settings.ts';
import { DatasetTable } from './dataset-table.ts';
import type { DeploymentCheck } from './deployment-check.ts';
import {
  type FunctionDefaults,
  ONE_PIECE_TIMEOUT,
  ServiceFunction,
  STREAM_TIMEOUT,
} from './service-function.ts';
import type { FilesBucket } from './version-files.ts';

type BlockServiceProps = {
  readonly built: BuiltBlock;
  /** Checks each new version before it gets a request. */
  readonly check: DeploymentCheck;
  /** Where its files are, if it has any. */
  readonly bucket: FilesBucket | undefined;
  readonly settings: BlockSettings;
};

/** What all blocks of a deployment share. */
export type BlockSettings = {
  /** The service that they belong to; the functions' names begin with it. */
  readonly service: string;
  readonly columnCacheBytes: number;
  readonly answerMegabytes: number;
  /** Whether functions stream the answers of datasets. */
  readonly streaming: boolean;
  readonly reservedConcurrency: number | undefined;
  /** What becomes of a table when it goes out of the stack. */
  readonly removalPolicy: RemovalPolicy;
  readonly defaults: FunctionDefaults;
};

/** The blocks of a service, each with the name of its function. */
export function functionNames(service: string, blocks: readonly BuiltBlock[]) {
  return blocks.map(({ block: { name } }) => ({
    name,
    functionName: blockFunctionName(service, name),
  }));
}

/** A block: its function, and its table if it has a dataset. */
export class BlockService extends Construct {
  readonly alias: Alias;

  constructor(scope: Construct, id: string, { built, check, bucket, settings }: BlockServiceProps) {
    super(scope, id);
    const { block, code, environment, table, files } = built;
    const {
      service: name,
      columnCacheBytes,
      answerMegabytes,
      streaming,
      reservedConcurrency,
      removalPolicy,
      defaults,
    } = settings;
    const dataset =
      table === undefined ? undefined : new DatasetTable(this, 'Dataset', { table, removalPolicy });
    const placed = files && bucket?.place(this, files);
    const service = new ServiceFunction(this, 'Service', {
      functionName: blockFunctionName(name, block.name),
      description: `Block ${block.name}: ${block.title}`,
      code,
      environment: {
        ...environment,
        ...(dataset === undefined
          ? {}
          : ({
              TABLE_NAME: dataset.table.tableName,
              COLUMN_CACHE_BYTES: String(columnCacheBytes),
              ANSWER_MEGABYTES: String(answerMegabytes),
              ...(streaming ? {} : { STREAMING: 'false' }),
              ...(bucket === undefined ? {} : { FILES_BUCKET: bucket.bucket.bucketName }),
            } satisfies FunctionSettings)),
      },
      ...(dataset === undefined ? {} : { timeout: streaming ? STREAM_TIMEOUT : ONE_PIECE_TIMEOUT }),
      reservedConcurrency,
      defaults,
    });
    const permission = dataset?.grantRead(service.role);
    // A version names all that is its own, so that it stays and goes with its table.
    if (permission !== undefined) service.version.node.addDependency(permission);
    if (placed !== undefined) {
      service.version.node.addDependency(placed);
      bucket?.grantRead(service.role, block.name);
    }
    check.checkBefore({ block: block.name, service, dataset, permission });
    this.alias = service.alias;
  }
}

export type ChannelSecret = {
  readonly setting: FunctionSetting;
  /** A SecureString parameter's name, or the ARN of a secret in Secrets Manager. */
  readonly name: string;
  /** The KMS key of that secret, where it is one of the user's. */
  readonly keyArn: string | undefined;
};

type ChannelServiceProps = {
  readonly description: string;
  readonly code: string;
  /** After this, the new versions of all blocks are live, and no other function is checked. */
  readonly after: Construct;
  /** The setting that names the channel's secret, and the secret's name. */
  readonly secret?: ChannelSecret | undefined;
  readonly service: string;
  readonly defaults: FunctionDefaults;
};

/**
 * A call of MCP's or Slack's function. It allows for two calls of a block's function; API Gateway
 * waits 29 s.
 */
const TIMEOUT = Duration.seconds(25);

/** A channel to all blocks: a function that may call their functions and read its own secret. */
export class ChannelService extends Construct {
  readonly alias: Alias;

  constructor(scope: Construct, id: string, props: ChannelServiceProps) {
    super(scope, id);
    const { description, code, after, secret, service, defaults } = props;
    const channel = new ServiceFunction(this, 'Service', {
      description,
      code,
      ...(secret === undefined ? {} : { environment: { [secret.setting]: secret.name } }),
      timeout: TIMEOUT,
      defaults,
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
              resourceName: `${blockFunctionName(service, '*')}:${ALIAS}`,
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          ],
        }),
      ],
    });
    Validations.of(invoke).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:${blockFunctionName(service, '*')}:${ALIAS}]`,
      reason: "The functions of the stack's blocks, and no others, have names that begin so.",
    });
    const access =
      secret === undefined ? [] : [new SecretAccess(this, 'Secret', { secret, role }).policy];
    channel.checkItself(invoke, after, ...access);
    this.alias = channel.alias;
  }
}

type SecretAccessProps = {
  readonly secret: ChannelSecret;
  readonly role: IRole;
};

/** Permission to read one secret and nothing else. */
class SecretAccess extends Construct {
  readonly policy: Policy;

  constructor(scope: Construct, id: string, { secret, role }: SecretAccessProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const { name, keyArn } = secret;
    const isSecretsManager = name.startsWith('arn:');
    const read = isSecretsManager
      ? new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [name] })
      : new PolicyStatement({
          actions: ['ssm:GetParameter'],
          resources: [
            stack.formatArn({
              service: 'ssm',
              resource: 'parameter',
              resourceName: name.replace(/^\//, ''),
            }),
          ],
        });
    const service = isSecretsManager ? 'secretsmanager' : 'ssm';
    // AWS's own keys for the two services need no further permission.
    const decrypt =
      keyArn === undefined
        ? []
        : [
            new PolicyStatement({
              actions: ['kms:Decrypt'],
              resources: [keyArn],
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
