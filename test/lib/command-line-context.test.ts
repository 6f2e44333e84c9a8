import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { checkArguments, contextOf } from '../../lib/deployment-options.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';

afterAll(cleanUp);

test.each([
  [['-c', 'access=keys'], { access: 'keys' }],
  [['--context', 'access=keys', '-c', 'stage=dev'], { access: 'keys', stage: 'dev' }],
  [
    ['--context=access=keys', '-c=stage=dev', '-cmemory=512'],
    { access: 'keys', stage: 'dev', memory: '512' },
  ],
  [['-c', 'tags=a=b,c=d'], { tags: 'a=b,c=d' }],
  [['--verbose', 'stage=dev'], {}],
])('of %j', async (args, context) => {
  expect(contextOf(await temporaryFolder(), args)).toEqual(context);
});

test("that of cdk.json stands behind the command line's", async () => {
  const folder = await temporaryFolder();
  const context = { stackName: 'city-data', access: 'open', '@aws-cdk/x:y': true };
  await writeFile(path.join(folder, 'cdk.json'), JSON.stringify({ context }));
  expect(contextOf(folder, ['-c', 'access=keys'])).toEqual({ ...context, access: 'keys' });
});

test.each([
  [[]],
  [['-c', 'access=keys', '--context', 'tags=a=b', '--context=stage=dev', '-cmemory=512']],
  [['--force', '-c', 'access=keys']],
])('%j is taken', (args) => {
  expect(() => checkArguments(args, {}, ['--force'])).not.toThrow();
});

test.each([
  [['--profile', 'prod'], '--profile is not taken here; -c name=value and --force are.'],
  [['-c'], '-c is not taken here'],
  [['access=keys'], 'access=keys is not taken here'],
  [['-c', 'access=keys', 'other'], 'other is not taken here'],
])('%j is refused, rather than used for half of what is done', (args, message) => {
  expect(() => checkArguments(args, {}, ['--force'])).toThrow(message);
});

test('what npm took for an option of its own is not lost in silence', () => {
  const environment = { npm_config_call: 'access=keys', npm_lifecycle_event: 'deploy' };
  expect(() => checkArguments([], environment)).toThrow('npm run deploy -- -c access=keys');
});
