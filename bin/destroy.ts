import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cdk } from '../lib/cdk-cli.ts';
import { checkArguments, contextOf } from '../lib/command-line-context.ts';
import { readOptions } from '../lib/deployment-options.ts';
import { preflight } from '../lib/preflight.ts';

/** `npm run destroy`: removes the stack with its tables and logs, which are all derived data. */
const root = path.resolve(fileURLToPath(new URL('..', import.meta.url)));
const args = process.argv.slice(2);
// The CDK reads both variables, in this order; the SDK does not.
const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;

// We pin an SDK that runs on Node 20; users need not see its six-line warning about later ones.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

try {
  checkArguments(args, process.env, ['--force', '-f']);
  const { stackName } = readOptions(contextOf(root, args), process.env);
  const { account, region } = await preflight(AWS_REGION || AWS_DEFAULT_REGION);
  process.env.AWS_REGION = region;
  console.log(`Removing ${stackName} from account ${account}, ${region}.`);
  await cdk(root, ['destroy', ...args]);
} catch (error) {
  console.error(`blockyard is not removed: ${(error as Error).message}`);
  process.exit(1);
}
