import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import {
  APIGatewayClient,
  CreateDeploymentCommand,
  GetAccountCommand,
  GetRestApiCommand,
  paginateGetResources,
} from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { numberText } from '../src/text/wording.ts';
import { CHECKS_AT_ONCE } from './deployment-limits.ts';
import { type DeploymentOptions, keptOptions } from './deployment-options.ts';

/** The account and region of a deployment. */
type Destination = { readonly account: string; readonly region: string };

/** The oldest bootstrap version that the CDK's current stacks work with. */
const LEAST_BOOTSTRAP = 6;

/**
 * Checks what a deployment needs before anything is built or changed: a region, credentials, a
 * bootstrap. Throws a one-line Error, with the fix, for the first that is missing.
 */
export async function preflight(chosenRegion?: string): Promise<Destination> {
  const region = chosenRegion || (await regionOfProfile());
  const account = await accountOf(region);
  await checkBootstrap({ account, region });
  return { account, region };
}

async function regionOfProfile(): Promise<string> {
  try {
    return await new STSClient({}).config.region();
  } catch {
    throw new Error('there is no AWS region. Set AWS_REGION, or run: aws configure');
  }
}

async function accountOf(region: string): Promise<string> {
  const client = new STSClient({ region });
  try {
    await client.config.credentials();
  } catch {
    throw new Error(
      'there are no AWS credentials. Set AWS_PROFILE, or run: aws configure (or aws sso login)',
    );
  }
  try {
    const { Account } = await client.send(new GetCallerIdentityCommand({}));
    return Account ?? '';
  } catch (error) {
    const { name, message } = error as Error;
    throw new Error(`AWS does not take the credentials (${name}: ${oneLine(message)}).`);
  }
}

async function checkBootstrap({ account, region }: Destination): Promise<void> {
  const fix = `Run: npx cdk bootstrap aws://${account}/${region}`;
  const outputs = await outputsOf('CDKToolkit', region);
  if (outputs === undefined) {
    throw new Error(`account ${account} has no CDK bootstrap in ${region}. ${fix}`);
  }
  const version = Number(outputs.BootstrapVersion);
  if (!(version >= LEAST_BOOTSTRAP)) {
    throw new Error(`the CDK bootstrap in ${region} has version ${version}, too old. ${fix}`);
  }
}

/** What a deployed stack already holds, as far as a deployment's choices depend on it. */
type StackHolds = {
  /** The reserved concurrency of all its functions together. */
  readonly reserved: number;
  /** Whether it has made the role with which API Gateway writes logs. */
  readonly hasLogRole: boolean;
  /** Its API, and where that is called. */
  readonly apiId?: string;
  readonly baseUrl?: string;
};

/** Throws a one-line Error if an earlier version has deployed the stack. */
export async function stackHolds(
  { region }: Destination,
  { stackName }: DeploymentOptions,
): Promise<StackHolds> {
  const outputs = await outputsOf(stackName, region);
  if (outputs === undefined) return { reserved: 0, hasLogRole: false };
  const types = await resourceTypesOf(stackName, region);
  // Blocks are in nested stacks now. API Gateway would refuse each new route, since the old one is
  // deleted last.
  if (types.has('Custom::BlockCheck') || types.has('AWS::DynamoDB::Table')) {
    throw new Error(
      `${stackName} was deployed by an earlier version and cannot be updated by this one. Deploy under another stackName, or run npm run destroy first: the data are imported again.`,
    );
  }
  return {
    reserved: Number(outputs.ReservedConcurrency ?? 0),
    hasLogRole: types.has('AWS::ApiGateway::Account'),
    ...(outputs.ApiId === undefined ? {} : { apiId: outputs.ApiId }),
    ...(outputs.BaseUrl === undefined ? {} : { baseUrl: outputs.BaseUrl }),
  };
}

/**
 * Throws if leaving out an option would remove a check from a stack: keys, or the secret of Slack's
 * signature. `isGiven` says whether an option is given.
 */
export async function checkKept(
  { region }: Destination,
  { stackName }: DeploymentOptions,
  isGiven: (option: keyof DeploymentOptions) => boolean,
): Promise<void> {
  const outputs = await outputsOf(stackName, region);
  if (outputs?.UsagePlanId !== undefined && !isGiven('access')) {
    throw new Error(
      `${stackName} asks for keys, and access is not given. Say -c access=keys, or -c access=open to open it to anyone.`,
    );
  }
  const kept = outputs?.SlackSecret;
  if (kept !== undefined && !isGiven('slackSecret')) {
    throw new Error(
      `${stackName} has slackSecret, and it is not given. Say -c slackSecret=${kept}, or -c slackSecret=none to do without.`,
    );
  }
}

