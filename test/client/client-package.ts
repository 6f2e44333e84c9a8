import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { commandThatWorks } from '../support/command.ts';
import { ROOT } from '../support/service.ts';

/** Builds the client's package where a program in this folder finds it. */
export async function installClient(folder: string): Promise<void> {
  const installed = path.join(folder, 'node_modules', 'blockyard-client');
  await mkdir(installed, { recursive: true });
  await copyFile(path.join(ROOT, 'client/package.json'), path.join(installed, 'package.json'));
  const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
  const out = ['--outDir', path.join(installed, 'dist')];
  await commandThatWorks(tsc, ['--project', 'client', ...out], { cwd: ROOT, env: process.env });
}
