import type { BuiltService } from '../../src/build/build-service.ts';
import { type Resource, synthesizeUnchecked } from '../support/deployment.ts';

type Synthesized = ReturnType<typeof synthesizeUnchecked>;

/** API Gateway's bound for an API. */
const MOST_API_RESOURCES = 300;

/** An alarm's name, by its logical id. */
export const alarmName = (id: string) => id.replace(/^Alarms(.*)[0-9A-F]{8}$/, '$1');

/** The alarms of a template, as the document's table has them. */
export function alarmRows({ ofType, stack }: Synthesized): string[][] {
  return ofType('AWS::CloudWatch::Alarm').map(([id, { Properties }]) => [
    `\`${alarmName(id)}\``,
    `\`${Properties.Namespace} ${Properties.MetricName.replace(stack.stackName, '<stack>')}\``,
    Properties.Statistic ?? Properties.ExtendedStatistic,
    String(Properties.Threshold),
    Properties.AlarmDescription.replace(`${stack.stackName}: `, ''),
  ]);
}

/** Where a rule may be acknowledged, by the path of the construct in its stack. */
const PLACES: readonly (readonly [string, RegExp])[] = [
  ['the table of a dataset', /\/Dataset\/Version[0-9a-f]+$/],
  ['a policy to read a dataset', /\/Dataset\/Read[0-9a-f]+$|\/Check\/Count\d+$/],
  ['the bucket of files', /\/Files\/Bucket$/],
  ['the permission to copy files', /\/Check\/Copy$/],
  ["a function's role", /(?:^Catalog|^Drain|\/Service|\/Authorizer)\/Role$/],
  ["a channel's permission to call blocks", /^(?:Mcp|Slack)\/Invoke$/],
  ["API Gateway's log role", /^Channel\/LogRole$/],
  ['the API', /^Channel\/Api$|\/Blocks$/],
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

/** What a block of each kind adds to its part and to the API, and how many the API has room for. */
export function blockRows(service: BuiltService): string[][] {
  const dataset = service.blocks.find(({ table }) => table !== undefined);
  const value = service.blocks.find(({ table }) => table === undefined);
  if (dataset === undefined || value === undefined) throw new TypeError('no block of each kind');
  const named = (id: string) => ({ ...dataset, block: { ...dataset.block, id } });
  const kinds = [
    ['a dataset, its id is its name', named(dataset.block.name)],
    ['a dataset with an id of its own', named('another-id')],
    ['a value, its id is its name', { ...value, block: { ...value.block, id: value.block.name } }],
  ] as const;
  return kinds.map(([kind, built]) => {
    const [open, keys] = (['open', 'keys'] as const).map((access) => {
      const { ofType, parts } = synthesizeUnchecked({ ...service, blocks: [built] }, { access });
      const own = Object.entries<Resource>(parts[0]?.template.Resources).filter(
        ([id]) => !/^(?:Check(?:Log|Role|Function|Invoke|Count|Copy)|FilesBucket)/.test(id),
      );
      const ofApi = own.filter(([, { Type }]) => Type === 'AWS::ApiGateway::Resource').length;
      const fixed = ofType('AWS::ApiGateway::Resource').length - ofApi;
      // The API's root is one too.
      const most = Math.floor((MOST_API_RESOURCES - 1 - fixed) / ofApi);
      return { each: own.length, ofApi, most };
    });
    return [kind, open?.each, keys?.each, open?.ofApi, open?.most].map(String);
  });
}
