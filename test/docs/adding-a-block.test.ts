import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { readBlockFile } from '../../src/import/read-block-file.ts';
import { localServer } from '../../src/local/local-server.ts';
import { prepareBlocks } from '../../src/local/prepare-datasets.ts';
import { serverErrorLog } from '../../src/local/start.ts';
import { SETTINGS } from '../support/ample.ts';
import { folderStore } from '../support/folder-store.ts';
import { ROOT } from '../support/service.ts';
import { fencesOf, readDocument } from './markdown.ts';
import { comparable, runSnippet, snippetsOf } from './run-snippet.ts';

// The page's files, written to a folder of their own and served: the page is the test.
const document = readDocument('docs/adding-a-block.md');
const files = fencesOf(document).filter(({ more }) => more !== '');
const snippets = snippetsOf(document);

let folder: string;
let url: string;
const close: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blockyard-block-'));
  close.push(() => rm(folder, { recursive: true }));
  for (const { more: name, text } of files) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `${text.replaceAll('../../src/', `${ROOT}/src/`)}\n`);
  }
  const store = await folderStore(path.join(folder, 'data'), path.join(folder, 'seed-data'));
  close.push(() => store.close());
  const blocks = await prepareBlocks(await loadBlocks(path.join(folder, 'functions')), {
    store,
    seedData: path.join(folder, 'seed-data'),
  });
  const served = blocks.map((block) => block.served);
  const server = localServer(served, { ...SETTINGS, record: serverErrorLog(console.error) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close.push(() => new Promise((resolve) => server.close(resolve)));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const step of close.reverse()) await step();
});

test('has every file of each block that it adds', () => {
  expect(files.map(({ more }) => more)).toEqual([
    'seed-data/street-trees.csv',
    'functions/street-trees/block.json',
    ...['block.ts', 'run.ts', 'handler.ts'].map((file) => `functions/to-fahrenheit/${file}`),
  ]);
});

test('shows a fault as it is told', () => {
  const text = files.find(({ more }) => more.endsWith('block.json'))?.text ?? '';
  const mistyped = text.replace(
    '"type": "number", "name": "height"',
    '"typ": "number", "name": "height"',
  );
  const shown = fencesOf(document).find(({ lang }) => lang === 'text')?.text;
  const [, file = ''] = /^(\S+), line/.exec(shown ?? '') ?? [];
  expect(() => readBlockFile(mistyped, file, 'street-trees')).toThrow(new Error(shown));
});

test('asks each block that it adds', () => {
  expect(snippets.map(({ shown }) => shown?.lang)).toEqual(['json', 'json']);
});

test.each(snippets)('the answer shown at line $line is given', async ({ shown, ...snippet }) => {
  const { code, out, err } = await runSnippet(snippet, url);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const [expected, printed] = comparable(JSON.parse(shown?.text ?? ''), JSON.parse(out));
  expect(printed).toEqual(expected);
});
