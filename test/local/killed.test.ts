import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runAdd } from '../../src/commands/add-command.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { hashesOnce } from '../../src/import/seed-files.ts';
import { buildOf } from '../../src/local/import-hash.ts';
import { localService } from '../../src/local/local-server.ts';
import { prepareBlocks } from '../../src/local/prepare-datasets.ts';
import { DATA_FOLDER } from '../../src/local/version-folders.ts';
import { SETTINGS } from '../support/ample.ts';
import { addBlock } from '../support/checkout.ts';
import { folderStore } from '../support/folder-store.ts';
import { madeOnce } from '../support/once/made-once.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { requestOf } from '../support/request-of.ts';
import { ROOT } from '../support/service.ts';

/** Places at which each program is killed: else one in each change. `npm run test:long` has more. */
const { KILLS } = process.env;
/** More would be no faster. */
const AT_ONCE = 2;

/** blockyard as it is installed. */
let installed: string;
let folder: string;
let csvFile: string;
beforeAll(async () => {
  installed = await madeOnce<string>('package');
  folder = await temporaryFolder();
  csvFile = path.join(folder, 'towns.csv');
  writeFileSync(csvFile, csvOf(300));
});
afterAll(cleanUp);

const csvOf = (rows: number) =>
  `town,people\n${Array.from({ length: rows }, (_, i) => `Town ${i},${i}\n`).join('')}`;
const sumOf = (rows: number) => (rows * (rows - 1)) / 2;

/**
 * Runs the installed program, and kills it at a place. Returns whether that was reached, and the
 * number of changes of files that it makes if nothing kills it.
 */
async function run(words: readonly string[], blocks: string, killAt?: number) {
  const changesFile = path.join(await temporaryFolder(), 'changes');
  const hook = path.join(ROOT, 'test/support/kill-at.mjs');
  const place = killAt === undefined ? { CHANGES_FILE: changesFile } : { KILL_AT: String(killAt) };
  const child = spawn(
    process.execPath,
    ['--import', hook, path.join(installed, 'bin/blockyard.js'), ...words, '--blocks', blocks],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, TMPDIR: path.join(folder, 'tmp'), PORT: '0', ...place },
    },
  );
  let printed = '';
  child.stderr.on('data', (text) => {
    printed += text;
  });
  child.stdout.on('data', (text) => {
    printed += text;
    // A start goes on until it is told to end: it has removed by then what it removes.
    if (/^Data: /m.test(printed)) child.kill('SIGTERM');
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.once('close', (...ended) => resolve(ended));
  });
  const isKilled = signal === 'SIGKILL';
  if (!isKilled) expect([code, printed]).toEqual([0, expect.any(String)]);
  return {
    isKilled,
    changes: killAt === undefined ? Number(readFileSync(changesFile, 'utf8')) : 0,
  };
}

/** What a start of the installed code finds and answers, in this process. */
async function started(blocks: string) {
  const seedData = path.join(blocks, 'seed-data');
  const data = path.join(blocks, DATA_FOLDER);
  const told: string[] = [];
  const build = await buildOf(path.join(installed, 'dist'), blocks, hashesOnce(seedData));
  const store = await folderStore(data, seedData, {
    ...build,
    onProgress: (line) => told.push(line),
  });
  const prepared = await prepareBlocks(await loadBlocks(path.join(blocks, 'functions')), {
    ...{ store, seedData },
  });
  await store.removeOthers();
  const request = requestOf(
    localService(
      prepared.map(({ served }) => served),
      SETTINGS,
    ),
  );
  const sums: Record<string, number> = {};
  const outcomes: Record<string, string> = {};
  for (const { served, report } of prepared) {
    const { name } = served.block;
    const answer = await request(`/api_v2/blocks/${name}?_measure=sum:people`);
    sums[name] = JSON.parse(await answer.text()).params.results[0].sum_people;
    outcomes[name] = report[0]?.split(', ').at(-1) ?? '';
  }
  await store.close();
  // Each block has one version, and nothing is left of the process that was killed.
  const names = readdirSync(path.join(data, 'versions')).map((name) =>
    name.replace(/-\w{20}$/, ''),
  );
  expect(names.sort()).toEqual(Object.keys(sums).sort());
  expect(told).toEqual([]);
  return { sums, outcomes };
}

