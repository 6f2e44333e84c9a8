import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { EXIT, isForUser, type Terminal } from './terminal.ts';

/** Runs a command with a temporary folder of its own; prints what is refused. Returns the exit code. */
export async function runAside(
  { err }: Pick<Terminal, 'err'>,
  run: (folder: string) => Promise<number>,
): Promise<number> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'blockyard-'));
  try {
    return await run(folder);
  } catch (error) {
    if (!isForUser(error)) throw error;
    err(error.message);
    return EXIT.refused;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
