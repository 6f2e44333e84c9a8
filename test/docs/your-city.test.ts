import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCensus } from '../../src/commands/census-command.ts';
import { TRACT_COLUMNS } from '../../src/import/census.ts';
import { type Started, start } from '../../src/local/start.ts';
import { AMPLE_MS } from '../support/ample.ts';
import { ROOT } from '../support/service.ts';
import { tractsCsv } from '../support/springfield.ts';
import { fencesOf, readDocument, tableOf } from './markdown.ts';
import { comparable, runSnippet, snippetsOf } from './run-snippet.ts';

const document = readDocument('docs/your-city.md');
const fences = fencesOf(document);

let folder: string;
let started: Started;
let printed = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blockyard-city-'));
  const groups = fences.find(({ more }) => more === 'springfield-groups.csv');
  await writeFile(path.join(folder, 'springfield-groups.csv'), `${groups?.text}\n`);
  await writeFile(path.join(folder, 'springfield-tracts.csv'), tractsCsv());
  const command = fences.find(({ lang }) => lang === 'sh')?.text ?? '';
  const words = command.replace('npx blockyard census ', '').split(' ');
  const args = words.map((word) => (word.endsWith('.csv') ? path.join(folder, word) : word));
  const out = (line: string) => {
    printed += `${line}\n`;
  };
  expect(await runCensus(args, { out, err: out }, { blocks: folder })).toBe(0);
  started = await start({
    ...{ root: ROOT, blocks: folder, port: 0 },
    ...{ record: () => {}, runWithinMs: AMPLE_MS },
  });
});
afterAll(async () => {
  await started?.stop();
  await rm(folder, { recursive: true });
});

test("the command prints the city's sums as shown", () => {
  expect(printed).toContain(`${fences.find(({ lang }) => lang === 'text')?.text}\n`);
});

test.each(snippetsOf(document))('the answer shown at line $line is given', async (snippet) => {
  const { code, out } = await runSnippet(snippet, started.url);
  expect(code).toBe(0);
  const [expected, answer] = comparable(JSON.parse(snippet.shown?.text ?? ''), JSON.parse(out));
  expect(answer).toEqual(expected);
});

test('the page tells where each column that is read comes from', () => {
  const rows = tableOf(document, ['column', 'table and cells']) ?? [];
  const named = rows.map(([column]) => column?.replaceAll('`', ''));
  expect([...named].sort()).toEqual([...TRACT_COLUMNS].sort());
});
