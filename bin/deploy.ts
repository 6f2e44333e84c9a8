import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { decideLogRole } from '../lib/account-log-role.ts';
import { cdk } from '../lib/cdk-cli.ts';
import { checkArguments, contextOf } from '../lib/command-line-context.ts';
import { type DeploymentOptions, environmentName, readOptions } from '../lib/deployment-options.ts';
import { checkKept, preflight, stackHolds } from '../lib/preflight.ts';
import { checkReservation } from '../lib/reserved-concurrency.ts';
import { loadBlocks } from '../src/importer/load-blocks.ts';
import { curlLine } from '../src/local/curl-line.ts';

/**
 * `npm run deploy`: checks the prerequisites, shows the changes, deploys, and prints the address.
 */
const root = path.resolve(fileURLToPath(new URL('..', import.meta.url)));
const args = process.argv.slice(2);
// The CDK reads both variables, in this order; the SDK does not.
const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;

// We pin an SDK that runs on Node 20; users need not see its six-line warning about later ones.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

try {
  checkArguments(args, process.env);
  const context = contextOf(root, args);
  const options = readOptions(context, process.env);
  const { stackName, access } = options;
  const destination = await preflight(AWS_REGION || AWS_DEFAULT_REGION);
  const { account, region } = destination;
  process.env.AWS_REGION = region;
  const isGiven = (option: keyof DeploymentOptions) =>
    Boolean(context[option] || process.env[environmentName(option)]);
  await checkKept(destination, options, isGiven);
  const holds = await stackHolds(destination, options);
  const { apiLogRole, line } = await decideLogRole({
    region,
    stackName,
    isOwn: holds.hasLogRole,
    chosen: isGiven('apiLogRole') ? options.apiLogRole : undefined,
  });
  if (line !== undefined) console.log(line);
  const loaded = await loadBlocks(
    path.join(path.resolve(process.env.BLOCKYARD_BLOCKS || root), 'functions'),
  );
  if (options.reservedConcurrency !== undefined) {
    const { reservedConcurrency: each } = options;
    const wanted = { each, functions: loaded.length, held: holds.reserved };
    console.log(await checkReservation(region, wanted));
  }
  console.log(`Deploying ${stackName} to account ${account}, ${region}.`);
  const out = path.join(root, '.blockyard', 'deploy');
  await mkdir(out, { recursive: true });
  const assembly = path.join(out, 'cdk.out');
  const outputs = path.join(out, 'outputs.json');
  // Synthesised once, so that the diff shows exactly what is deployed.
  const chosen = ['-c', `apiLogRole=${apiLogRole}`];
  await cdk(root, ['synth', '--quiet', '--output', assembly, ...args, ...chosen]);
  await cdk(root, ['diff', '--app', assembly, '--no-change-set']);
  await cdk(root, [
    'deploy',
    '--app',
    assembly,
    '--require-approval',
    'never',
    '--outputs-file',
    outputs,
  ]);
  const { BaseUrl } = Object.values<{ BaseUrl: string }>(
    JSON.parse(await readFile(outputs, 'utf8')),
  )[0] as { BaseUrl: string };
  const [first] = loaded;
  console.log(`\nblockyard is at ${BaseUrl}`);
  if (first !== undefined) {
    const key = access === 'keys' ? ` -H 'x-api-key: <a key>'` : '';
    console.log(`\n${curlLine(BaseUrl, first.block)}${key}`);
  }
  if (access === 'keys') console.log('\nHow to issue a key: docs/deploying.md#keys');
} catch (error) {
  console.error(`blockyard is not deployed: ${(error as Error).message}`);
  process.exit(1);
}
