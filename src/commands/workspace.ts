import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Console, EXIT, isForUser } from './console.ts';

/**
 * Runs a command with a temporary folder, after it has removed what a killed one left there and in
 * the folder of the blocks; prints what is refused. Returns the exit code.
 */
export async function runAside(
  { err }: Pick<Console, 'err'>,
  blocks: string | undefined,
  run: (folder: string) => Promise<number>,
): Promise<number> {
  await removeLeftBehind(blocks);
  try {
    return await inTemporaryFolder(run);
  } catch (error) {
    if (!isForUser(error)) throw error;
    err(error.message);
    return EXIT.refused;
  }
}

/**
 * What a command writes on its way is in folders of its own: temporary ones, and a draft in the
 * folder of the blocks. Their names tell whose they are, so that what a killed one left is known.
 */

/** Runs with a temporary folder, which goes at the end of the run, or of the process. */
export function inTemporaryFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  return removedAtEnd(mkdtempSync(path.join(os.tmpdir(), `blockyard-${owner()}-`)), run);
}

/**
 * Runs with a folder for a block's draft, likewise. It is in the folder of the blocks, so that what
 * is renamed into place is neither copied nor cut off half way.
 */
export function inDraftFolder<T>(
  blocks: string,
  name: string,
  run: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = path.join(blocks, `.${name}.${owner()}.draft`);
  mkdirSync(draft, { recursive: true });
  return removedAtEnd(draft, run);
}

// A process that is told to end runs no `finally`; what it does at its exit is synchronous.
async function removedAtEnd<T>(folder: string, run: (folder: string) => Promise<T>): Promise<T> {
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  try {
    return await run(folder);
  } finally {
    process.off('exit', remove);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes the folders of this user's processes that have ended on this machine without doing so. */
export async function removeLeftBehind(blocks?: string): Promise<void> {
  await removeThoseOf(os.tmpdir(), /^blockyard-(\d+)-([0-9a-f]{8})-\w{6}$/);
  if (blocks !== undefined)
    await removeThoseOf(blocks, /^\.[a-z0-9-]+\.(\d+)-([0-9a-f]{8})\.draft$/);
}

async function removeThoseOf(folder: string, named: RegExp): Promise<void> {
  const here = machine();
  for (const name of await readdir(folder).catch(() => [])) {
    const [, pid, where] = named.exec(name) ?? [];
    if (where !== here || isRunning(Number(pid))) continue;
    const left = path.join(folder, name);
    const found = await lstat(left).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) continue;
    // One that cannot be removed is no reason to do nothing else.
    await rm(left, { recursive: true, force: true }).catch(() => {});
  }
}

function owner(): string {
  return `${process.pid}-${machine()}`;
}

/** Where a process's id is its own: the machine, and on Linux the container. */
function machine(): string {
  let container = '';
  try {
    container = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not Linux: the machine has one list of processes.
  }
  return createHash('sha256').update(`${os.hostname()} ${container}`).digest('hex').slice(0, 8);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Otherwise it is somebody else's.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
