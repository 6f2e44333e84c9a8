import { rm } from 'node:fs/promises';
import path from 'node:path';
import { DEFAULT_CACHE_BYTES } from '../../src/columns/column-cache.ts';
import { SLACK_SECRET } from '../slack/signed-request.ts';
import { copyCheckout } from '../support/checkout.ts';
import { command, type Ended } from '../support/command.ts';
import { ROOT } from '../support/service.ts';
import { bundledCommand } from './bundled-checkout.ts';
import type { Edition } from './edition.ts';
import { askAws, type Emulator, environmentOf } from './emulator.ts';

/** A service of the suite: a stack, with what its deployments have in common. */
export type DeployedService = {
  readonly stackName: string;
  /** By which `startService` knows it. */
  readonly cacheBytes: number;
  readonly context: Readonly<Record<string, string>>;
};

/** The signing secret of the services' Slack app, and the parameter that it is kept in. */
export const SLACK = { name: '/blockyard-tests/slack', value: SLACK_SECRET };

// The tests are not to be throttled, each from one address as fast as it can.
const UNHURRIED = { throttleRate: '10000', throttleBurst: '5000' };

/** Two services in one account, since the contract holds wherever rows come from. */
/** What portals are told. The emulator's events lack the domain, which AWS names in each. */
const TOLD = { publicUrl: 'https://data.example.org/open', publisher: 'Made City' };

export const MEMORY: DeployedService = {
  stackName: 'blockyard',
  cacheBytes: DEFAULT_CACHE_BYTES,
  context: { ...UNHURRIED, ...TOLD, slackSecret: SLACK.name },
};
export const DYNAMODB: DeployedService = {
  stackName: 'blockyard-dynamodb',
  cacheBytes: 0,
  context: { ...UNHURRIED, ...TOLD, slackSecret: SLACK.name, columnCacheBytes: '0' },
};

export type DeployOptions = {
  /** A copy of the checkout, where not as it is. */
  readonly checkout?: string;
  /** Its data, where not the checkout's. */
  readonly edition?: Pick<Edition, 'writeTo'>;
  /** Settings of whoever deploys; undefined for one that is not there. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly context?: Readonly<Record<string, string>>;
  /** More words of the command. */
  readonly words?: readonly string[];
  /**
   * Whether by the bundled checkout. Where a template is made, CloudFormation's rules have been tried
   * on one with the same options.
   */
  readonly isBundled?: boolean;
  /** Whether back to the version before. */
  readonly isBack?: boolean;
  /** What an earlier deployment has synthesised, to be deployed again as it is. */
  readonly assembly?: string;
};

/** The CDK's command line. */
export const CDK = path.join(ROOT, 'node_modules', '.bin', 'cdk');

/** Where `npm run deploy` synthesises to. */
export const assemblyOf = (checkout: string) => path.join(checkout, '.blockyard/deploy/cdk.out');

export type Deployed = Ended & {
  /** The address that was printed; undefined where the deployment failed. */
  readonly address: string | undefined;
  /** Where the emulator has that address. */
  readonly url: string;
};

/**
 * A service's own copy of the checkout, as the checkout is now. It has one place, by which tsx keeps
 * what it has compiled.
 */
export function copyFor(
  { folder }: Emulator,
  { stackName }: Pick<DeployedService, 'stackName'>,
): Promise<string> {
  return copyCheckout(path.join(folder, 'checkouts', stackName));
}

/**
 * Deploys a copy of the checkout, since several may at once: as a person does, by `npm run deploy`, or
 * by the bundled commands.
 */
export async function deploy(
  emulator: Emulator,
  service: DeployedService,
  options: DeployOptions = {},
): Promise<Deployed> {
  const { stackName, context } = service;
  if (options.assembly !== undefined) return deployAssembly(emulator, options.assembly);
  const { edition, environment, isBundled } = options;
  const checkout = options.checkout ?? (await copyFor(emulator, service));
  await edition?.writeTo(checkout);
  const bundled = [bundledCommand(emulator), 'deploy'];
  const words =
    options.isBack === true
      ? ['--back', ...inContext({ stackName })]
      : [...inContext({ stackName, ...context, ...options.context }), ...(options.words ?? [])];
  const ended = await command(
    isBundled === true ? process.execPath : 'npm',
    [...(isBundled === true ? bundled : ['run', '--silent', 'deploy', '--']), ...words],
    {
      cwd: checkout,
      env: {
        ...environmentOf(emulator),
        ...(isBundled === true ? { BLOCKYARD_BLOCKS: checkout } : {}),
        ...environment,
      },
    },
  );
  const address = /^blockyard is at (\S+)$/m.exec(ended.output)?.[1];
  return { ...ended, address, url: address === undefined ? '' : urlOf(emulator, address) };
}

/** The last step of a deployment, which takes a third of the time of all of them. */
async function deployAssembly(emulator: Emulator, assembly: string): Promise<Deployed> {
  const args = ['deploy', '--app', assembly, '--require-approval', 'never'];
  const ended = await command(CDK, args, { cwd: emulator.folder, env: environmentOf(emulator) });
  return { ...ended, address: undefined, url: '' };
}

/** As `deploy`, for a deployment that must not fail. */
export async function deployWell(
  emulator: Emulator,
  service: DeployedService,
  options: DeployOptions = {},
): Promise<Deployed & { readonly address: string }> {
  const { address, ...deployed } = await deploy(emulator, service, options);
  if (deployed.code === 0 && address !== undefined) return { ...deployed, address };
  throw new Error(`${service.stackName} is not deployed:\n${deployed.output.slice(-4000)}`);
}

/** Removes as a person does who does not want to be asked, and has the data no more. */
export async function destroy(emulator: Emulator, service: DeployedService): Promise<Ended> {
  const { stackName, context } = service;
  const checkout = await copyFor(emulator, service);
  await rm(path.join(checkout, 'seed-data'), { recursive: true });
  return command(
    'npm',
    ['run', '--silent', 'destroy', '--', '--force', ...inContext({ stackName, ...context })],
    { cwd: checkout, env: environmentOf(emulator) },
  );
}

/** The physical ids of a service's resources of a type, by their logical ids: those of its parts too. */
export async function resourcesOf(
  emulator: Emulator,
  { stackName }: Pick<DeployedService, 'stackName'>,
  type: string,
): Promise<Record<string, string>> {
  const summaries = async (names: readonly string[]): Promise<Record<string, string>[]> => {
    const answers = await askAws(
      emulator,
      names.map((StackName) => ['cloudformation', 'list_stack_resources', { StackName }]),
    );
    return answers.flatMap(({ StackResourceSummaries }) => StackResourceSummaries);
  };
  const own = await summaries([stackName]);
  const parts = own.filter(({ ResourceType }) => ResourceType === 'AWS::CloudFormation::Stack');
  const all = [...own, ...(await summaries(parts.map((part) => part.PhysicalResourceId ?? '')))];
  return Object.fromEntries(
    all
      .filter(({ ResourceType }) => ResourceType === type)
      .map(({ LogicalResourceId = '', PhysicalResourceId = '' }) => [
        LogicalResourceId,
        PhysicalResourceId,
      ]),
  );
}

/** `https://<id>.execute-api.<region>.amazonaws.com/<stage>`, on this machine. */
export function urlOf({ endpoint }: Emulator, address: string): string {
  const { hostname, pathname } = new URL(address);
  return `${endpoint}${path.posix.join('/_aws/execute-api', hostname.split('.')[0] ?? '', pathname)}`;
}

function inContext(context: Readonly<Record<string, string>>): string[] {
  return Object.entries(context).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
