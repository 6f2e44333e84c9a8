import { Annotations, CfnElement, CfnResource, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { DeployedPart, DeployedStack, TemplateResource } from './deployed-stack.ts';
import { FILES_TYPE } from './deployment-check.ts';
import { ServiceFunction } from './service-function.ts';

/**
 * The version before stays for one more deployment: a new template has the deployed version of each
 * function whose version changes, with its permission and its table, exactly as they are deployed.
 * CloudFormation leaves alone what has the same logical id and the same properties, so a download
 * that has begun on the old table goes on, and `--back` needs no import.
 */
export function keepVersionBefore(
  stack: Stack,
  addresses: readonly string[],
  deployed: DeployedStack | undefined,
): void {
  const kept = recordOf(deployed);
  const functions = stack.node
    .findAll()
    .filter((one) => one instanceof ServiceFunction)
    .map((one) => ({ one, owner: Stack.of(one), ...versionsOf(one, deployed) }));
  const isSame =
    kept.addresses === undefined || String(kept.addresses) === String([...addresses].sort());
  // A deployment that changes no version is none of those that are counted.
  const isNext = !isSame || functions.some(({ live, version }) => live !== version);
  const before = isNext ? kept.addresses : kept.before;
  for (const { one, owner, live, version, others, part } of functions) {
    const left = isNext ? [live] : before === undefined ? [] : others;
    for (const id of left) {
      if (id === undefined || id === version || part?.existing.has(id) !== true) continue;
      if (!carry(owner, part, id)) {
        Annotations.of(one).addWarningV2('blockyard:versionBefore', `${id} cannot be kept.`);
      }
    }
  }
  const record: VersionRecord = {
    addresses: [...addresses].sort(),
    ...(before === undefined ? {} : { before }),
  };
  stack.addMetadata(RECORD, record);
}

/** In the template's metadata: the blocks' addresses, now and in the version before. */
type VersionRecord = {
  readonly addresses?: readonly string[];
  /** Absent where there is nothing to go back to. */
  readonly before?: readonly string[];
};

const RECORD = 'blockyard';

function recordOf(deployed: DeployedStack | undefined): VersionRecord {
  const metadata = deployed?.root.template.Metadata as Record<string, VersionRecord> | undefined;
  return metadata?.[RECORD] ?? {};
}

/** A function's new version, the one that is live, and the others that are deployed. */
function versionsOf(
  { version: built, alias, function: fn }: ServiceFunction,
  deployed: DeployedStack | undefined,
) {
  const owner = Stack.of(fn);
  const isRoot = owner.nestedStackParent === undefined;
  const part = isRoot ? deployed?.root : deployed?.parts.get(owner.node.id);
  const idOf = ({ node }: Construct): string =>
    owner.resolve((node.defaultChild as CfnElement).logicalId);
  const version = idOf(built as unknown as Construct);
  const { Resources: resources = {} } = part?.template ?? {};
  const live = liveVersion(resources[idOf(alias)]);
  const others = Object.keys(resources).filter(
    (id) => id !== live && functionOf(resources[id]) === idOf(fn),
  );
  return { part, version, live, others };
}

/** The version that an alias is of, by its logical id. */
function liveVersion(alias: TemplateResource | undefined): string | undefined {
  if (alias?.Type !== 'AWS::Lambda::Alias') return undefined;
  return alias.Properties.FunctionVersion?.['Fn::GetAtt']?.[0];
}

/** The function that a version is of, by its logical id. */
function functionOf(version: TemplateResource | undefined): string | undefined {
  return version?.Type === 'AWS::Lambda::Version'
    ? version.Properties.FunctionName?.Ref
    : undefined;
}

const VERSION = 'AWS::Lambda::Version';
const TABLE = 'AWS::DynamoDB::Table';

/** All that belongs to one version of a block. */
const CARRIED = [VERSION, 'AWS::IAM::Policy', TABLE, FILES_TYPE];

/** Adds a deployed version, with what it needs and the new template lacks. Returns whether it can. */
function carry(owner: Stack, part: DeployedPart, version: string): boolean {
  const own = owner.node.findAll().filter((one) => Stack.of(one) === owner);
  const has = new Set(
    own
      .filter((one) => CfnElement.isCfnElement(one))
      .map((one): string => owner.resolve((one as CfnElement).logicalId)),
  );
  const needed = neededBy(part, version, has);
  if (needed === undefined) return false;
  const before = owner.node.tryFindChild('VersionBefore') ?? new Construct(owner, 'VersionBefore');
  for (const id of needed) {
    const { Type, Properties, ...attributes } = part.template.Resources[id] as TemplateResource;
    const resource = new CfnResource(before as Construct, id, {
      type: Type,
      properties: Properties,
    });
    resource.overrideLogicalId(id);
    for (const [name, value] of Object.entries(attributes)) resource.addOverride(name, value);
  }
  return true;
}

/** A version and all that it needs beside what there is; undefined if something is missing. */
function neededBy(
  { template: { Resources: resources }, existing }: DeployedPart,
  version: string,
  has: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  const needed = new Set<string>([version]);
  for (const id of needed) {
    const resource = resources[id];
    if (resource === undefined || !existing.has(id) || !CARRIED.includes(resource.Type)) {
      return undefined;
    }
    for (const one of referencesOf(resource)) if (!has.has(one)) needed.add(one);
  }
  return needed;
}

/** The logical ids that a resource names. */
function referencesOf({ Properties, DependsOn = [] }: TemplateResource): string[] {
  const found = [DependsOn].flat() as string[];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, given] of Object.entries(value)) {
      if (key === 'Ref') found.push(given);
      else if (key === 'Fn::GetAtt')
        found.push(Array.isArray(given) ? given[0] : given.split('.')[0]);
      else if (key === 'Fn::Sub') {
        const [text] = [given].flat();
        found.push(...[...text.matchAll(/\$\{([A-Za-z0-9:]+)/g)].map(([, id]) => id as string));
      } else look(given);
    }
  };
  look(Properties);
  return found.filter((id) => !id.startsWith('AWS::'));
}

