import { createHash } from 'node:crypto';
import {
  type CfnElement,
  CfnOutput,
  Lazy,
  NestedStack,
  type RemovalPolicy,
  Stack,
  type StackProps,
  Tags,
} from 'aws-cdk-lib';
import type { IFunction, IVersion } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { BuiltBlock } from '../src/build/build-block.ts';
import type { BuiltChannel, BuiltService } from '../src/build/build-service.ts';
import {
  BlockService,
  type BlockSettings,
  type ChannelSecret,
  ChannelService,
  functionNames,
} from './block-service.ts';
import { BlocksApi, ServiceDomain } from './blocks-api.ts';
import type { DeployedStack } from './deployed-stack.ts';
import { DeploymentCheck } from './deployment-check.ts';
import { CHECKS_AT_ONCE } from './deployment-limits.ts';
import { type DeploymentOptions, keptAs, optionTexts } from './deployment-options.ts';
import {
  type FunctionDefaults,
  functionDefaults,
  ServiceFunction,
  setUpTriggers,
} from './service-function.ts';
import {
  AccountBudget,
  ServiceAlarms,
  ServiceDashboard,
  ServiceMetrics,
} from './service-metrics.ts';
import { synthesizerOf } from './synthesizer.ts';
import { keepVersionBefore } from './version-before.ts';
import { FilesBucket } from './version-files.ts';

type BlockyardStackProps = StackProps & {
  readonly service: BuiltService;
  readonly options: DeploymentOptions;
  /** What is deployed, and stays as the version before. */
  readonly deployed?: DeployedStack | undefined;
};

/**
 * The whole service: the parts with each block's table and function, the catalogue, and the API in
 * front.
 */
export class BlockyardStack extends Stack {
  constructor(scope: Construct, id: string, props: BlockyardStackProps) {
    const { service, options } = props;
    super(scope, id, {
      description: describing(WHOLE, service.blocks),
      synthesizer: synthesizerOf(options),
      ...props,
    });
    const { stackName: name, stage, access, domainName, certificateArn } = options;
    const defaults = functionDefaults(options);
    const catalog = new ServiceFunction(this, 'Catalog', {
      description: 'Lists the blocks, and answers where there is none',
      code: service.catalog,
      defaults,
    });
    catalog.checkItself();
    const front = new BlocksApi(this, 'Channel', {
      catalog: catalog.alias as IFunction,
      name,
      stage: {
        stageName: stage,
        throttlingRateLimit: options.throttleRate,
        throttlingBurstLimit: options.throttleBurst,
        tracingEnabled: options.tracing,
      },
      hasDomain: domainName !== undefined,
      makesLogRole: options.apiLogRole === 'create',
      logs: defaults.logs,
      keys: access === 'keys' ? keysOf(service, options, defaults, catalog) : undefined,
    });
    const { api, accessLog } = front;
    const { blocks, check } = service;
    const parts = blockParts(this, {
      ...{ blocks, api: front, check },
      settings: {
        ...{ service: name, defaults, columnCacheBytes: options.columnCacheBytes },
        answerMegabytes: options.answerMegabytes,
        streaming: options.streaming,
        reservedConcurrency: options.reservedConcurrency,
        removalPolicy: options.removalPolicy as RemovalPolicy,
      },
    });
    const live = parts.flatMap(({ nestedStackResource }) => nestedStackResource ?? []);
    // An old version and its table are removed only after the runs that began on it have ended.
    const drain = new ServiceFunction(this, 'Drain', {
      description: 'Waits, in a deployment, for running requests to end',
      code: service.drain,
      environment: { VERSIONS: Lazy.string({ produce: () => digestOf(parts) }) },
      defaults,
    });
    drain.checkItself(...live);
    let last = drain.alias;
    for (const { name: channelName, path, description, code, secret: needed } of service.channels) {
      const secret = needed && secretOf(needed, options);
      // A channel that checks signatures would refuse everybody without its secret.
      if (needed !== undefined && secret === undefined) continue;
      const id = channelName.charAt(0).toUpperCase() + channelName.slice(1);
      const channel = new ChannelService(this, id, {
        ...{ description, code, secret, service: name, defaults },
        after: last,
      });
      last = channel.alias;
      front.addChannel(path, channel.alias as IFunction);
    }
    front.deployAfter(parts);
    setUpTriggers(this, defaults.logs);
    const metrics = new ServiceMetrics(this, 'Metrics', {
      ...{ api, accessLog, service: name, authorizer: front.authorizer },
    });
    new ServiceAlarms(this, 'Alarms', {
      ...{ metrics, service: name, email: options.alarmEmail },
      concurrency: options.concurrencyAlarm,
    });
    if (options.dashboard) {
      new ServiceDashboard(this, 'Dashboard', { metrics, blocks: functionNames(name, blocks) });
    }
    const { budget, budgetEmail: email } = options;
    if (budget !== undefined && email !== undefined) {
      new AccountBudget(this, 'Budget', { budget, email });
    }
    if (domainName !== undefined && certificateArn !== undefined) {
      new ServiceDomain(this, 'Domain', { api, domainName, certificateArn });
    }
    new CfnOutput(this, 'BaseUrl', {
      value:
        domainName === undefined
          ? `https://${api.restApiId}.execute-api.${this.region}.${this.urlSuffix}/${stage}`
          : `https://${domainName}`,
    });
    new CfnOutput(this, 'ApiId', { value: api.restApiId });
    const { reservedConcurrency, slackSecret } = options;
    if (reservedConcurrency !== undefined) {
      const value = String(reservedConcurrency * blocks.length);
      new CfnOutput(this, 'ReservedConcurrency', { value });
    }
    // Tells the next deployment where the secret is, so that it notices if the option is left out.
    if (slackSecret !== undefined) new CfnOutput(this, 'SlackSecret', { value: slackSecret });
    // So that the next deployment keeps what is not given again.
    for (const [option, value] of Object.entries(optionTexts(options))) {
      new CfnOutput(this, keptAs(option), { value });
    }
    for (const [key, value] of Object.entries(options.tags)) Tags.of(this).add(key, value);
    const addresses = blocks.flatMap(({ block }) => addressesOf(block));
    keepVersionBefore(this, addresses, props.deployed);
  }
}

