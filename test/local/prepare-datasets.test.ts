import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DatasetBlock } from '../../src/block/block.ts';
import type { ToRows } from '../../src/import/seed-files.ts';
import { localService } from '../../src/local/local-server.ts';
import { type PreparedBlock, prepareBlocks } from '../../src/local/prepare-datasets.ts';
import type { VersionFolders } from '../../src/local/version-folders.ts';
import { SETTINGS } from '../support/ample.ts';
import { folderStore } from '../support/folder-store.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { requestOf } from '../support/request-of.ts';
import { tinyBlock } from '../support/tiny-block.ts';

const CSV = `street,number\n${Array.from({ length: 200 }, (_, i) => `Street ${i % 20},${i}\n`).join('')}`;

const opened: VersionFolders[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});
afterAll(cleanUp);

let seedData: string;
let about: { title: string; date?: string };
let blocks = 0;
let block: DatasetBlock;
/** Each test has a block of its own. */
beforeEach(async () => {
  seedData = await temporaryFolder();
  block = { ...tinyBlock, name: `tiny-${blocks++}` };
  await writeFile(path.join(seedData, 'f.csv'), CSV);
  about = { title: 'As it is' };
});

type Prepare = { code?: string; build?: string; toRows?: ToRows };

/** A start that holds nothing in memory, with small chunks. */
async function prepare({ toRows, ...by }: Prepare = {}) {
  const dataset = { file: 'f.csv', sources: [about], ...(toRows && { toRows }) };
  const settings = { cacheBytes: 0, rowsPerChunk: 40, ...by };
  const store = await folderStore(path.join(seedData, 'data'), seedData, settings);
  opened.push(store);
  const entry = { kind: 'dataset' as const, block, declared: block, dataset };
  const [prepared] = await prepareBlocks([entry], { store, seedData, rowsPerChunk: 40 });
  await store.removeOthers();
  return prepared as PreparedBlock;
}

async function ask({ served }: PreparedBlock, query: string) {
  const service = localService([served], SETTINGS);
  const response = await requestOf(service)(`/api_v2/blocks/${block.name}?${query}&_explain=1`);
  const { _explain, ...rest } = JSON.parse(await response.text());
  return { explain: _explain, answer: rest };
}

test('columns answer whatever is asked, and nothing is read of DynamoDB', async () => {
  const prepared = await prepare();
  for (const [query, total] of [
    ['street=street+7', 10],
    ['street=STREET+7&street=street+8&number_min=100&_sort=-number', 10],
    ['street=nowhere', 0],
    ['number_min=150&_limit=7', 50],
  ] as const) {
    const { explain, answer } = await ask(prepared, query);
    expect([query, answer.params.total]).toEqual([query, total]);
    expect(explain).toMatchObject({ path: 'columns', itemsRead: 0, capacityUnits: 0, usd: 0 });
    if (query === 'street=street+7') expect(explain.chunksRead).toBeGreaterThan(0);
  }
});

test('of a dozen blocks, a start that imports none describes only what is asked for', async () => {
  const described: string[] = [];
  const entries = Array.from({ length: 12 }, (_, i) => {
    const name = `one-of-many-${i}`;
    const of = { ...tinyBlock, id: name, name };
    // Whatever is made of a whole block, a description, a document or a check, reads its examples.
    const counted = Object.defineProperty(of, 'examples', {
      enumerable: true,
      get: () => {
        described.push(name);
        return [{ title: 'Of 7', arguments: { number: 7 } }];
      },
    });
    const dataset = { file: 'f.csv', sources: [about] };
    return { kind: 'dataset' as const, block: counted, declared: tinyBlock, dataset };
  });
  const prepareAll = async () => {
    const store = await folderStore(path.join(seedData, 'data'), seedData);
    opened.push(store);
    return prepareBlocks(entries, { store, seedData });
  };
  const first = await prepareAll();
  expect(first.map(({ report: [line] }) => line?.split(':')[0])).toEqual(
    entries.map(({ block: { name } }) => name),
  );
  expect(described).toHaveLength(12);
  described.length = 0;
  const served = (await prepareAll()).map((prepared) => prepared.served);
  const request = requestOf(localService(served, SETTINGS));
  expect(described).toEqual([]);
  const address = '/api_v2/blocks/one-of-many-7';
  expect((await request(`${address}?number=7`)).status).toBe(200);
  expect((await request(address)).status).toBe(200);
  expect(new Set(described)).toEqual(new Set(['one-of-many-7']));
});

describe('a dataset that an earlier start has imported', () => {
  test('is not imported again', async () => {
    await prepare();
    const again = await prepare();
    expect(again.report[0]).toMatch(/: 200 rows of seed-data\/f\.csv, .*, already there$/);
    expect((await ask(again, 'street=street+7')).answer.params.total).toBe(10);
  });

  /** Whether a start imports the dataset. */
  const isImportedBy = async (by: Prepare) => (await prepare(by)).report[0]?.endsWith(', imported');

  test('is not imported again for another block, unless code of its own makes its rows', async () => {
    await prepare();
    expect(await isImportedBy({ build: 'one block more' })).toBe(false);
    const toRows: ToRows = (rows) => ({
      rows: rows.map(({ cells: { street = '' } }) => ({ street, number: null })),
      notes: [],
    });
    await prepare({ toRows });
    expect(await isImportedBy({ toRows })).toBe(false);
    expect(await isImportedBy({ toRows, build: 'one block more' })).toBe(true);
  });

  test.each<[string, () => Promise<unknown>, string?]>([
    ['its file is another', () => writeFile(path.join(seedData, 'f.csv'), `${CSV}A,1\n`)],
    [
      'its source is another',
      async () => {
        about = { ...about, date: '2026' };
      },
    ],
    ['the code is another', async () => {}, 'other code'],
    ['its version is gone', () => rm(path.join(seedData, 'data', 'versions'), { recursive: true })],
  ])('is imported again if %s', async (_, change, code = 'some code') => {
    await prepare();
    await change();
    expect(await isImportedBy({ code })).toBe(true);
    expect(await readdir(path.join(seedData, 'data', 'versions'))).toHaveLength(1);
  });

  test('is refused if its file is missing', async () => {
    await prepare();
    await rm(path.join(seedData, 'f.csv'));
    await expect(prepare()).rejects.toThrow(`f.csv: is missing in ${seedData}`);
  });
});
