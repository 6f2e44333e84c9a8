import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { DeploymentOptions } from '../deployment-options.ts';
import { findStack, oneLine } from './deployed-outputs.ts';

/** The account and region of a deployment. */
export type Destination = { readonly account: string; readonly region: string };

type Place = Pick<DeploymentOptions, 'partition' | 'bootstrapStack' | 'bootstrapQualifier'>;

/** The oldest bootstrap version that the CDK's current stacks work with. */
const LEAST_BOOTSTRAP = 6;

/**
 * Checks what every command on AWS needs before anything is built or changed: a region, credentials,
 * a partition that was chosen, a bootstrap. Throws a one-line Error, with the fix, for the first that
 * is missing.
 */
export async function findDestination(place: Place, chosenRegion?: string): Promise<Destination> {
  const region = chosenRegion || (await regionOfProfile());
  const account = await accountOf(region, place);
  await checkBootstrap({ account, region }, place);
  return { account, region };
}

async function regionOfProfile(): Promise<string> {
  try {
    return await new STSClient({}).config.region();
  } catch {
    throw new Error('there is no AWS region. Set AWS_REGION, or run: aws configure');
  }
}

async function accountOf(region: string, place: Place): Promise<string> {
  const client = new STSClient({ region });
  try {
    await client.config.credentials();
  } catch {
    throw new Error(
      'there are no AWS credentials. Set AWS_PROFILE, or run: aws configure (or aws sso login)',
    );
  }
  const { Account = '', Arn = '' } = await client
    .send(new GetCallerIdentityCommand({}))
    .catch(({ name, message }: Error) => {
      throw new Error(`AWS does not take the credentials (${name}: ${oneLine(message)}).`);
    });
  checkPartition(Arn.split(':')[1] ?? '', region, place);
  return Account;
}

/** A partition has endpoints, principals and ARNs of its own. Refuses one that was not chosen. */
function checkPartition(partition: string, region: string, { partition: chosen }: Place): void {
  if (partition === chosen) return;
  const what = `the credentials are of the partition ${partition} (${region})`;
  if (partition === 'aws') throw new Error(`${what}, and partition=${chosen} is given.`);
  throw new Error(
    ['aws-us-gov', 'aws-cn'].includes(partition)
      ? `${what}, where nothing of this was tried. Read docs/deploying.md#regions, then say -c partition=${partition}.`
      : `${what}, which this version does not know: it knows the addresses of aws, aws-us-gov and aws-cn.`,
  );
}

async function checkBootstrap({ account, region }: Destination, place: Place): Promise<void> {
  const { bootstrapStack: name, bootstrapQualifier: qualifier } = place;
  const own = name === 'CDKToolkit' ? '' : ` --toolkit-stack-name ${name} --qualifier ${qualifier}`;
  const fix = `Run: npx cdk bootstrap aws://${account}/${region}${own}`;
  const stack = await findStack(name, region);
  if (stack === undefined) {
    throw new Error(
      `account ${account} has no CDK bootstrap in ${region}. ${fix}, or name the stack of yours: -c bootstrapStack=…`,
    );
  }
  const { Outputs: outputs = [], Parameters: parameters = [] } = stack;
  const version = outputs.find((one) => one.OutputKey === 'BootstrapVersion')?.OutputValue;
  if (!(Number(version) >= LEAST_BOOTSTRAP)) {
    throw new Error(`the CDK bootstrap in ${region} has version ${version}, too old. ${fix}`);
  }
  const { ParameterValue: actual = qualifier } =
    parameters.find((one) => one.ParameterKey === 'Qualifier') ?? {};
  if (actual !== qualifier) {
    throw new Error(
      `the CDK bootstrap ${name} in ${region} has the qualifier ${actual}, not ${qualifier}. Say -c bootstrapQualifier=${actual}, or name another one: -c bootstrapStack=…`,
    );
  }
}
