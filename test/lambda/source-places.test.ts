import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { bundleHandlers } from '../../src/build/bundle-handler.ts';
import { sourcePlaces } from '../../src/lambda/source-places.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT } from '../support/service.ts';

afterAll(cleanUp);

test('a place in a bundle becomes that in its source', async () => {
  const folder = await temporaryFolder();
  await bundleHandlers({ entries: { index: 'lambda/catalog.ts' }, folder, root: ROOT });
  const bundle = path.join(folder, 'index.mjs');
  const text = 'Something broke on our side';
  const before = (await readFile(bundle, 'utf8')).split(text)[0]?.split('\n') ?? [];
  const place = `${pathToFileURL(bundle)}:${before.length}:${before.at(-1)?.length}`;
  const source = await readFile(path.join(ROOT, 'src/http/service.ts'), 'utf8');
  const line = source.split(text)[0]?.split('\n').length;
  const stack = sourcePlaces(`Error: broken\n    at a (${place})\n    at async b (${place})`);
  expect(stack.match(/src\/http\/service\.ts:\d+:\d+\)/g)).toEqual([
    expect.stringContaining(`service.ts:${line}:`),
    expect.stringContaining(`service.ts:${line}:`),
  ]);
  expect(stack).not.toContain('file:');
});

test.each([
  'Error: broken\n    at a (file:///var/task/none.mjs:7:1)',
  'Error: broken\n    at a (node:net:7:1)',
  'broken',
])('%j stays as it is', (stack) => {
  expect(sourcePlaces(stack)).toBe(stack);
});
