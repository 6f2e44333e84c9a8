import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { ROOT } from './service.ts';
import { virtualEnvironment } from './virtual-environment.ts';

const TOOLS = path.join(ROOT, 'test', 'channels', 'tools');

/** The file of a command of `test/channels/tools`, which `npm run test:channels` installs. */
export function toolCommand(name: string): string {
  return path.join(TOOLS, 'node_modules', '.bin', name);
}

/** The folder of a package of `test/channels/tools`. */
export function toolPackage(name: string): string {
  return path.join(TOOLS, 'node_modules', name);
}

/** The Python that has the packages of `test/channels/tools/requirements.txt`. */
export function toolPython(): string {
  const python = process.env.CHANNELS_PYTHON;
  if (python === undefined) throw new Error('Run these tests by "npm run test:channels".');
  return python;
}

/** A Python with DuckDB and its extension for files on other machines, which one version of it has. */
export function httpfsPython(): Promise<string> {
  return virtualEnvironment('httpfs', path.join(TOOLS, 'httpfs.txt'));
}

/** Whether this machine has a program; where it has none, a line says that its tests are left out. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v "$0"', program], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn(`skipped: ${program} is not installed here`);
    return false;
  }
}
