import { Duration, FileSystem, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Code,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { Trigger } from 'aws-cdk-lib/triggers';
import { Construct } from 'constructs';
import type { DeploymentOptions } from './deployment-options.ts';
import { FUNCTION_SETTINGS } from './function-settings.ts';
import { logGroup } from './log-group.ts';

export type ServiceFunctionProps = {
  readonly description: string;
  /** The folder of its code. */
  readonly code: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Calls at once that are kept for it, which then has no more. */
  readonly reservedConcurrency?: number | undefined;
  /** What a call may take, where that is not what it may for a block. */
  readonly timeout?: Duration;
  readonly options: DeploymentOptions;
};

const ALIAS = 'live';

/** For a call of a new version: its start, of up to 10 s, and its own time. */
const CALLED_WITHIN = Duration.seconds(60);

/**
 * A Lambda function that is called through an alias of a published version: code and environment
 * change in two steps, and no request sees the state between. Something must check each new version
 * before its alias moves: `checkItself`, or for a block `DeploymentCheck`.
 */
export class ServiceFunction extends Construct {
  readonly role: Role;
  readonly function: LambdaFunction;
  readonly version: IVersion;
  /** What others call. */
  readonly alias: Alias;
  /**
   * The alias's ARN, made of the function's: whoever is told it need not wait for the alias, and
   * so can be checked by the same trigger.
   */
  readonly aliasArn: string;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { description, code, environment, reservedConcurrency, timeout, options } = props;
    const log = logGroup(this, 'Log', options);
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    log.grantWrite(this.role);
    const fn = new LambdaFunction(this, 'Function', {
      ...FUNCTION_SETTINGS,
      ...(timeout === undefined ? {} : { timeout }),
      memorySize: options.memory,
      description,
      role: this.role,
      ...(reservedConcurrency === undefined
        ? {}
        : { reservedConcurrentExecutions: reservedConcurrency }),
      code: Code.fromAsset(code),
      environment: {
        // Part of each ETag: the code and all that lies beside it.
        BUILD: FileSystem.fingerprint(code).slice(0, 20),
        NODE_OPTIONS: '--enable-source-maps',
        POWERTOOLS_SERVICE_NAME: options.stackName,
        ...(options.allowOrigin === '*' ? {} : { ALLOW_ORIGIN: options.allowOrigin }),
        ...environment,
      },
      logGroup: log,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: options.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
    });
    if (options.tracing) {
      Validations.of(this.role).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'xray:PutTraceSegments and PutTelemetryRecords take no resource but *.',
      });
    }
    this.aliasArn = `${fn.functionArn}:${ALIAS}`;
    this.function = fn;
    this.version = fn.currentVersion as IVersion;
    this.alias = new Alias(this, 'Live', { aliasName: ALIAS, version: this.version });
  }

  /** Has each new version called once, with no event, before it gets any request. */
  checkItself(...after: readonly Construct[]): void {
    new Trigger(this, 'Check', {
      handler: this.function,
      timeout: CALLED_WITHIN,
      executeBefore: [this.alias],
    }).executeAfter(...after);
  }
}
