import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';

export type TemplateResource = {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template's properties are of any shape
  readonly Properties?: any;
  readonly DependsOn?: string | readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Metadata?: object;
};

export type DeployedTemplate = {
  readonly Metadata?: object;
  readonly Resources: Readonly<Record<string, TemplateResource>>;
};

/** What there is of a resource: the physical id, and when it was last changed. */
export type Existing = { readonly id: string; readonly since: Date | undefined };

/** The template of a stack or of one of its parts, and the resources that exist, by logical id. */
export type DeployedPart = {
  readonly template: DeployedTemplate;
  readonly existing: ReadonlyMap<string, Existing>;
};

/** A stack as it is deployed. */
export type DeployedStack = {
  readonly root: DeployedPart;
  /** By the logical ids of the nested stacks. */
  readonly parts: ReadonlyMap<string, DeployedPart>;
  readonly tags: Readonly<Record<string, string>>;
};

const NESTED = 'AWS::CloudFormation::Stack';

/** Resources that are gone stay in CloudFormation's list, and in the template of a failed stack. */
const GONE = ['DELETE_COMPLETE', 'DELETE_SKIPPED'];

/** Reads a stack and its parts; undefined if there is no such stack. */
export async function readDeployed(
  stackName: string,
  region: string,
): Promise<DeployedStack | undefined> {
  const client = new CloudFormationClient({ region });
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const tags = (Stacks?.[0]?.Tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value]);
    const root = await readPart(client, stackName);
    const parts = new Map<string, DeployedPart>();
    for (const [id, { Type }] of Object.entries(root.template.Resources)) {
      const there = root.existing.get(id);
      if (Type !== NESTED || there === undefined) continue;
      parts.set(id, await readPart(client, there.id));
    }
    return { root, parts, tags: Object.fromEntries(tags) };
  } catch (error) {
    const { name, message } = error as Error;
    // CloudFormation has no separate error for a stack that does not exist.
    if (name === 'ValidationError' && message.includes('does not exist')) return undefined;
    throw new Error(
      `CloudFormation does not show what is deployed (${name}: ${message.replace(/\s+/g, ' ')}). Allow cloudformation:DescribeStacks, GetTemplate and ListStackResources.`,
    );
  }
}

async function readPart(client: CloudFormationClient, StackName: string): Promise<DeployedPart> {
  // As it was sent; the CDK writes JSON.
  const stage = { TemplateStage: 'Original' } as const;
  const { TemplateBody = '' } = await client.send(new GetTemplateCommand({ StackName, ...stage }));
  const existing = new Map<string, Existing>();
  for await (const page of paginateListStackResources({ client }, { StackName })) {
    for (const resource of page.StackResourceSummaries ?? []) {
      const { LogicalResourceId, PhysicalResourceId, ResourceStatus = '' } = resource;
      if (LogicalResourceId === undefined || PhysicalResourceId === undefined) continue;
      if (GONE.includes(ResourceStatus)) continue;
      const since = resource.LastUpdatedTimestamp;
      existing.set(LogicalResourceId, { id: PhysicalResourceId, since });
    }
  }
  return { template: JSON.parse(TemplateBody), existing };
}

type CdkEnvironment = {
  readonly CDK_DEFAULT_ACCOUNT?: string | undefined;
  readonly CDK_DEFAULT_REGION?: string | undefined;
};

/**
 * What the CDK is about to replace, for its app. Without credentials the CDK names no account, and
 * can deploy nothing. Throws a one-line Error if the CDK deploys to an account that we cannot see.
 */
export async function readReplaced(
  stackName: string,
  { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region }: CdkEnvironment,
): Promise<DeployedStack | undefined> {
  if (!account || !region) return undefined;
  const own = await new STSClient({ region })
    .send(new GetCallerIdentityCommand({}))
    .then(({ Account }) => Account)
    .catch(({ name }: Error) => name);
  if (own === account) return readDeployed(stackName, region);
  throw new Error(
    `the CDK deploys to account ${account}, and the app's own credentials are of another (${own}), so it cannot keep the version before. Set AWS_PROFILE instead of --profile.`,
  );
}
