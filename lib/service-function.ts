import {
  CfnResource,
  Duration,
  FileSystem,
  type RemovalPolicy,
  type Stack,
  Validations,
} from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  Code,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Trigger } from 'aws-cdk-lib/triggers';
import { Construct } from 'constructs';
import { ALIAS } from '../src/lambda/block-function.ts';
import type { FunctionSettings } from '../src/lambda/function-settings.ts';
import type { PublicationSettings } from '../src/portals/publication.ts';
import type { DeploymentOptions } from './deployment-options.ts';

/** What all functions of a deployment share. */
export type FunctionDefaults = {
  readonly environment: FunctionSettings;
  readonly memory: number;
  readonly tracing: boolean;
  readonly logs: LogSettings;
};

/** How long logs are kept, in days, and what becomes of them when the stack goes. */
export type LogSettings = { readonly retention: number; readonly removalPolicy: RemovalPolicy };

/** What the options of a deployment mean for all of its functions. */
export function functionDefaults(options: DeploymentOptions): FunctionDefaults {
  const { stackName, access, allowOrigin, memory, tracing, logRetention } = options;
  // What only holders of keys may read is embedded nowhere, unless the option says where.
  const { allowFrames = access === 'keys' ? 'none' : '*' } = options;
  const published = {
    PUBLIC_URL: options.publicUrl,
    PUBLISHER: options.publisher,
    PUBLISHER_URL: options.publisherUrl,
    PUBLISHER_EMAIL: options.publisherEmail,
  } satisfies PublicationSettings;
  const given = Object.entries(published).filter(([, text]) => text !== undefined);
  return {
    environment: {
      SERVICE_NAME: stackName,
      ACCESS: access,
      ALLOW_ORIGIN: allowOrigin,
      ALLOW_FRAMES: allowFrames,
      ...Object.fromEntries(given),
    },
    memory,
    tracing,
    logs: { retention: logRetention, removalPolicy: options.removalPolicy as RemovalPolicy },
  };
}

type ServiceFunctionProps = {
  /** Its name, where others must know it; AWS makes one otherwise. */
  readonly functionName?: string;
  readonly description: string;
  /** The folder of its code. */
  readonly code: string;
  readonly environment?: FunctionSettings;
  /** The concurrency reserved for it, which is also its maximum. */
  readonly reservedConcurrency?: number | undefined;
  /** The timeout of a call, if it differs from a block's. */
  readonly timeout?: Duration;
  readonly defaults: FunctionDefaults;
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
    const { functionName, description, code, environment, timeout, reservedConcurrency } = props;
    const { memory, tracing, logs, environment: shared } = props.defaults;
    const log = logGroup(this, 'Log', logs);
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    log.grantWrite(this.role);
    const fn = new LambdaFunction(this, 'Function', {
      ...FUNCTION_SETTINGS,
      ...(timeout === undefined ? {} : { timeout }),
      memorySize: memory,
      functionName,
      description,
      role: this.role,
      reservedConcurrentExecutions: reservedConcurrency,
      code: Code.fromAsset(code),
      environment: {
        // Part of each ETag: covers the code and all files beside it.
        BUILD: FileSystem.fingerprint(code).slice(0, 20),
        ...shared,
        ...environment,
      } satisfies FunctionSettings,
      logGroup: log,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      // With a line for each call: its memory, what is billed, and whether it was a cold start.
      systemLogLevelV2: SystemLogLevel.INFO,
      tracing: tracing ? Tracing.ACTIVE : Tracing.DISABLED,
    });
    if (tracing) {
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

/** The settings of every function. */
export const FUNCTION_SETTINGS = {
  runtime: Runtime.NODEJS_24_X,
  architecture: Architecture.ARM_64,
  handler: 'index.handler',
  /**
   * A call of a function. It is answered within 3 s; the rest is for the function's start, and
   * bounds code that hangs.
   */
  timeout: Duration.seconds(10),
} as const;

/** A call of a function that streams, and API Gateway's wait for it. AWS allows no more. */
export const STREAM_TIMEOUT = Duration.minutes(15);

/** A call of a dataset's function that streams nothing: API Gateway waits as long. */
export const ONE_PIECE_TIMEOUT = Duration.seconds(29);

/** A log group of the stack, with the chosen retention and removal policy. */
export function logGroup(scope: Construct, id: string, settings: LogSettings): LogGroup {
  return new LogGroup(scope, id, settings);
}

/** The construct that the CDK makes once per stack for all triggers. */
const PROVIDER = 'AWSCDK.TriggerCustomResourceProviderCustomResourceProvider';

/** A call of a new version is tried again for about a minute while Lambda throttles it. */
const TRIGGER_ATTEMPTS = 12;

/** Gives the CDK's function that runs the triggers a log group of the stack, and patience. */
export function setUpTriggers(stack: Stack, settings: LogSettings): void {
  const handler = stack.node.findChild(PROVIDER).node.findChild('Handler');
  if (!(handler instanceof CfnResource)) throw new TypeError("The CDK's trigger has no function.");
  const { logGroupName } = logGroup(stack, 'TriggerLog', settings);
  handler.addPropertyOverride('LoggingConfig', { LogGroup: logGroupName });
  // The SDK reads it; the function itself tries again only what IAM refuses.
  const variables = { AWS_MAX_ATTEMPTS: String(TRIGGER_ATTEMPTS) };
  handler.addPropertyOverride('Environment', { Variables: variables });
}
