import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DeployedStack } from '../../lib/deployed-stack.ts';
import { checkLimits, templatesIn } from '../../lib/deployment-limits.ts';
import { readOptions } from '../../lib/deployment-options.ts';
import { wayBack } from '../../lib/version-before.ts';
import { writeWayBack } from '../../lib/way-back-assembly.ts';
import type { BuiltService } from '../../src/build/build-service.ts';
import {
  changesBetween,
  deployedFrom,
  resourcesOf,
  type Templates,
} from '../support/deployed-stack.ts';
import { builtService, synthesize, synthesizeUnchecked } from '../support/deployment.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';

const BLOCK = 'business-directory';

let service: BuiltService;
beforeAll(async () => {
  service = await builtService();
});
afterAll(cleanUp);

/** The service with another edition of one block's data. */
function edition(version: string, of = service): BuiltService {
  const blocks = of.blocks.map((built) =>
    built.block.name === BLOCK && built.table !== undefined
      ? {
          ...built,
          table: { ...built.table, version },
          files: built.files && { ...built.files, hash: version },
        }
      : built,
  );
  return { ...of, blocks };
}

const [A, B, C] = ['a'.repeat(20), 'b'.repeat(20), 'c'.repeat(20)] as const;

/** The templates of a deployment on top of what is deployed. */
function deploy(of: BuiltService, before?: Templates, context: Record<string, string> = {}) {
  return synthesizeUnchecked(of, context, before && deployedFrom(before));
}

function back(deployed: Templates): Templates {
  const way = wayBack('blockyard', deployedFrom(deployed));
  const parts = deployed.parts.map(({ name, template }) => ({
    name,
    template: (way.parts.get(name) as typeof template | undefined) ?? template,
  }));
  return { root: way.root as Templates['root'], parts };
}

const typeIn = (templates: Templates, type: string) =>
  Object.entries(resourcesOf(templates)).filter(([, { Type }]) => Type === type);
const tablesOf = (templates: Templates) =>
  typeIn(templates, 'AWS::DynamoDB::Table').map(([id]) => id);
const editionsOf = (templates: Templates) =>
  [A, B, C].filter((one) => tablesOf(templates).some((id) => id.includes(one)));
/** The edition of the data that the live version of the block reads. */
function liveEdition(templates: Templates): string | undefined {
  const all = resourcesOf(templates);
  const [id = '', alias] = Object.entries(all).find(
    ([id, { Type }]) => Type === 'AWS::Lambda::Alias' && id.includes('businessdirectory'),
  ) as [string, (typeof all)[string]];
  const version = all[`${path.dirname(id)}/${alias.Properties.FunctionVersion['Fn::GetAtt'][0]}`];
  return [A, B, C].find((one) => JSON.stringify(version?.DependsOn).includes(one));
}

describe('a deployment of changed data', () => {
  let first: ReturnType<typeof deploy>;
  let second: typeof first;
  let third: typeof first;
  beforeAll(() => {
    first = deploy(edition(A));
    second = deploy(edition(B), first);
    third = deploy(edition(C), second);
  });

  test('keeps the version before, its permission, its table and its files, as they are deployed', () => {
    const { created, updated, deleted } = changesBetween(first, second);
    expect(deleted).toEqual([]);
    expect(created.filter((id) => id.includes(A))).toEqual([]);
    expect(updated.filter((id) => id.includes(A))).toEqual([]);
    // The directory's table, its permission, its files, its version, and the version that drains.
    expect(created).toHaveLength(5);
    const [before, after] = [first, second].map(resourcesOf);
    for (const id of Object.keys(before ?? {}).filter((one) => one.includes(A))) {
      expect(after?.[id]).toEqual(before?.[id]);
    }
    expect([liveEdition(first), liveEdition(second)]).toEqual([A, B]);
  });

  test('removes what is older than the version before', () => {
    const { deleted } = changesBetween(second, third);
    expect(deleted.filter((id) => tablesOf(second).includes(id))).toHaveLength(1);
    expect(deleted).toHaveLength(5);
    const filesOf = (templates: Templates) =>
      typeIn(templates, 'Custom::BlockFiles')
        .map(([id]) => [A, B, C].find((one) => id.includes(one)))
        .filter((one) => one !== undefined);
    expect([first, second, third].map((one) => filesOf(one).sort())).toEqual([[A], [A, B], [B, C]]);
    expect([editionsOf(first), editionsOf(second), editionsOf(third)]).toEqual([
      [A],
      [A, B],
      [B, C],
    ]);
  });

  test('lets the role read both tables', () => {
    const policies = typeIn(second, 'AWS::IAM::Policy').filter(([id]) => /DatasetRead/.test(id));
    const roles = policies
      .filter(([id]) => id.includes('businessdirectory'))
      .map(([, { Properties }]) => JSON.stringify(Properties.Roles));
    expect([roles.length, new Set(roles).size]).toEqual([2, 1]);
  });

  test('stays the version before while deployments change no version', () => {
    const same = deploy(edition(B), second);
    expect(changesBetween(second, same)).toEqual({ created: [], updated: [], deleted: [] });
    expect(same.root.Metadata).toEqual(second.root.Metadata);
    const alarmed = deploy(edition(B), second, { alarmEmail: 'ops@example.org' });
    expect(changesBetween(second, alarmed).deleted).toEqual([]);
  });

  test('keeps a version that has the table of the new one too', () => {
    const described = deploy(edition(A), first, { memory: '2048' });
    expect(editionsOf(described)).toEqual([A]);
    const { deleted } = changesBetween(first, described);
    expect(deleted).toEqual([]);
    expect(typeIn(described, 'AWS::Lambda::Version')).toHaveLength(
      2 * typeIn(first, 'AWS::Lambda::Version').length,
    );
  });

  test("passes CloudFormation's rules and its limits", () => {
    const { app } = synthesize(edition(B), { tags: 'team=data' }, {}, deployedFrom(first));
    expect(() => checkLimits(templatesIn(app.synth().directory))).not.toThrow();
  });

  test('carries nothing of a stack whose first deployment failed, since nothing exists', () => {
    const { root, parts } = deployedFrom(first);
    const gone: DeployedStack = {
      root: { ...root, existing: new Map() },
      parts: new Map([...parts].map(([id, part]) => [id, { ...part, existing: new Map() }])),
      tags: {},
    };
    expect(editionsOf(synthesizeUnchecked(edition(B), {}, gone))).toEqual([B]);
  });
});

