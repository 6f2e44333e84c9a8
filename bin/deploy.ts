import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { decideLogRole } from '../lib/account-log-role.ts';
import { cdk } from '../lib/cdk-cli.ts';
import { checkArguments, contextOf } from '../lib/command-line-context.ts';
import { type DeploymentOptions, environmentName, readOptions } from '../lib/deployment-options.ts';
import { checkKept, preflight, stackHolds } from '../lib/preflight.ts';
import { checkReservation } from '../lib/reserved-concurrency.ts';
import { endAddresses, vanishingAddresses } from '../lib/vanishing-addresses.ts';
import { loadBlocks } from '../src/importer/load-blocks.ts';
import { curlLine } from '../src/local/curl-line.ts';
import { OWN_CODE } from '../src/package/own-code.ts';
import { takeBlocks } from './blocks-folder.ts';

/**
 * `blockyard deploy`: checks the prerequisites, shows the changes, deploys, and prints the address.
 */
export async function runDeploy(words: readonly string[]): Promise<void> {
  // The CDK reads both variables, in this order; the SDK does not.
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  try {
    const { blocks, args } = takeBlocks(words);
    checkArguments(args, process.env, ['--yes']);
    const isAgreed = args.includes('--yes');
    const forCdk = args.filter((word) => word !== '--yes');
    const context = contextOf(OWN_CODE, args);
    const options = readOptions(context, process.env);
    const { stackName, access } = options;
    const destination = await preflight(AWS_REGION || AWS_DEFAULT_REGION);
    const { account, region } = destination;
    process.env.AWS_REGION = region;
    process.env.BLOCKYARD_BLOCKS = blocks;
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
    const loaded = await loadBlocks(path.join(blocks, 'functions'));
    if (options.reservedConcurrency !== undefined) {
      const { reservedConcurrency: each } = options;
      const wanted = { each, functions: loaded.length, held: holds.reserved };
      console.log(await checkReservation(region, wanted));
    }
    const kept = new Set(loaded.flatMap(({ block }) => [block.id, block.name]));
    const vanishing = await vanishingAddresses({ region, holds, kept, options }).catch(
      (error: Error) => {
        if (!isAgreed) throw error;
        console.log(error.message);
        return [];
      },
    );
    if (vanishing.length > 0) await agreeToEnd(vanishing, isAgreed);
    console.log(`Deploying ${stackName} to account ${account}, ${region}.`);
    const out = path.join(blocks, '.blockyard', 'deploy');
    await mkdir(out, { recursive: true });
    const assembly = path.join(out, 'cdk.out');
    const outputs = path.join(out, 'outputs.json');
    // Synthesised once, so that the diff shows exactly what is deployed.
    const chosen = ['-c', `apiLogRole=${apiLogRole}`];
    await cdk(OWN_CODE, ['synth', '--quiet', '--output', assembly, ...forCdk, ...chosen]);
    await cdk(OWN_CODE, ['diff', '--app', assembly, '--no-change-set']);
    await cdk(OWN_CODE, [
      'deploy',
      '--app',
      assembly,
      '--require-approval',
      'never',
      '--outputs-file',
      outputs,
    ]);
    if (vanishing.some((one) => one.startsWith('/')) && holds.apiId !== undefined) {
      console.log(await endAddresses(region, holds.apiId, options.stage));
    }
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
}

/** Throws a one-line Error unless whoever deploys agrees that these addresses end. */
async function agreeToEnd(addresses: readonly string[], isAgreed: boolean): Promise<void> {
  console.log('These addresses end with this deployment; whoever calls them gets an error:');
  for (const address of addresses) console.log(`  ${address}`);
  if (isAgreed) return;
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new Error('addresses would end, which somebody may call. Say --yes to end them.');
  }
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question('End them? [y/N] ').finally(() => lines.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new Error('nothing was changed.');
}
