import { readFileSync } from 'node:fs';
import path from 'node:path';
import { App, type AppProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { DISABLE_ASSET_STAGING_CONTEXT, DISABLE_METADATA_STACK_TRACE } from 'aws-cdk-lib/cx-api';
import { BlockPart, BlockyardStack } from '../../lib/blockyard-stack.ts';
import type { DeployedStack } from '../../lib/deployed-stack.ts';
import { readOptions } from '../../lib/deployment-options.ts';
import type { BuiltService } from '../../src/build/build-service.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { madeOnce } from './once/made-once.ts';
import { ROOT } from './service.ts';

const cdk = JSON.parse(readFileSync(path.join(ROOT, 'cdk.json'), 'utf8'));

/** The checkout's service, built once for all suites of a run: nothing may be written into it. */
export async function builtService(): Promise<BuiltService> {
  const built = await madeOnce<BuiltService>('build');
  const loaded = await loadBlocks(path.join(ROOT, 'functions'));
  return {
    ...built,
    // Of a block, JSON has not all.
    blocks: built.blocks.map((one) => {
      const block = loaded.find(({ block: { name } }) => name === one.block.name)?.block;
      if (block === undefined) throw new TypeError(`${one.block.name} is no block.`);
      return { ...one, block };
    }),
  };
}

export type Resource = {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template's properties are of any shape
  readonly Properties: any;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
};

/** As `synthesize`, without CloudFormation's rules: they take half of its time. */
export function synthesizeUnchecked(
  service: BuiltService,
  context: Record<string, string> = {},
  deployed?: DeployedStack,
) {
  return synthesize(service, context, { builtinCloudFormationValidation: false }, deployed);
}

/** What a deployment with these options would create, its nested stacks' resources among the others. */
export function synthesize(
  service: BuiltService,
  context: Record<string, string> = {},
  more: AppProps = {},
  deployed?: DeployedStack,
) {
  const app = new App({
    context: {
      ...cdk.context,
      ...context,
      [DISABLE_METADATA_STACK_TRACE]: true,
      // Nothing is uploaded, so no code is copied.
      [DISABLE_ASSET_STAGING_CONTEXT]: true,
    },
    analyticsReporting: false,
    treeMetadata: false,
    ...more,
  });
  const options = readOptions(context, {});
  const stack = new BlockyardStack(app, options.stackName, { service, options, deployed });
  const parts = stack.node.children.filter((child) => child instanceof BlockPart);
  const root = Template.fromStack(stack).toJSON() as AnyTemplate;
  const partTemplates = parts.map((part) => ({
    name: part.node.id,
    template: Template.fromStack(part).toJSON() as AnyTemplate,
  }));
  const template = Template.fromJSON(flattened(root, partTemplates));
  const resources = template.toJSON().Resources as Record<string, Resource>;
  return {
    app,
    stack,
    root,
    parts: partTemplates,
    template,
    resources,
    /** The resources of a type, by their logical ids. */
    ofType: (type: string): [string, Resource][] =>
      Object.entries(resources).filter(([, { Type }]) => Type === type),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a template is of any shape
type AnyTemplate = any;

/** A template as if there were one stack: an id that parts share gets the part's name before it. */
function flattened(
  root: AnyTemplate,
  parts: readonly { readonly name: string; readonly template: AnyTemplate }[],
): AnyTemplate {
  const ids = parts.flatMap(({ template }) => Object.keys(template.Resources));
  const shared = new Set(ids.filter((id, i) => ids.indexOf(id) !== i || id in root.Resources));
  const resources = parts.map(({ name, template }) => {
    const given = root.Resources[name].Properties.Parameters ?? {};
    const replaced = (value: AnyTemplate): AnyTemplate => {
      if (typeof value === 'string') return shared.has(value) ? `${name}${value}` : value;
      if (value === null || typeof value !== 'object') return value;
      if (Array.isArray(value)) return value.map(replaced);
      if (typeof value.Ref === 'string' && value.Ref in given) return given[value.Ref];
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [replaced(key), replaced(one)]),
      );
    };
    return replaced(template.Resources);
  });
  return { ...root, Resources: Object.assign({}, root.Resources, ...resources) };
}
