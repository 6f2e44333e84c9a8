import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { failureLine } from '../../bin/main.ts';
import { runOwnData } from '../../bin/own-data.ts';
import { SeedError } from '../../src/files/source-table.ts';
import { command } from '../support/command.ts';
import { madeOnce } from '../support/once/made-once.ts';
import { cleanUp, gone, temporaryFolder, until } from '../support/process.ts';
import { descendantsOf } from '../support/process-tree.ts';

/** A folder with files, one for blocks, and one for temporary files. */
let folder: string;
let blocks: string;
let tmp: string;
let taken: Server;
let takenPort: string;
/** The command, as it is installed. */
let blockyard: string;

beforeAll(async () => {
  blockyard = path.join(await madeOnce<string>('package'), 'bin', 'blockyard.js');
  folder = await temporaryFolder();
  blocks = path.join(folder, 'blocks');
  tmp = path.join(folder, 'tmp');
  for (const one of [blocks, tmp, path.join(folder, 'torn')]) mkdirSync(one);
  writeFileSync(path.join(folder, 'towns.csv'), 'town,people\nBern,134591\nChur,38293\n');
  writeFileSync(path.join(folder, 'torn', 'towns.csv'), 'town,people\nBern\n');
  writeFileSync(path.join(folder, 'asks.csv'), 'town,day\nBern,3/4/2020\n');
  writeFileSync(
    path.join(folder, 'latin.csv'),
    Buffer.from('town,people\nZ\xfcrich,1\n', 'latin1'),
  );
  writeFileSync(path.join(folder, 'escapes.csv'), 'town,people\n\u001b[31mBern\u009b1m\u202e,1\n');
  writeFileSync(path.join(folder, 'escapes\u001b[2J.csv'), 'town,people\nBern\n');
  const rows = Array.from({ length: 80_000 }, (_, i) => `town ${i},${i}\n`);
  writeFileSync(path.join(folder, 'many.csv'), `town,people\n${rows.join('')}`);
  taken = net.createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  takenPort = String((taken.address() as AddressInfo).port);
});
afterAll(async () => {
  taken.close();
  await cleanUp();
});

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  TMPDIR: tmp,
  BLOCKYARD_BLOCKS: blocks,
  ...more,
});

const run = (words: readonly string[], more: Record<string, string> = {}) =>
  command(process.execPath, [blockyard, ...words], { cwd: folder, env: environment(more) });

/** A line of bash; `blockyard` is the command. */
const inShell = (line: string) =>
  command('bash', ['--norc', '-c', `blockyard() { "$NODE" "$BLOCKYARD" "$@"; }; ${line}`], {
    cwd: folder,
    env: environment({ NODE: process.execPath, BLOCKYARD: blockyard }),
  });

/** What a terminal shows of a command; what is typed is typed at its question. */
function onTerminal(words: string, typed = ''): Promise<string> {
  const line = `stty -echo; "$NODE" "$BLOCKYARD" ${words}; echo "exit $?"`;
  const terminal = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd: folder,
    env: environment({ NODE: process.execPath, BLOCKYARD: blockyard, SHELL: '/bin/bash' }),
  });
  let shown = '';
  let isTyped = typed === '';
  let skipped = 0;
  terminal.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text;
    // Whoever publishes the file is asked for words, and skips them.
    for (; skipped < shown.split('(Enter skips): ').length - 1; skipped++) {
      terminal.stdin.write('\r');
    }
    if (isTyped || !/(?:\[y\/N\]|1 to \d+:) /.test(shown)) return;
    isTyped = true;
    terminal.stdin.write(typed);
  });
  return new Promise((resolve) => {
    terminal.once('close', () => resolve(shown.replace(/\r+\n/g, '\n')));
  });
}

/** What commands left. */
const left = () => [
  readdirSync(tmp),
  readdirSync(blocks).filter((name) => name.endsWith('.draft')),
];

/** A command in the midst of its work, or serving. */
function begin(words: readonly string[]) {
  const child = spawn(process.execPath, [blockyard, ...words], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    said.out += text;
  });
  child.stderr.on('data', (text) => {
    said.err += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, said, ended, pid: child.pid as number };
}

