import path from 'node:path';
import { cdk } from '../lib/cdk-cli.ts';
import { checkArguments, contextOf } from '../lib/command-line-context.ts';
import { readOptions } from '../lib/deployment-options.ts';
import { preflight } from '../lib/preflight.ts';
import { OWN_CODE } from '../src/package/own-code.ts';
import { takeBlocks } from './blocks-folder.ts';

/** `blockyard destroy`: removes the stack with its tables and logs, which are all derived data. */
export async function runDestroy(words: readonly string[]): Promise<void> {
  // The CDK reads both variables, in this order; the SDK does not.
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  try {
    const { blocks, args } = takeBlocks(words);
    checkArguments(args, process.env, ['--force', '-f']);
    const { stackName } = readOptions(contextOf(OWN_CODE, args), process.env);
    const { account, region } = await preflight(AWS_REGION || AWS_DEFAULT_REGION);
    process.env.AWS_REGION = region;
    process.env.BLOCKYARD_BLOCKS = blocks;
    console.log(`Removing ${stackName} from account ${account}, ${region}.`);
    const assembly = path.join(blocks, '.blockyard', 'deploy', 'cdk.out');
    await cdk(OWN_CODE, ['destroy', '--output', assembly, ...args]);
  } catch (error) {
    console.error(`blockyard is not removed: ${(error as Error).message}`);
    process.exit(1);
  }
}
