import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endTree } from '../support/process-tree.ts';
import { ROOT } from '../support/service.ts';
import { PYTHON_CACHE, virtualEnvironment } from '../support/virtual-environment.ts';
import type { Emulator } from './emulator.ts';
import { lambdaRuntime } from './lambda-runtime.ts';

export type StartedEmulator = {
  readonly emulator: Emulator;
  /** The end of what it has written: its own troubles, where a test has some. */
  lastLines(): Promise<string>;
  stop(): Promise<void>;
};

const STARTED_WITHIN_MS = 600_000;

const REQUIREMENTS = path.join(import.meta.dirname, 'emulator', 'requirements.txt');

/** Starts an AWS of our own on a free port of 127.0.0.1, with an empty account, in its own folder. */
export async function startEmulator(): Promise<StartedEmulator> {
  const python = await virtualEnvironment('emulator', REQUIREMENTS);
  const runtime = await lambdaRuntime();
  const folder = await mkdtemp(path.join(tmpdir(), 'blockyard-deploy-'));
  const faults = path.join(folder, 'faults');
  const home = path.join(folder, 'home');
  await mkdir(faults);
  await mkdir(home);
  // Or Node would read the emulator's scripts as a package.json further up says.
  await writeFile(path.join(folder, 'package.json'), '{}');
  const port = await freePort();
  const log = path.join(folder, 'emulator.log');
  const output = openSync(log, 'a');
  const child = spawn(python, [path.join(import.meta.dirname, 'emulator', 'launch.py')], {
    cwd: folder,
    // All of it reaches the functions too.
    env: {
      PATH: [runtime, '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter),
      HOME: home,
      TMPDIR: folder,
      GATEWAY_PORT: String(port),
      BIND_HOST: '127.0.0.1',
      MINISTACK_REGION: 'us-east-1',
      LOG_LEVEL: 'WARNING',
      // Permissions count, the functions' own too.
      AUTH: 'true',
      FAULTS: faults,
      // The CDK's trigger function takes this client from Lambda's runtime.
      NODE_PATH: path.join(ROOT, 'node_modules'),
      PYTHONPYCACHEPREFIX: PYTHON_CACHE,
    },
    stdio: ['pipe', output, output],
  });
  const lastLines = async () => (await readFile(log, 'utf8')).slice(-2000);
  const stop = async () => {
    await endTree(child.pid as number);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const emulator = { endpoint: `http://127.0.0.1:${port}`, folder, faults, home, python };
  const until = performance.now() + STARTED_WITHIN_MS;
  while (!(await isUp(emulator.endpoint))) {
    if (child.exitCode !== null || performance.now() > until) {
      const text = await lastLines();
      await stop();
      throw new Error(`The emulator did not start: ${text}`);
    }
    await sleep(50);
  }
  return { emulator, lastLines, stop };
}

async function isUp(endpoint: string): Promise<boolean> {
  return fetch(`${endpoint}/_ministack/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