/**
 * The options that the deployed stack has and that are not given now, which the next one keeps. `isGiven` says whether an option is given.
 */
export async function optionsToKeep(
  { region }: Destination,
  stackName: string,
  isGiven: (option: keyof DeploymentOptions) => boolean,
): Promise<Record<string, string>> {
  const kept = keptOptions((await outputsOf(stackName, region)) ?? {});
  const left = Object.entries(kept).filter(([name]) => !isGiven(name as keyof DeploymentOptions));
  return Object.fromEntries(left);
}

/** 80 % of the calls at once that the account may have; undefined if AWS does not say. */
export async function concurrencyAlarmFor(region: string): Promise<number | undefined> {
  const account = await accountConcurrency(region);
  return typeof account === 'string' ? undefined : Math.max(1, Math.floor(account.limit * 0.8));
}

/** A stack's outputs; undefined if the stack does not exist. */
async function outputsOf(
  StackName: string,
  region: string,
): Promise<Record<string, string | undefined> | undefined> {
  const client = new CloudFormationClient({ region });
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
    const outputs = Stacks?.[0]?.Outputs ?? [];
    return Object.fromEntries(
      outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
    );
  } catch (error) {
    const { name, message } = error as Error;
    // CloudFormation has no separate error for a stack that does not exist.
    if (name === 'ValidationError' && message.includes('does not exist')) return undefined;
    throw cannotBeAsked(error as Error);
  }
}

async function resourceTypesOf(StackName: string, region: string): Promise<ReadonlySet<string>> {
  const client = new CloudFormationClient({ region });
  const types = new Set<string>();
  try {
    for await (const { StackResourceSummaries = [] } of paginateListStackResources(
      { client },
      { StackName },
    )) {
      const there = StackResourceSummaries.filter(
        ({ ResourceStatus = '' }) =>
          !['DELETE_COMPLETE', 'DELETE_SKIPPED'].includes(ResourceStatus),
      );
      for (const { ResourceType } of there) types.add(ResourceType ?? '');
    }
    return types;
  } catch (error) {
    throw cannotBeAsked(error as Error);
  }
}

function cannotBeAsked({ name, message }: Error): Error {
  return new Error(`CloudFormation cannot be asked (${name}: ${oneLine(message)}).`);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Runs the CDK's command line; it writes to this process's output. */
export async function cdk(root: string, args: readonly string[]): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('aws-cdk/package.json');
  const command = path.join(path.dirname(manifest), 'bin', 'cdk');
  const child = spawn(process.execPath, [command, ...args], { cwd: root, stdio: 'inherit' });
  // Ctrl-C reaches it too; other signals reach this process alone.
  const end = () => child.kill();
  process.once('exit', end);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => process.off('exit', end));
  if (code !== 0) throw new Error(`cdk ${args[0]} failed; its own lines above say why.`);
}

type ApiLogRole = DeploymentOptions['apiLogRole'];

type LogRoleAsked = {
  readonly region: string;
  readonly stackName: string;
  /** Whether the deployed stack has made the role. */
  readonly isOwn: boolean;
  /** The user's choice; undefined if we decide. */
  readonly chosen: ApiLogRole | undefined;
};

/** The value to deploy with, and a line to print if there is something to say. */
type LogRoleDecision = { readonly apiLogRole: ApiLogRole; readonly line?: string };

/**
 * Decides whether the stack makes the role with which API Gateway writes logs. There is one per
 * account and region: it is made if none exists, kept by the stack that made it (an older stack
 * would delete it with its resource), and never replaces another's. Throws a one-line Error for a
 * choice that would break logs.
 */
export async function decideLogRole(asked: LogRoleAsked): Promise<LogRoleDecision> {
  const { region, stackName, isOwn, chosen } = asked;
  if (isOwn) {
    if (chosen !== 'existing') return { apiLogRole: 'create' };
    throw new Error(
      `${stackName} has made API Gateway's role to write logs, and apiLogRole=existing could delete it. Leave apiLogRole out.`,
    );
  }
  const account = await accountLogRole(region);
  if ('unknown' in account) {
    return {
      apiLogRole: chosen ?? 'existing',
      line: `API Gateway's role to write logs was not looked at (${account.unknown}); without one, AWS refuses the stage.`,
    };
  }
  const { role } = account;
  if (role !== undefined && chosen === 'create') {
    throw new Error(
      `API Gateway has a role to write logs in ${region}, ${role}, and apiLogRole=create would replace it for every API of the account. Leave apiLogRole out.`,
    );
  }
  if (role === undefined && chosen === 'existing') {
    throw new Error(
      `API Gateway has no role to write logs in ${region}, without which it refuses the stage. Leave apiLogRole out, and it is made.`,
    );
  }
  return { apiLogRole: role === undefined ? 'create' : 'existing' };
}

