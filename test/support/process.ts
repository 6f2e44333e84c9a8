import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './service.ts';

/** `npm start`, in a process of its own. */
export type ServerProcess = {
  readonly url: string;
  readonly pid: number;
  /** Everything printed until it was up. */
  readonly report: string;
  /** Everything printed until now. */
  printed(): string;
  kill(signal: NodeJS.Signals): void;
  ended(): Promise<Ended>;
};

export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type Environment = Readonly<Record<string, string>>;

/** After this a process or a condition is no longer waited for: no machine is as slow as that. */
const HANGS_AFTER_MS = 240_000;

const running = new Set<ChildProcess>();
const folders: string[] = [];

/** Starts a server on a free port, and waits until it has said so. */
export async function startServer(
  env: Environment,
  root = ROOT,
  args: readonly string[] = [],
): Promise<ServerProcess> {
  const { child, output, ended } = launch({ PORT: '0', ...env }, root, args);
  await until(
    () => /^(?:Data|DynamoDB): .*\n/m.test(output.stdout) || child.exitCode !== null,
    'a server to start',
  );
  const url = /^blockyard is at (\S+)$/m.exec(output.stdout)?.[1];
  if (url === undefined) throw new Error(`The server did not start: ${output.stderr}`);
  const pid = child.pid as number;
  return {
    url,
    pid,
    report: output.stdout,
    printed: () => output.stdout,
    kill: (signal) => process.kill(pid, signal),
    ended: () => ended,
  };
}

/** Runs a start that should not succeed, to its end. */
export async function startInVain(
  env: Environment,
  root = ROOT,
  args: readonly string[] = [],
): Promise<Ended> {
  const { child, ended } = launch({ PORT: '0', ...env }, root, args);
  const stuck = setTimeout(() => child.kill('SIGKILL'), HANGS_AFTER_MS);
  const result = await ended;
  clearTimeout(stuck);
  return result;
}

/** A line as a person pastes it: run by a shell, with the body and the status that it answers. */
export function paste(curlLine: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const line = curlLine.replace(/^curl /, String.raw`curl -sS -w '\n%{http_code}' `);
    execFile('sh', ['-c', line], (error, stdout) => {
      if (error) return reject(error);
      const cut = stdout.lastIndexOf('\n');
      resolve({ status: Number(stdout.slice(cut + 1)), body: stdout.slice(0, cut) });
    });
  });
}

/** Waits until a condition holds; throws after minutes, so that no test hangs. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const end = performance.now() + HANGS_AFTER_MS;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Waited in vain for ${what}.`);
    await sleep(5);
  }
}

/** Waits until a process is gone. */
export function gone(pid: number): Promise<void> {
  return until(() => !existsSync(`/proc/${pid}`) || isZombie(pid), `process ${pid} to end`);
}

/** A folder of its own, removed with all else by `cleanUp`. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'blockyard-test-'));
  folders.push(folder);
  return folder;
}

/** Ends what a test left running, and removes its folders. */
export async function cleanUp(): Promise<void> {
  for (const child of running) child.kill('SIGKILL');
  await until(() => running.size === 0, 'servers to end');
  await Promise.all(
    folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })),
  );
}

function launch(env: Environment, root: string, args: readonly string[]) {
  const child = spawn(process.execPath, ['bin/blockyard.js', 'start', ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text;
  });
  const silent = Promise.all(
    [child.stdout, child.stderr].map((stream) => new Promise((done) => stream.once('end', done))),
  );
  const ended = new Promise<Ended>((resolve) => {
    child.once('exit', async (code, signal) => {
      running.delete(child);
      await silent;
      resolve({ code, signal, ...output });
    });
  });
  return { child, output, ended };
}

function isZombie(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
