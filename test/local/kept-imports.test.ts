import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runAdd } from '../../src/commands/add-command.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { hashesOnce } from '../../src/import/seed-files.ts';
import { buildOf, DATA_FOLDER, keepForStart } from '../../src/local/kept-imports.ts';
import { localService } from '../../src/local/local-server.ts';
import { prepareBlocks } from '../../src/local/prepare-datasets.ts';
import { SETTINGS } from '../support/ample.ts';
import { requestOf } from '../support/request-of.ts';
import { ROOT } from '../support/service.ts';
import { startStore } from '../support/start-store.ts';

let store: Awaited<ReturnType<typeof startStore>>;
let folder: string;

beforeAll(async () => {
  store = await startStore();
  folder = await mkdtemp(path.join(tmpdir(), 'blockyard-kept-'));
});

afterAll(async () => {
  await store.stop();
  await rm(folder, { recursive: true });
});

/** A folder of blocks with one that `add` has just made, and where its import is kept. */
const added = async (name: string) => {
  const blocks = await mkdtemp(path.join(folder, 'b-'));
  const file = path.join(blocks, `${name}.csv`);
  const rows = Array.from({ length: 500 }, (_, i) => `${i},name ${i % 7},${i / 4}\n`);
  await writeFile(file, `id,name,size\n${rows.join('')}`);
  const silent = { out: () => {}, err: () => {} };
  const keep = (...imported: [string, never, never]) => keepForStart(ROOT, ...imported);
  const args = [file, '--blocks', blocks];
  expect(await runAdd(args, silent, { blocks, keep: keep as never })).toBe(0);
  return { blocks, imports: path.join(blocks, DATA_FOLDER, 'imports') };
};

/** What a start does: prepares the blocks, and answers. */
const started = async ({ blocks, imports }: Awaited<ReturnType<typeof added>>, gone = false) => {
  const seedData = path.join(blocks, 'seed-data');
  const hashOfFile = hashesOnce(seedData);
  const loaded = await loadBlocks(path.join(blocks, 'functions'));
  const { code, build } = await buildOf(ROOT, blocks, hashOfFile);
  // With its file gone, nothing but what was kept can be served.
  if (gone) for (const file of await readdir(seedData)) await rm(path.join(seedData, file));
  const { client, reader } = store;
  const prepared = await prepareBlocks(loaded, {
    clients: async () => ({ client, reader, markDamaged: async () => {} }),
    ...{ seedData, cacheBytes: 2 ** 20, onProgress: () => {} },
    kept: { folder: imports, code, build, hashOfFile },
  });
  const services = prepared.map(({ served }) => served);
  const request = requestOf(localService(services, SETTINGS));
  const [{ served }] = prepared as [(typeof prepared)[number]];
  const answer = await request(
    `/api_v2/blocks/${served.block.name}?name=name 3&_measure=count,sum:size`,
  );
  return JSON.parse((await answer.text()) as string).params ?? {};
};

const EXPECTED = [{ count: 71, sum_size: 4402 }];

test('a start serves what add has imported, and reads no row again', async () => {
  const block = await added('first');
  expect(await readdir(block.imports)).toEqual(['first.columns', 'first.json']);
  expect((await started(block, true)).results).toEqual(EXPECTED);
  // The store has them now.
  expect(await readdir(block.imports)).toEqual(['first.json']);
});

test.each([
  ['columns are damaged', 'second.columns', (bytes: Buffer) => bytes.fill(7, bytes.length - 9)],
  ['columns are cut off', 'second.columns', (bytes: Buffer) => bytes.subarray(0, -9)],
  ['description is damaged', 'second.json', (bytes: Buffer) => bytes.fill(7, bytes.length - 9)],
])('where its %s, a start imports the file', async (_, name, change) => {
  const block = await added('second');
  const file = path.join(block.imports, name);
  await writeFile(file, change(await readFile(file)));
  expect((await started(block)).results).toEqual(EXPECTED);
});

test('another file is imported, whatever is kept', async () => {
  const block = await added('third');
  const blockFile = path.join(block.blocks, 'functions/third/block.json');
  const text = await readFile(blockFile, 'utf8');
  const { file, hash } = JSON.parse(text);
  const seed = path.join(block.blocks, 'seed-data', file);
  await writeFile(seed, (await readFile(seed, 'utf8')).replace('\n3,name 3,', '\n3,name 3,1'));
  await writeFile(blockFile, text.replace(`"hash": "${hash}",`, ''));
  expect((await started(block)).results).not.toEqual(EXPECTED);
});