describe('a command that fails says why in one line', () => {
  test.each<[string, string, RegExp | string, number]>([
    ['a command is mistyped', 'ad towns.csv', '"ad" is not a command. Did you mean add?\n', 1],
    ['the folder of the blocks is a file', 'add towns.csv --blocks many.csv', /many\.csv/, 1],
    [
      'an option is none',
      'add towns.csv --nmae x',
      /Did you mean --name\?.*--help says more\.$/m,
      1,
    ],
    ['nobody is there to agree', 'destroy', /^blockyard is not removed: .*Say --yes/, 1],
  ])('where %s', async (_, words, line, code) => {
    const ended = await run(words.split(' '));
    expect(ended.code).toBe(code);
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(ended.stderr).toEqual(typeof line === 'string' ? line : expect.stringMatching(line));
    expect(ended.stderr).not.toMatch(/\.[jt]s:|^ {4}at /m);
  });

  test('where it may write no more, and leaves nothing', async () => {
    const before = left();
    const { code, stderr } = await inShell('ulimit -f 400; blockyard add many.csv --name full');
    expect(code).toBe(1);
    expect(stderr.split('\n').filter((line) => !/rows read$/.test(line))).toEqual([
      expect.stringMatching(/^blockyard add failed: a file would be larger .* \(EFBIG\)\.$/),
      '',
    ]);
    expect(left()).toEqual(before);
  });

  test.each<[string, unknown, string]>([
    [
      'the disk is full',
      Object.assign(new Error('x'), { code: 'ENOSPC', syscall: 'copyfile', path: 'a', dest: 'b' }),
      'no space is left on the disk: b (ENOSPC).',
    ],
    [
      'the network fails',
      Object.assign(new Error('x'), { code: 'ETIMEDOUT', syscall: 'connect' }),
      'no answer in time (ETIMEDOUT).',
    ],
    ['a file is faulty', new SeedError('f.csv', 'is empty'), 'f.csv: is empty'],
    ['its message has several lines', new Error('No\n  at all'), 'No'],
    ['its cause says more', new Error('No', { cause: new Error('why') }), 'No (why)'],
  ])('where %s', (_, error, reason) => {
    expect(failureLine('It failed', error)).toBe(`It failed: ${reason}`);
  });

  test.each([
    ['TypeError', new TypeError('x is not a function\nat y')],
    ['RangeError', new RangeError('x is not a function')],
  ])('where it is our fault: %s', (_, error) => {
    expect(failureLine('It failed', error)).toMatch(
      /^It failed, by a fault of its own: \w+: x is not a function\. --debug shows where\.$/,
    );
  });

  test("where a block's own code fails, which is not ours", async () => {
    const theirs = path.join(folder, 'theirs');
    mkdirSync(path.join(theirs, 'functions', 'odd'), { recursive: true });
    writeFileSync(path.join(theirs, 'functions', 'odd', 'block.ts'), 'undefined.name;\n');
    const { code, stderr } = await run(['start', '--port', '0', '--blocks', theirs]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^blockyard did not start: functions\/odd\/block\.ts: Cannot read .*\n$/,
      ),
    ]);
  });

  test('and with --debug where in our code it was', async () => {
    const { code, stderr } = await run(['add', 'towns.csv', '--blocks', 'many.csv', '--debug']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^ {4}at /m)]);
  });
});

describe('before a file is read', () => {
  test('a name that is taken is told', async () => {
    expect((await run(['add', 'towns.csv'])).code).toBe(0);
    const again = await run(['add', path.join('torn', 'towns.csv')]);
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringMatching(/^There is a block towns in .*; choose another by --name\n$/),
    ]);
  });

  test.each(['--port', 'PORT'])('a port that is taken is told, if %s asks for it', async (by) => {
    const file = path.join('torn', 'towns.csv');
    const { code, stderr } =
      by === 'PORT'
        ? await run(['try', file], { PORT: takenPort })
        : await run(['try', file, '--port', takenPort], { PORT: '0' });
    expect([code, stderr]).toEqual([
      1,
      `blockyard try failed: 127.0.0.1:${takenPort} is in use; stop what listens there, or choose another by --port.\n`,
    ]);
  });

  test('start --port says so too', async () => {
    const { code, stderr } = await run(['start', '--port', takenPort], { PORT: '0' });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${takenPort} is in use;`)]);
  });
});

test('try takes another port than the usual one if that is taken, and says which', async () => {
  const said: string[] = [];
  let tell = () => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const out = (line: string) => said.push(line);
  const shell = { out, err: out, pass: () => {}, told: () => told };
  // The usual port of this machine is nobody's to take: another one stands for it.
  const file = path.join(folder, 'towns.csv');
  const code = runOwnData('try', [file], shell, Number(takenPort));
  let isOver = false;
  code.finally(() => {
    isOver = true;
  });
  try {
    await until(() => said.some((line) => line.includes('Ctrl-C')) || isOver, 'a server');
    const [, port] =
      new RegExp(`^Port ${takenPort} is taken; this is (\\d+)\\.$`, 'm').exec(said.join('\n')) ??
      [];
    expect(said.join('\n')).toContain(`http://127.0.0.1:${port}/api_v2/blocks/towns `);
    expect((await fetch(`http://127.0.0.1:${port}/api_v2/blocks/towns`)).status).toBe(200);
  } finally {
    tell();
  }
  expect(await code).toBe(0);
});