/** The CDK lets a template's description have this many characters; AWS takes 1,024 bytes. */
const MOST_DESCRIBED = 512;

/** A description that ends with blocks' names: as many as it has room for, and how many are left out. */
function describing(text: string, blocks: readonly BuiltBlock[]): string {
  const names = blocks.map(({ block }) => block.name);
  let described = `${text} ${names.join(', ')}`;
  for (let shown = names.length - 1; described.length > MOST_DESCRIBED; shown--) {
    described = `${text} ${names.slice(0, shown).join(', ')} and ${names.length - shown} more`;
  }
  return described;
}

/** What a block is called by. */
function addressesOf({ id, name }: BuiltBlock['block']): string[] {
  return [...new Set([id, name])];
}

/** The secret of a channel, if the deployment has it. */
function secretOf(
  { option, setting }: NonNullable<BuiltChannel['secret']>,
  options: DeploymentOptions,
): ChannelSecret | undefined {
  const name = options[option];
  return name === undefined ? undefined : { setting, name, keyArn: options.secretKeyArn };
}

/** Access by keys, of which each may ask for as much. */
function keysOf(
  { keyAuthorizer }: BuiltService,
  { stackName: name, keyRate: rate, keyBurst: burst, keyQuota: quota }: DeploymentOptions,
  defaults: FunctionDefaults,
  { alias: after }: ServiceFunction,
) {
  return { access: { keyAuthorizer, defaults, after }, plan: { name, rate, burst, quota } };
}

/** Another text whenever one of the blocks has another version. */
function digestOf(parts: readonly BlockPart[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    for (const { node } of part.versions) {
      hash.update(part.resolve((node.defaultChild as CfnElement).logicalId)).update(' ');
    }
  }
  return hash.digest('hex').slice(0, 20);
}

/**
 * Never to be changed: a block would move to another part, and API Gateway refuses the new route
 * while the old one is there, which CloudFormation deletes last.
 */
