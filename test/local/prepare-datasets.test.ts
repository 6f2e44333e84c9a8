import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DatasetBlock } from '../../src/block/block.ts';
import type { Manifest } from '../../src/block/manifest.ts';
import { deleteTable, tableName } from '../../src/dynamodb/client.ts';
import type { ReadClient, TableReads } from '../../src/dynamodb/read-client.ts';
import type { ToRows } from '../../src/import/seed-files.ts';
import { hashesOnce } from '../../src/import/seed-files.ts';
import { localService } from '../../src/local/local-server.ts';
import { type PreparedBlock, prepareBlocks } from '../../src/local/prepare-datasets.ts';
import { SETTINGS } from '../support/ample.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { requestOf } from '../support/request-of.ts';
import { startStore, type TestStore } from '../support/start-store.ts';
import { tinyBlock } from '../support/tiny-block.ts';

const CSV = `street,number\n${Array.from({ length: 200 }, (_, i) => `Street ${i % 20},${i}\n`).join('')}`;

let dynamodb: TestStore;
let client: DynamoDBClient;
let reader: ReadClient;
beforeAll(async () => {
  dynamodb = await startStore();
  ({ client, reader } = dynamodb);
});
afterAll(async () => {
  await dynamodb.stop();
  await cleanUp();
});

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

let told: string[] = [];
beforeEach(() => {
  told = [];
});

type Prepare = { code?: string; build?: string; store?: DynamoDBClient; toRows?: ToRows };

/** A start that holds nothing in memory, with chunks so small that indexes pay. */
async function prepare(more: Prepare = {}) {
  const { code = 'some code', build = 'a build', store = client, toRows } = more;
  const dataset = { file: 'f.csv', sources: [about], ...(toRows && { toRows }) };
  const [prepared] = await prepareBlocks([{ kind: 'dataset', block, declared: block, dataset }], {
    ...{
      clients: async () => ({ client: store, reader, markDamaged: async () => {} }),
      ...{ seedData, cacheBytes: 0, rowsPerChunk: 40 },
      onProgress: (line: string) => told.push(line),
    },
    kept: { folder: path.join(seedData, 'imports'), build, code, hashOfFile: hashesOnce(seedData) },
  });
  return prepared as PreparedBlock;
}

async function finish(prepared: PreparedBlock, signal = new AbortController().signal) {
  await prepared.finish?.(signal);
  return told.splice(0);
}

async function ask({ served }: PreparedBlock, query: string) {
  const service = localService([served], SETTINGS);
  const response = await requestOf(service)(`/api_v2/blocks/${block.name}?${query}&_explain=1`);
  const { _explain, ...rest } = JSON.parse(await response.text());
  return { path: _explain?.path, answer: rest };
}

test('columns answer whatever is asked, and no row is an item', async () => {
  const prepared = await prepare();
  for (const [query, total] of [
    ['street=street+7', 10],
    ['street=STREET+7&street=street+8&number_min=100&_sort=-number', 10],
    ['street=nowhere', 0],
    ['number_min=150&_limit=7', 50],
  ] as const) {
    const { path, answer } = await ask(prepared, query);
    expect([query, path, answer.params.total]).toEqual([query, 'columns', total]);
  }
  const { manifest } = prepared.served;
  const { Count } = await client.send(
    new ScanCommand({
      TableName: tableName(manifest as Manifest),
      FilterExpression: 'attribute_exists(street)',
    }),
  );
  expect(Count).toBe(0);
});

test('what goes wrong behind the answers is told in a line, and they go on', async () => {
  const failing = new Proxy(client, {
    get: (target, name) =>
      name === 'send'
        ? (command: never, ...more: never[]) =>
            (command as unknown) instanceof ScanCommand
              ? Promise.reject(new Error('no space left\nat all'))
              : target.send(command, ...more)
        : Reflect.get(target, name),
  });
  const prepared = await prepare({ store: failing });
  expect(await finish(prepared)).toEqual([
    `${block.name}: older data are still in the store (no space left); the next start tries again`,
  ]);
  expect(await finish(prepared, AbortSignal.abort())).toEqual([]);
  expect((await ask(prepared, 'street=street+7')).answer.params.total).toBe(10);
});

