import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  type Stack,
} from '@aws-sdk/client-cloudformation';

/** A deployed stack's outputs. */
export type Outputs = Readonly<Record<string, string | undefined>>;

/** A stack's outputs; undefined if the stack does not exist. */
export async function outputsOf(stackName: string, region: string): Promise<Outputs | undefined> {
  const stack = await findStack(stackName, region);
  if (stack === undefined) return undefined;
  const outputs = stack.Outputs ?? [];
  return Object.fromEntries(outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
}

/** A stack as CloudFormation describes it; undefined if it does not exist. */
export async function findStack(StackName: string, region: string): Promise<Stack | undefined> {
  const client = new CloudFormationClient({ region });
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
    return Stacks?.[0];
  } catch (error) {
    const { name, message } = error as Error;
    // CloudFormation has no separate error for a stack that does not exist.
    if (name === 'ValidationError' && message.includes('does not exist')) return undefined;
    throw cannotBeAsked(error as Error);
  }
}

/** The types of a stack's resources. */
export async function resourceTypesOf(
  StackName: string,
  region: string,
): Promise<ReadonlySet<string>> {
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

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
