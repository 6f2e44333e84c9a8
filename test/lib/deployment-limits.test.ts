import { mkdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { checkLimits, templatesIn } from '../../lib/deployment-limits.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';

afterAll(cleanUp);

type Resources = Readonly<Record<string, object>>;

const checked = (resources: Resources, more: object = {}) => {
  const text = JSON.stringify({ Resources: resources, ...more });
  return () => checkLimits([{ name: 'Part1', text }]);
};
const times = <T>(count: number, make: (i: number) => T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`Id${i}`, make(i)]));
const logs = (count: number) => times(count, () => ({ Type: 'AWS::Logs::LogGroup' }));
const routes = (count: number) => times(count, () => ({ Type: 'AWS::ApiGateway::Resource' }));
const withVariable = (value: unknown) => ({
  Fn: { Type: 'AWS::Lambda::Function', Properties: { Environment: { Variables: { A: value } } } },
});
const policy = (characters: number, type = 'AWS::IAM::Policy') => ({
  Type: type,
  // With the quotes and the brace: `{"A":""}`.
  Properties: { Roles: [{ Ref: 'Role' }], PolicyDocument: { A: 'x'.repeat(characters - 8) } },
});
const FEWER = 'Deploy some of the blocks under another stackName.';

test.each<[string, () => void, () => void, string]>([
  [
    'resources',
    checked(logs(500)),
    checked(logs(501)),
    `there are 501 resources in Part1; AWS takes 500. ${FEWER}`,
  ],
  [
    'outputs',
    checked({}, { Outputs: times(200, () => ({})) }),
    checked({}, { Outputs: times(201, () => ({})) }),
    `there are 201 outputs in Part1; AWS takes 200. ${FEWER}`,
  ],
  [
    'bytes of a template',
    checked({}, { Description: 'é'.repeat(499_900) }),
    checked({}, { Description: 'é'.repeat(500_000) }),
    `there are 1,000,033 bytes in the template of Part1; AWS takes 1,000,000. Give fewer tags. ${FEWER}`,
  ],
  [
    'routes, with the root',
    checked(routes(299)),
    checked(routes(300)),
    `there are 301 resources in the API, two for each address; AWS takes 300. A block without an id of its own has one address. ${FEWER}`,
  ],
  [
    'bytes of an environment',
    checked(withVariable('x'.repeat(4095))),
    checked(withVariable('x'.repeat(4096))),
    'there are 4,097 bytes in the environment of Fn; AWS takes 4,096. Give fewer origins (allowOrigin, allowFrames).',
  ],
  [
    'what AWS puts into an environment, at its longest',
    checked(withVariable({ 'Fn::Join': ['/', Array(15).fill({ Ref: 'Table' })] })),
    checked(withVariable({ 'Fn::Join': ['/', Array(16).fill({ Ref: 'Table' })] })),
    'there are 4,112 bytes in the environment of Fn; AWS takes 4,096. Give fewer origins (allowOrigin, allowFrames).',
  ],
  [
    "characters of a role's own policies together",
    checked({ One: policy(5000), Other: policy(5240) }),
    checked({ One: policy(5000), Other: policy(5241) }),
    `there are 10,241 characters in the policies of Role; AWS takes 10,240. ${FEWER}`,
  ],
  [
    'characters of a managed policy',
    checked({ One: policy(6144, 'AWS::IAM::ManagedPolicy') }),
    checked({ One: policy(6145, 'AWS::IAM::ManagedPolicy') }),
    `there are 6,145 characters in the policy One; AWS takes 6,144. ${FEWER}`,
  ],
  [
    'managed policies of a role',
    checked(times(10, () => policy(9, 'AWS::IAM::ManagedPolicy'))),
    checked(times(11, () => policy(9, 'AWS::IAM::ManagedPolicy'))),
    `there are 11 managed policies of Role; AWS takes 10. ${FEWER}`,
  ],
])(
  'as many %s as AWS takes; one more is refused, with the number and what to do',
  (_, most, over, line) => {
    expect(most).not.toThrow();
    expect(over).toThrow(new Error(line));
  },
);

test('the routes of all parts are counted together', () => {
  const part = (name: string) => ({ name, text: JSON.stringify({ Resources: routes(150) }) });
  expect(() => checkLimits([part('Part1'), part('Part2')])).toThrow('there are 301 resources');
});

test('code that unpacks to more than Lambda takes is refused, and the largest files are named', async () => {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, 'asset.abc', 'seed-data'), { recursive: true });
  const Fn = { Type: 'AWS::Lambda::Function', Properties: { Code: { S3Key: 'abc.zip' } } };
  await writeFile(
    path.join(folder, 'blockyard.template.json'),
    JSON.stringify({ Resources: { Fn } }),
  );
  await writeFile(path.join(folder, 'asset.abc', 'index.mjs'), 'x');
  const data = path.join(folder, 'asset.abc', 'seed-data', 'trees.csv');
  await writeFile(data, '');
  await truncate(data, 262_143_999);
  checkLimits(templatesIn(folder));
  await truncate(data, 262_144_000);
  expect(() => checkLimits(templatesIn(folder))).toThrow(
    'there are 262,144,001 bytes in the code of Fn, unpacked; AWS takes 262,144,000. The largest files: seed-data/trees.csv (262,144,000), index.mjs (1).',
  );
});