/** Kills a program at places that are spread over all that it changes, each in a folder of its own. */
async function killedAt(
  template: string,
  words: readonly string[],
  check: (blocks: string) => Promise<void>,
): Promise<void> {
  mkdirSync(path.join(folder, 'tmp'), { recursive: true });
  const copyOf = (name: string) => {
    const copy = path.join(folder, `${path.basename(template)}-${name}`);
    cpSync(template, copy, { recursive: true });
    return copy;
  };
  const { changes } = await run(words, copyOf('whole'));
  expect(changes).toBeGreaterThan(10);
  const kills = Number(KILLS ?? changes);
  const places = Array.from({ length: kills }, (_, i) => {
    const place = (i * changes) / kills;
    // Not always in the middle of a change.
    return kills > changes ? place : Math.floor(place) + ((i * 0.618) % 1);
  });
  let killed = 0;
  const killNext = async () => {
    for (let place = places.shift(); place !== undefined; place = places.shift()) {
      const blocks = copyOf(String(place));
      const { isKilled } = await run(words, blocks, place);
      if (isKilled) killed++;
      await check(blocks).catch((cause) => {
        throw new Error(`Killed at ${place}`, { cause });
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, killNext));
  // What is removed at last may be a change or two less.
  expect(killed).toBeGreaterThan(kills * 0.8);
}

const FIELDS = [
  { type: 'text', name: 'town', title: 'Town' },
  { type: 'number', name: 'people', title: 'People' },
];

async function folderOfBlocks(name: string, blocks: Readonly<Record<string, number>>) {
  const made = path.join(folder, name);
  for (const one of ['functions', 'seed-data'])
    mkdirSync(path.join(made, one), { recursive: true });
  for (const [block, rows] of Object.entries(blocks)) {
    await addBlock(made, { name: block, fields: FIELDS, csv: csvOf(rows) });
  }
  return made;
}

test('a kill -9 in the midst of add leaves no block, or all of it', async () => {
  const template = await folderOfBlocks('adding', { other: 200 });
  await run(['start'], template);
  const found = new Set<string>();
  await killedAt(template, ['add', csvFile, '--yes'], async (blocks) => {
    const isThere = existsSync(path.join(blocks, 'functions', 'towns'));
    const { sums, outcomes } = await started(blocks);
    expect(sums).toEqual({ other: sumOf(200), ...(isThere ? { towns: sumOf(300) } : {}) });
    expect(outcomes.other).toBe('already there');
    found.add(isThere ? `there, and ${outcomes.towns}` : 'not there');
    if (isThere) return;
    const silent = { out: () => {}, err: () => {} };
    expect(await runAdd([csvFile, '--yes', '--blocks', blocks], silent, { blocks })).toBe(0);
    expect((await started(blocks)).sums).toEqual({ other: sumOf(200), towns: sumOf(300) });
    // Leftovers of the killed one are gone.
    expect(readdirSync(blocks).filter((name) => name.endsWith('.draft'))).toEqual([]);
  });
  expect([...found].sort()).toEqual([
    'not there',
    'there, and already there',
    'there, and imported',
  ]);
});

test('a kill -9 in the midst of a start leaves earlier versions, or new ones', async () => {
  const template = await folderOfBlocks('starting', { changed: 200, same: 250 });
  await run(['start'], template);
  writeFileSync(path.join(template, 'seed-data/changed.csv'), csvOf(210));
  await addBlock(template, { name: 'added', fields: FIELDS, csv: csvOf(220) });
  const found = new Set<string>();
  await killedAt(template, ['start'], async (blocks) => {
    const { sums, outcomes } = await started(blocks);
    expect(sums).toEqual({ changed: sumOf(210), same: sumOf(250), added: sumOf(220) });
    expect(outcomes.same).toBe('already there');
    found.add(`${outcomes.changed}, ${outcomes.added}`);
  });
  expect(found).toContain('imported, imported');
  expect(found).toContain('already there, already there');
});

test('a kill -9 in the midst of the first start leaves nothing, or whole versions', async () => {
  const template = await folderOfBlocks('first', { one: 210, two: 220 });
  const found = new Set<string>();
  await killedAt(template, ['start'], async (blocks) => {
    const { sums, outcomes } = await started(blocks);
    expect(sums).toEqual({ one: sumOf(210), two: sumOf(220) });
    found.add(`${outcomes.one}, ${outcomes.two}`);
  });
  expect(found).toContain('imported, imported');
});
