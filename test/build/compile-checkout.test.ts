import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync, statSync, truncateSync, utimesSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { copyCheckout } from '../support/checkout.ts';
import { command } from '../support/command.ts';
import { cleanUp, temporaryFolder, until } from '../support/process.ts';
import { ROOT } from '../support/service.ts';

// A checkout whose command is small. How it starts is as in every checkout.
const OURS = [
  ...['blockyard.js', 'checkout.js', 'command-bundles.ts', 'compile-checkout.ts'].map(
    (file) => `bin/${file}`,
  ),
  'src/import/own-code.ts',
  'src/lambda/source-places.ts',
  'tsconfig.json',
  'package.json',
];

/** Says its word, and whether it runs as TypeScript, by a loader, or from a bundle. */
const MAIN = `import { word } from '../src/word.ts';

export async function main([wish]: readonly string[]): Promise<void> {
  console.log(word(), import.meta.url.split('.').pop());
  if (wish === 'wait') {
    for await (const _ of process.stdin) break;
    const { late } = await import('../src/late.ts');
    console.log(late);
  }
  if (wish === 'fail') console.log(new TypeError('broken').stack);
}
`;

const COMPILED = 'blockyard is compiled: until its sources change, its commands start sooner.\n';

let checkout: string;
const kept = () => path.join(checkout, '.blockyard');
const codes = () => readdirSync(kept()).filter((name) => name.startsWith('code-'));
const write = (file: string, text: string) => writeFile(path.join(checkout, file), text);
const wordIs = (word: string) =>
  write('src/word.ts', `export function word(): string {\n  return '${word}';\n}\n`);

const environment = (more: NodeJS.ProcessEnv = {}) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ...more,
});
const blockyard = (wish = '', env: NodeJS.ProcessEnv = {}, node: readonly string[] = []) =>
  command(process.execPath, [...node, path.join(checkout, 'bin/blockyard.js'), wish], {
    cwd: checkout,
    env: environment(env),
  });

beforeEach(async () => {
  checkout = await temporaryFolder();
  for (const file of OURS) await cp(path.join(ROOT, file), path.join(checkout, file));
  for (const folder of ['functions', 'lib', 'src/package']) {
    await mkdir(path.join(checkout, folder));
  }
  await symlink(path.join(ROOT, 'node_modules'), path.join(checkout, 'node_modules'));
  for (const name of ['rows', 'block', 'handler']) await write(`src/package/${name}.ts`, '');
  await write('bin/main.ts', MAIN);
  await write('src/late.ts', "export const late = 'late';\n");
  await wordIs('hello');
});
afterAll(cleanUp);

test('this checkout is compiled as it is, and again where data change that its code imports', async () => {
  checkout = await copyCheckout();
  expect(await blockyard('--help')).toMatchObject({ code: 0, stderr: COMPILED });
  const german = path.join(checkout, 'src/languages/german.json');
  await writeFile(german, `${await readFile(german, 'utf8')}\n`);
  expect(await blockyard('--help')).toMatchObject({ code: 0, stderr: COMPILED });
});

test('the first command of a checkout compiles it and says so in a line; the next start from that', async () => {
  expect(await blockyard()).toMatchObject({ code: 0, stdout: 'hello mjs\n', stderr: COMPILED });
  expect(await blockyard()).toMatchObject({ code: 0, stdout: 'hello mjs\n', stderr: '' });
  expect(codes()).toHaveLength(1);
});

describe('nothing old is run', () => {
  test('after a source has changed, even if its size and its times are as before', async () => {
    const file = path.join(checkout, 'src/word.ts');
    const { atime, mtime } = statSync(file);
    await blockyard();
    await wordIs('jello');
    utimesSync(file, atime, mtime);
    expect((await blockyard()).stdout).toBe('jello mjs\n');
    // What was compiled of the first is still there.
    await wordIs('hello');
    expect(await blockyard()).toMatchObject({ stdout: 'hello mjs\n', stderr: '' });
  });

  test.each(['package-lock.json', 'package.json', 'tsconfig.json', 'functions/new.ts'])(
    'after a change of %s',
    async (file) => {
      await blockyard();
      const before = await readFile(path.join(checkout, file), 'utf8').catch(() => '');
      await write(file, `${before}\n`);
      expect((await blockyard()).stderr).toBe(COMPILED);
      expect((await blockyard()).stderr).toBe('');
    },
  );

  test('after a change of a file that is not among the sources: a loader runs them then', async () => {
    await write('word.ts', "export const word = () => 'outside';\n");
    await write('src/word.ts', "export { word } from '../word.ts';\n");
    expect(await blockyard()).toMatchObject({ stdout: 'outside ts\n', stderr: '' });
    await write('word.ts', "export const word = () => 'changed';\n");
    expect((await blockyard()).stdout).toBe('changed ts\n');
  });

  test('after a change while it is compiled', async () => {
    await write('bin/compile-checkout.ts', await changing());
    expect((await blockyard()).stdout).toBe('later ts\n');
    expect(codes()).toEqual([]);
    await wordIs('hello');
    await cp(path.join(ROOT, OURS[3] as string), path.join(checkout, OURS[3] as string));
    expect((await blockyard()).stdout).toBe('hello mjs\n');
  });

  /** Compiles as ever, and changes a source when it has begun. */
  async function changing(): Promise<string> {
    const text = await readFile(path.join(checkout, 'bin/compile-checkout.ts'), 'utf8');
    const changed = text.replace(
      '    mkdirSync(made, { recursive: true });',
      `$&\n    writeFileSync(${JSON.stringify(path.join(checkout, 'src/word.ts'))}, "export const word = () => 'later';");`,
    );
    expect(changed).not.toBe(text);
    return changed;
  }
});

