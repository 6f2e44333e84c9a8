import { execFileSync } from 'node:child_process';
import { readFileSync, truncateSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commandThatWorks } from '../support/command.ts';
import { cleanUp, type ServerProcess, startServer, temporaryFolder } from '../support/process.ts';
import { ROOT } from '../support/service.ts';
import { httpfsPython, isInstalled, toolPython } from '../support/tools.ts';

const options = { cwd: ROOT, env: process.env };
const BLOCK = 'business-directory';

let folder: string;
let server: ServerProcess;
let blocks: string;
/** The programs of the page, as a person copies them. */
let programs: Readonly<Record<string, string>>;
let rows: number;
let groups: readonly [string, number][];
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startServer({ DATA_DIR: path.join(folder, 'data') });
  blocks = `${server.url}/api_v2/blocks`;
  const page = await (await fetch(`${blocks}/${BLOCK}?_format=html&_view=api`)).text();
  const found = page.matchAll(/<pre id="f-(\w+)"><code>(.*?)<\/code>/gs);
  programs = Object.fromEntries([...found].map(([, name, text = '']) => [name, unescaped(text)]));
  const grouped = `${blocks}/${BLOCK}?_group=type_of_business&_limit=1000`;
  const answered = (await (await fetch(grouped)).json()).params.results;
  groups = answered
    .map((one: Record<string, string | number>) => [one.type_of_business, one.count])
    .sort(([a]: [string], [b]: [string]) => (a < b ? -1 : 1));
  rows = (await (await fetch(`${blocks}/${BLOCK}?_limit=1`)).json()).params.total;
});
afterAll(cleanUp);

const unescaped = (text: string) =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');

test('the page has a program for each of these', () => {
  expect(Object.keys(programs)).toEqual(['duckdb', 'polars', 'pandas', 'browser']);
});

test('Polars and pandas open the files at their addresses, as the page says', async () => {
  const { polars, pandas } = programs;
  const script = path.join(import.meta.dirname, 'open_files.py');
  const args = [script, blocks, JSON.stringify({ polars, pandas })];
  const found = JSON.parse(await commandThatWorks(toolPython(), args, options));
  const counts = { parquet: rows, csv: rows, ndjson: rows, groups };
  expect(found.polars).toEqual({ ...counts, read_parquet: rows });
  expect(found.pandas).toEqual({ ...counts, 'ndjson.gz': rows });
  expect(found.printed.polars).toMatch(/^shape: \(5, /);
  expect(found.printed.pandas).toMatch(/\[5 rows x \d+ columns\]/);
});

test('DuckDB opens them by their names alone, and joins two of them', async () => {
  const script = path.join(import.meta.dirname, 'open_files_by_duckdb.py');
  const args = [script, blocks, programs.duckdb as string];
  const found = JSON.parse(await commandThatWorks(await httpfsPython(), args, options));
  const others = (await (await fetch(`${blocks}/census-neighborhoods?_limit=1`)).json()).params;
  expect(found).toEqual({
    ...{ parquet: rows, csv: rows, ndjson: rows, 'ndjson.gz': rows },
    groups,
    joined: rows * others.total,
    program: [[rows]],
  });
});

test('the program for a browser reads all rows', async () => {
  const file = path.join(folder, 'browser.mjs');
  await writeFile(file, programs.browser as string);
  const printed = await commandThatWorks(process.execPath, [file], options);
  expect(printed).toMatch(new RegExp(`^${rows} \\{`));
});

describe('a download that was cut goes on to the same whole', () => {
  const CUTS = [0, 1, 5000, 16_000];
  test.each<[string, (address: string, file: string) => readonly string[]]>([
    ['curl', (address, file) => ['-sS', '-C', '-', '-o', file, address]],
    ['wget', (address, file) => ['-q', '-c', '-O', file, address]],
  ])('%s', async (program, argsOf) => {
    if (!isInstalled(program)) return;
    const address = `${blocks}/${BLOCK}.csv`;
    const whole = Buffer.from(await (await fetch(address)).arrayBuffer());
    const file = path.join(folder, `by-${program}.csv`);
    for (const cut of CUTS) {
      await writeFile(file, whole);
      truncateSync(file, cut);
      execFileSync(program, argsOf(address, file));
      expect([cut, readFileSync(file).equals(whole)]).toEqual([cut, true]);
    }
  });
});
