import { App, Stack } from 'aws-cdk-lib';
import { readOptions } from '../lib/deployment-options.ts';

/**
 * The CDK app of a removal: declares the stack by its name alone. What is in it is known where it is
 * deployed, so nothing is built, and neither data nor a rule can hinder the removal.
 */
const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false });
const { stackName } = readOptions(app.node.getAllContext(), process.env);
new Stack(app, stackName);
app.synth();
