import path from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { BlockyardStack } from '../lib/blockyard-stack.ts';
import { readReplaced } from '../lib/deployed-stack.ts';
import { checkLimits, templatesIn } from '../lib/deployment-limits.ts';
import { readOptions } from '../lib/deployment-options.ts';
import { buildService } from '../src/build/build-service.ts';
import { OWN_CODE } from '../src/import/own-code.ts';
import { defaultBlocks } from './blocks-folder.ts';

/** The CDK app: builds the service and declares what to deploy. */
const app = new App({ analyticsReporting: false });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
try {
  const options = readOptions(app.node.getAllContext(), process.env);
  const deployed = await readReplaced(options.stackName, process.env);
  const blocks = defaultBlocks();
  const service = await buildService({
    root: OWN_CODE,
    blocks,
    out: path.join(blocks, '.blockyard', 'build'),
  });
  new BlockyardStack(app, options.stackName, { service, options, deployed });
  checkLimits(templatesIn(app.synth().directory));
} catch (error) {
  // One line is enough for whoever deploys.
  console.error(`blockyard cannot be built: ${(error as Error).message}`);
  process.exit(1);
}