describe('a command that is ended leaves nothing behind', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('add, in the midst of its work, by %s', async (signal, code) => {
    const before = left();
    // Where the machine is busy, it may be done before it is ended: then that is tried again.
    for (let time = 1; ; time++) {
      const name = `ended-by-${signal.toLowerCase()}-${time}`;
      const { child, said, ended } = begin(['add', 'many.csv', '--name', name]);
      await until(() => left()[1]?.length === 1 || child.exitCode !== null, 'a draft');
      child.kill(signal);
      const exit = await ended;
      expect(left()).toEqual(before);
      if (exit === 0) continue;
      expect([exit, said.err.replace(/^.* rows read$/gm, '').trim()]).toEqual([code, '']);
      expect(readdirSync(path.join(blocks, 'functions'))).not.toContain(name);
      return;
    }
  });

  test('try, where nobody reads on', async () => {
    const before = left();
    const { stdout } = await inShell('PORT=0 blockyard try towns.csv | head -1');
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(left()).toEqual(before);
  });

  test('what a killed one left goes at the next, but not what another uses', async () => {
    const before = left();
    const serving = begin(['try', 'towns.csv', '--port', '0']);
    await until(() => serving.said.out.includes('Ctrl-C'), 'a server');
    const used = left();
    const killed = begin(['add', 'many.csv', '--name', 'killed']);
    await until(() => left()[1]?.length === 1, 'a draft');
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(left()).not.toEqual(used);
    expect((await run(['check', 'towns', 'towns.csv'])).code).toBe(0);
    expect(left()).toEqual(used);
    const stores = descendantsOf(serving.pid);
    serving.child.kill('SIGINT');
    expect(await serving.ended).toBe(0);
    await Promise.all(stores.map(gone));
    expect(left()).toEqual(before);
  });
});

describe('at a terminal', () => {
  test.each([
    ['one of several readings', 'asks.csv'],
    ['the one reading that is known', 'latin.csv'],
  ])('the end of what is typed is a no, where %s is asked for', async (_, file) => {
    const shown = await onTerminal(`add ${file} --name asked`, '\u0004');
    expect(shown).toMatch(/\nNothing was written: .*\nexit 1\n$/);
    expect(shown).not.toMatch(/AbortError|^ {4}at /m);
    expect(readdirSync(blocks)).not.toContain(path.join('functions', 'asked'));
  });

  test('one reading is a question of yes or no', async () => {
    const shown = await onTerminal('add latin.csv --name latin', 'y\r');
    expect(shown).toContain('Is that so: it is windows-1252? [y/N] ');
    expect(shown).toMatch(/\nexit 0\n$/);
    const block = readFileSync(path.join(blocks, 'functions', 'latin', 'block.json'), 'utf8');
    expect(JSON.parse(block).encoding).toBe('windows-1252');
  });

  test('a cell, a file name or an error is not obeyed, and a pipe gets the bytes', async () => {
    const { child, said, ended } = begin(['try', 'escapes.csv', '--port', '0']);
    await until(() => said.out.includes('Ctrl-C'), 'a server');
    const [url] = /^http:\/\/[^/]+/m.exec(said.out) ?? [];
    const words = `run escapes --format csv --url ${url}`;
    const [shown, refused, passed] = await Promise.all([
      onTerminal(words),
      onTerminal(
        `add $'escapes\\e[2J.csv' --name '\u001b[2J'; "$NODE" "$BLOCKYARD" add $'escapes\\e[2J.csv'`,
      ),
      run(words.split(' ')),
    ]);
    child.kill('SIGINT');
    await ended;
    expect(shown).toContain('␛[31mBern\\u{9b}1m\\u{202e},1\n');
    expect(refused).toMatch(/escapes[\s\S]*line 2/);
    for (const text of [shown, refused]) {
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    }
    expect(passed.stdout).toContain('\u001b[31mBern\u009b1m\u202e,1\r\n');
  });
});
