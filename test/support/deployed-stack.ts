import type { DeployedPart, DeployedStack, DeployedTemplate } from '../../lib/deployed-stack.ts';

export type Templates = {
  readonly root: DeployedTemplate;
  readonly parts: readonly { readonly name: string; readonly template: DeployedTemplate }[];
};

/** Templates as CloudFormation has them after a deployment: each resource exists. */
export function deployedFrom({ root, parts }: Templates): DeployedStack {
  return {
    root: partOf(root),
    parts: new Map(parts.map(({ name, template }) => [name, partOf(template)])),
    tags: {},
  };
}

function partOf(template: DeployedTemplate): DeployedPart {
  const since = new Date(Date.UTC(2026, 10, 27, 9, 12));
  const existing = Object.entries(template.Resources).map(([id, { Type }]) => {
    const isVersion = Type === 'AWS::Lambda::Version';
    const physical = isVersion ? `arn:aws:lambda:us-east-1:1:function:${id}:1` : id;
    return [id, { id: physical, since }] as const;
  });
  return { template, existing: new Map(existing) };
}

/** What CloudFormation does to the resources of all templates, by a plain reading of its rules. */
export function changesBetween(before: Templates, after: Templates) {
  const [old, next] = [before, after].map(resourcesOf) as [Resources, Resources];
  const text = ({ Type, Properties }: Resources[string]) => JSON.stringify([Type, Properties]);
  return {
    created: idsOf(next).filter((id) => !(id in old)),
    updated: idsOf(next).filter(
      (id) => id in old && text(old[id] as never) !== text(next[id] as never),
    ),
    deleted: idsOf(old).filter((id) => !(id in next)),
  };
}

type Resources = DeployedTemplate['Resources'];

const idsOf = (resources: Resources) => Object.keys(resources);

/** The resources of all parts, each with the name of its part before its logical id. */
export function resourcesOf({ root, parts }: Templates): Resources {
  const all = [{ name: 'root', template: root }, ...parts];
  return Object.fromEntries(
    all.flatMap(({ name, template }) =>
      Object.entries(template.Resources).map(([id, one]) => [`${name}/${id}`, one] as const),
    ),
  );
}
