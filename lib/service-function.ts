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
import { ALIAS } from '../src/lambda/block-function.ts';
import type { DeploymentOptions } from './deployment-options.ts';
import { FUNCTION_SETTINGS } from './function-settings.ts';
import { logGroup } from './log-group.ts';

export type ServiceFunctionProps = {
  /** Its name, where others must know it; AWS makes one otherwise. */
  readonly functionName?: string;
  readonly description: string;
  /** The folder of its code. */
  readonly code: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The concurrency reserved for it, which is also its maximum. */
  readonly reservedConcurrency?: number | undefined;
  /** The timeout of a call, if it differs from a block's. */
  readonly timeout?: Duration;
  readonly options: DeploymentOptions;
};

/** The timeout for a call of a new version: its start, of up to 10 s, and the call itself. */
const CALLED_WITHIN = Duration.seconds(60);

/**
 * A Lambda function called through an alias of a published version, because code and environment
 * change in two steps and no request may see the state between. Each new version must be checked
 * before its alias moves: by `checkItself`, or for a block by `DeploymentCheck`.
 */
export class ServiceFunction extends Construct {
  readonly role: Role;
  readonly function: LambdaFunction;
  readonly version: IVersion;
  /** Callers use this alias. */
  readonly alias: Alias;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { functionName, description, code, environment, timeout, options } = props;
    const { reservedConcurrency } = props;
    // What only holders of keys may read is embedded nowhere, unless the option says where.
    const { allowFrames = options.access === 'keys' ? 'none' : '*' } = options;
    const log = logGroup(this, 'Log', options);
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    log.grantWrite(this.role);
    const fn = new LambdaFunction(this, 'Function', {
      ...FUNCTION_SETTINGS,
      ...(timeout === undefined ? {} : { timeout }),
      memorySize: options.memory,
      ...(functionName === undefined ? {} : { functionName }),
      description,
      role: this.role,
      ...(reservedConcurrency === undefined
        ? {}
        : { reservedConcurrentExecutions: reservedConcurrency }),
      code: Code.fromAsset(code),
      environment: {
        // Part of each ETag: covers the code and all files beside it.
        BUILD: FileSystem.fingerprint(code).slice(0, 20),
        SERVICE_NAME: options.stackName,
        ...(options.allowOrigin === '*' ? {} : { ALLOW_ORIGIN: options.allowOrigin }),
        ...(allowFrames === '*' ? {} : { ALLOW_FRAMES: allowFrames }),
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
    this.function = fn;
    this.version = fn.currentVersion as IVersion;
    this.alias = new Alias(this, 'Live', { aliasName: ALIAS, version: this.version });
  }

  /** Calls each new version once, without an event, before it gets any request. */
  checkItself(...after: readonly Construct[]): void {
    new Trigger(this, 'Check', {
      handler: this.function,
      timeout: CALLED_WITHIN,
      executeBefore: [this.alias],
    }).executeAfter(...after);
  }
}
