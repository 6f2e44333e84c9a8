import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { FileKind, FileOfVersion, VersionFiles } from '../../src/formats/files.ts';
import { bytesOf } from '../../src/http/answer.ts';
import { KeptFiles } from '../../src/local/kept-files.ts';
import { Problem } from '../../src/problem/errors.ts';
import type { Budget } from '../../src/work/budget.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT } from '../support/service.ts';
import { CSV, KINDS, version } from './kept-version.ts';

const kindOf = (extension: string) =>
  KINDS.find((kind) => kind.extension === extension) as FileKind;
const scheduler = new Scheduler();

let folder: string;
let written: number;
const started: KeptFiles[] = [];
beforeEach(async () => {
  folder = path.join(await temporaryFolder(), 'files');
  written = 0;
});
afterEach(async () => {
  for (const files of started.splice(0)) await files.close();
});
afterAll(cleanUp);

/** The files of a server that has just started. */
function start(mostBytes?: number): KeptFiles {
  const files = new KeptFiles({ folder, code: 'a test', ...(mostBytes ? { mostBytes } : {}) });
  started.push(files);
  return files;
}

/** Opens a file; how often one is written is counted. */
const openIn = (of: VersionFiles, kind = CSV, text = `all rows as ${kind.extension}`) =>
  of.open(
    kind,
    async function* (budget: Budget) {
      written++;
      yield text.slice(0, 3);
      await budget.pause();
      yield text.slice(3);
    },
    scheduler,
  );
const textOf = async ({ read, bytes }: FileOfVersion) => (await bytesOf(read(0, bytes))).toString();
const names = () =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort() : [];
const onlyFile = () => {
  const found = names().filter((name) => name.endsWith('.csv'));
  expect(found).toHaveLength(1);
  return path.join(folder, found[0] as string);
};
const problemOf = (opening: Promise<unknown>) =>
  opening.then(
    () => undefined,
    (error) => (error instanceof Problem ? error.code : error),
  );

describe('a file is written once', () => {
  test('for all who ask for it at the same time', async () => {
    const of = version(start());
    const opened = await Promise.all(Array.from({ length: 20 }, () => openIn(of)));
    expect(written).toBe(1);
    for (const file of opened) expect(await textOf(file)).toBe('all rows as csv');
  });

  test('for those who ask later, also after another start', async () => {
    const [first] = [await openIn(version(start()))];
    expect((await openIn(version(start()))).etag).toBe(first.etag);
    expect(written).toBe(1);
  });

  test('also one that is compressed', async () => {
    const kind = kindOf('ndjson.gz');
    const file = await openIn(version(start()), kind);
    expect(gunzipSync(await bytesOf(file.read(0, file.bytes))).toString()).toBe(
      'all rows as ndjson.gz',
    );
    await openIn(version(start()), kind);
    expect(written).toBe(1);
  });

  test('for another declaration of the block, which a workbook shows, another', async () => {
    const files = start();
    await openIn(version(files));
    await openIn(version(files, 'Another title'));
    expect(written).toBe(2);
  });
});

describe('what is not whole is no file', () => {
  test('where the writing fails: all who wait are told, and the next one tries again', async () => {
    const of = version(start());
    const fail = () =>
      of.open(
        CSV,
        async function* () {
          yield 'some';
          throw new Error('ENOSPC: no space left on device');
        },
        scheduler,
      );
    const told = await Promise.all([fail(), fail()].map(problemOf));
    expect(told).toEqual(['store-unavailable', 'store-unavailable']);
    expect(names()).toEqual([]);
    expect(await textOf(await openIn(of))).toBe('all rows as csv');
  });

  test('where the process is killed in the middle of it', async () => {
    const script = path.join(import.meta.dirname, 'killed-writing.ts');
    const signal = await new Promise((resolve) => {
      const args = ['--import', 'tsx', script, folder];
      execFile(process.execPath, args, { cwd: ROOT }, (error) => resolve(error?.signal));
    });
    expect(signal).toBe('SIGKILL');
    const left = names();
    expect(left).toEqual([expect.stringMatching(/\.draft$/), expect.stringMatching(/\/file$/)]);
    const files = start();
    const of = version(files);
    expect(await textOf(await openIn(of))).toBe('all rows as csv');
    await files.removeOthers();
    expect(names().filter((name) => left.includes(name))).toEqual([]);
    expect(await textOf(await openIn(of))).toBe('all rows as csv');
  });

  test('where the server ends in the middle of it', async () => {
    const files = start();
    const opening = version(files).open(
      CSV,
      async function* (budget: Budget) {
        yield 'some';
        files.close();
        await budget.pause();
        yield 'more';
      },
      scheduler,
    );
    expect(await problemOf(opening)).toBe('bad-request');
    expect(names()).toEqual([]);
  });

  test.each<[string, (file: string) => Promise<void>]>([
    ['it was changed', async (file) => writeFile(file, 'ALL rows as csv')],
    ['it was cut', (file) => truncate(file, 5)],
    ['it was removed', (file) => rm(file)],
    ['all files were removed', () => rm(folder, { recursive: true })],
  ])('where %s: it is written again, while a server runs and at a start', async (_, change) => {
    const of = version(start());
    await openIn(of);
    for (const asked of [of, version(start())]) {
      const file = onlyFile();
      await change(file);
      // As of a change that was made some time later.
      if (names().length > 1) await utimes(file, 1, 1).catch(() => {});
      expect(await textOf(await openIn(asked))).toBe('all rows as csv');
      expect((await readFile(onlyFile())).toString()).toBe('all rows as csv');
    }
  });
});

describe('files take no more than a number of bytes of the disk', () => {
  const csv = 'x'.repeat(400);

  test('then those that were not asked for for longest go, and are written again', async () => {
    const of = version(start(1000));
    const [a, b, c] = ['csv', 'ndjson', 'parquet'].map(kindOf) as [FileKind, FileKind, FileKind];
    await openIn(of, a, csv);
    await openIn(of, b, csv);
    await openIn(of, a, csv);
    await openIn(of, c, csv);
    const there = () =>
      names()
        .flatMap((name) => /\w+$/.exec(path.extname(name)) ?? [])
        .sort();
    expect([written, there()]).toEqual([3, ['csv', 'parquet']]);
    expect(await textOf(await openIn(of, b, csv))).toBe(csv);
    expect([written, there()]).toEqual([4, ['ndjson', 'parquet']]);
  });

  test('and one of more alone is refused, and leaves nothing', async () => {
    const of = version(start(1000));
    expect(await problemOf(openIn(of, CSV, csv.repeat(3)))).toBe('result-too-large');
    expect(names()).toEqual([]);
  });

  test('and who reads a file that goes has it to its end', async () => {
    const of = version(start(1_000_000));
    const long = csv.repeat(1500);
    const { read, bytes } = await openIn(of, CSV, long);
    const reading = read(0, bytes)[Symbol.asyncIterator]();
    let text = Buffer.from((await reading.next()).value).toString();
    await openIn(of, kindOf('ndjson'), long);
    expect(names().some((name) => name.endsWith('.csv'))).toBe(false);
    for (
      let { value, done } = await reading.next();
      !done;
      { value, done } = await reading.next()
    ) {
      text += Buffer.from(value).toString();
    }
    expect(text === long).toBe(true);
  });
});

test('a start removes the files of versions that it does not serve', async () => {
  const before = start();
  await openIn(version(before, 'The title before'));
  const files = start();
  await openIn(version(files));
  await files.removeOthers();
  expect(await textOf(await openIn(version(files)))).toBe('all rows as csv');
  onlyFile();
  expect(written).toBe(2);
});
