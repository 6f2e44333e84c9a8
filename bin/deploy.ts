import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { readDeployed } from '../lib/deployed-stack.ts';
import {
  checkArguments,
  contextOf,
  type DeploymentOptions,
  environmentName,
  OF_THE_PLACE,
  readEach,
  readOptions,
} from '../lib/deployment-options.ts';
import { concurrencyAlarmFor } from '../lib/preflight/account-limits.ts';
import { checkDeployment } from '../lib/preflight/checks.ts';
import { optionsToKeep, stackHolds } from '../lib/preflight/deployed-options.ts';
import { outputsOf } from '../lib/preflight/deployed-outputs.ts';
import { findDestination } from '../lib/preflight/destination.ts';
import { decideLogRole } from '../lib/preflight/log-role.ts';
import { endAddresses, vanishingAddresses } from '../lib/preflight/vanishing-addresses.ts';
import { wayBack } from '../lib/version-before.ts';
import { writeWayBack } from '../lib/way-back-assembly.ts';
import { isAgreed } from '../src/commands/ask.ts';
import { loadBlocks } from '../src/import/load-blocks.ts';
import { IS_COMPILED, OWN_CODE, ownFile } from '../src/import/own-code.ts';
import { curlLine } from '../src/local/start.ts';
import { takeBlocks } from './blocks-folder.ts';
import type { Shell } from './shell.ts';

/**
 * `blockyard deploy`: checks the prerequisites, shows the changes, deploys, and prints the address.
 */
export async function runDeploy(words: readonly string[], shell: Shell): Promise<number> {
  const { out: tell } = shell;
  if (words.includes(BACK)) return runBack(words, shell);
  const { blocks, args } = takeBlocks(words);
  checkArguments(args, process.env, ['--yes', '--reset', BACK]);
  const hasAgreed = args.includes('--yes');
  const context = contextOf(OWN_CODE, args);
  const place = readEach(context, process.env);
  const { stackName } = place;
  const { account, region } = await destinationOf(place);
  process.env.BLOCKYARD_BLOCKS = blocks;
  const isGiven = (option: keyof DeploymentOptions) =>
    Boolean(context[option] || process.env[environmentName(option)]);
  const deployed = await outputsOf(stackName, region);
  const keptTexts = args.includes('--reset') ? {} : optionsToKeep(deployed, isGiven);
  for (const [name, text] of Object.entries(keptTexts)) {
    tell(`${name}=${text} is kept; give another value, or --reset to keep no option.`);
  }
  const forCdk = args.filter((word) => word !== '--yes' && word !== '--reset');
  const options = readOptions({ ...context, ...keptTexts }, process.env);
  const { access } = options;
  const holds = await stackHolds(region, stackName, deployed);
  const { apiLogRole, line } = await decideLogRole({
    region,
    stackName,
    isOwn: holds.hasLogRole,
    chosen: isGiven('apiLogRole') ? options.apiLogRole : undefined,
  });
  if (line !== undefined) tell(line);
  const loaded = await loadBlocks(path.join(blocks, 'functions'));
  const checked = await checkDeployment({
    ...{ account, region, options, outputs: deployed, held: holds.reserved },
    isGiven: (option) => option in keptTexts || isGiven(option),
    functions: loaded.length,
    node: process.versions.node,
  });
  for (const one of checked) tell(one);
  const kept = new Set(loaded.flatMap(({ block }) => [block.id, block.name]));
  const vanishing = await vanishingAddresses({ region, holds, kept, options }).catch(
    (error: Error) => {
      if (!hasAgreed) throw error;
      tell(error.message);
      return [];
    },
  );
  if (vanishing.length > 0) await agreeToEnd(vanishing, hasAgreed, shell);
  tell(`Deploying ${stackName} to account ${account}, ${region}.`);
  const out = path.join(blocks, '.blockyard', 'deploy');
  await mkdir(out, { recursive: true });
  const assembly = path.join(out, 'cdk.out');
  const outputs = path.join(out, 'outputs.json');
  // Synthesised once, by the diff, so that it shows exactly what is deployed.
  const alarmAt = isGiven('concurrencyAlarm') ? undefined : await concurrencyAlarmFor(region);
  const decided = {
    ...keptTexts,
    apiLogRole,
    ...(alarmAt === undefined ? {} : { concurrencyAlarm: alarmAt }),
  };
  const chosen = Object.entries(decided).flatMap(([name, text]) => ['-c', `${name}=${text}`]);
  await cdk(OWN_CODE, ['diff', '--no-change-set', '--output', assembly, ...forCdk, ...chosen]);
  await deployAssembly(assembly, place, ['--outputs-file', outputs]);
  if (vanishing.some((one) => one.startsWith('/')) && holds.apiId !== undefined) {
    tell(await endAddresses(region, holds.apiId, options.stage));
  }
  const { BaseUrl } = Object.values<{ BaseUrl: string }>(
    JSON.parse(await readFile(outputs, 'utf8')),
  )[0] as { BaseUrl: string };
  const [first] = loaded;
  tell(`\nblockyard is at ${BaseUrl}`);
  if (first !== undefined) {
    const key = access === 'keys' ? ` -H 'x-api-key: <a key>'` : '';
    tell(`\n${curlLine(BaseUrl, first.block)}${key}`);
  }
  if (access === 'keys') tell('\nHow to issue a key: docs/deploying.md#keys');
  return 0;
}

