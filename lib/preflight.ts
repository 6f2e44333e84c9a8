import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { DeploymentOptions } from './deployment-options.ts';

/** The account and region of a deployment. */
export type Destination = { readonly account: string; readonly region: string };

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
export type StackHolds = {
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