test('commands that are the first at the same time all run, and leave one folder', async () => {
  const ended = await Promise.all(Array.from({ length: 4 }, () => blockyard('fail')));
  for (const { code, stdout } of ended) {
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^hello mjs\nTypeError: broken\n/)]);
  }
  expect(codes()).toHaveLength(1);
  expect(await blockyard()).toMatchObject({ stdout: 'hello mjs\n', stderr: '' });
});

test('a first command that is killed, wherever that is, harms no later one', async () => {
  const node = ['--import', path.join(ROOT, 'test/support/kill-at.mjs')];
  const CHANGES_FILE = path.join(checkout, 'changes');
  // The loader keeps files of its own.
  const TSX_DISABLE_CACHE = '1';
  await blockyard('', { CHANGES_FILE, TSX_DISABLE_CACHE }, node);
  const changes = Number(await readFile(CHANGES_FILE, 'utf8'));
  expect(changes).toBeGreaterThan(10);
  // The files are alike; what is done with their folder is not.
  const places = Array.from({ length: changes }, (_, i) => i);
  for (const place of places.filter((i) => i % 4 === 0 || i >= changes - 7)) {
    await rm(kept(), { recursive: true });
    const KILL_AT = String(place + 0.5);
    expect((await blockyard('', { KILL_AT, TSX_DISABLE_CACHE }, node)).code).toBe(null);
    expect(await blockyard()).toMatchObject({ code: 0, stdout: 'hello mjs\n' });
    expect(codes()).toEqual([expect.stringMatching(/^code-\w+$/)]);
  }
});

test('a bundle that is cut off, empty or gone is made again', async () => {
  await blockyard();
  const [folder] = codes() as [string];
  const damages: readonly ((file: string) => void)[] = [
    (file) => truncateSync(file, 20),
    (file) => truncateSync(file, 0),
    (file) => rmSync(file),
  ];
  const files = readdirSync(path.join(kept(), folder)).filter((name) => name.endsWith('.mjs'));
  for (const [i, file] of files.entries()) {
    damages[i % damages.length]?.(path.join(kept(), folder, file));
    expect(await blockyard()).toMatchObject({ stdout: 'hello mjs\n', stderr: COMPILED });
  }
  expect(files.length).toBeGreaterThanOrEqual(damages.length);
  expect(codes()).toEqual([folder]);
});

describe('a loader runs the sources, and nothing is said of it', () => {
  test('where nothing can be written beside them', async () => {
    await writeFile(kept(), '');
    expect(await blockyard()).toMatchObject({ code: 0, stdout: 'hello ts\n', stderr: '' });
  });

  test('where no space is left', async () => {
    const line = 'ulimit -f 1; "$NODE" bin/blockyard.js';
    await write('src/word.ts', `export const word = () => '${'long '.repeat(1000)}';\n`);
    const { code, stdout, stderr } = await command('bash', ['-c', line], {
      cwd: checkout,
      env: environment({ NODE: process.execPath, TSX_DISABLE_CACHE: '1' }),
    });
    expect([code, stdout.slice(-3), stderr]).toEqual([0, 'ts\n', '']);
    expect(codes()).toEqual([]);
  });
});

test('a fault of a source is told with its place', async () => {
  await write('src/word.ts', 'export const word = (;\n');
  const { code, stderr } = await blockyard();
  expect(code).toBe(1);
  expect(stderr).toMatch(/src\/word\.ts:1:21/);
  expect(stderr).not.toContain(COMPILED);
  expect(codes()).toEqual([]);
});

test('a stack has the lines of the sources, in the first command and the next', async () => {
  const line = MAIN.split('\n').findIndex((text) => text.includes('broken')) + 1;
  for (const _ of ['first', 'next']) {
    const { stdout } = await blockyard('fail');
    expect(stdout).toMatch(
      new RegExp(
        `^hello mjs\nTypeError: broken\n    at (?:async )?main \\(bin/main\\.ts:${line}:\\d+\\)`,
      ),
    );
  }
});

test('what was compiled of other sources is removed, but for two folders, and those that run', async () => {
  await blockyard();
  const [running] = codes() as [string];
  const server = spawn(process.execPath, ['bin/blockyard.js', 'wait'], {
    cwd: checkout,
    env: environment(),
    stdio: 'pipe',
  });
  const closed = once(server, 'close');
  try {
    let said = '';
    server.stdout.on('data', (text) => {
      said += text;
    });
    await until(() => said.includes('hello') || server.exitCode !== null, 'it to run');
    for (const word of ['one', 'two', 'three', 'four', 'five']) {
      await wordIs(word);
      expect((await blockyard()).stdout).toBe(`${word} mjs\n`);
    }
    expect(codes()).toHaveLength(4);
    // It loads more of its code only now.
    server.stdin.end('go on');
    await closed;
    expect(said).toBe('hello mjs\nlate\n');
  } finally {
    server.kill();
  }
  for (const word of ['six', 'seven', 'eight']) {
    await wordIs(word);
    await blockyard();
  }
  expect(codes()).toHaveLength(3);
  expect(codes()).not.toContain(running);
});
