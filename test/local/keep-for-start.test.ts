import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ColumnCache } from '../../src/columns/column-cache.ts';
import { runAdd } from '../../src/commands/add-command.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { hashesOnce } from '../../src/import/seed-files.ts';
import { buildOf } from '../../src/local/import-hash.ts';
import { localService } from '../../src/local/local-server.ts';
import { prepareBlocks } from '../../src/local/prepare-datasets.ts';
import { DATA_FOLDER, keepForStart, VersionFolders } from '../../src/local/version-folders.ts';
import { SETTINGS } from '../support/ample.ts';
import { requestOf } from '../support/request-of.ts';
import { ROOT } from '../support/service.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blockyard-kept-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** A folder of blocks with one that `add` has just made, and its version there. */
const added = async (name: string) => {
  const blocks = await mkdtemp(path.join(folder, 'b-'));
  const file = path.join(blocks, `${name}.csv`);
  const rows = Array.from({ length: 500 }, (_, i) => `${i},name ${i % 7},${i / 4}\n`);
  await writeFile(file, `id,name,size\n${rows.join('')}`);
  const silent = { out: () => {}, err: () => {} };
  const keep = (...imported: [string, never, never]) => keepForStart(ROOT, ...imported);
  const args = [file, '--blocks', blocks];
  expect(await runAdd(args, silent, { blocks, keep: keep as never })).toBe(0);
  expect(await readdir(path.join(blocks, DATA_FOLDER, 'versions'))).toHaveLength(1);
  return { blocks };
};

/** What a start does: prepares the blocks, and answers. */
const started = async ({ blocks }: Awaited<ReturnType<typeof added>>, gone = false) => {
  const seedData = path.join(blocks, 'seed-data');
  const hashOfFile = hashesOnce(seedData);
  const loaded = await loadBlocks(path.join(blocks, 'functions'));
  const importedBy = { ...(await buildOf(ROOT, blocks, hashOfFile)), hashOfFile };
  // With its file gone, nothing but what was kept can be served.
  if (gone) for (const file of await readdir(seedData)) await rm(path.join(seedData, file));
  const store = await VersionFolders.in({
    folder: path.join(blocks, DATA_FOLDER),
    ...{ importedBy, cache: new ColumnCache(2 ** 20), onProgress: () => {} },
  });
  const prepared = await prepareBlocks(loaded, { store, seedData });
  const services = prepared.map(({ served }) => served);
  const request = requestOf(localService(services, SETTINGS));
  const [{ served }] = prepared as [(typeof prepared)[number]];
  const answer = await request(
    `/api_v2/blocks/${served.block.name}?name=name 3&_measure=count,sum:size`,
  );
  const { params = {} } = JSON.parse(await answer.text());
  await store.close();
  return params;
};

const EXPECTED = [{ count: 71, sum_size: 4402 }];

test('a start serves what add has imported, and reads no row again', async () => {
  const block = await added('first');
  expect((await started(block, true)).results).toEqual(EXPECTED);
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
