import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runAdd } from '../../src/commands/add-command.ts';
import { readAddOptions } from '../../src/commands/add-options.ts';
import { type Started, start } from '../../src/local/start.ts';
import { AMPLE_MS } from '../support/ample.ts';
import { ROOT } from '../support/service.ts';
import { fencesOf, readDocument } from './markdown.ts';
import { comparable, runSnippet, snippetsOf } from './run-snippet.ts';

// The page's file is added by the page's command, and served: the page is the test.
const document = readDocument('docs/own-data.md');
const fences = fencesOf(document);

let folder: string;
let started: Started;
let printed = '';
let code: number;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blockyard-own-'));
  const file = fences.find(({ more }) => more === 'inspections.csv');
  const from = path.join(folder, 'inspections.csv');
  await writeFile(from, `${file?.text}\n`);
  const out = (line: string) => {
    printed += `${line}\n`;
  };
  code = await runAdd([from], { out, err: out }, { blocks: folder });
  started = await start({
    ...{ root: ROOT, blocks: folder, port: 0 },
    ...{ record: () => {}, runWithinMs: AMPLE_MS },
  });
});
afterAll(async () => {
  await started?.stop();
  await rm(folder, { recursive: true });
});

test('the command adds the block and writes what the page says', async () => {
  expect(code).toBe(0);
  expect(await readdir(path.join(folder, 'functions'))).toEqual(['inspections']);
  expect((await readdir(path.join(folder, 'seed-data'))).join()).toMatch(
    /^inspections-[0-9a-f]{12}\.csv$/,
  );
});

test('the decisions are printed as shown', () => {
  const shown = fences.find(({ lang }) => lang === 'text')?.text.split('\n') ?? [];
  expect(shown.length).toBeGreaterThan(1);
  expect(printed.split('\n')).toEqual(expect.arrayContaining(shown));
});

test.each(snippetsOf(document))('the answer shown at line $line is given', async (snippet) => {
  const { code, out } = await runSnippet(snippet, started.url);
  expect(code).toBe(0);
  const [expected, answer] = comparable(JSON.parse(snippet.shown?.text ?? ''), JSON.parse(out));
  expect(answer).toEqual(expected);
});

test('every command of the page is one', () => {
  const lines = fences.filter(({ lang }) => lang === 'sh').flatMap(({ text }) => text.split('\n'));
  const commands = lines.flatMap(
    (line) => /^npx blockyard (?:add|try) (.*)$/.exec(line)?.[1] ?? [],
  );
  expect(commands.length).toBeGreaterThan(2);
  for (const command of commands)
    expect(readAddOptions('try', command.split(' ')).faults).toEqual([]);
});

test('the options are those of the command', () => {
  const named = [...document.matchAll(/^\| `(--[\w-]+)/gm)].map(([, option]) => option);
  let usage = '';
  const out = (text: string) => {
    usage += text;
  };
  return runAdd(['--help'], { out, err: out }, { blocks: folder }).then(() => {
    expect(named).toEqual([...usage.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, option]) => option));
  });
});