async function accountLogRole(
  region: string,
): Promise<{ readonly role: string | undefined } | { readonly unknown: string }> {
  try {
    const { cloudwatchRoleArn } = await new APIGatewayClient({ region }).send(
      new GetAccountCommand({}),
    );
    return { role: cloudwatchRoleArn || undefined };
  } catch (error) {
    return { unknown: (error as Error).name };
  }
}

/** AWS keeps at least this much concurrency for functions that reserve none. */
const LEAST_UNRESERVED = 100;

/** What an account runs at once unless it is new. */
const USUAL_CONCURRENCY = 1000;

/** MB of memory of a function in a new account. AWS says "reduced"; people report this number. */
const NEW_ACCOUNT_MEMORY = 3008;

/** A check of a new version, and the block's function that it calls. */
const CALLS_OF_CHECKS = 2 * CHECKS_AT_ONCE;

/** What a deployment asks of the account. */
type AccountAsked = {
  readonly region: string;
  readonly options: Pick<DeploymentOptions, 'memory' | 'reservedConcurrency' | 'throttleBurst'>;
  /** How many functions reserve concurrency, if any do. */
  readonly functions: number;
  /** Reserved by the stack that is already deployed. */
  readonly held: number;
};

/**
 * Compares a deployment with what Lambda allows the account, and returns a line for each thing that
 * does not fit. Throws a one-line Error, with the numbers, for what AWS would refuse for certain.
 */
export async function checkAccount(asked: AccountAsked): Promise<string[]> {
  const { region, options, functions, held } = asked;
  const { memory, reservedConcurrency: each, throttleBurst } = options;
  const account = await accountConcurrency(region);
  const tooLarge =
    memory > NEW_ACCOUNT_MEMORY
      ? [
          `memory=${memory}: AWS may refuse a new account's functions more than ${numberText(NEW_ACCOUNT_MEMORY)} MB, and the deployment then rolls back.`,
        ]
      : [];
  if (typeof account === 'string') {
    return [
      `What Lambda allows the account was not looked at (${account}). A new account may run 10 calls at once, and AWS refuses to leave less than ${LEAST_UNRESERVED} unreserved.`,
      ...tooLarge,
    ];
  }
  const { limit, unreserved } = account;
  const lines = limit < USUAL_CONCURRENCY ? tooLarge : [];
  const left = unreserved + held - (each ?? 0) * functions;
  if (each !== undefined) lines.push(reservationLine({ limit, left, each, functions }));
  if (left < throttleBurst) {
    lines.push(
      `The account has ${numberText(left)} calls at once in ${region}, and throttleBurst=${throttleBurst} lets more requests in: callers may get a 503. Ask AWS for more (Service Quotas, Lambda; free).`,
    );
  }
  if (left < CALLS_OF_CHECKS) {
    lines.push(
      `The deployment itself calls up to ${CALLS_OF_CHECKS} functions at once: with ${numberText(left)} it may fail.`,
    );
  }
  return lines;
}

type Reservation = {
  readonly limit: number;
  /** What stays unreserved. */
  readonly left: number;
  readonly each: number;
  readonly functions: number;
};

/** Says what a reservation leaves. Throws if AWS would refuse it. */
function reservationLine({ limit, left, each, functions }: Reservation): string {
  const calls = `${numberText(each * functions)} calls at once (reservedConcurrency=${each} for each of ${functions} functions)`;
  if (left >= LEAST_UNRESERVED) {
    return `Reserving ${calls}: ${numberText(left)} of the account's ${numberText(limit)} stay unreserved.`;
  }
  if (limit <= LEAST_UNRESERVED) {
    throw new Error(
      `the account's limit is ${numberText(limit)} calls at once, and AWS keeps ${LEAST_UNRESERVED} of them unreserved: none can be reserved. Leave reservedConcurrency out, or ask AWS for a higher limit (Service Quotas, Lambda).`,
    );
  }
  const most = Math.max(0, Math.floor((left - LEAST_UNRESERVED) / functions) + each);
  throw new Error(
    `${calls} would leave ${numberText(left)} of the account's ${numberText(limit)} unreserved, and AWS keeps ${LEAST_UNRESERVED}. At most reservedConcurrency=${most} can be had.`,
  );
}

