import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../support/service.ts';
import { commandThatWorks } from './command.ts';

const REQUIREMENTS = path.join(import.meta.dirname, 'emulator', 'requirements.txt');

/** The Python that has the emulator; installed where it is not there yet, and kept. */
export async function virtualEnvironment(): Promise<string> {
  const wanted = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex');
  const folder = path.join(ROOT, '.blockyard', 'emulator', wanted.slice(0, 12));
  const python = path.join(folder, 'bin', 'python');
  if (await stat(path.join(folder, 'complete')).catch(() => undefined)) return python;
  console.log('Installing the emulator, once …');
  await rm(folder, { recursive: true, force: true });
  const options = { cwd: ROOT, env: process.env };
  await commandThatWorks('python3', ['-m', 'venv', folder], options).catch((error: Error) => {
    throw new Error(
      `python3 with its venv module is needed (Debian: python3-venv). ${error.message}`,
    );
  });
  const install = ['install', '--quiet', '--no-deps', '--disable-pip-version-check'];
  await commandThatWorks(python, ['-m', 'pip', ...install, '-r', REQUIREMENTS], options);
  // Last: what was cut short is begun anew.
  await mkdir(path.join(folder, 'complete'));
  return python;
}
