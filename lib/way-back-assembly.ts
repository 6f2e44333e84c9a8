import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { App, FileAssetPackaging, Stack } from 'aws-cdk-lib';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import type { DeployedStack, DeployedTemplate } from './deployed-stack.ts';
import type { DeploymentOptions } from './deployment-options.ts';
import { synthesizerOf } from './synthesizer.ts';
import type { WayBack } from './version-before.ts';

type AssemblyProps = {
  readonly place: Pick<DeploymentOptions, 'stackName' | 'bootstrapQualifier'>;
  readonly back: WayBack;
  readonly tags: DeployedStack['tags'];
  readonly context: Readonly<Record<string, unknown>>;
  readonly out: string;
};

/**
 * Writes what `cdk deploy` takes, without an app: the deployed templates with other aliases. Throws
 * if the CDK would deploy anything else.
 */
export async function writeWayBack(props: AssemblyProps): Promise<string> {
  const { place, back, tags, context, out } = props;
  const { stackName } = place;
  const assembly = path.join(out, 'cdk.out');
  await mkdir(assembly, { recursive: true });
  const app = new App({
    outdir: assembly,
    context: { ...context },
    analyticsReporting: false,
    treeMetadata: false,
    // They were tried where the template was made.
    builtinCloudFormationValidation: false,
  });
  // The template has the bootstrap's rule already.
  const synthesizer = synthesizerOf(place, { generateBootstrapVersionRule: false });
  const stack = new Stack(app, stackName, { synthesizer, tags: { ...tags } });
  const resources = { ...(back.root as DeployedTemplate).Resources };
  for (const [id, template] of back.parts) {
    const fileName = path.join(out, `${id}.json`);
    const text = JSON.stringify(template);
    await writeFile(fileName, text);
    const sourceHash = createHash('sha256').update(text).digest('hex');
    const packaging = FileAssetPackaging.FILE;
    const { httpUrl } = stack.synthesizer.addFileAsset({ fileName, packaging, sourceHash });
    const part = resources[id];
    if (part === undefined) throw new TypeError(`There is no part ${id}.`);
    const TemplateURL = stack.resolve(httpUrl);
    resources[id] = { ...part, Properties: { ...part.Properties, TemplateURL } };
  }
  const wanted = { ...back.root, Resources: resources };
  const templateFile = path.join(out, 'root.json');
  await writeFile(templateFile, JSON.stringify(wanted));
  new CfnInclude(stack, 'Deployed', { templateFile });
  const { template } = app.synth().getStackByName(stackName);
  if (isDeepStrictEqual(inOrder(template), inOrder(wanted))) return assembly;
  throw new Error('the CDK would change more than the aliases; nothing was changed.');
}

/** A template whose lists of dependencies are in order; the CDK gives them another one. */
function inOrder({ Resources: resources, ...rest }: DeployedTemplate): object {
  const ordered = Object.entries(resources).map(([id, { DependsOn = [], ...one }]) => [
    id,
    { ...one, DependsOn: [DependsOn].flat().sort() },
  ]);
  return { ...rest, Resources: Object.fromEntries(ordered) };
}
