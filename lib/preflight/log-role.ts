import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import type { DeploymentOptions } from '../deployment-options.ts';

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