test('of a dozen blocks, a start that imports none describes and reads only what is asked for', async () => {
  const described: string[] = [];
  const read = new Set<string>();
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
  const counting: TableReads = {
    query: (input, signal) => reader.query(input, signal),
    batchGetItem: (input, signal) => {
      for (const table of Object.keys(input.RequestItems ?? {})) read.add(table);
      return reader.batchGetItem(input, signal);
    },
  };
  const prepareAll = () =>
    prepareBlocks(entries, {
      clients: async () => ({ client, reader: counting, markDamaged: async () => {} }),
      ...{ seedData, cacheBytes: 2 ** 20, onProgress: () => {} },
      kept: {
        folder: path.join(seedData, 'imports'),
        code: 'code',
        build: 'build',
        hashOfFile: hashesOnce(seedData),
      },
    });
  const first = await prepareAll();
  expect(first.map(({ report: [line] }) => line?.split(':')[0])).toEqual(
    entries.map(({ block: { name } }) => name),
  );
  expect(described).toHaveLength(12);
  described.length = 0;
  const served = (await prepareAll()).map((prepared) => prepared.served);
  const request = requestOf(localService(served, SETTINGS));
  expect([described, [...read]]).toEqual([[], []]);
  const address = '/api_v2/blocks/one-of-many-7';
  expect((await request(`${address}?number=7`)).status).toBe(200);
  expect([...read]).toEqual([expect.stringMatching(/^one-of-many-7-[0-9a-f]{20}$/)]);
  expect((await request(address)).status).toBe(200);
  expect(new Set(described)).toEqual(new Set(['one-of-many-7']));
});

describe('a dataset that an earlier start has imported', () => {
  const keptFile = () => path.join(seedData, 'imports', `${block.name}.json`);
  /** Whether some work imports the dataset: what is then kept is another file. */
  const isImportedBy = async (work: () => Promise<unknown>) => {
    const before = await stat(keptFile());
    await work();
    return (await stat(keptFile())).ino !== before.ino;
  };
  const isNotImported = async (work: () => Promise<unknown>) =>
    expect(await isImportedBy(work)).toBe(false);

  test('is not imported again', async () => {
    await finish(await prepare());
    await isNotImported(async () => {
      const again = await prepare();
      expect(again.report[0]).toMatch(/: 200 rows of seed-data\/f\.csv, .*, already there$/);
      expect((await ask(again, 'street=street+7')).answer.params.total).toBe(10);
    });
  });

  test('is not imported again for another block, unless code of its own makes its rows', async () => {
    await prepare();
    await isNotImported(() => prepare({ build: 'one block more' }));
    const toRows: ToRows = (rows) => ({
      rows: rows.map(({ cells: { street = '' } }) => ({ street, number: null })),
      notes: [],
    });
    await prepare({ toRows });
    await isNotImported(() => prepare({ toRows }));
    expect(await isImportedBy(() => prepare({ toRows, build: 'one block more' }))).toBe(true);
  });

  const damage = (change: (text: string) => string) => async () =>
    writeFile(keptFile(), change(await readFile(keptFile(), 'utf8')));
  test.each<[string, () => Promise<unknown>, string?]>([
    ['its file is another', () => writeFile(path.join(seedData, 'f.csv'), `${CSV}A,1\n`)],
    [
      'its source is another',
      async () => {
        about = { ...about, date: '2026' };
      },
    ],
    ['the code is another', async () => {}, 'other code'],
    ['what was kept is cut short', damage((text) => text.slice(0, -1))],
    ['what was kept is empty', damage(() => '')],
    [
      'what was kept has another number',
      damage((text) => text.replace('"rows":200', '"rows":199')),
    ],
    ['what was kept lacks all but its first line', damage((text) => text.replace(/\n.*/s, '\n'))],
  ])('is imported again if %s', async (_, change, code = 'some code') => {
    await finish(await prepare());
    await change();
    expect(await isImportedBy(() => prepare({ code }))).toBe(true);
  });

  test('is imported again if its table is gone', async () => {
    const { served } = await prepare();
    if (served.manifest === undefined) throw new Error('no manifest');
    await deleteTable(client, tableName(served.manifest));
    const again = await prepare();
    expect(again.report[0]).toMatch(/, seeded$/);
    await finish(again);
    expect((await ask(again, 'street=street+7')).answer.params.total).toBe(10);
  });

  test('is imported each time if it cannot be kept, and a line says so', async () => {
    await mkdir(keptFile(), { recursive: true });
    for (const _ of ['once', 'again']) {
      const prepared = await prepare();
      await finish(prepared);
      expect(prepared.report[0]).toMatch(/, seeded$/);
      expect(prepared.report[1]).toMatch(/^ {2}the next start imports it again \(EISDIR: .*\)$/);
    }
  });

  test('is refused if its file is missing', async () => {
    await finish(await prepare());
    await rm(path.join(seedData, 'f.csv'));
    await expect(prepare()).rejects.toThrow(`f.csv: is missing in ${seedData}`);
  });
});
