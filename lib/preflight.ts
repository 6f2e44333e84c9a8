import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { DeploymentOptions } from './deployment-options.ts';

/** Where a deployment goes. */
export type Destination = { readonly account: string; readonly region: string };

/** The version of the CDK's bootstrap that its present stacks need. */
const LEAST_BOOTSTRAP = 6;

/**
 * Looks for what a deployment needs before anything is built or changed: a region, credentials, a
 * bootstrap. Throws an Error of one line, with the fix, for the first that is missing.
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

/** What a stack that is there holds, as far as a deployment's choices depend on it. */
export type StackHolds = {
  /** Calls at once, over all its functions. */
  readonly reserved: number;
  /** Whether it has made the role by which API Gateway writes logs. */
  readonly hasLogRole: boolean;
};

export async function stackHolds(
  { region }: Destination,
  { stackName }: DeploymentOptions,
): Promise<StackHolds> {
  const outputs = await outputsOf(stackName, region);
  if (outputs === undefined) return { reserved: 0, hasLogRole: false };
  const types = await resourceTypesOf(stackName, region);
  return {
    reserved: Number(outputs.ReservedConcurrency ?? 0),
    hasLogRole: types.has('AWS::ApiGateway::Account'),
  };
}

/**
 * Throws where a stack would lose a check by an option that is left out: keys, or the secret of
 * Slack's signature. `isGiven` tells whether an option is.
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

/** What a stack says of itself; undefined where there is none. */
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
    // CloudFormation has no error of its own for a stack that is not there.
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
