import { CustomResource, Duration } from 'aws-cdk-lib';
import {
  type IRole,
  ManagedPolicy,
  Policy,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, LoggingFormat } from 'aws-cdk-lib/aws-lambda';
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

/**
 * Checks each new version of a part's blocks before its alias moves, one after the other. A separate
 * function does it, so that the functions that answer requests need no long timeout and no retries.
 */
export class DeploymentCheck extends Construct {
  readonly #role: IRole;
  readonly #function: LambdaFunction;
  readonly #invoke: Policy;
  #last: CustomResource | undefined;
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
      // The function's own timeout, and some time for CloudFormation to call it.
      serviceTimeout: TIMEOUT.plus(Duration.minutes(1)),
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
    this.#last = check;
    if (permission !== undefined) check.node.addDependency(permission);
    if (dataset !== undefined) check.node.addDependency(this.#leaveToCount(dataset));
    alias.node.addDependency(check);
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