/** The account and the region that a deployment is of. What is asked of AWS later goes there too. */
async function destinationOf(place: DeploymentOptions) {
  // The CDK reads both variables, in this order; the SDK does not.
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const found = await findDestination(place, AWS_REGION || AWS_DEFAULT_REGION);
  process.env.AWS_REGION = found.region;
  return found;
}

const BACK = '--back';

/** `blockyard deploy --back`: moves each alias to the version before, which the stack still has. */
async function runBack(words: readonly string[], { out: tell }: Shell): Promise<number> {
  const { blocks, args: all } = takeBlocks(words);
  const args = all.filter((word) => word !== BACK && word !== '--yes');
  checkArguments(args, process.env, [BACK]);
  const context = contextOf(OWN_CODE, args);
  // The CDK's own settings have other names.
  const others = Object.keys(context).filter(
    (name) => /^\w+$/.test(name) && !OF_THE_PLACE.includes(name),
  );
  if (others.length > 0) {
    throw new Error(`${BACK} leaves the options as they are; leave out ${others.join(', ')}.`);
  }
  const place = readOptions(context, process.env);
  const { stackName } = place;
  const { account, region } = await destinationOf(place);
  const deployed = await readDeployed(stackName, region);
  const back = wayBack(stackName, deployed);
  tell(`Returning ${stackName} in account ${account}, ${region}, to the version before:`);
  for (const line of back.lines) tell(`  ${line}`);
  const out = path.join(blocks, '.blockyard', 'back');
  await rm(out, { recursive: true, force: true });
  const tags = deployed?.tags ?? {};
  const assembly = await writeWayBack({ place, back, tags, context, out });
  await deployAssembly(assembly, place);
  tell('\nThe version before answers. npm run deploy goes forward again.');
  return 0;
}

/** Deploys what was synthesised. The stack of the bootstrap may have another name than usual. */
function deployAssembly(
  assembly: string,
  { bootstrapStack }: Pick<DeploymentOptions, 'bootstrapStack'>,
  more: readonly string[] = [],
): Promise<void> {
  const own = ['--app', assembly, '--require-approval', 'never', ...more];
  return cdk(OWN_CODE, ['deploy', ...own, '--toolkit-stack-name', bootstrapStack]);
}

/** Runs the CDK's command line; it writes to this process's output. */
async function cdk(root: string, args: readonly string[]): Promise<void> {
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

/** Throws a one-line Error unless whoever deploys agrees that these addresses end. */
async function agreeToEnd(
  addresses: readonly string[],
  hasAgreed: boolean,
  { out, ask }: Shell,
): Promise<void> {
  out('These addresses end with this deployment; whoever calls them gets an error:');
  for (const address of addresses) out(`  ${address}`);
  if (hasAgreed) return;
  if (ask === undefined) {
    throw new Error('addresses would end, which somebody may call. Say --yes to end them.');
  }
  if (!(await isAgreed(ask, 'End them?'))) throw new Error('nothing was changed.');
}

/**
 * Runs the app of a removal, as `cdk.json` has that of a deployment: with the loader of modules alone,
 * since the other one reads all of the CDK once more.
 */
const REMOVAL = `node ${IS_COMPILED ? '' : '--import tsx/esm '}${ownFile('bin/removal-app.ts')}`;

/** The word that answers the question, and those that did before. */
const AGREED = ['--yes', '--force', '-f'];

/** `blockyard destroy`: removes the stack with its tables, files and logs, which are all derived data. */
export async function runDestroy(words: readonly string[], { out, ask }: Shell): Promise<number> {
  const { blocks, args } = takeBlocks(words);
  checkArguments(args, process.env, AGREED);
  const forCdk = args.filter((word) => !AGREED.includes(word));
  const hasAgreed = forCdk.length < args.length;
  const place = readOptions(contextOf(OWN_CODE, args), process.env);
  const { stackName } = place;
  if (!hasAgreed && ask === undefined) {
    throw new Error(
      `${stackName} would go, with its tables, files and logs. Say --yes to remove it.`,
    );
  }
  const { account, region } = await destinationOf(place);
  const what = `${stackName}, with its tables, files and logs, from account ${account}, ${region}`;
  if (ask !== undefined && !hasAgreed && !(await isAgreed(ask, `Remove ${what}?`))) {
    throw new Error('nothing was changed.');
  }
  out(`Removing ${stackName} from account ${account}, ${region}.`);
  const assembly = path.join(blocks, '.blockyard', 'deploy', 'cdk.out');
  await cdk(OWN_CODE, ['destroy', '--app', REMOVAL, '--output', assembly, '--force', ...forCdk]);
  return 0;
}