const PARTS = 12;

/**
 * Blocks in a nested stack. With keys, an id of its own and the version before, a block has 27
 * resources; a stack may have 500.
 */
const MOST_BLOCKS = 18;

/**
 * Tables that a deployment imports at once. DynamoDB runs 50 imports at once in an account's
 * region; ten are left to others.
 */
const MOST_IMPORTS = 40;

/**
 * Makes the parts that have blocks. A block's part follows from its name alone, so that no block
 * moves when another one comes or goes.
 */
function blockParts(scope: Construct, { blocks, ...props }: BlockPartProps): BlockPart[] {
  const parts = Array.from({ length: PARTS }, (_, i) => i + 1).flatMap((number) => {
    const some = blocks.filter(({ block }) => partOf(block.name) === number);
    if (some.length === 0) return [];
    if (some.length <= MOST_BLOCKS) {
      return [new BlockPart(scope, `Part${number}`, { ...props, blocks: some })];
    }
    const names = some.map(({ block }) => block.name).join(', ');
    throw new Error(
      `part ${number} of the stack has ${some.length} blocks, and a part takes ${MOST_BLOCKS}: ${names}. Rename one, or deploy some of them under another stackName.`,
    );
  });
  inWaves(parts);
  return parts;
}

/** From 1 to 12, by the name's hash. */
export function partOf(name: string): number {
  return 1 + (createHash('sha256').update(name).digest().readUInt32BE() % PARTS);
}

/**
 * Lets parts wait for others, so that no more new versions are checked, and no more tables imported,
 * than AWS takes: a part checks one at a time. CloudFormation orders nested stacks only as wholes.
 */
function inWaves(parts: readonly BlockPart[]): void {
  let before: BlockPart[] = [];
  let wave: BlockPart[] = [];
  let tables = 0;
  for (const part of parts) {
    if (wave.length === CHECKS_AT_ONCE || tables + part.tables > MOST_IMPORTS) {
      before = wave;
      wave = [];
      tables = 0;
    }
    wave.push(part);
    tables += part.tables;
    for (const one of before) part.addStackDependency(one);
  }
}

const WHOLE = `blockyard: data as functions, each at /api_v2/blocks/<block>. Here are the API, the catalogue and the channels. The nested stacks, Part1 to Part${PARTS} at most, have the blocks`;
const PART = 'the tables, functions and routes of the blocks';

type BlockPartProps = {
  readonly blocks: readonly BuiltBlock[];
  readonly api: BlocksApi;
  /** The folder of the code that checks new versions. */
  readonly check: string;
  readonly settings: BlockSettings;
};

/**
 * A part of a service's blocks, as a nested stack: their tables, functions and routes. It has a check
 * of its own, since one role for all blocks would need more policies than IAM lets it have.
 */
export class BlockPart extends NestedStack {
  /** How many tables it may import at once. */
  readonly tables: number;
  readonly versions: readonly IVersion[];

  constructor(scope: Construct, id: string, props: BlockPartProps) {
    const { blocks, api, check: code, settings } = props;
    super(scope, id, { description: describing(`${id} of ${settings.service}: ${PART}`, blocks) });
    const { memory, logs } = settings.defaults;
    // Short, because AWS puts it into the names of all that is in the part.
    this.nestedStackResource?.overrideLogicalId(id);
    const check = new DeploymentCheck(this, 'Check', { code, memory, logs });
    const { service, removalPolicy } = settings;
    const bucket = blocks.some(({ files }) => files !== undefined)
      ? new FilesBucket(this, 'Files', { service, check, removalPolicy })
      : undefined;
    const aliases = blocks.map(
      (built) => new BlockService(this, built.block.name, { built, check, bucket, settings }).alias,
    );
    check.checkAfterCopies();
    api.route(
      this,
      blocks.map(({ block, table }, i) => ({
        addresses: addressesOf(block),
        function: aliases[i] as IFunction,
        streams: settings.streaming && table !== undefined,
      })),
    );
    this.tables = blocks.filter(({ table }) => table !== undefined).length;
    this.versions = aliases.map(({ version }) => version);
  }
}
