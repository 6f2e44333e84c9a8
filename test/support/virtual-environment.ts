import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { command, commandThatWorks } from './command.ts';
import { installOnce } from './install.ts';
import { ROOT } from './service.ts';

/** Where Python keeps what it has compiled: `PYTHONPYCACHEPREFIX`, for what is run from here. */
export const PYTHON_CACHE = path.join(ROOT, '.blockyard', 'pycache');

/**
 * The Python that has what a file of pinned packages names; installed where it is not there yet,
 * and kept under a name of its own.
 */
export async function virtualEnvironment(name: string, requirements: string): Promise<string> {
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  const folder = path.join(ROOT, '.blockyard', name, wanted.slice(0, 12));
  const python = path.join(folder, 'bin', 'python');
  const complete = path.join(folder, 'complete');
  await installOnce(
    path.relative(ROOT, requirements),
    () => existsSync(complete),
    async () => {
      await rm(folder, { recursive: true, force: true });
      const options = { cwd: ROOT, env: process.env };
      const makeVenv = (...more: readonly string[]) =>
        commandThatWorks('python3', ['-m', 'venv', ...more, folder], options).catch(
          (error: Error) => {
            throw new Error(
              `python3 with its venv module is needed (Debian: python3-venv). ${error.message}`,
            );
          },
        );
      await makeVenv('--without-pip');
      // To put a pip there takes seconds: python3's serves, if there is one that knows the option.
      const served = ['-m', 'pip', '--python', python];
      const { code } = await command('python3', [...served, '--version'], options);
      if (code !== 0) await makeVenv();
      const [pip, words] = code === 0 ? ['python3', served] : [python, ['-m', 'pip']];
      // Python compiles what is imported, which is a part of it.
      const args = ['install', '--quiet', '--no-deps', '--no-compile'];
      args.push('--disable-pip-version-check', '-r', requirements);
      await commandThatWorks(pip, [...words, ...args], options);
      // Last: what was cut short is begun anew.
      await mkdir(complete);
    },
  );
  return python;
}
