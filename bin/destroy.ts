import path from 'node:path';
import { cdk } from '../lib/cdk-cli.ts';
import { checkArguments, contextOf } from '../lib/command-line-context.ts';
import { readOptions } from '../lib/deployment-options.ts';
import { preflight } from '../lib/preflight.ts';
import { isAgreed } from '../src/commands/terminal.ts';
import { OWN_CODE } from '../src/package/own-code.ts';
import { takeBlocks } from './blocks-folder.ts';
import type { Shell } from './shell.ts';

/** The word that answers the question, and those that did before. */
const AGREED = ['--yes', '--force', '-f'];

/** `blockyard destroy`: removes the stack with its tables and logs, which are all derived data. */
export async function runDestroy(words: readonly string[], { out, ask }: Shell): Promise<number> {
  // The CDK reads both variables, in this order; the SDK does not.
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const { blocks, args } = takeBlocks(words);
  checkArguments(args, process.env, AGREED);
  const forCdk = args.filter((word) => !AGREED.includes(word));
  const hasAgreed = forCdk.length < args.length;
  const { stackName } = readOptions(contextOf(OWN_CODE, args), process.env);
  if (!hasAgreed && ask === undefined) {
    throw new Error(`${stackName} would go, with its tables and logs. Say --yes to remove it.`);
  }
  const { account, region } = await preflight(AWS_REGION || AWS_DEFAULT_REGION);
  process.env.AWS_REGION = region;
  process.env.BLOCKYARD_BLOCKS = blocks;
  const what = `${stackName}, with its tables and logs, from account ${account}, ${region}`;
  if (ask !== undefined && !hasAgreed && !(await isAgreed(ask, `Remove ${what}?`))) {
    throw new Error('nothing was changed.');
  }
  out(`Removing ${stackName} from account ${account}, ${region}.`);
  const assembly = path.join(blocks, '.blockyard', 'deploy', 'cdk.out');
  await cdk(OWN_CODE, ['destroy', '--output', assembly, '--force', ...forCdk]);
  return 0;
}
