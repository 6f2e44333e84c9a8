import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { contextOf } from '../../lib/command-line-context.ts';
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
