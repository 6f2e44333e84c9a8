import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { runAdd } from '../../src/commands/add-command.ts';

const CSV = 'Permit,Street,Fee\nP-1,High St,10\nP-2,Low St,20\nP-3,High St,30\n';

/** Adds the file; `ask` answers what is asked at a terminal. */
const add = async (options: readonly string[], ask?: (asked: string) => string | undefined) => {
  const blocks = await mkdtemp(path.join(tmpdir(), 'blockyard-words-'));
  const file = path.join(blocks, 'city-permits.csv');
  await writeFile(file, CSV);
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const terminal = {
    out: print,
    err: print,
    ...(ask && { ask: async (text: string) => ask(text) }),
  };
  const code = await runAdd([file, '--blocks', blocks, ...options], terminal, { blocks });
  const block = async () =>
    JSON.parse(await readFile(path.join(blocks, 'functions/city-permits/block.json'), 'utf8'));
  return { code, said: lines.join('\n'), block };
};

const WORDS = [
  ...['--title', 'Building permits', '--description', 'A permit that the city gave.'],
  ...['--source', 'https://data.example.org/permits', '--license', 'CC-BY-4.0'],
  ...['--updated', '2026-11', '--key', 'none', '--main', 'Street'],
];

test('what a publisher says stands in the block, and is said again', async () => {
  const { code, said, block } = await add(WORDS);
  expect(code).toBe(0);
  const { primaryKey, fields, ...written } = await block();
  expect(written).toMatchObject({
    title: 'Building permits',
    description: 'A permit that the city gave.',
    sources: [
      { title: 'city-permits.csv', path: 'https://data.example.org/permits', date: '2026-11' },
    ],
    licenses: [{ name: 'CC-BY-4.0' }],
  });
  expect(primaryKey).toBeUndefined();
  expect(fields.filter(({ main }: { main?: true }) => main)).toMatchObject([{ name: 'street' }]);
  expect(said).not.toContain('Not stated yet');
  expect(said).toContain(
    "--title 'Building permits' --description 'A permit that the city gave.' --source https://data.example.org/permits --license CC-BY-4.0 --updated 2026-11 --key none --main Street",
  );
});

test('what is missing is named, with the options that say it', async () => {
  const { said, block } = await add(['--title', 'Permits']);
  expect(said).toContain(
    'Not stated yet: source (--source), licence (--license) and date (--updated).',
  );
  expect(await block()).toMatchObject({
    title: 'Permits',
    description: expect.stringMatching(/^Permits\. Each row has: /),
    fields: expect.arrayContaining([expect.objectContaining({ name: 'permit' })]),
  });
  expect((await add(['--source', 'City Hall', '--updated', '2026'])).said).toContain(
    'Not stated yet: licence (--license).',
  );
});

test('a person at the terminal is asked for what the line lacks, and may skip it', async () => {
  const asked: string[] = [];
  const answers = ['', 'City Hall', '', 'last week', '2026-11-02'];
  const { block } = await add(['--title', 'Permits'], (text) => {
    asked.push(text);
    return answers.shift();
  });
  expect(asked.map((text) => text.replace(/ .*/, ''))).toEqual([
    'What',
    'Who',
    'Licence,',
    'The',
    'The',
  ]);
  expect(await block()).toMatchObject({ sources: [{ title: 'City Hall', date: '2026-11-02' }] });
  // With --yes, or at the end of what is typed, nobody is asked on.
  const none: string[] = [];
  await add(['--yes'], (text) => {
    none.push(text);
    return '';
  });
  expect(none).toEqual([]);
  expect((await add([], () => undefined)).code).toBe(0);
});

test.each([
  ['--updated', 'soon', '--updated is "soon"; expected a date such as 2026-11-23 or 2026-11'],
  ['--updated', '2026-02-31', '--updated is "2026-02-31"'],
  ['--key', 'number', '--key names "number"; the columns are permit, street, fee'],
  ['--main', 'x', '--main names "x"'],
  ['--key', 'street', 'the same primary key as row 1: High St'],
])('%s %s is refused', async (option, value, message) => {
  const { code, said } = await add([option, value]);
  expect([code, said]).toEqual([1, expect.stringContaining(message)]);
});