/** The templates by which a stack goes back. */
export type WayBack = {
  readonly root: object;
  /** Those that change, by their nested stacks' logical ids. */
  readonly parts: ReadonlyMap<string, object>;
  /** What it goes back to, a line for each function. */
  readonly lines: readonly string[];
};

/**
 * The deployed templates with each alias on the version before, and nothing else changed. Throws a
 * one-line Error if there is none, or if callers would miss a block.
 */
export function wayBack(stackName: string, deployed: DeployedStack | undefined): WayBack {
  if (deployed === undefined) throw new Error(`there is no stack ${stackName}.`);
  const { addresses = [], before } = recordOf(deployed);
  if (before === undefined) {
    throw new Error(
      `${stackName} has no version before: it is the first one, or it is live already. npm run deploy goes forward.`,
    );
  }
  const changed = [
    ['added', addresses.filter((one) => !before.includes(one))],
    ['removed', before.filter((one) => !addresses.includes(one))],
  ] as const;
  const words = changed.flatMap(([word, some]) =>
    some.length === 0 ? [] : [`${some.join(', ')} ${some.length > 1 ? 'were' : 'was'} ${word}`],
  );
  if (words.length > 0) {
    throw new Error(
      `${words.join(', and ')} since the version before, and --back moves no addresses. Deploy the commit before.`,
    );
  }
  const lines: string[] = [];
  const parts = new Map<string, object>();
  for (const [id, part] of deployed.parts) {
    const template = turned(part, lines);
    if (template !== part.template) parts.set(id, template);
  }
  const root = turned(deployed.root, lines);
  return {
    root: { ...root, Metadata: { ...root.Metadata, [RECORD]: { addresses } } },
    parts,
    lines,
  };
}

/** A template with its aliases on the versions before; the same one where none has any. */
function turned(part: DeployedPart, lines: string[]): DeployedPart['template'] {
  const { template } = part;
  const { Resources: resources } = template;
  const moved: Record<string, TemplateResource> = {};
  for (const [id, alias] of Object.entries(resources)) {
    const live = liveVersion(alias);
    if (live === undefined) continue;
    const fn = functionOf(resources[live]);
    const before = Object.keys(resources).find(
      (one) => one !== live && fn !== undefined && functionOf(resources[one]) === fn,
    );
    if (before === undefined) continue;
    const FunctionVersion = { 'Fn::GetAtt': [before, 'Version'] };
    moved[id] = { ...alias, Properties: { ...alias.Properties, FunctionVersion } };
    lines.push(lineOf(part, live, before));
  }
  if (Object.keys(moved).length === 0) return template;
  return { ...template, Resources: { ...resources, ...moved } };
}

function lineOf(part: DeployedPart, live: string, before: string): string {
  const { existing } = part;
  const [, name, from] = /function:([^:]+):(\d+)$/.exec(existing.get(live)?.id ?? '') ?? [];
  const there = existing.get(before);
  const to = there?.id.split(':').at(-1);
  const since = there?.since?.toISOString().replace(/:\d\d\.\d+Z$/, 'Z');
  const needed = neededBy(part, before, new Set(functionIds(part))) ?? new Set();
  const table = [...needed].find((id) => part.template.Resources[id]?.Type === TABLE);
  const data = table === undefined ? '' : `, with the table ${existing.get(table)?.id}`;
  return `${name}: from version ${from} to ${to}, of ${since}${data}`;
}

/** What a version does not take with it when it goes: all that is of no version. */
function functionIds({ template: { Resources: resources } }: DeployedPart): string[] {
  return Object.keys(resources).filter((id) => !CARRIED.includes(resources[id]?.Type ?? ''));
}
