import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Console, EXIT, isForUser } from './console.ts';

/**
 * Runs a command with a temporary folder, after removing those that killed commands left there and
 * in the folder of the blocks. Prints why it is refused. Returns the exit code.
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
 * A command writes its drafts to folders of its own: temporary ones, and one in the folder of the
 * blocks. A folder's name says which process owns it, so that leftovers of a killed one are found.
 */

/** Runs with a temporary folder, and removes it at the end of the run or of the process. */
export function inTemporaryFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  return removedAtEnd(mkdtempSync(path.join(os.tmpdir(), `blockyard-${owner()}-`)), run);
}

/**
 * Runs with a folder for a block's draft, and removes it likewise. It lies in the folder of the
 * blocks, so that renaming a draft into place neither copies it nor can be cut off half way.
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

// A process that is told to end runs no `finally`. Its exit handler must be synchronous.
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

/** Removes folders of this user's processes that ended on this machine without removing them. */
export async function removeLeftBehind(blocks?: string): Promise<void> {
  await removeFoldersIn(os.tmpdir(), /^blockyard-(\d+)-([0-9a-f]{8})-\w{6}$/);
  if (blocks !== undefined)
    await removeFoldersIn(blocks, /^\.[a-z0-9-]+\.(\d+)-([0-9a-f]{8})\.draft$/);
}

async function removeFoldersIn(folder: string, named: RegExp): Promise<void> {
  const thisMachine = machine();
  for (const name of await readdir(folder).catch(() => [])) {
    const [, pid, where] = named.exec(name) ?? [];
    if (where !== thisMachine || isRunning(Number(pid))) continue;
    const leftover = path.join(folder, name);
    const found = await lstat(leftover).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) continue;
    // If one cannot be removed, the others still are.
    await rm(leftover, { recursive: true, force: true }).catch(() => {});
  }
}

function owner(): string {
  return `${process.pid}-${machine()}`;
}

/** Names the space in which a process's id is unique: the machine, and on Linux the container. */
function machine(): string {
  let container = '';
  try {
    container = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not Linux: the machine has a single list of processes.
  }
  return createHash('sha256').update(`${os.hostname()} ${container}`).digest('hex').slice(0, 8);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Otherwise the process belongs to another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
