import { readFileSync } from 'node:fs';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { BlockyardStack } from '../../lib/blockyard-stack.ts';
import { readOptions } from '../../lib/deployment-options.ts';
import { type BuiltService, buildService } from '../../src/build/build-service.ts';
import { temporaryFolder } from './process.ts';
import { ROOT } from './service.ts';

const cdk = JSON.parse(readFileSync(path.join(ROOT, 'cdk.json'), 'utf8'));

/** Builds the checkout's service into a temporary folder. */
export async function builtService(seedData = path.join(ROOT, 'seed-data')): Promise<BuiltService> {
  return buildService({ root: ROOT, seedData, out: path.join(await temporaryFolder(), 'build') });
}

export type Resource = {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template's properties are of any shape
  readonly Properties: any;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
};

/** What a deployment with these options would create. */
export function synthesize(service: BuiltService, context: Record<string, string> = {}) {
  const app = new App({ context: { ...cdk.context, ...context }, analyticsReporting: false });
  const options = readOptions(context, {});
  const stack = new BlockyardStack(app, options.stackName, { service, options });
  const template = Template.fromStack(stack);
  const resources = template.toJSON().Resources as Record<string, Resource>;
  return {
    app,
    stack,
    template,
    resources,
    /** The resources of a type, by their logical ids. */
    ofType: (type: string): [string, Resource][] =>
      Object.entries(resources).filter(([, { Type }]) => Type === type),
  };
}