describe('the way back', () => {
  let first: Templates;
  let second: Templates;
  let returned: Templates;
  beforeAll(() => {
    first = deploy(edition(A));
    second = deploy(edition(B), first);
    returned = back(second);
  });

  test('moves the aliases to the version before, and changes nothing else', () => {
    const { created, updated, deleted } = changesBetween(second, returned);
    expect([created, deleted]).toEqual([[], []]);
    const types = updated.map((id) => resourcesOf(second)[id]?.Type);
    expect(new Set(types)).toEqual(new Set(['AWS::Lambda::Alias']));
    expect([liveEdition(second), liveEdition(returned)]).toEqual([B, A]);
  });

  test('says what it returns to: each version with its number, its time and its table', () => {
    const { lines } = wayBack('blockyard', deployedFrom(second));
    const line = lines.find((one) => one.includes('businessdirectory'));
    expect(line).toMatch(
      /^businessdirectory\w+: from version 1 to 1, of 2026-11-27T09:12Z, with the table businessdirectoryDatasetVersiona+\w+$/,
    );
  });

  test('goes forward again with a deployment of the same, and makes or removes nothing', () => {
    const forward = deploy(edition(B), returned);
    expect(changesBetween(second, forward)).toEqual({ created: [], updated: [], deleted: [] });
    expect(liveEdition(forward)).toBe(B);
    const { created, deleted } = changesBetween(returned, forward);
    expect([created, deleted]).toEqual([[], []]);
    // And it can go back once more.
    expect(liveEdition(back(forward))).toBe(A);
  });

  test('is followed by a repaired version, and the one that was live is the version before', () => {
    const repaired = deploy(edition(C), returned);
    expect(editionsOf(repaired)).toEqual([A, C]);
    expect(liveEdition(back(repaired))).toBe(A);
  });

  test('ends where the data of the version before are deployed again', () => {
    const again = deploy(edition(A), returned);
    expect(editionsOf(again)).toEqual([A]);
    expect(liveEdition(again)).toBe(A);
  });

  test('is refused, in a line, where there is none', () => {
    const none = /^blockyard has no version before: .* npm run deploy goes forward\.$/;
    expect(() => back(first)).toThrow(none);
    expect(() => back(returned)).toThrow(none);
    expect(() => wayBack('blockyard', undefined)).toThrow('there is no stack blockyard.');
  });

  test('is refused where a block was added or removed since, by name', () => {
    const without = (name: string) => ({
      ...edition(A),
      blocks: edition(A).blocks.filter(({ block }) => block.name !== name),
    });
    const fewer = deploy(without('rgb-to-color-name'), first);
    expect(() => back(fewer)).toThrow(
      'rgb-to-color-name was removed since the version before, and --back moves no addresses. Deploy the commit before.',
    );
    const more = deploy(edition(A), deploy(without('rgb-to-color-name')));
    expect(() => back(more)).toThrow(/^rgb-to-color-name was added since the version before/);
  });

  test.each([
    {},
    { access: 'keys', slackSecret: '/blockyard/slack', dashboard: 'true', tags: 'team=data' },
  ])('is what the CDK deploys, to the letter: %j', async (context) => {
    const one = deploy(edition(A), undefined, context as Record<string, string>);
    const two = deploy(edition(B), one, context as Record<string, string>);
    const way = wayBack('blockyard', deployedFrom(two));
    const out = await temporaryFolder();
    const assembly = await writeWayBack({
      ...{ place: readOptions({}, {}), back: way, tags: { team: 'data' }, context: {}, out },
    });
    expect(assembly).toBe(path.join(out, 'cdk.out'));
    expect(way.parts.size).toBeGreaterThan(0);
  });
});
