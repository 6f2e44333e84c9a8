import type { BuiltService } from '../../src/build/build-service.ts';
import { synthesizeUnchecked } from '../support/deployment.ts';

type Synthesized = ReturnType<typeof synthesizeUnchecked>;

/** CloudFormation's bound for a stack. */
export const MOST_RESOURCES = 500;

/** The alarms of a template, as the document's table has them. */
export function alarmRows({ ofType, stack }: Synthesized): string[][] {
  return ofType('AWS::CloudWatch::Alarm').map(([id, { Properties }]) => [
    `\`${id.replace(/^Alarms(.*)[0-9A-F]{8}$/, '$1')}\``,
    `\`${Properties.Namespace} ${Properties.MetricName.replace(stack.stackName, '<stack>')}\``,
    Properties.Statistic ?? Properties.ExtendedStatistic,
    String(Properties.Threshold),
    Properties.AlarmDescription.replace(`${stack.stackName}: `, ''),
  ]);
}

/** Where a rule may be acknowledged, by the path of the construct in its stack. */
const PLACES: readonly (readonly [string, RegExp])[] = [
  ['the table of a dataset', /^[^/]+\/Dataset\/Version[0-9a-f]+$/],
  ["a function's role", /(?:^Catalog|^Drain|\/Service|\/Authorizer)\/Role$/],
  ["a channel's permission to call blocks", /^(?:Mcp|Slack)\/Invoke$/],
  ["API Gateway's log role", /^Channel\/LogRole$/],
  ['the API', /^Channel\/Api$/],
  ["the API's stage", /^Channel\/Api\/DeploymentStage\.\w+$/],
];

export type Acknowledged = { readonly rule: string; readonly where: string; readonly why: string };

/** Every rule of cdk-nag that these stacks acknowledge; each place once. */
export function acknowledged(stacks: readonly Synthesized[]): Acknowledged[] {
  const found = stacks.flatMap(({ stack }) =>
    stack.node.findAll().flatMap(({ node }) =>
      node.metadata
        .filter(({ type }) => type === 'aws:cdk:acknowledged-rules')
        .flatMap(({ data }) => Object.entries(data as Record<string, string>))
        .map(([id, why]) => ({
          rule: id.replace(/^Annotation::/, '').replace(/\[.*\]$/, ''),
          where: placeOf(node.path.slice(stack.stackName.length + 1)),
          why,
        })),
    ),
  );
  const unique = new Map(found.map((one) => [JSON.stringify(one), one]));
  return [...unique.values()].sort((a, b) => order(a) - order(b) || (a.rule < b.rule ? -1 : 1));
}

function order({ where }: Acknowledged): number {
  return PLACES.findIndex(([place]) => place === where);
}

function placeOf(path: string): string {
  const place = PLACES.find(([, pattern]) => pattern.test(path))?.[0];
  if (place === undefined) throw new TypeError(`A rule is acknowledged at ${path}.`);
  return place;
}

/** What a block of each kind adds to a stack, and how many of them one stack holds. */
export function blockRows(service: BuiltService): string[][] {
  const blocks = service.blocks;
  const dataset = blocks.find(({ table }) => table !== undefined);
  const value = blocks.find(({ table }) => table === undefined);
  if (dataset === undefined || value === undefined) throw new TypeError('no block of each kind');
  const named = (id: string) => ({ ...dataset, block: { ...dataset.block, id } });
  const kinds = [
    ['a dataset, its id is its name', named(dataset.block.name)],
    ['a dataset with an id of its own', named('another-id')],
    ['a value, its id is its name', { ...value, block: { ...value.block, id: value.block.name } }],
  ] as const;
  const others = blocks.filter((built) => built !== dataset && built !== value);
  const counted = (['open', 'keys'] as const).map((access): Counted[] => {
    const counts = (some: BuiltService['blocks']) => {
      const { resources, ofType } = synthesizeUnchecked(
        { ...service, blocks: some },
        // As a first deployment of an account.
        { access, apiLogRole: 'create' },
      );
      return [Object.keys(resources).length, ofType('AWS::ApiGateway::Resource').length] as const;
    };
    const [stackBefore, apiBefore] = counts(others);
    const added = kinds.map(([, built]) => {
      const [stack, api] = counts([...others, built]);
      return { each: stack - stackBefore, ofApi: api - apiBefore };
    });
    // What a stack has without a block.
    const fixed = counts([kinds[0][1]])[0] - (added[0]?.each ?? 0);
    return added.map((one) => ({ ...one, most: Math.floor((MOST_RESOURCES - fixed) / one.each) }));
  });
  return kinds.map(([kind], i) => {
    const [open, keys] = counted.map((access) => access[i]) as [Counted, Counted];
    return [kind, open.each, keys.each, open.ofApi, open.most, keys.most].map(String);
  });
}

type Counted = { readonly each: number; readonly ofApi: number; readonly most: number };
