import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Fence, fencesOf, readDocument } from '../docs/markdown.ts';
import { SHOWN_URL } from '../docs/run-snippet.ts';
import { commandThatWorks } from '../support/command.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT, type Service, startService } from '../support/service.ts';
import { installClient } from './client-package.ts';

const fences = fencesOf(readDocument('client/README.md'));
const inLanguage = (lang: string) => fences.filter((fence) => fence.lang === lang);

let folder: string;
let service: Service;
beforeAll(async () => {
  folder = await temporaryFolder();
  await installClient(folder);
  service = await startService();
});
afterAll(async () => {
  await service.close();
  await cleanUp();
});

async function write(name: string, { text }: Fence): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text.replaceAll(SHOWN_URL, service.url));
  return file;
}

describe('the snippets, with the package as it is built', () => {
  test('each shows what it prints', () => {
    expect(inLanguage('js')).toHaveLength(inLanguage('text').length);
    expect(inLanguage('js').length).toBeGreaterThan(2);
  });

  test.each(inLanguage('js'))('line $line prints that', async (fence) => {
    const file = await write('snippet.mjs', fence);
    const printed = await commandThatWorks(process.execPath, [file], { cwd: folder, env: {} });
    expect(printed).toBe(`${fences[fences.indexOf(fence) + 1]?.text}\n`);
  });

  test.each(inLanguage('ts'))('line $line is well typed', async (fence) => {
    const file = await write('snippet.mts', fence);
    const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
    const strict = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--ignoreConfig'];
    const options = ['--target', 'es2022', '--module', 'nodenext', ...strict];
    await commandThatWorks(tsc, [...options, file], { cwd: folder, env: process.env });
  });
});

test('the page that imports the client takes it from the service', () => {
  const [page] = inLanguage('html');
  expect(page?.text).toContain(`from '${SHOWN_URL}/client.js'`);
});
