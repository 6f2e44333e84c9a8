import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../bench/data/seeded-random.ts';
import { localService } from '../../src/local/local-server.ts';
import { type PreparedBlock, prepareBlocks } from '../../src/local/prepare-datasets.ts';
import type { VersionFolders } from '../../src/local/version-folders.ts';
import { SETTINGS } from '../support/ample.ts';
import { folderStore } from '../support/folder-store.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { requestOf } from '../support/request-of.ts';
import { tinyBlock } from '../support/tiny-block.ts';

afterAll(cleanUp);

const ROWS = 200;
const SUM = (ROWS * (ROWS - 1)) / 2;
const csvOf = (rows: number) =>
  `street,number\n${Array.from({ length: rows }, (_, i) => `Street ${i % 20},${i}\n`).join('')}`;

/** Questions of each kind: a sum, groups, rows in order, texts, a row at its address. */
const QUESTIONS = [
  '?_measure=sum:number',
  '?_group=street&_measure=count,sum:number',
  '?number_min=150&_sort=-number&_limit=7',
  '?street=street+7&_limit=3',
  '/rows/VERSION-77',
] as const;

let folder: string;
let seedData: string;
const opened: VersionFolders[] = [];
beforeEach(async () => {
  folder = path.join(await temporaryFolder(), 'data');
  seedData = await temporaryFolder();
  await writeFile(path.join(seedData, 'f.csv'), csvOf(ROWS));
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

type Running = {
  readonly store: VersionFolders;
  /** What was told of the data, but for the report. */
  readonly told: string[];
  readonly report: string;
  ask(
    question: string,
    block?: string,
  ): Promise<{ status: number; retryAfter: string | null; text: string }>;
  stop(): Promise<void>;
};

/** A start with two datasets of the same rows, of which nothing stays in memory. */
async function run({ code = 'some code' } = {}): Promise<Running> {
  const told: string[] = [];
  const onProgress = (line: string) => told.push(line);
  const settings = { cacheBytes: 0, rowsPerChunk: 40, code, onProgress };
  const store = await folderStore(folder, seedData, settings);
  opened.push(store);
  const dataset = { file: 'f.csv', sources: [{ title: 'f' }] };
  const entries = [tinyBlock, { ...tinyBlock, id: 'other-id', name: 'other' }].map((block) => {
    return { kind: 'dataset' as const, block, declared: block, dataset };
  });
  const prepared = await prepareBlocks(entries, { store, seedData, rowsPerChunk: 40 });
  await store.removeOthers();
  const services = prepared.map(({ served }) => served);
  const request = requestOf(localService(services, SETTINGS));
  const { served, report } = prepared[0] as PreparedBlock;
  return {
    ...{ store, told, report: report.join('\n') },
    ask: async (question, block = 'tiny') => {
      const path = question.replace('VERSION', served.manifest?.version ?? '');
      const answer = await request(`/api_v2/blocks/${block}${path}`);
      const retryAfter = answer.headers.get('retry-after');
      return { status: answer.status, retryAfter, text: await answer.text() };
    },
    stop: () => store.close(),
  };
}

/** Ends a server, and starts the next one, which has the same data. */
async function restart(running: Running): Promise<Running> {
  await running.stop();
  return run();
}

const sumIn = (text: string) => JSON.parse(text).params.results[0].sum_number;
const sumOf = async ({ ask }: Running, block?: string) => {
  const { status, text } = await ask(QUESTIONS[0], block);
  return status === 200 ? sumIn(text) : status;
};

const versions = () => readdirSync(path.join(folder, 'versions')).sort();
const folderOf = (block: string) => {
  const [only, ...others] = versions().filter((name) => name.startsWith(`${block}-`));
  expect(others).toEqual([]);
  return path.join(folder, 'versions', only as string);
};

describe('damaged data are never served, and the next start imports them again', () => {
  const DAMAGED =
    /^tiny: what is stored of it is damaged \(.+\)\. Start blockyard again: that imports it anew\.$/;
  const columns = () => path.join(folderOf('tiny'), 'columns');
  const edit = async (file: string, change: (bytes: Buffer) => Uint8Array) =>
    writeFile(file, change(await readFile(file)));

  /** What happens to a file that a running server has open. */
  test.each<[string, () => Promise<unknown>]>([
    ['bits are others', () => edit(columns(), (bytes) => bytes.map((byte) => byte ^ 1))],
    ['bytes are gone', () => truncate(columns(), 7)],
    ['all bytes are gone', () => truncate(columns(), 0)],
    ['bytes are in another place', () => edit(columns(), (bytes) => bytes.reverse())],
  ])('%s while a server runs: a 503 and one line; right after a start', async (_, damage) => {
    const before = await run();
    await damage();
    for (let asked = 0; asked < 2; asked++) {
      expect(await before.ask(QUESTIONS[0])).toMatchObject({ status: 503, retryAfter: '1' });
    }
    expect(before.told).toEqual([expect.stringMatching(DAMAGED)]);
    // The others are served.
    expect(await sumOf(before, 'other')).toBe(SUM);

    const after = await restart(before);
    expect([after.told, after.report]).toEqual([[], expect.stringContaining(', imported')]);
    for (const block of ['tiny', 'other']) expect(await sumOf(after, block)).toBe(SUM);
    const last = await restart(after);
    expect([last.told, last.report]).toEqual([[], expect.stringContaining(', already there')]);
    expect(await sumOf(last)).toBe(SUM);
  });

  const description = () => path.join(folderOf('tiny'), 'description');
  test.each<[string, () => Promise<unknown>]>([
    ['has another number', () => edit(description(), (text) => replaced(text, ':200', ':199'))],
    ['is cut short', () => edit(description(), (text) => text.subarray(0, -1))],
    ['is empty', () => truncate(description(), 0)],
    ['is a folder', () => rm(description()).then(() => mkdir(description()))],
    ['has too few columns beside it', () => truncate(columns(), 7)],
    ['has no columns beside it', () => rm(columns())],
  ])('a start imports again if what describes the data %s, with a line', async (_, damage) => {
    await (await run()).stop();
    await damage();
    const after = await run();
    expect(after.told).toEqual([
      expect.stringMatching(
        /^tiny: what is stored of it is damaged \(.+\)\. It is imported again\.$/,
      ),
    ]);
    expect(after.report).toContain(', imported');
    expect(await sumOf(after)).toBe(SUM);
    expect((await restart(after)).told).toEqual([]);
  });
  const replaced = (text: Buffer, from: string, to: string) => {
    expect(text.toString()).toContain(from);
    return Buffer.from(text.toString().replaceAll(from, to));
  };

  test('a read that comes after the end of a server is no damage', async () => {
    const before = await run();
    await before.stop();
    expect((await before.ask(QUESTIONS[0])).status).toBe(503);
    expect(before.told).toEqual([]);
    expect((await run()).report).toContain(', already there');
  });

  test('damaged data stay until a whole import has taken their place', async () => {
    const before = await run();
    await truncate(columns(), 7);
    expect((await before.ask(QUESTIONS[0])).status).toBe(503);
    await before.stop();
    const damaged = versions();
    await rename(path.join(seedData, 'f.csv'), path.join(seedData, 'g.csv'));
    await expect(run()).rejects.toThrow('f.csv');
    expect(versions()).toEqual(damaged);
    await rename(path.join(seedData, 'g.csv'), path.join(seedData, 'f.csv'));
    expect(await sumOf(await run())).toBe(SUM);
  });

  test('bytes that flip anywhere in its files change no answer', async () => {
    const before = await run();
    const right = [];
    for (const question of QUESTIONS) right.push((await before.ask(question)).text);
    await before.stop();
    const whole = `${folder}-whole`;
    cpSync(folder, whole, { recursive: true });
    const random = seededRandom(24);
    for (let trial = 0; trial < 24; trial++) {
      folder = `${whole}-${trial}`;
      cpSync(whole, folder, { recursive: true });
      const name = path.join(folderOf('tiny'), trial % 3 === 0 ? 'description' : 'columns');
      // Half of them while a server runs.
      let running = trial % 2 === 0 ? await run() : undefined;
      const bytes = readFileSync(name);
      const at = Math.floor(random() * bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      writeFileSync(name, bytes);
      running ??= await run();
      for (const [i, question] of QUESTIONS.entries()) {
        let answer = await running.ask(question);
        if (answer.status === 503) {
          running = await restart(running);
          answer = await running.ask(question);
        }
        const { status, text } = answer;
        expect([trial, question, status, text]).toEqual([trial, question, 200, right[i]]);
      }
      await running.stop();
    }
  });
});

describe('versions that are not needed any more', () => {
  test('are removed, and a running server goes on with its own', async () => {
    const old = await run();
    const before = versions();
    await writeFile(path.join(seedData, 'f.csv'), csvOf(ROWS + 1));
    const newer = await run();
    expect(versions()).toHaveLength(2);
    expect(versions()).not.toEqual(before);
    expect([await sumOf(old), await sumOf(newer)]).toEqual([SUM, SUM + ROWS]);
    expect(old.told).toEqual([]);
  });

  test('are removed although a server of the same version runs, whose file is another', async () => {
    const old = await run();
    rmSync(path.join(folderOf('tiny'), 'description'));
    const newer = await run();
    expect(newer.report).toContain(', imported');
    expect([await sumOf(old), await sumOf(newer)]).toEqual([SUM, SUM]);
    expect([old.told, newer.told]).toEqual([[], []]);
  });

  test('are removed whatever their block; what is not ours stays', async () => {
    await (await run()).stop();
    await mkdir(path.join(folder, 'versions', 'gone-0123456789abcdef0123'));
    for (const place of [folder, path.join(folder, 'versions')]) {
      await writeFile(path.join(place, 'of-somebody-else'), '');
    }
    await (await run()).stop();
    expect(versions().map((name) => name.replace(/-[0-9a-f]{20}$/, ''))).toEqual([
      'of-somebody-else',
      'other',
      'tiny',
    ]);
    expect(readdirSync(folder)).toContain('of-somebody-else');
  });
});

test('the data of an earlier blockyard are imported again, once, with a line, and removed', async () => {
  const place = path.join(folder, 'dynamodb');
  await mkdir(path.join(place, 'imports'), { recursive: true });
  await mkdir(path.join(place, 'store-1'), { recursive: true });
  for (const name of [
    'CURRENT',
    'LOCK',
    'LOG.old',
    'MANIFEST-000004',
    '000005.ldb',
    'store.json',
  ]) {
    await writeFile(path.join(place, name), 'x');
  }
  await writeFile(path.join(place, 'of-somebody-else'), '');
  const first = await run();
  expect(first.told).toEqual([
    `The data in ${folder} are of an earlier blockyard: they are imported again.`,
  ]);
  expect(await sumOf(first)).toBe(SUM);
  expect(await readdir(place)).toEqual(['of-somebody-else']);
  expect((await restart(first)).told).toEqual([]);
});

test('data that cannot be kept stop a start', async () => {
  const store = await folderStore(folder, seedData, { rowsPerChunk: 40 });
  await rm(path.join(folder, 'versions'), { recursive: true });
  await writeFile(path.join(folder, 'versions'), '');
  const dataset = { file: 'f.csv', sources: [{ title: 'f' }] };
  const entry = { kind: 'dataset' as const, block: tinyBlock, declared: tinyBlock, dataset };
  await expect(prepareBlocks([entry], { store, seedData, rowsPerChunk: 40 })).rejects.toThrow(
    /^E\w+: /,
  );
});
