import {
  type CfnElement,
  CustomResource,
  Duration,
  type RemovalPolicy,
  Stack,
  Validations,
} from 'aws-cdk-lib';
import {
  type IRole,
  ManagedPolicy,
  Policy,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, LoggingFormat } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { DatasetTable } from './dataset-table.ts';
import {
  FUNCTION_SETTINGS,
  type LogSettings,
  logGroup,
  type ServiceFunction,
} from './service-function.ts';

export type DeploymentCheckProps = {
  /** The folder of its code. */
  readonly code: string;
  readonly memory: number;
  readonly logs: LogSettings;
};

/** A block's new version, and what must exist before it can be checked. */
export type CheckedVersion = {
  readonly block: string;
  readonly service: ServiceFunction;
  readonly dataset?: DatasetTable;
  /** The permission to read its table. */
  readonly permission?: Policy;
};

/** IAM limits a policy to 6,144 characters, and the ARN of a table or an index may have 250. */
const ARNS_OF_A_POLICY = 20;

/**
 * A call of the check's function. This is the longest that Lambda allows: counting a large table
 * takes minutes.
 */
const TIMEOUT = Duration.minutes(15);

/** The function's own timeout, and some time for CloudFormation to call it. */
const SERVICE_TIMEOUT = TIMEOUT.plus(Duration.minutes(1));

/** The type of the files of a version, which go with it. */
export const FILES_TYPE = 'Custom::BlockFiles';

type CopiedFilesProps = {
  /** What the function is told. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly removalPolicy: RemovalPolicy;
};

/**
 * Checks each new version of a part's blocks before its alias moves, one after the other, and copies
 * the versions' files. A separate function does it, so that the functions that answer requests need
 * no long timeout, no retries, and no permission to write.
 */
export class DeploymentCheck extends Construct {
  readonly #role: IRole;
  readonly #function: LambdaFunction;
  readonly #invoke: Policy;
  /** Separate, because a version that is called comes after its files. */
  #copy: Policy | undefined;
  #first: CustomResource | undefined;
  #last: CustomResource | undefined;
  #lastCopy: CustomResource | undefined;
  readonly #counted: { readonly policy: ManagedPolicy; arns: number }[] = [];

  constructor(scope: Construct, id: string, { code, memory, logs }: DeploymentCheckProps) {
    super(scope, id);
    const log = logGroup(this, 'Log', logs);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    log.grantWrite(role);
    this.#role = role;
    this.#function = new LambdaFunction(this, 'Function', {
      ...FUNCTION_SETTINGS,
      timeout: TIMEOUT,
      memorySize: memory,
      description: "Checks, in a deployment, each block's new version",
      role,
      code: Code.fromAsset(code),
      environment: { NODE_OPTIONS: '--enable-source-maps' },
      logGroup: log,
      loggingFormat: LoggingFormat.JSON,
    });
    this.#invoke = new Policy(this, 'Invoke', { roles: [role] });
  }

  /** Keeps requests from a block's new version until it has passed its check. */
  checkBefore({ block, service, dataset, permission }: CheckedVersion): void {
    const { function: fn, version, alias } = service;
    this.#invoke.addStatements(
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: [version.functionArn],
      }),
      new PolicyStatement({ actions: ['lambda:GetAlias'], resources: [fn.functionArn] }),
    );
    const check = new CustomResource(this, block, {
      resourceType: 'Custom::BlockCheck',
      serviceToken: this.#function.functionArn,
      serviceTimeout: SERVICE_TIMEOUT,
      properties: {
        Block: block,
        FunctionName: fn.functionName,
        Version: version.functionArn,
        Alias: alias.aliasName,
        ...(dataset === undefined ? {} : { Table: dataset.table.tableName }),
      },
    });
    check.node.addDependency(this.#invoke);
    // A check calls the block's function while it runs: checks that took all of the account's calls
    // would wait for one another.
    if (this.#last !== undefined) check.node.addDependency(this.#last);
    this.#first ??= check;
    this.#last = check;
    if (permission !== undefined) check.node.addDependency(permission);
    if (dataset !== undefined) check.node.addDependency(this.#leaveToCount(dataset));
    alias.node.addDependency(check);
  }

  /** Lets the function copy what one bucket has below such keys into another, and remove it there. */
  letCopy(from: string, keys: string, into: Bucket): void {
    const stack = Stack.of(this);
    const uploaded = stack.formatArn({
      ...{ service: 's3', region: '', account: '', resource: from, resourceName: keys },
    });
    this.#copy = new Policy(this, 'Copy', {
      roles: [this.#role],
      statements: [
        new PolicyStatement({ actions: ['s3:GetObject'], resources: [uploaded] }),
        new PolicyStatement({
          actions: ['s3:PutObject', 's3:DeleteObject'],
          resources: [into.arnForObjects('*')],
        }),
      ],
    });
    const bucket = stack.getLogicalId(into.node.defaultChild as CfnElement);
    const named = JSON.stringify(stack.resolve(from));
    const [, uploads = from] = /"Fn::Sub":"(.*?)"/.exec(named) ?? [];
    Validations.of(this.#copy).acknowledge(
      {
        id: `AwsSolutions-IAM5[Resource::<${bucket}.Arn>/*]`,
        reason: 'The bucket has the files of these blocks and nothing else.',
      },
      {
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${uploads.replace(/\$\{(.*?)\}/g, '<$1>')}/${keys}]`,
        reason: "What the CDK has uploaded for this stack's files, and nothing else, begins so.",
      },
    );
  }

  /** Has the function copy the files of a version, and remove them when they go out of the stack. */
  copy(scope: Construct, id: string, { properties, removalPolicy }: CopiedFilesProps) {
    const copied = new CustomResource(scope, id, {
      resourceType: FILES_TYPE,
      serviceToken: this.#function.functionArn,
      serviceTimeout: SERVICE_TIMEOUT,
      removalPolicy,
      properties,
    });
    if (this.#copy !== undefined) copied.node.addDependency(this.#copy);
    // One after the other, as the checks are, which take two calls of functions each.
    if (this.#lastCopy !== undefined) copied.node.addDependency(this.#lastCopy);
    this.#lastCopy = copied;
    return copied;
  }

  /** Has no check begin before all files are copied, so that a part takes no more calls at once. */
  checkAfterCopies(): void {
    if (this.#lastCopy !== undefined) this.#first?.node.addDependency(this.#lastCopy);
  }

  /**
   * In separate managed policies, because the tables of a part exceed a role's inline limit.
   */
  #leaveToCount(dataset: DatasetTable): ManagedPolicy {
    const [table = '', ...indexes] = dataset.arns;
    let last = this.#counted.at(-1);
    if (last === undefined || last.arns + dataset.arns.length > ARNS_OF_A_POLICY) {
      const policy = new ManagedPolicy(this, `Count${this.#counted.length}`, {
        roles: [this.#role],
        description: 'Counts the rows of new tables',
      });
      last = { policy, arns: 0 };
      this.#counted.push(last);
    }
    last.arns += dataset.arns.length;
    last.policy.addStatements(
      new PolicyStatement({
        actions: ['dynamodb:Query', 'dynamodb:BatchGetItem'],
        resources: [table],
      }),
      ...(indexes.length === 0
        ? []
        : [new PolicyStatement({ actions: ['dynamodb:Scan'], resources: indexes })]),
    );
    dataset.acknowledgeIndexes(last.policy);
    return last.policy;
  }
}
