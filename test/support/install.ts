import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandThatWorks } from './command.ts';
import { ROOT } from './service.ts';

/** The folders of the checkout with a package and a lock of their own. */
export const PACKAGE_FOLDERS = [
  'bench',
  'test/channels/tools',
  'test/deploy/runtime',
  'test/trust',
] as const;

/** Installs what a folder's lock names, unless this lock is installed already. */
export async function install(folder: (typeof PACKAGE_FOLDERS)[number]): Promise<void> {
  const whole = path.join(ROOT, folder);
  // `npm ci` removes it with the rest.
  const installed = path.join(whole, 'node_modules', '.lock-of-these');
  const lock = readFileSync(path.join(whole, 'package-lock.json'), 'utf8');
  await installOnce(
    folder,
    () => existsSync(installed) && readFileSync(installed, 'utf8') === lock,
    async () => {
      const args = ['--prefix', whole, 'ci', '--no-audit', '--no-fund'];
      await commandThatWorks('npm', args, { cwd: ROOT, env: process.env, withinMs: 900_000 });
      writeFileSync(installed, lock);
    },
  );
}

/** Installs something unless it is there. Another process that wants the same waits meanwhile. */
export async function installOnce(
  name: string,
  isInstalled: () => boolean,
  installAll: () => Promise<void>,
): Promise<void> {
  if (isInstalled()) return;
  const folder = path.join(ROOT, '.blockyard');
  await mkdir(folder, { recursive: true });
  const turn = path.join(folder, `installing-${name.replaceAll('/', '-')}`);
  while (!isTaken(turn)) await sleep(200);
  try {
    if (isInstalled()) return;
    console.log(`Installing ${name}, once …`);
    const began = performance.now();
    await installAll();
    console.log(`Installed ${name} in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
  } finally {
    rmSync(turn);
  }
}

/** Takes a turn, as a file with the number of this process, unless a process that runs has it. */
function isTaken(turn: string): boolean {
  try {
    writeFileSync(turn, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  try {
    // Signal 0 is sent to nobody; it throws if there is no such process.
    process.kill(Number(readFileSync(turn, 'utf8')), 0);
  } catch {
    rmSync(turn, { force: true });
  }
  return false;
}
