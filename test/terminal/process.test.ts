import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { madeOnce } from '../support/once/made-once.ts';
import { ROOT, type Service, startService } from '../support/service.ts';

let service: Service;
/** The program, as it is installed. */
let program: string;
beforeAll(async () => {
  service = await startService();
  program = path.join(await madeOnce<string>('package'), 'bin/blockyard.js');
});
afterAll(() => service.close());

type Ended = { code: number; stdout: string; stderr: string };

async function start(
  command: readonly [string, ...string[]],
  environment: Record<string, string> = {},
  cwd = ROOT,
): Promise<Ended> {
  const [file, ...args] = command;
  const env = { PATH: process.env.PATH, BLOCKYARD_URL: service.url, ...environment };
  const run = promisify(execFile)(file, args, { cwd, env });
  const {
    code = 0,
    stdout,
    stderr,
  } = await run.then(
    (said) => ({ ...said, code: 0 }),
    (error: Ended) => error,
  );
  return { code, stdout, stderr };
}

describe('the program', () => {
  test('answers on standard output, from any folder', async () => {
    const { code, stdout, stderr } = await start(
      ['node', program, 'run', 'census', 'canton'],
      {},
      tmpdir(),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('\n1 of 56 neighborhoods\n');
  });

  test('ends with 1 at a line that is not understood', async () => {
    expect(await start(['node', program, 'run', 'directory', 'number>400'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'number>400 is not read here. Write number:400.., number:..500, number:400..500 or number:400; both ends count.\n',
    });
  });

  test('ends with 2 and one line where no service answers', async () => {
    const environment = { BLOCKYARD_URL: 'http://127.0.0.1:1' };
    expect(await start(['node', program, 'run', 'census', 'canton'], environment)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'No service answers at http://127.0.0.1:1.\n',
    });
  });

  test('is quiet where its reader has read enough', async () => {
    const line = `node ${program} run directory _limit:120 --format json`;
    const { code, stdout, stderr } = await start([
      'bash',
      '--norc',
      '-c',
      `${line} | head -c 1; echo " \${PIPESTATUS[0]}"`,
    ]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '{ 0\n', stderr: '' });
  });

  test('ends with 2 and one line where it cannot write', async () => {
    const line = `node ${program} run directory _limit:120 --format json > /dev/full`;
    const { code, stdout, stderr } = await start(['bash', '--norc', '-c', line]);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: 'blockyard cannot write what it was answered: ENOSPC\n',
    });
  });

  test('is quiet where nobody reads at all', async () => {
    const child = spawn('node', [program, 'run', 'directory', '_limit:120', '--format', 'json'], {
      env: { PATH: process.env.PATH, BLOCKYARD_URL: service.url },
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (some) => {
      stderr += some;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('npx blockyard', () => {
  let checkout: string;
  beforeAll(() => {
    checkout = mkdtempSync(path.join(tmpdir(), 'blockyard-npx-'));
    const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    // What `npm ci` leaves: no link to the checkout's own program.
    writeFileSync(path.join(checkout, 'package.json'), JSON.stringify(manifest));
    for (const file of ['package-lock.json', 'tsconfig.json', 'bin', 'src']) {
      cpSync(path.join(ROOT, file), path.join(checkout, file), { recursive: true });
    }
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(checkout, 'node_modules'));
  });
  afterAll(() => rmSync(checkout, { recursive: true }));

  test('runs in a checkout, with no network and nothing in its cache', async () => {
    const { code, stdout } = await start(
      ['npx', 'blockyard', 'run', 'directory', 'category:food and drink', 'number:..200'],
      {
        npm_config_offline: 'true',
        npm_config_cache: path.join(checkout, 'cache'),
        HOME: checkout,
      },
      checkout,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n\d+ of 120 businesses\n$/);
  });
});
