import { App, Stack } from 'aws-cdk-lib';
import { readOptions } from '../lib/deployment-options.ts';
import { synthesizerOf } from '../lib/synthesizer.ts';

/**
 * The CDK app of a removal: declares the stack by its name alone. What is in it is known where it is
 * deployed, so nothing is built, and neither data nor a rule can hinder the removal.
 */
const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false });
const options = readOptions(app.node.getAllContext(), process.env);
new Stack(app, options.stackName, { synthesizer: synthesizerOf(options) });
app.synth();
