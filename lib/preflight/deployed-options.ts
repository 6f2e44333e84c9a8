import { type DeploymentOptions, keptOptions } from '../deployment-options.ts';
import { type Outputs, resourceTypesOf } from './deployed-outputs.ts';

/** Whether an option is given. */
export type IsGiven = (option: keyof DeploymentOptions) => boolean;

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
  region: string,
  stackName: string,
  outputs: Outputs | undefined,
): Promise<StackHolds> {
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
    apiId: outputs.ApiId,
    baseUrl: outputs.BaseUrl,
  };
}

type KeptAsked = {
  readonly options: Pick<DeploymentOptions, 'stackName'>;
  /** Of the deployed stack; undefined if there is none. */
  readonly outputs: Outputs | undefined;
  readonly isGiven: IsGiven;
};

/**
 * Throws if leaving out an option would remove a check from a stack: keys, or the secret of Slack's
 * signature.
 */
export function checkKept({ options: { stackName }, outputs, isGiven }: KeptAsked): string[] {
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
  return [];
}

/** The options that the deployed stack has and that are not given now, which the next one keeps. */
export function optionsToKeep(
  outputs: Outputs | undefined,
  isGiven: IsGiven,
): Record<string, string> {
  const kept = Object.entries(keptOptions(outputs ?? {}));
  return Object.fromEntries(kept.filter(([name]) => !isGiven(name as keyof DeploymentOptions)));
}