/** The account's limit and what is left of it; a text with the reason if AWS does not say. */
async function accountConcurrency(
  region: string,
): Promise<{ readonly limit: number; readonly unreserved: number } | string> {
  try {
    const { AccountLimit } = await new LambdaClient({ region }).send(
      new GetAccountSettingsCommand({}),
    );
    const { ConcurrentExecutions: limit, UnreservedConcurrentExecutions: unreserved } =
      AccountLimit ?? {};
    return limit === undefined || unreserved === undefined
      ? 'AWS does not say it'
      : { limit, unreserved };
  } catch (error) {
    return (error as Error).name;
  }
}

type AddressesAsked = {
  readonly region: string;
  /** What is deployed; without an API, nothing is yet. */
  readonly holds: Pick<StackHolds, 'apiId' | 'baseUrl'>;
  /** The blocks' names and ids that the new deployment has. */
  readonly kept: ReadonlySet<string>;
  readonly options: Pick<DeploymentOptions, 'domainName' | 'stage'>;
};

/** API Gateway has at most 300 resources an API, or as many as AWS has granted. */
const PAGE_SIZE = 500;

/**
 * The paths of the deployed blocks that callers would no longer find after a deployment, and the
 * service's own address if that would end.
 */
export async function vanishingAddresses(asked: AddressesAsked): Promise<string[]> {
  const { region, holds, kept } = asked;
  const { apiId: restApiId } = holds;
  if (restApiId === undefined) return [];
  const client = new APIGatewayClient({ region });
  const vanishing: string[] = [];
  try {
    vanishing.push(...(await endingServices(client, restApiId, asked)));
    const pages = paginateGetResources({ client, pageSize: PAGE_SIZE }, { restApiId });
    for await (const { items = [] } of pages) {
      for (const { path = '' } of items) {
        const [, address] = /^\/api_v2\/blocks\/([^/{]+)$/.exec(path) ?? [];
        if (address !== undefined && !kept.has(address)) vanishing.push(path);
      }
    }
  } catch (error) {
    const { name, message } = error as Error;
    // Somebody has removed the API by hand: then nobody calls it.
    if (name === 'NotFoundException') return [];
    const reason = `${name}: ${message.replace(/\s+/g, ' ')}`;
    throw new Error(
      `API Gateway does not tell which addresses would end (${reason}). Allow apigateway:GET on /restapis/*, or say --yes.`,
    );
  }
  return vanishing.sort();
}

/** The service's address if the next one differs; at a domain, also API Gateway's if it is still on. */
async function endingServices(
  client: APIGatewayClient,
  restApiId: string,
  { region, holds: { baseUrl }, options: { domainName, stage } }: AddressesAsked,
): Promise<string[]> {
  if (baseUrl === undefined) return [];
  if (domainName === undefined) {
    const isSame = baseUrl.includes('.execute-api.') && baseUrl.endsWith(`/${stage}`);
    return isSame ? [] : [baseUrl];
  }
  if (baseUrl !== `https://${domainName}`) return [baseUrl];
  const { disableExecuteApiEndpoint: isOff } = await client.send(
    new GetRestApiCommand({ restApiId }),
  );
  return isOff ? [] : [`https://${restApiId}.execute-api.${region}.amazonaws.com/${stage}`];
}

/**
 * Takes the routes that are gone out of a stage, so that they answer 404. CloudFormation deletes
 * routes last: the stage's own copy, made before, would send their requests to functions that are
 * gone, which is a 500. Returns a line for whoever deploys.
 */
export async function endAddresses(
  region: string,
  restApiId: string,
  stageName: string,
): Promise<string> {
  const description = 'Without the addresses that ended';
  try {
    const client = new APIGatewayClient({ region });
    await client.send(new CreateDeploymentCommand({ restApiId, stageName, description }));
    return 'The addresses that ended answer 404.';
  } catch (error) {
    const command = `aws apigateway create-deployment --rest-api-id ${restApiId} --stage-name ${stageName}`;
    return `The addresses that ended answer 500 until somebody may deploy the API once more (${(error as Error).name}): ${command}`;
  }
}
