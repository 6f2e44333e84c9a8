import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { BlockyardStack } from '../lib/blockyard-stack.ts';
import { checkLimits, templatesIn } from '../lib/deployment-limits.ts';
import { readOptions } from '../lib/deployment-options.ts';
import { buildService } from '../src/build/build-service.ts';

/** The CDK app: builds the service from the checkout and declares what to deploy. */
const root = path.resolve(fileURLToPath(new URL('..', import.meta.url)));
const app = new App({ analyticsReporting: false });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
try {
  const options = readOptions(app.node.getAllContext(), process.env);
  const service = await buildService({
    root,
    blocks: path.resolve(process.env.BLOCKYARD_BLOCKS || root),
    out: path.join(root, '.blockyard', 'build'),
  });
  new BlockyardStack(app, options.stackName, { service, options });
  checkLimits(templatesIn(app.synth().directory));
} catch (error) {
  // One line is enough for whoever deploys.
  console.error(`blockyard cannot be built: ${(error as Error).message}`);
  process.exit(1);
}
